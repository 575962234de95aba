import { describe, expect, it } from 'vitest';
import type { Store } from '../../../server/store/store.ts';
import { audit, stockOf } from '../store/audit.ts';
import { create, itemIds, update } from '../store/temporary-store.ts';
import { refusalOf } from './refusal.ts';
import { addPart, lineOf, lotOf, openNameless, openSite, receive, ship, takenElsewhere } from './site.ts';

async function twoPlaces(store: Store): Promise<{ lot: number; shelf: number; dock: number }> {
  const { id: shelf } = await create(store, 'location', { name: 'Shelf' });
  const { id: dock } = await create(store, 'location', { name: 'Dock' });
  const { lot } = await receive(store, { part_id: await addPart(store), location_id: dock });
  return { lot, shelf, dock };
}

describe('an adjustment (decisions, 5.1)', () => {
  it('corrects the quantity where the lot stands, and needs its reason', async () => {
    const store = await openSite();
    const { lot, dock } = await twoPlaces(store);
    const adjust = (quantity: number, reason: string | null = 'counted') =>
      create(store, 'adjustment', { inventory_id: lot, quantity, reason });
    await adjust(-0.000001);
    await adjust(2);
    expect(stockOf(store)).toEqual([`${lot}@${dock} 11999999`]);
    for (const reason of [null, '', '  ']) {
      await expect(adjust(1, reason)).rejects.toMatchObject({ errors: { reason: [expect.any(String)] } });
    }
    await expect(adjust(-12)).rejects.toMatchObject({ code: 'conflict' });
    await adjust(-11.999999);
    expect(stockOf(store)).toEqual([]);
  });

  it('has no place where the lot stands in none that has a name, and where nothing stands', async () => {
    const store = await openSite();
    const { lot } = await receive(store, { part_id: await addPart(store), quantity_accepted: 3 });
    for (const quantity of [-1, -2, 4]) {
      const { fields } = await create(store, 'adjustment', {
        inventory_id: lot,
        quantity,
        reason: 'counted',
      });
      expect(fields).not.toHaveProperty('location_id');
    }
    expect(stockOf(store)).toEqual([`${lot}@0 4000000`]);
  });

  it('raises what two stations took at once, though less than nothing is left', async () => {
    const store = await openSite();
    const { lot } = await receive(store, { part_id: await addPart(store), quantity_accepted: 1 });
    await takenElsewhere(store, { inventory_id: lot, quantity: -4 });
    await create(store, 'adjustment', { inventory_id: lot, quantity: 1, reason: 'counted' });
    expect(stockOf(store)).toEqual([`${lot}@0 -2000000`]);
  });

  it('names its place where the lot stands in several', async () => {
    const store = await openSite();
    const { lot, shelf, dock } = await twoPlaces(store);
    await create(store, 'move', { inventory_id: lot, quantity: 4, to_location_id: shelf });
    const adjust = (location_id?: number) =>
      create(store, 'adjustment', { inventory_id: lot, quantity: -5, reason: 'counted', location_id });
    await expect(adjust()).rejects.toMatchObject({ errors: { location_id: [expect.any(String)] } });
    await expect(adjust(shelf)).rejects.toMatchObject({ code: 'conflict' });
    await adjust(dock);
    expect(stockOf(store)).toEqual([`${lot}@${shelf} 4000000`, `${lot}@${dock} 1000000`].sort());
  });
});

describe('a move', () => {
  it('carries all that stands there, unless said', async () => {
    const store = await openSite();
    const { lot, shelf, dock } = await twoPlaces(store);
    await create(store, 'move', { inventory_id: lot, quantity: 2.5, to_location_id: shelf });
    expect(lotOf(store, lot)).toMatchObject({ quantity: 10, location: 'Dock', location_list: 'Dock, Shelf' });
    await create(store, 'move', { inventory_id: lot, from_location_id: dock, to_location_id: shelf });
    expect(stockOf(store)).toEqual([`${lot}@${shelf} 10000000`]);
    expect(lotOf(store, lot)).toMatchObject({ location: 'Shelf', location_id: String(shelf) });
  });

  it('from no place that has a name names none', async () => {
    const store = await openSite();
    const { lot } = await receive(store, { part_id: await addPart(store) });
    const { id: to_location_id } = await create(store, 'location', { name: 'Shelf' });
    const { fields } = await create(store, 'move', { inventory_id: lot, to_location_id });
    expect(fields).not.toHaveProperty('from_location_id');
  });

  it('of all that stands where two stations took too much carries nothing', async () => {
    const store = await openSite();
    const { lot } = await receive(store, { part_id: await addPart(store), quantity_accepted: 1 });
    const { id: to_location_id } = await create(store, 'location', { name: 'Shelf' });
    await takenElsewhere(store, { inventory_id: lot, quantity: -4 });
    expect(await refusalOf(create(store, 'move', { inventory_id: lot, to_location_id }))).toHaveProperty(
      'quantity',
    );
    expect(stockOf(store)).toEqual([`${lot}@0 -3000000`]);
  });

  it('of nothing to where the lot stands is told both', async () => {
    const store = await openSite();
    const { lot, dock } = await twoPlaces(store);
    const move = create(store, 'move', { inventory_id: lot, to_location_id: dock, quantity: 0 });
    expect(Object.keys(await refusalOf(move)).sort()).toEqual(['quantity', 'to_location_id']);
  });

  it('is refused from where too little is, to where it is, and from nowhere in particular', async () => {
    const store = await openSite();
    const { lot, shelf, dock } = await twoPlaces(store);
    const move = (fields: object) => create(store, 'move', { inventory_id: lot, ...fields });
    await expect(move({ to_location_id: dock })).rejects.toMatchObject({
      errors: { to_location_id: [expect.any(String)] },
    });
    await expect(move({ quantity: 11, to_location_id: shelf })).rejects.toMatchObject({ code: 'conflict' });
    await move({ quantity: 1, to_location_id: shelf });
    const { id: office } = await create(store, 'location', { name: 'Office' });
    await expect(move({ to_location_id: office })).rejects.toMatchObject({
      errors: { from_location_id: [expect.any(String)] },
    });
    expect(stockOf(store)).toEqual([`${lot}@${shelf} 1000000`, `${lot}@${dock} 9000000`].sort());
  });

  it('of more than a quantity can be has to say how much', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { id: shelf } = await create(store, 'location', { name: 'Shelf' });
    const { lot } = await receive(store, { part_id, quantity_accepted: 1_000_000_000 });
    await receive(store, { part_id, quantity_accepted: 1_000_000_000 });
    const move = (fields: object) =>
      create(store, 'move', { inventory_id: lot, to_location_id: shelf, ...fields });
    await expect(move({})).rejects.toMatchObject({ errors: { quantity: [expect.any(String)] } });
    await move({ quantity: 1_000_000_000 });
    expect(lotOf(store, lot)).toMatchObject({ quantity: 2_000_000_000 });
    expect(audit(store)).toEqual([]);
  });
});

describe('opening stock', () => {
  it('is a legacy lot in the unit of its part, unless said', async () => {
    const store = await openSite();
    const part_id = await addPart(store, { unit_of_measure: 'kg' });
    const opening = { part_id, serial_number: 'OLD', opening_quantity: 12.5, cost: 2, legacy_record_id: 7 };
    const { id } = await create(store, 'inventory', opening);
    expect(lotOf(store, id)).toMatchObject({
      batch_number: 'OLD',
      quantity: 12.5,
      unit_of_measure: 'kg',
      value_on_hand: 25,
      is_legacy: true,
      legacy_record_id: 7,
      company_id: 1,
    });
    await expect(create(store, 'inventory', { part_id, lot_unit: 'stone' })).rejects.toMatchObject({
      errors: { lot_unit: [expect.stringContaining('kg')] },
    });
  });

  it('keeps a cost that is corrected of the unit in which it is shown', async () => {
    const store = await openSite();
    const part_id = await addPart(store, { unit_of_measure: 'kg' });
    const opening = { part_id, batch_number: 'L', lot_unit: 'g', opening_quantity: 600, cost: 0.02 };
    const { id } = await create(store, 'inventory', opening);
    expect(lotOf(store, id)).toMatchObject({ quantity: 0.6, cost: 20, value_on_hand: 12 });
    // Sent back as it was read, it is no change.
    await update(store, 'inventory', id, { cost: 20, batch_number: 'A' });
    expect(lotOf(store, id)).toMatchObject({ batch_number: 'A', cost: 20, value_on_hand: 12 });
    await update(store, 'inventory', id, { cost: 0.3333 });
    expect(lotOf(store, id)).toMatchObject({ cost: 0.3333, value_on_hand: 0.19998 });
    await update(store, 'inventory', id, { cost: 0.3333, batch_number: 'B' });
    expect(lotOf(store, id)).toMatchObject({ batch_number: 'B', cost: 0.3333, value_on_hand: 0.19998 });
    await update(store, 'inventory', id, { cost: null });
    expect(lotOf(store, id)).toMatchObject({ cost: null, value_on_hand: null });
    await update(store, 'inventory', id, { cost: 0.25 });
    expect(lotOf(store, id)).toMatchObject({ cost: 0.25, value_on_hand: 0.15 });
    // Before anything counts on it, its unit may become the part's.
    await update(store, 'inventory', id, { lot_unit: 'kg', opening_quantity: 0.6, cost: 5 });
    expect(lotOf(store, id)).toMatchObject({ quantity: 0.6, cost: 5, value_on_hand: 3 });
  });

  it('keeps its cost as it was where something else is corrected', async () => {
    const store = await openSite();
    const part_id = await addPart(store, { unit_of_measure: 'kg' });
    const opening = { part_id, batch_number: 'L', lot_unit: 'g', opening_quantity: 600, cost: 0.02 };
    const { id } = await create(store, 'inventory', opening);
    await update(store, 'inventory', id, { opening_quantity: 500 });
    expect(lotOf(store, id)).toMatchObject({ quantity: 0.5, cost: 20, value_on_hand: 10 });
  });

  it('in a unit that does not become that of its part has its cost in its own', async () => {
    const store = await openSite();
    const part_id = await addPart(store, { unit_of_measure: 'kg' });
    const { id } = await create(store, 'inventory', {
      part_id,
      batch_number: 'L',
      lot_unit: 'EA',
      opening_quantity: 6,
    });
    const { fields } = await update(store, 'inventory', id, { cost: 5 });
    expect(fields).not.toHaveProperty('cost_unit');
    expect(lotOf(store, id)).toMatchObject({ unit_of_measure: 'EA', cost: 5, value_on_hand: 30 });
  });

  it('never goes below what was taken from it, and then needs a reason to change', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { id } = await create(store, 'inventory', { part_id, batch_number: 'L', opening_quantity: 10 });
    await ship(store, { part_id, quantity: 6 });
    const open = (opening_quantity: number, reason = 'counted wrong') =>
      update(store, 'inventory', id, { opening_quantity }, { reason });
    await expect(open(8, '')).rejects.toMatchObject({ errors: { reason: [expect.any(String)] } });
    await expect(open(5.999999)).rejects.toMatchObject({ code: 'conflict' });
    await open(6);
    expect(stockOf(store)).toEqual([]);
  });

  it('without a number is called by its record', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { id } = await openNameless(store, { part_id, opening_quantity: 5 });
    await ship(store, { part_id, quantity: 3 });
    const less = update(store, 'inventory', id, { opening_quantity: 2 }, { reason: 'counted wrong' });
    expect(await refusalOf(less)).toEqual({
      conflict: `1 more of lot record ${id} than the opening balance leaves was shipped or used.`,
    });
  });

  it('of which two stations took too much may be raised, and other lots of a receipt lowered', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const opening = { part_id, batch_number: 'O', opening_quantity: 1 };
    const { id } = await create(store, 'inventory', opening);
    await takenElsewhere(store, { inventory_id: id, quantity: -4 });
    await update(store, 'inventory', id, { opening_quantity: 2 }, { reason: 'counted wrong' });
    expect(stockOf(store)).toEqual([`${id}@0 -2000000`]);
    const line = { part_id, quantity_accepted: 1 };
    const receipt = await create(store, 'receiving-inspection', {
      items: [line, { ...line, serial_number: 'M', quantity_accepted: 9 }],
    });
    const [first = 0, second = 0] = itemIds(receipt, 'items');
    await takenElsewhere(store, { inventory_id: lineOf(receipt, first).inventory_id, quantity: -4 });
    const lower = { items: [{ id: second, quantity_accepted: 8 }] };
    const lowered = await update(store, 'receiving-inspection', receipt.id, lower);
    expect(lineOf(lowered, second).quantity_accepted).toBe(8);
  });

  it('keeps its part and unit once anything counts on them; its name can be put right', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const other = await addPart(store, { name: 'Lid' });
    const { id } = await create(store, 'inventory', { part_id, batch_number: 'L', opening_quantity: 10 });
    await update(store, 'inventory', id, { part_id: other, lot_unit: 'EA' });
    await update(store, 'inventory', id, { part_id, lot_unit: 'units' });
    await ship(store, { part_id, quantity: 6 });
    for (const fields of [{ part_id: other }, { lot_unit: 'kg' }]) {
      await expect(update(store, 'inventory', id, fields)).rejects.toMatchObject({ code: 'conflict' });
    }
    await update(store, 'inventory', id, { serial_number: 'OLD', expiry_date: '2027-01-31' });
    expect(lotOf(store, id)).toMatchObject({ batch_number: 'OLD', nearest_expiry_date: '2027-01-31' });
  });

  it('that is received more of is named by its receipts', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { id } = await create(store, 'inventory', { part_id, serial_number: 'L', opening_quantity: 10 });
    const received = await receive(store, { part_id, serial_number: 'L' });
    expect(received.lot).toBe(id);
    expect(lotOf(store, id)).toMatchObject({ quantity: 20 });
    await expect(update(store, 'inventory', id, { serial_number: 'M' })).rejects.toMatchObject({
      code: 'conflict',
    });
  });
});
