import { expect, it, onTestFinished } from 'vitest';
import { postCount } from '../../../../server/rules/counting.ts';
import { standingOfOrder } from '../../../../server/rules/order-standing.ts';
import { createAttention } from '../../../../server/search/attention.ts';
import type { Store } from '../../../../server/store/store.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import type { AttentionKind } from '../../../../shared/operations/overview-operations.ts';
import { stockOf } from '../../store/audit.ts';
import { create, itemIds, update } from '../../store/temporary-store.ts';
import { areSame, employ, faultsOf, fleet, shown } from './fleet.ts';

/** The ids of the records of a kind of task, when all that is looked for in the background was found. */
async function tasksOf(store: Store, kind: AttentionKind): Promise<number[]> {
  const attention = createAttention({
    store,
    clock: () => new Date('2026-06-15T12:00:00.000Z'),
    outside: () => [],
    onFault: error => {
      throw error;
    },
  });
  onTestFinished(() => attention.close());
  const read = () => attention.read().find(group => group.kind === kind);
  await expect.poll(() => read()?.items.length ?? 0).toBeGreaterThan(0);
  return read()?.items.map(({ id }) => id) ?? [];
}

it('stock that two stations take at once goes below nothing, which is shown everywhere and refused nowhere', async () => {
  const { central, stations, stores, settle } = await fleet(2);
  const [a, b] = stations;
  if (!a || !b) throw new Error();
  await create(central.store, 'company', { name: 'Ours' });
  await employ(central.store, 'tester', 'ann');
  const { id: part } = await create(central.store, 'part', { name: 'Jar', unit_of_measure: 'units' });
  const receipt = await create(central.store, 'receiving-inspection', {
    items: [{ part_id: part, serial_number: 'L', quantity_accepted: 5 }],
  });
  expect(itemIds(receipt, 'items')).toHaveLength(1);
  await settle();
  const lot = Object.values(shown(central.store)).find(({ family }) => family === 'inventory')?.id ?? 0;
  for (const { store } of [a, b]) {
    await create(store, 'adjustment', { inventory_id: lot, quantity: -4, reason: 'used' });
  }
  await settle();
  expect(areSame(stores())).toBe(true);
  for (const store of stores()) {
    expect(await tasksOf(store, 'stock_negative')).toEqual([lot]);
    expect(await faultsOf(store)).toEqual([]);
  }
});

it('one number typed at two stations is kept twice and shown everywhere', async () => {
  const { stations, stores, settle } = await fleet(2);
  const [a, b] = stations;
  if (!a || !b) throw new Error();
  const ids: number[] = [];
  // One number as people write it, blanks, capitals and umlauts in two characters among them.
  const written = new Map([
    [a, 'Ü-1'],
    [b, ' u\u0308-1'],
  ]);
  for (const [{ store }, ncr_number] of written) {
    ids.push((await create(store, 'ncr', { ncr_number, source: 'internal' })).id);
  }
  await settle();
  expect(areSame(stores())).toBe(true);
  for (const store of stores()) {
    const found = await tasksOf(store, 'numbers_twice');
    expect(found.toSorted((x, y) => x - y)).toEqual(ids);
    const kept = ids.map(id => store.records.get('ncr', id)?.fields.ncr_number);
    expect(kept).toEqual([...written.values()]);
  }
});

it('an order that two stations receive at once is over at all of them, and both deliveries stand', async () => {
  const { central, stations, stores, settle } = await fleet(2);
  const [a, b] = stations;
  if (!a || !b) throw new Error();
  await create(central.store, 'company', { name: 'Ours' });
  await employ(central.store, 'tester', 'ann');
  const { id: part } = await create(central.store, 'part', { name: 'Jar', unit_of_measure: 'units' });
  const order = await create(central.store, 'purchase-order', {
    po_number: 'PO-7',
    expected_date: '2026-06-01',
    items: [{ part_id: part, quantity: 100 }],
  });
  await settle();
  for (const store of stores()) expect(await tasksOf(store, 'orders_late')).toEqual([order.id]);
  for (const { store } of [a, b])
    await create(store, 'receiving-inspection', {
      po_number: 'PO-7',
      items: [{ part_id: part, serial_number: 'L', quantity_accepted: 100 }],
    });
  await settle();
  expect(areSame(stores())).toBe(true);
  for (const store of stores()) {
    expect(await tasksOf(store, 'orders_over')).toEqual([order.id]);
    const standing = standingOfOrder({ records: store.records, sql: store.database.reader }, order);
    expect(Object.values(standing.lines)).toEqual([{ quantity_received: 200, quantity_open: 0 }]);
    expect(await faultsOf(store)).toEqual([]);
  }
});

it('a place that two stations count at once has two counts, which people are told of; neither is posted until one is withdrawn', async () => {
  const { central, stations, stores, settle } = await fleet(2);
  const [a, b] = stations;
  if (!a || !b) throw new Error();
  await create(central.store, 'company', { name: 'Ours' });
  await employ(central.store, 'tester', 'ann', 'poster');
  const { id: shelf } = await create(central.store, 'location', { name: 'Shelf' });
  const { id: part } = await create(central.store, 'part', { name: 'Jar', unit_of_measure: 'units' });
  await create(central.store, 'receiving-inspection', {
    items: [{ part_id: part, serial_number: 'L', quantity_accepted: 5, location_id: shelf }],
  });
  await settle();
  const lot = Object.values(shown(central.store)).find(({ family }) => family === 'inventory')?.id ?? 0;
  const counts: number[] = [];
  for (const { store } of [a, b]) {
    const { id } = await create(store, 'stock-count', { location_id: shelf });
    const items = [{ inventory_id: lot, quantity_counted: 4 }];
    const [item = 0] = itemIds(await update(store, 'stock-count', id, { items, is_finished: true }), 'items');
    const again = [{ id: item, quantity_recounted: 4, reason: 'lost' }];
    await update(store, 'stock-count', id, { items: again, is_finished: true });
    counts.push(id);
  }
  await settle();
  expect(areSame(stores())).toBe(true);
  for (const store of stores()) {
    expect((await tasksOf(store, 'numbers_twice')).toSorted((x, y) => x - y)).toEqual(counts);
    expect(await tasksOf(store, 'counts_differ')).toEqual(counts);
  }
  const post = (store: Store, id: number) =>
    store.gate.commit({
      actor: { rights: BY_SERVER, user: 'poster' },
      reason: null,
      work: work => postCount(work, id),
      answer: record => record,
    });
  const [first = 0, second = 0] = counts;
  await expect(post(a.store, first)).rejects.toMatchObject({
    message: expect.stringContaining('two stations'),
  });
  await update(a.store, 'stock-count', second, { is_withdrawn: true }, { reason: 'The other one stands' });
  await post(a.store, first);
  await settle();
  expect(areSame(stores())).toBe(true);
  for (const store of stores()) {
    expect(stockOf(store)).toEqual([`${lot}@${shelf} 4000000`]);
    expect(await faultsOf(store)).toEqual([]);
  }
});
