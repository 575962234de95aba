import { describe, expect, it } from 'vitest';
import type { Store } from '../../../server/store/store.ts';
import { audit, recordsOf, stockOf } from '../store/audit.ts';
import { create, itemIds, update } from '../store/temporary-store.ts';
import { addPart, close, correct, lineOf, lotOf, openSite, prepare, receive, ship } from './site.ts';

/** Lot number, expiry, part and quantity of every lot. */
function lotsOf(store: Store): unknown[] {
  return recordsOf(store)
    .filter(({ family }) => family === 'inventory')
    .map(({ id, fields }) => [fields.batch_number ?? null, fields.part_id, lotOf(store, id).quantity]);
}

describe('a corrected receipt line (decisions, 5.2)', () => {
  it.each([
    ['lot number', { serial_number: 'M' }, { batch_number: 'M', expiry_date: '2026-12-31' }],
    ['expiry', { expiry_date: '2027-01-31' }, { batch_number: 'L', expiry_date: '2027-01-31' }],
    ['missing expiry', { expiry_date: null }, { batch_number: 'L' }],
  ])('renames the lot that it alone feeds: %s', async (_, fields, named) => {
    const store = await openSite();
    const part_id = await addPart(store);
    const received = await receive(store, { part_id, expiry_date: '2026-12-31' });
    await ship(store, { part_id, quantity: 4 });
    expect(await correct(store, received, fields)).toBe(received.lot);
    expect(store.records.get('inventory', received.lot)?.fields).toEqual({
      company_id: 1,
      is_legacy: false,
      lot_unit: 'units',
      part_id,
      ...named,
    });
    expect(lotOf(store, received.lot)).toMatchObject({ quantity: 6 });
  });

  it('renames it, too, when the lot was moved and its count corrected', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const place = await create(store, 'location', { name: 'Shelf' });
    const received = await receive(store, { part_id });
    await create(store, 'move', { inventory_id: received.lot, to_location_id: place.id });
    await create(store, 'adjustment', { inventory_id: received.lot, quantity: 1, reason: 'counted' });
    expect(await correct(store, received, { serial_number: 'M' })).toBe(received.lot);
    expect(stockOf(store)).toEqual([`${received.lot}@${place.id} 11000000`]);
  });

  it('moves to a lot of its own when others feed the one that it fed', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const received = await receive(store, { part_id });
    await receive(store, { part_id, quantity_accepted: 5 });
    const lot = await correct(store, received, { serial_number: 'M' });
    expect(lot).not.toBe(received.lot);
    expect(lotsOf(store)).toEqual([
      ['L', part_id, 5],
      ['M', part_id, 10],
    ]);
  });

  it('moves to the lot that it should have fed', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const received = await receive(store, { part_id });
    const right = await receive(store, { part_id, serial_number: 'M', quantity_accepted: 1 });
    expect(await correct(store, received, { serial_number: 'M' })).toBe(right.lot);
    expect(lotsOf(store)).toEqual([
      ['L', part_id, 0],
      ['M', part_id, 11],
    ]);
  });

  it('cannot move what was shipped', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const received = await receive(store, { part_id });
    await receive(store, { part_id, serial_number: 'M' });
    await ship(store, { part_id, quantity: 4, serial_number: 'L' });
    const before = lotsOf(store);
    await expect(correct(store, received, { serial_number: 'M' })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('lot L'),
    });
    expect(lotsOf(store)).toEqual(before);
  });

  it.each([
    ['unit', () => ({ unit_of_measure: 'kg' })],
    ['part', (other: number) => ({ part_id: other })],
  ])('does not change the %s of what was shipped', async (_, fields) => {
    const store = await openSite();
    const part_id = await addPart(store);
    const other = await addPart(store, { name: 'Lid' });
    const received = await receive(store, { part_id });
    const shipment = await prepare(store, { part_id, quantity: 4 });
    await close(store, shipment);
    await expect(correct(store, received, fields(other))).rejects.toMatchObject({ code: 'conflict' });
    await update(store, 'shipment', shipment, { actual_ship_date: null }, { reason: 'wrong part' });
    const lot = await correct(store, received, fields(other));
    expect(lotOf(store, lot)).toMatchObject({ quantity: 10, ...fields(other) });
  });

  it('stays with its lot while only its quantity or cost changes, whatever became of the part', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const received = await receive(store, { part_id });
    await ship(store, { part_id, quantity: 4 });
    await update(store, 'part', part_id, { unit_of_measure: 'kg' });
    expect(await correct(store, received, { quantity_accepted: 8, cost: 2.5 })).toBe(received.lot);
    await update(store, 'receiving-inspection', received.receipt, { notes: 'two pallets' });
    expect(lotOf(store, received.lot)).toMatchObject({ quantity: 4, unit_of_measure: 'units', cost: 2.5 });
    expect(lotsOf(store)).toHaveLength(1);
  });

  it('leaves alone another line of the same request that now feeds the lot', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { receipt, item } = await receive(store, { part_id, order: 5 });
    await update(store, 'receiving-inspection', receipt, {
      items: [
        { id: item, serial_number: 'M' },
        { part_id, serial_number: 'L', quantity_accepted: 3, order: 1 },
      ],
    });
    expect(lotsOf(store).sort()).toEqual([
      ['L', part_id, 3],
      ['M', part_id, 10],
    ]);
  });

  it('can swap its lot number with another line', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const lines = [
      { part_id, serial_number: 'L', quantity_accepted: 1 },
      { part_id, serial_number: 'M', quantity_accepted: 2 },
    ];
    const record = await create(store, 'receiving-inspection', { items: lines });
    const [first, second] = itemIds(record, 'items');
    await update(store, 'receiving-inspection', record.id, {
      items: [
        { id: first, serial_number: 'M' },
        { id: second, serial_number: 'L' },
      ],
    });
    expect(lotsOf(store)).toEqual([
      ['L', part_id, 2],
      ['M', part_id, 1],
    ]);
  });
});

describe('a receipt line that gives less', () => {
  it('never takes back what was shipped, nor what was moved away', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { id: place } = await create(store, 'location', { name: 'Shelf' });
    const { id: dock } = await create(store, 'location', { name: 'Dock' });
    const received = await receive(store, { part_id, location_id: dock });
    await create(store, 'move', { inventory_id: received.lot, quantity: 8, to_location_id: place });
    const before = stockOf(store);
    for (const fields of [{ quantity_accepted: 7.999999 }, { location_id: place }, { location_id: null }]) {
      await expect(correct(store, received, fields)).rejects.toMatchObject({ code: 'conflict' });
    }
    expect(stockOf(store)).toEqual(before);
    await correct(store, received, { quantity_accepted: 8 });
    expect(stockOf(store)).toEqual([`${received.lot}@${place} 8000000`]);
  });

  it('to nothing keeps its empty lot, and takes it up again', async () => {
    const store = await openSite();
    const received = await receive(store, { part_id: await addPart(store) });
    expect(await correct(store, received, { quantity_accepted: 0, quantity_rejected: 10 })).toBe(
      received.lot,
    );
    expect(stockOf(store)).toEqual([]);
    expect(await correct(store, received, { quantity_accepted: 2 })).toBe(received.lot);
    expect(lotOf(store, received.lot)).toMatchObject({ quantity: 2 });
  });
});

describe('a receipt line with a template', () => {
  const inspectionsOf = (store: Store, lot: number) =>
    recordsOf(store).filter(record => record.family === 'inspection' && record.fields.inventory_id === lot);

  it('opens one inspection of its lot, once', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { id: drawing_id } = await create(store, 'specification', { name: 'Jar' });
    const received = await receive(store, { part_id, drawing_id });
    await correct(store, received, { quantity_accepted: 9, serial_number: 'M' });
    await update(store, 'receiving-inspection', received.receipt, { notes: 'n' });
    expect(inspectionsOf(store, received.lot)).toHaveLength(1);
    expect(lotOf(store, received.lot)).toMatchObject({ is_locked: true });
  });

  it('opens one when something is accepted at last, and not before', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { id: drawing_id } = await create(store, 'specification', { name: 'Jar' });
    const received = await receive(store, { part_id, drawing_id, quantity_accepted: 0 });
    expect(recordsOf(store).some(({ family }) => family === 'inspection')).toBe(false);
    const lot = await correct(store, received, { quantity_accepted: 1 });
    expect(inspectionsOf(store, lot)).toHaveLength(1);
  });

  it('opens another of the lot that it moves to, which nobody has inspected', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { id: drawing_id } = await create(store, 'specification', { name: 'Jar' });
    const received = await receive(store, { part_id, drawing_id });
    const other = await receive(store, { part_id, serial_number: 'M' });
    expect(await correct(store, received, { serial_number: 'M' })).toBe(other.lot);
    expect(inspectionsOf(store, other.lot)).toHaveLength(1);
    expect(lotOf(store, other.lot)).toMatchObject({ is_locked: true });
  });
});

describe('lines of one receipt', () => {
  it('of the same part, lot number, expiry and unit share a lot; others are its related ones', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const line = { part_id, quantity_accepted: 1, serial_number: 'L' };
    const record = await create(store, 'receiving-inspection', {
      items: [line, line, { ...line, unit_of_measure: 'kg' }, { ...line, serial_number: 'M' }],
    });
    const lots = itemIds(record, 'items').map(item => Number(lineOf(record, item).inventory_id));
    expect(lots[0]).toBe(lots[1]);
    expect(new Set(lots).size).toBe(3);
    expect(lotOf(store, lots[0] ?? 0)).toMatchObject({ quantity: 2, related_batch_numbers: ['L', 'M'] });
    expect(audit(store)).toEqual([]);
  });

  it('are all refused when one is at fault', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const items = [{ part_id, quantity_accepted: 1 }, { part_id: 99 }];
    await expect(create(store, 'receiving-inspection', { items })).rejects.toMatchObject({
      errors: { 'items.1.part_id': [expect.any(String)] },
    });
    expect(stockOf(store)).toEqual([]);
  });
});
