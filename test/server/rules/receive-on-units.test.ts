import { expect, it } from 'vitest';
import type { Store } from '../../../server/store/store.ts';
import { stockOf } from '../store/audit.ts';
import { create, update } from '../store/temporary-store.ts';
import { addPart, openSite } from './site.ts';

const SSCC = '340123450000000000';
type Fields = Record<string, unknown>;

const place = async (store: Store, name: string, fields: Fields = {}): Promise<number> =>
  (await create(store, 'location', { name, ...fields })).id;
const receiveOn = async (store: Store, part: number, fields: Fields = {}) =>
  create(store, 'receiving-inspection', {
    items: [{ part_id: part, serial_number: 'L1', quantity_accepted: 10, sscc: SSCC, ...fields }],
  });
const units = (store: Store) =>
  [...store.records.all('location')]
    .filter(({ fields }) => fields.name === SSCC)
    .map(({ id, fields }) => ({ id, within: fields.within_id, kind: fields.kind }));

it('goods that come on a pallet stand on it, in the place that is said, else in the first receiving place', async () => {
  const store = await openSite();
  const part = await addPart(store);
  const gate = await place(store, 'Gate 2', { kind: 'receiving', walking_order: 2 });
  const dock = await place(store, 'Gate 1', { kind: 'receiving', walking_order: 1 });
  await receiveOn(store, part);
  const [unit] = units(store);
  expect(unit).toMatchObject({ kind: 'unit', within: dock });
  expect(stockOf(store)).toEqual([expect.stringMatching(new RegExp(`@${unit?.id} 10000000$`))]);
  // More goods on the same pallet.
  await receiveOn(store, part, { serial_number: 'L2' });
  const line = { part_id: part, quantity_accepted: 1, sscc: '106141412345678908' };
  await create(store, 'receiving-inspection', { items: [line, { ...line, serial_number: 'L3' }] });
  expect(units(store)).toHaveLength(1);
  expect(store.records.findBy('location', 'within_id', dock)).toHaveLength(2);
  // A pallet that is somewhere else with goods on it does not stand here.
  await expect(receiveOn(store, part, { location_id: gate })).rejects.toMatchObject({
    errors: { 'items.0.sscc': [expect.stringContaining('Gate 1')] },
  });
});

it('a pallet that came back empty is carried to where it is received', async () => {
  const store = await openSite();
  const part = await addPart(store);
  const dock = await place(store, 'Dock', { kind: 'receiving' });
  const unit = await place(store, SSCC, { kind: 'unit', within_id: await place(store, 'Shelf') });
  await receiveOn(store, part, { location_id: dock });
  expect(units(store)).toEqual([{ id: unit, kind: 'unit', within: dock }]);
});

it('what is rejected begins no pallet, nor does goods where nobody carries them by place', async () => {
  const store = await openSite();
  const part = await addPart(store);
  await receiveOn(store, part);
  expect(units(store)).toEqual([]);
  await place(store, 'Dock', { kind: 'receiving' });
  await receiveOn(store, part, { quantity_accepted: 0, quantity_rejected: 10 });
  expect(units(store)).toEqual([]);
});

it('a line that was put somewhere else by hand stands there', async () => {
  const store = await openSite();
  const part = await addPart(store);
  await place(store, 'Dock', { kind: 'receiving' });
  const receipt = await receiveOn(store, part);
  const [item] = Object.keys(receipt.fields.items as Fields);
  const shelf = await place(store, 'Shelf');
  await update(store, 'receiving-inspection', receipt.id, {
    items: [{ id: Number(item), location_id: shelf }],
  });
  expect(stockOf(store)).toEqual([expect.stringMatching(new RegExp(`@${shelf} 10000000$`))]);
});
