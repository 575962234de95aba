import { describe, expect, it } from 'vitest';
import { mapOf } from '../../../server/store/changes.ts';
import { create, itemIds, update } from '../store/temporary-store.ts';
import { addPart, openSite } from './site.ts';

const REFUSED = expect.stringContaining('stands in this receipt already');

/** A piece is received once, and so is what stands on a pallet: at every door of a receipt. */
describe('the serial number of a piece', () => {
  const line = (part: number, serial_numbers: string[], fields = {}) => ({
    part_id: part,
    serial_number: 'L',
    quantity_accepted: serial_numbers.length,
    serial_numbers,
    ...fields,
  });

  it('stands once in a line and once in a receipt', async () => {
    const store = await openSite();
    const part = await addPart(store);
    const receive = (...items: object[]) => create(store, 'receiving-inspection', { items });
    await expect(receive(line(part, ['7', ' 7 ']))).rejects.toMatchObject({
      errors: { 'items.0.serial_numbers': [REFUSED] },
    });
    await expect(
      receive(line(part, ['7']), line(part, ['8', '7'], { serial_number: 'M' })),
    ).rejects.toMatchObject({
      errors: { 'items.1.serial_numbers': [REFUSED] },
    });
    const receipt = await receive(line(part, ['7', '8']));
    await expect(
      update(store, 'receiving-inspection', receipt.id, { items: [line(part, ['8'])] }),
    ).rejects.toMatchObject({ errors: { 'items.0.serial_numbers': [REFUSED] } });
    expect(Object.values(mapOf(receipt.fields.items))).toMatchObject([{ serial_numbers: ['7', '8'] }]);
  });

  it('may be that of another part, of another writing, or come in another delivery', async () => {
    const store = await openSite();
    const [part, other] = [await addPart(store), await addPart(store)];
    await create(store, 'receiving-inspection', { items: [line(part, ['a', 'A']), line(other, ['a'])] });
    await create(store, 'receiving-inspection', { items: [line(part, ['a'])] });
  });

  it('comes again once its line was taken back, and not twice', async () => {
    const store = await openSite();
    const part = await addPart(store);
    const receipt = await create(store, 'receiving-inspection', { items: [line(part, ['7'])] });
    const [id] = itemIds(receipt, 'items');
    const change = (...items: object[]) =>
      update(store, 'receiving-inspection', receipt.id, { items }, { reason: 'Counted anew.' });
    await change({ id, quantity_accepted: 0 });
    await change(line(part, ['7']));
    await expect(change({ id, quantity_accepted: 1 })).rejects.toMatchObject({
      errors: { 'items.0.serial_numbers': [REFUSED] },
    });
  });
});

describe('the goods of a lot on a pallet', () => {
  const pallet = (part: number, fields = {}) => ({
    part_id: part,
    serial_number: 'L',
    sscc: '340123450000000000',
    quantity_accepted: 25,
    ...fields,
  });
  const twice = { errors: { 'items.1.sscc': [REFUSED] } };

  it('are accepted once and rejected once, whoever saves them a second time', async () => {
    const store = await openSite();
    const part = await addPart(store);
    const receive = (...items: object[]) => create(store, 'receiving-inspection', { items });
    await expect(receive(pallet(part), pallet(part, { serial_number: 'l ' }))).rejects.toMatchObject(twice);
    const rejected = pallet(part, { quantity_accepted: 0, quantity_rejected: 5 });
    await expect(receive(rejected, rejected)).rejects.toMatchObject(twice);
    const receipt = await receive(pallet(part), rejected);
    const [id] = itemIds(receipt, 'items');
    const change = (item: object) =>
      update(store, 'receiving-inspection', receipt.id, { items: [item] }, { reason: 'Counted anew.' });
    await expect(change(pallet(part))).rejects.toMatchObject({ errors: { 'items.0.sscc': [REFUSED] } });
    // A line is corrected, and taken back for another one.
    await change({ id, quantity_accepted: 24 });
    await change({ id, quantity_accepted: 0 });
    await change(pallet(part));
  });

  it('may stand beside another lot or part on it, and come in another delivery', async () => {
    const store = await openSite();
    const [part, other] = [await addPart(store), await addPart(store)];
    const items = [pallet(part), pallet(part, { serial_number: 'M' }), pallet(other)];
    await create(store, 'receiving-inspection', { items });
    await create(store, 'receiving-inspection', { items: [pallet(part)] });
  });
});
