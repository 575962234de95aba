import { describe, expect, it } from 'vitest';
import { answerOf, derivedOf, locationsOf } from '../../../server/rules/answers.ts';
import { inputOf } from '../../../server/rules/input-of.ts';
import type { Store } from '../../../server/store/store.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { families } from '../../../shared/families/registry.ts';
import { create, itemIds, update } from '../store/temporary-store.ts';
import {
  addPart,
  contextOf,
  lineOf,
  lock,
  lotOf,
  openNameless,
  openSite,
  prepare,
  receive,
  ship,
  takenElsewhere,
} from './site.ts';

type Fields = Record<string, unknown>;

function recordOf(store: Store, family: string, id: number): StoredRecord {
  const record = store.records.get(family, id);
  if (!record) throw new Error(`There is no ${family} ${id}.`);
  return record;
}

const answer = (store: Store, family: string, id: number): Fields =>
  answerOf(contextOf(store), recordOf(store, family, id));

describe("a lot's answer", () => {
  it('has what follows from its part, its cost and its balance', async () => {
    const store = await openSite();
    const part = {
      identification: 'J-1',
      unit_of_measure: 'kg',
      reorder_point: 2.5,
      is_finished_product: false,
    };
    const part_id = await addPart(store, part);
    const { lot } = await receive(store, {
      part_id,
      unit_of_measure: 'grams',
      quantity_accepted: 1500,
      cost: 0.25,
      expiry_date: '2027-01-31',
    });
    expect(lotOf(store, lot)).toMatchObject({
      name: 'Jar',
      identification: 'J-1',
      inventory_name: 'Jar L',
      quantity: 1.5,
      unit_of_measure: 'kg',
      cost: 250,
      value_on_hand: 375,
      is_finished_product: false,
      reorder_point: '2.5',
      nearest_expiry_date: '2027-01-31',
      is_expiry_soon: '0',
      is_locked: false,
      location: null,
      location_id: null,
      location_list: null,
      related_batch_numbers: [],
      part: { id: part_id, name: 'Jar', identification: 'J-1' },
    });
    const { is_unit_unconvertible } = answerOf(contextOf(store), recordOf(store, 'inventory', lot), {
      fields: ['is_unit_unconvertible'],
    });
    expect(is_unit_unconvertible).toBe(false);
  });

  it('is null where nothing is known', async () => {
    const store = await openSite();
    const { id: part_id } = await create(store, 'part', {});
    const { lot } = await receive(store, { part_id, serial_number: null });
    expect(lotOf(store, lot)).toMatchObject({
      name: null,
      inventory_name: '',
      unit_of_measure: null,
      cost: null,
      value_on_hand: null,
      reorder_point: null,
      is_expiry_soon: '0',
    });
  });

  it('in a unit that does not convert is in its own', async () => {
    const store = await openSite();
    const part_id = await addPart(store, { unit_of_measure: 'kg' });
    const { lot } = await receive(store, { part_id, unit_of_measure: 'EA', cost: 2 });
    const fields = ['quantity', 'unit_of_measure', 'cost', 'value_on_hand', 'is_unit_unconvertible'];
    expect(answerOf(contextOf(store), recordOf(store, 'inventory', lot), { fields })).toEqual({
      quantity: 10,
      unit_of_measure: 'EA',
      cost: 2,
      value_on_hand: 20,
      is_unit_unconvertible: true,
    });
  });

  it('looks up only what is asked for', async () => {
    const store = await openSite();
    const place = await create(store, 'location', { name: 'Dock' });
    const { lot } = await receive(store, { part_id: await addPart(store), location_id: place.id });
    await lock(store, lot, true);
    const record = recordOf(store, 'inventory', lot);
    const derived = (...fields: string[]) =>
      answerOf(contextOf(store), record, { fields }) as Record<string, unknown>;
    expect(derived('is_locked')).toEqual({ is_locked: true });
    expect(derived('is_expiry_soon')).toEqual({ is_expiry_soon: '0' });
    expect(derived('location')).toEqual({ location: 'Dock' });
    expect(derived('location_id')).toEqual({ location_id: String(place.id) });
    expect(derived('location_list')).toEqual({ location_list: 'Dock' });
    const { fields = {} } = derivedOf(contextOf(store), record) ?? {};
    const looked = ['is_locked', 'is_expiry_soon', 'location', 'location_id', 'location_list'];
    expect(looked.filter(name => name in fields)).toEqual([]);
    expect('related_batch_numbers' in fields).toBe(false);
  });

  it('names its places, the one with the most first, and leaves out where nothing stands', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const places: number[] = [];
    for (const name of ['A', 'B', 'C', 'D']) places.push((await create(store, 'location', { name })).id);
    const [a = 0, b = 0, c = 0, d = 0] = places;
    const { lot } = await receive(store, { part_id, quantity_accepted: 20 });
    const move = (to_location_id: number, quantity: number, from: number | null = null) =>
      create(store, 'move', { inventory_id: lot, to_location_id, quantity, from_location_id: from });
    await move(c, 3);
    await move(b, 3);
    await move(a, 5);
    await move(d, 2);
    await move(a, 2, d);
    await update(store, 'location', b, { is_active: false });
    expect(locationsOf(contextOf(store), recordOf(store, 'inventory', lot))).toEqual([
      { id: a, name: 'A', is_active: 1 },
      { id: b, name: 'B', is_active: 0 },
      { id: c, name: 'C', is_active: 1 },
    ]);
    expect(lotOf(store, lot)).toMatchObject({
      location: 'A',
      location_id: String(a),
      location_list: 'A, B, C',
    });
  });

  it('names the place with the most first, whichever came first, and none with less than nothing', async () => {
    const store = await openSite();
    const { lot } = await receive(store, { part_id: await addPart(store), quantity_accepted: 10 });
    const places: number[] = [];
    for (const [name, quantity] of Object.entries({ A: 2, B: 3, C: 1 })) {
      const { id } = await create(store, 'location', { name });
      places.push(id);
      await create(store, 'move', {
        inventory_id: lot,
        to_location_id: id,
        quantity,
        from_location_id: null,
      });
    }
    const [a = 0, b = 0, c = 0] = places;
    const idsOf = () => locationsOf(contextOf(store), recordOf(store, 'inventory', lot)).map(({ id }) => id);
    expect(idsOf()).toEqual([b, a, c]);
    // Two stations that took the same goods leave less than nothing.
    await takenElsewhere(store, { inventory_id: lot, location_id: a, quantity: -5 });
    expect(idsOf()).toEqual([b, c]);
  });

  it.each([
    ['2026-06-15', '1'],
    ['2026-07-15', '1'],
    ['2026-07-16', '0'],
    [null, '0'],
  ])('that expires on %s says whether that is within 30 days: %s', async (expiry_date, soon) => {
    const store = await openSite();
    const { lot } = await receive(store, { part_id: await addPart(store), expiry_date });
    expect(lotOf(store, lot).is_expiry_soon).toBe(soon);
  });

  it.each([
    ['Jar', ' ', 'Jar'],
    ['', 'L', 'L'],
    [null, 'L', 'L'],
    ['Jar', 'L', 'Jar L'],
  ])('of the part %j with the number %j is called %s', async (name, batch_number, called) => {
    const store = await openSite();
    const part_id = await addPart(store, { name });
    const fields = { part_id, opening_quantity: 1 };
    const { id } = batch_number?.trim()
      ? await create(store, 'inventory', { ...fields, batch_number })
      : await openNameless(store, fields);
    expect(lotOf(store, id).inventory_name).toBe(called);
  });

  it('names the other lots of its receipts', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const line = { part_id, quantity_accepted: 1 };
    const record = await create(store, 'receiving-inspection', {
      items: [{ ...line, serial_number: 'L' }, { ...line, serial_number: 'M' }, line],
    });
    const [item = 0] = itemIds(record, 'items');
    const lot = Number(lineOf(record, item).inventory_id);
    expect(lotOf(store, lot).related_batch_numbers).toEqual(['M', null]);
  });
});

describe('the answer of', () => {
  it('an order has its customer as it is now', async () => {
    const store = await openSite();
    const { id: customer_id } = await create(store, 'customer', { name: 'Shop' });
    const { id } = await create(store, 'order', { customer_id });
    expect(answer(store, 'order', id).customer).toMatchObject({ id: customer_id, name: 'Shop' });
    const { id: without } = await create(store, 'order', {});
    expect(answer(store, 'order', without).customer).toBeNull();
  });

  it('a lab result has its inspection and what is no number', async () => {
    const store = await openSite();
    const { id: inspection_id } = await create(store, 'inspection', { passed: true });
    const lab_data = { lead: '<0.05', pH: '3.5' };
    const { id } = await create(store, 'lab-result', { inspection_id, lab_data });
    expect(answer(store, 'lab-result', id)).toMatchObject({
      inspection: { id: String(inspection_id), passed: true },
      lab_data: { pH: 3.5 },
      lab_data_qualified: { lead: '<0.05' },
    });
    const { id: without } = await create(store, 'lab-result', {});
    expect(answer(store, 'lab-result', without)).toMatchObject({ inspection: null, lab_data_qualified: {} });
  });

  it('a receipt tells whether more was received than ordered', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const over = async (total_order_quantity: number | null, ...accepted: (number | undefined)[]) => {
      const items = accepted.map(quantity_accepted => ({ part_id, quantity_accepted }));
      const { id } = await create(store, 'receiving-inspection', { total_order_quantity, items });
      return answer(store, 'receiving-inspection', id).is_over_received;
    };
    expect(await over(0.3, 0.1, 0.2)).toBe(false);
    expect(await over(0.3, 0.1, 0.2, 0.000001)).toBe(true);
    expect(await over(null, 5)).toBe(false);
    expect(await over(0, undefined)).toBe(false);
  });

  it('an inspection has a verdict on each sample', async () => {
    const store = await openSite();
    const template = await create(store, 'specification', {
      characteristics: [{ name: 'Height', tolerance: '5-10' }],
    });
    const [id = 0] = itemIds(template, 'characteristics');
    const results = [7, 20].map(value => ({ results: [{ id, value }] }));
    const samples = [...results, {}];
    const inspection = await create(store, 'inspection', { drawing_id: template.id, samples });
    const said = answerOf(contextOf(store), inspection, { collections: ['samples'] }).samples as Fields[];
    expect(said.map(({ passed }) => passed)).toEqual([true, false, null]);
  });

  it('a certificate has its standing', async () => {
    const store = await openSite();
    const { id } = await store.gate.commit({
      actor: { rights: BY_SERVER, user: 'tester' },
      reason: null,
      work: work => work.create(families.certificate, inputOf({})),
      answer: record => record,
    });
    const standing = { state: 'damaged', changed: [], withdrawn_at: null };
    expect(answer(store, 'certificate', id)).toMatchObject(standing);
  });

  it('an adjustment and a move has the unit of its lot', async () => {
    const store = await openSite();
    const { id: to_location_id } = await create(store, 'location', { name: 'Dock' });
    const { lot } = await receive(store, { part_id: await addPart(store), unit_of_measure: 'kg' });
    const adjustment = await create(store, 'adjustment', { inventory_id: lot, quantity: 1, reason: 'r' });
    const move = await create(store, 'move', { inventory_id: lot, to_location_id });
    expect(answer(store, 'adjustment', adjustment.id).unit_of_measure).toBe('kg');
    expect(answer(store, 'move', move.id).unit_of_measure).toBe('kg');
  });

  it('a record of another family is what is stored', async () => {
    const store = await openSite();
    const part = recordOf(store, 'part', await addPart(store));
    expect(derivedOf(contextOf(store), part)).toBeUndefined();
    expect(answerOf(contextOf(store), part, { fields: ['name'] })).toEqual({ name: 'Jar' });
  });
});

describe("a shipment item's expiry", () => {
  const day = (date: string) => `${date}T00:00:00.000Z`;

  async function expiriesOf(store: Store, shipment: number): Promise<unknown[]> {
    const record = recordOf(store, 'shipment', shipment);
    const { items } = answerOf(contextOf(store), record, { collections: ['items'] });
    return (items as Fields[]).map(item => [item.shipment_id, item.nearest_expiry_date]);
  }

  it('is of the lots in stock while it is open, of those that it took once it is closed', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const other = await addPart(store, { name: 'Lid' });
    const line = { part_id, quantity_accepted: 1 };
    await receive(store, { ...line, serial_number: 'B', expiry_date: '2026-08-01' });
    await receive(store, { ...line, serial_number: 'A', expiry_date: '2026-07-01' });
    await receive(store, { part_id: other, serial_number: 'B', expiry_date: '2026-06-20' });
    await receive(store, { ...line, serial_number: 'C' });
    const items = [
      { part_id, quantity: 1 },
      { part_id, quantity: 1, serial_number: '' },
      { part_id, quantity: 1, serial_number: 'B' },
      { part_id, quantity: 1, serial_number: 'C' },
      { part_id, quantity: 1, serial_number: 'Z' },
    ];
    const open = await prepare(store, ...items);
    const [item = 0] = itemIds(recordOf(store, 'shipment', open), 'items');
    expect(derivedOf(contextOf(store), recordOf(store, 'shipment', open))?.items?.items?.[item]).toEqual({
      shipment_id: open,
      nearest_expiry_date: day('2026-07-01'),
    });
    expect(await expiriesOf(store, open)).toEqual([
      [open, day('2026-07-01')],
      [open, day('2026-07-01')],
      [open, day('2026-08-01')],
      [open, null],
      [open, null],
    ]);
    const { id } = await ship(store, { part_id, quantity: 2 });
    expect(await expiriesOf(store, id)).toEqual([[id, day('2026-07-01')]]);
    // What is empty is not counted any more.
    expect((await expiriesOf(store, open))[0]).toEqual([open, null]);
  });
});
