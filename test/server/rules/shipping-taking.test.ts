import { beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../server/store/store.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { stockOf } from '../store/audit.ts';
import { create, itemIds, update } from '../store/temporary-store.ts';
import { program } from './people.ts';
import { refusalOf } from './refusal.ts';
import {
  addPart,
  close,
  correct,
  lineOf,
  openSite,
  prepare,
  receive,
  ship,
  taken,
  takenElsewhere,
} from './site.ts';

let store: Store;
let part_id: number;
beforeEach(async () => {
  store = await openSite();
  part_id = await addPart(store);
});

const firstOf = (shipment: StoredRecord) => lineOf(shipment, itemIds(shipment, 'items')[0] ?? 0);
const addPlace = async (name: string) => (await create(store, 'location', { name })).id;

describe('a closed item', () => {
  it('says what was taken from which place, and when; an open one nothing of it', async () => {
    const { lot } = await receive(store, { part_id });
    const shelf = await addPlace('Shelf');
    await create(store, 'move', { inventory_id: lot, quantity: 4, to_location_id: shelf });
    const open = await create(store, 'shipment', { items: [{ part_id, quantity: 7 }] });
    expect(firstOf(open)).toMatchObject({ quantity: 7, is_inventory_calculated: false });
    for (const name of ['taken', 'shipped_date']) expect(firstOf(open)).not.toHaveProperty(name);
    expect(firstOf(await close(store, open.id))).toMatchObject({
      part_id,
      quantity: 7,
      taken: [
        { inventory_id: lot, location_id: null, quantity: 6 },
        { inventory_id: lot, location_id: shelf, quantity: 1 },
      ],
      is_inventory_calculated: true,
      shipped_date: '2026-06-15T00:00:00.000Z',
    });
  });

  it('takes nothing from a place where less than nothing stands', async () => {
    const shelf = await addPlace('Shelf');
    const { lot } = await receive(store, { part_id, location_id: shelf });
    await takenElsewhere(store, { inventory_id: lot, quantity: -3 });
    expect(taken(await ship(store, { part_id, quantity: 2 }))).toEqual([[[lot, 2]]]);
    expect(stockOf(store)).toEqual([`${lot}@0 -3000000`, `${lot}@${shelf} 8000000`]);
  });

  it('is measured in the unit of the lots that items before it left, where its part has none', async () => {
    const { id: rope } = await create(store, 'part', { name: 'Rope' });
    const first = await receive(store, { part_id: rope, unit_of_measure: 'EA', quantity_accepted: 1 });
    const { lot } = await receive(store, { part_id: rope, unit_of_measure: 'm', quantity_accepted: 5 });
    const items = [1, 3].map(quantity => ({ part_id: rope, quantity }));
    expect(taken(await ship(store, ...items))).toEqual([[[first.lot, 1]], [[lot, 3]]]);
  });

  it('of a little more than there is, which no unit of the lot can tell, takes all that is there', async () => {
    const steel = await addPart(store, { unit_of_measure: 'lb' });
    const { lot } = await receive(store, { part_id: steel, unit_of_measure: 'kg' });
    expect(taken(await ship(store, { part_id: steel, quantity: 22.046227 }))).toEqual([[[lot, 10]]]);
    expect(stockOf(store)).toEqual([]);
  });

  it('of less than the unit of the lot can tell is refused, not shipped as nothing', async () => {
    const salt = await addPart(store, { unit_of_measure: 'g' });
    await create(store, 'inventory', {
      part_id: salt,
      batch_number: 'S',
      lot_unit: 't',
      opening_quantity: 1,
    });
    const { conflict } = await refusalOf(ship(store, { part_id: salt, quantity: 0.1 }));
    expect(conflict).toContain('is short of 0.1 g.');
  });
});

describe('a shipment', () => {
  it('of a part that is not there says so of each item, before it looks for stock', async () => {
    const items = [
      { part_id: 998, quantity: 1 },
      { part_id: 999, quantity: 1 },
    ];
    const closed = create(store, 'shipment', { actual_ship_date: '2026-06-15', items });
    expect(Object.keys(await refusalOf(closed))).toEqual(['items.0.part_id', 'items.1.part_id']);
  });

  it('of years past lets out nothing that had expired by then', async () => {
    await receive(store, { part_id, expiry_date: '2026-06-05', received_date: '2026-06-01T08:00:00Z' });
    const shipment = await prepare(store, { part_id, quantity: 1 });
    const past = program(store, 'administrator');
    const { conflict } = await past.refusal('shipment', shipment, { actual_ship_date: '2026-06-06' });
    expect(conflict).toContain('expired on 2026-06-05');
    expect(await past.refusal('shipment', shipment, { actual_ship_date: '2026-06-05' })).toEqual({});
  });

  it('was not made before its goods came', async () => {
    await receive(store, { part_id }, { actual_arrival_date: '2026-06-10' });
    const { id } = await ship(store, { part_id, quantity: 1 });
    const on = (actual_ship_date: string) => refusalOf(update(store, 'shipment', id, { actual_ship_date }));
    expect(await on('2026-06-09')).toEqual({
      conflict: 'lot L was received on 2026-06-10. Give no earlier date, or clear it first.',
    });
    expect(await on('2026-06-10')).toEqual({});
  });

  it('keeps its day whatever becomes of the expiry, and takes no other one', async () => {
    const received = await receive(store, { part_id, expiry_date: '2026-06-20' });
    const { id } = await ship(store, { part_id, quantity: 1 });
    await correct(store, received, { expiry_date: '2026-06-10' });
    const change = (body: object) => refusalOf(update(store, 'shipment', id, body));
    expect(await change({ actual_ship_date: '2026-06-15', notes: 'n' })).toEqual({});
    expect(await change({ actual_ship_date: '2026-06-16' })).toHaveProperty('conflict');
  });
});
