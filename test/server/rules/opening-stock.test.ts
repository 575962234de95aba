import { expect, it } from 'vitest';
import { create, update } from '../store/temporary-store.ts';
import { refusalOf } from './refusal.ts';
import { addPart, lock, openNameless, openSite } from './site.ts';

it('a lock holds no stock without a number, and none whose number and part stay as they were', async () => {
  const store = await openSite();
  const part_id = await addPart(store);
  const unnumbered = { part_id, opening_quantity: 1 };
  const numbered = { part_id, batch_number: 'L', opening_quantity: 1 };
  const later = { expiry_date: '2027-01-31' };
  const nameless = await openNameless(store, unnumbered);
  const locked = await create(store, 'inventory', numbered);
  const other = await create(store, 'inventory', { ...numbered, ...later });
  for (const { id } of [nameless, locked]) await lock(store, id, true);
  expect(await refusalOf(openNameless(store, { ...unnumbered, ...later }))).toEqual({});
  for (const { id } of [locked, other])
    expect(await refusalOf(update(store, 'inventory', id, { batch_number: 'L', cost: 2 }))).toEqual({});
});

it('the double of a lot is refused, beside lots that are others', async () => {
  const store = await openSite();
  const [part_id, other] = [await addPart(store), await addPart(store, { name: 'Lid' })];
  const lot = { part_id, batch_number: 'L', opening_quantity: 1 };
  const { id } = await create(store, 'inventory', lot);
  const message = `This lot is the lot record ${id} already. Change that one, or adjust its quantity.`;
  for (const fields of [{ part_id: other }, { batch_number: 'M' }, { expiry_date: '2027-01-31' }])
    expect(await refusalOf(create(store, 'inventory', { ...lot, ...fields }))).toEqual({});
  expect(await refusalOf(create(store, 'inventory', lot))).toEqual({ conflict: message });
});

it.each([undefined, null, '', '  '])('needs a lot number, and %j is none', async batch_number => {
  const store = await openSite();
  const part_id = await addPart(store);
  const lot = { part_id, opening_quantity: 1, ...(batch_number !== undefined && { batch_number }) };
  expect(await refusalOf(create(store, 'inventory', lot))).toEqual({
    batch_number: 'The lot number is missing. Give the number of the lot.',
  });
});

it.each([null, '', '  '])('keeps a lot number: an update to %j is refused', async batch_number => {
  const store = await openSite();
  const part_id = await addPart(store);
  const { id } = await create(store, 'inventory', { part_id, batch_number: 'L', opening_quantity: 1 });
  expect(await refusalOf(update(store, 'inventory', id, { batch_number }))).toEqual({
    batch_number: 'The lot number is missing. Give the number of the lot.',
  });
});

it('is changed as it is where it never had a number, and may be given one', async () => {
  const store = await openSite();
  const part_id = await addPart(store);
  const { id } = await openNameless(store, { part_id, opening_quantity: 1 });
  for (const fields of [{ cost: 2 }, { cost: 3, batch_number: '' }, { batch_number: 'L' }])
    expect(await refusalOf(update(store, 'inventory', id, fields))).toEqual({});
});
