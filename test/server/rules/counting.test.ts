import { describe, expect, it } from 'vitest';
import { answerOf } from '../../../server/rules/answers.ts';
import { postCount } from '../../../server/rules/counting.ts';
import type { Store } from '../../../server/store/store.ts';
import { BY_SERVER, type Rights } from '../../../shared/contract/permission.ts';
import { stockOf } from '../store/audit.ts';
import { create, itemIds, update } from '../store/temporary-store.ts';
import { addPart, contextOf, openSite, receive } from './site.ts';

type Fields = Record<string, unknown>;

async function counting() {
  const store = await openSite();
  const { id: shelf } = await create(store, 'location', { name: 'Shelf' });
  const part = await addPart(store);
  const lotOf = async (serial_number: string) =>
    (await receive(store, { part_id: part, serial_number, location_id: shelf })).lot;
  return { store, shelf, part, a: await lotOf('A'), b: await lotOf('B') };
}
const begin = (store: Store, location_id: number, fields: Fields = {}) =>
  create(store, 'stock-count', { location_id, ...fields });
const count = (store: Store, id: number, items: Fields[], fields: Fields = {}) =>
  update(store, 'stock-count', id, { items, ...fields });
const finish = (store: Store, id: number) => update(store, 'stock-count', id, { is_finished: true });
const answered = (store: Store, id: number) => {
  const record = store.records.get('stock-count', id);
  if (!record) throw new Error(`There is no count ${id}.`);
  return answerOf(contextOf(store), record, { collections: ['items'] }) as Record<string, unknown> as {
    standing: string;
    items: {
      id: number;
      inventory_id: number;
      quantity_difference: number | null;
      is_recount_due: boolean | null;
    }[];
  };
};
const post = (store: Store, id: number, rights: Rights = BY_SERVER, reason: string | null = null) =>
  store.gate.commit({
    actor: { rights, user: 'poster' },
    reason,
    work: work => postCount(work, id),
    answer: record => record,
  });
/** A finished count that found 8 of the lot where the books say 10, and waits to be posted. */
async function differing(store: Store, place: number, lot: number, others: Fields[]): Promise<number> {
  const { id } = await begin(store, place);
  const items = [{ inventory_id: lot, quantity_counted: 8 }, ...others];
  const [item = 0] = itemIds(await count(store, id, items, { is_finished: true }), 'items');
  await count(store, id, [{ id: item, quantity_recounted: 8, reason: 'lost' }], { is_finished: true });
  return id;
}

describe('a count of a place', () => {
  it('is blind, counts again what differs, and is posted with why', async () => {
    const { store, shelf, a, b } = await counting();
    const { id, fields } = await begin(store, shelf);
    expect(fields.count_number).toBe('Shelf / 1');
    await count(store, id, [{ inventory_id: a, quantity_counted: 10 }]);
    expect(answered(store, id).items).toMatchObject([{ inventory_id: a, quantity_difference: null }]);
    expect(JSON.stringify(answered(store, id))).not.toContain('quantity_expected');
    // B stands there by the books, and nobody has counted it.
    const finished = await finish(store, id);
    expect(finished.fields.is_finished).toBe(false);
    expect(answered(store, id)).toMatchObject({ standing: 'recounting' });
    const [first = 0, second = 0] = itemIds(finished, 'items');
    const refused = (items: Fields[]) =>
      expect(count(store, id, items)).rejects.toMatchObject({ errors: {} });
    await refused([{ id: first, quantity_recounted: 9 }]);
    await refused([{ id: second, quantity_counted: 9 }]);
    await refused([{ inventory_id: a, quantity_counted: 1 }]);
    await count(store, id, [{ id: second, quantity_recounted: 7.5 }]);
    expect(answered(store, id)).toMatchObject({ standing: 'counting' });
    await finish(store, id);
    expect(answered(store, id)).toMatchObject({
      standing: 'differs',
      items: [
        { inventory_id: a, quantity_difference: 0 },
        { inventory_id: b, quantity_difference: -2.5 },
      ],
    });
    await expect(post(store, id)).rejects.toMatchObject({ message: expect.stringContaining('lot B') });
    await expect(count(store, id, [{ id: second, quantity_recounted: 10 }])).rejects.toMatchObject({
      code: 'conflict',
    });
    await count(store, id, [{ id: second, reason: 'damaged' }]);
    await post(store, id);
    expect(stockOf(store)).toEqual([`${a}@${shelf} 10000000`, `${b}@${shelf} 7500000`]);
    expect(store.records.findBy('adjustment', 'inventory_id', b)).toMatchObject([
      { fields: { quantity: -2.5, reason: 'Count Shelf / 1: damaged', stock_count_id: id } },
    ]);
    await expect(post(store, id)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('corrects by what differed when it was counted, whatever goes in between', async () => {
    const { store, shelf, a, b } = await counting();
    const { id: other } = await create(store, 'location', { name: 'Other' });
    const { id } = await begin(store, shelf);
    await count(store, id, [
      { inventory_id: a, quantity_counted: 12 },
      { inventory_id: b, quantity_counted: 10 },
    ]);
    await create(store, 'move', { inventory_id: a, to_location_id: other, quantity: 4 });
    const [item = 0] = itemIds(await finish(store, id), 'items');
    await count(store, id, [{ id: item, quantity_recounted: 8 }], { is_finished: true });
    expect(answered(store, id)).toMatchObject({
      standing: 'differs',
      items: [{ quantity_difference: 2 }, {}],
    });
    await count(store, id, [{ id: item, reason: 'found' }]);
    await post(store, id);
    expect(stockOf(store)).toEqual([
      `${a}@${shelf} 8000000`,
      `${a}@${other} 4000000`,
      `${b}@${shelf} 10000000`,
    ]);
  });

  it('covers the handling units that stand there', async () => {
    const { store, shelf, a, b } = await counting();
    const unit = { name: '340123450000000000', kind: 'unit', within_id: shelf };
    const { id: pallet } = await create(store, 'location', unit);
    await create(store, 'move', { inventory_id: a, to_location_id: pallet, quantity: 6 });
    const { id } = await begin(store, shelf);
    const items = [
      { inventory_id: a, quantity_counted: 3 },
      { inventory_id: b, quantity_counted: 10 },
    ];
    await count(store, id, items, { is_finished: true });
    const [item = 0] = itemIds(await count(store, id, []), 'items');
    await count(store, id, [{ id: item, quantity_recounted: 3, reason: 'lost' }], { is_finished: true });
    await post(store, id);
    expect(stockOf(store)).toEqual([`${a}@${pallet} 3000000`, `${b}@${shelf} 10000000`]);
  });

  it('is one at a time, and stands once it is finished, posted or withdrawn', async () => {
    const { store, shelf, a, b } = await counting();
    const { id } = await begin(store, shelf);
    await expect(begin(store, shelf)).rejects.toMatchObject({
      message: expect.stringContaining('Shelf / 1'),
    });
    const items = [a, b].map(inventory_id => ({ inventory_id, quantity_counted: 10 }));
    await count(store, id, items, { is_finished: true });
    expect(answered(store, id).standing).toBe('agreed');
    await expect(post(store, id)).rejects.toMatchObject({
      message: expect.stringContaining('nothing to post'),
    });
    const refused = (fields: Fields) =>
      expect(update(store, 'stock-count', id, fields)).rejects.toMatchObject({ code: 'conflict' });
    await refused({ is_finished: false });
    await refused({ location_id: (await create(store, 'location', { name: 'Other' })).id });
    await refused({ items: [{ inventory_id: a, quantity_counted: 1 }] });
    const { id: second, fields } = await begin(store, shelf);
    expect(fields.count_number).toBe('Shelf / 2');
    const { id: namesake } = await create(store, 'location', { name: 'Shelf' });
    expect((await begin(store, namesake)).fields.count_number).toBe(`Shelf (${namesake}) / 1`);
    await update(store, 'stock-count', second, { is_withdrawn: true });
    await expect(post(store, second)).rejects.toMatchObject({
      message: expect.stringContaining('withdrawn'),
    });
    await expect(update(store, 'stock-count', second, { is_withdrawn: false })).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  it('is the only one of its place, of what stands in it and of where it stands, until it is posted or withdrawn', async () => {
    const { store, shelf, a, b } = await counting();
    const unit = { name: '340123450000000000', kind: 'unit', within_id: shelf };
    const { id: pallet } = await create(store, 'location', unit);
    await create(store, 'move', { inventory_id: a, to_location_id: pallet });
    const refused = (place: number) =>
      expect(begin(store, place)).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('(count Shelf / 1)'),
      });
    const id = await differing(store, shelf, b, [{ inventory_id: a, quantity_counted: 10 }]);
    for (const place of [shelf, pallet]) await refused(place);
    await post(store, id);
    await differing(store, pallet, a, []);
    await expect(begin(store, shelf)).rejects.toMatchObject({ code: 'conflict' });
    expect(stockOf(store)).toEqual([`${a}@${pallet} 10000000`, `${b}@${shelf} 8000000`]);
  });

  it('is posted with a reason where the books of what differs changed after it was counted', async () => {
    const { store, shelf, a, b } = await counting();
    const id = await differing(store, shelf, b, [{ inventory_id: a, quantity_counted: 10 }]);
    const { id: other } = await create(store, 'location', { name: 'Other' });
    await create(store, 'move', { inventory_id: a, to_location_id: other });
    await create(store, 'adjustment', { inventory_id: b, quantity: -2, reason: 'They are gone' });
    const asked = { errors: { reason: [expect.stringMatching(/lot B .*\(10 then, 8 now\)/)] } };
    await expect(post(store, id)).rejects.toMatchObject(asked);
    await expect(post(store, id, BY_SERVER, ' ')).rejects.toMatchObject(asked);
    expect(stockOf(store)).toEqual([`${a}@${other} 10000000`, `${b}@${shelf} 8000000`]);
    await post(store, id, BY_SERVER, 'Two more are gone');
    expect(stockOf(store)).toEqual([`${a}@${other} 10000000`, `${b}@${shelf} 6000000`]);
  });

  it('says in words that more stands there than can be counted', async () => {
    const { store, shelf, part, b } = await counting();
    const much = { part_id: part, serial_number: 'M', quantity_accepted: 1_000_000_000, location_id: shelf };
    for (const line of [much, much]) await receive(store, line);
    const { id } = await begin(store, shelf);
    await expect(
      count(store, id, [{ inventory_id: b, quantity_counted: 10 }], { is_finished: true }),
    ).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('of lot M stands there'),
    });
  });

  it('is posted by who may correct stock, and by nobody else', async () => {
    const { store, shelf, a, b } = await counting();
    const { id } = await begin(store, shelf);
    const items = [
      { inventory_id: a, quantity_counted: 9 },
      { inventory_id: b, quantity_counted: 10 },
    ];
    const [item = 0] = itemIds(await count(store, id, items, { is_finished: true }), 'items');
    await count(store, id, [{ id: item, quantity_recounted: 9, reason: 'lost' }], { is_finished: true });
    const as = (role: string) => post(store, id, { kind: 'person', roles: [role] });
    for (const role of ['operator', 'inspector'])
      await expect(as(role)).rejects.toMatchObject({ code: 'forbidden' });
    expect(stockOf(store)).toEqual([`${a}@${shelf} 10000000`, `${b}@${shelf} 10000000`]);
    await as('quality');
    expect(stockOf(store)).toEqual([`${a}@${shelf} 9000000`, `${b}@${shelf} 10000000`]);
  });
});
