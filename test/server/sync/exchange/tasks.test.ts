import { expect, it, onTestFinished } from 'vitest';
import { postCount } from '../../../../server/rules/counting.ts';
import { standingOfOrder } from '../../../../server/rules/order-standing.ts';
import { createAttention } from '../../../../server/search/attention.ts';
import type { Store } from '../../../../server/store/store.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import type { AttentionKind } from '../../../../shared/operations/overview-operations.ts';
import { locks, person } from '../../rules/people.ts';
import { stockOf } from '../../store/audit.ts';
import { create, itemIds, update } from '../../store/temporary-store.ts';
import { areSame, employ, faultsOf, fleet, shown } from './fleet.ts';

/** What needs attention of a kind. */
function watching(store: Store, kind: AttentionKind) {
  const attention = createAttention({
    store,
    clock: () => new Date('2026-06-15T12:00:00.000Z'),
    outside: () => [],
    onFault: error => {
      throw error;
    },
  });
  onTestFinished(() => attention.close());
  return () => attention.read().find(group => group.kind === kind);
}

/** The ids of the records of a kind of task, when all that is looked for in the background was found. */
async function tasksOf(store: Store, kind: AttentionKind): Promise<number[]> {
  const read = watching(store, kind);
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

it('a lot number that two stations write in two ways names both lots everywhere, and stands as taken twice', async () => {
  const { central, stations, stores, settle } = await fleet(2);
  const [a, b] = stations;
  if (!a || !b) throw new Error();
  await create(central.store, 'company', { name: 'Ours' });
  await employ(central.store, 'tester', 'ann');
  const { id: part_id } = await create(central.store, 'part', { name: 'Jar', unit_of_measure: 'units' });
  const characteristics = [{ name: 'Lead', dimensions: '1', tolerance: '±1' }];
  const { id: specification_id } = await create(central.store, 'specification', { characteristics });
  await settle();
  for (const [{ store }, serial_number] of new Map([
    [a, 'LO-1'],
    [b, 'lo-1'],
  ]))
    await create(store, 'receiving-inspection', {
      items: [{ part_id, serial_number, quantity_accepted: 5 }],
    });
  await settle();
  const failed = { batch_number: 'Lo-1', specification_id, lab_data: '{"Lead": "3"}' };
  const result = await create(a.store, 'lab-result', failed);
  await settle();
  expect(areSame(stores())).toBe(true);
  for (const store of stores()) {
    const lots = Object.values(shown(store)).filter(({ family }) => family === 'inventory');
    expect(lots.map(({ fields }) => fields.batch_number).toSorted()).toEqual(['LO-1', 'lo-1']);
    expect(lots.map(({ id }) => locks(store, id))).toEqual([['lab_failed'], ['lab_failed']]);
    const ids = lots.map(({ id }) => id).toSorted((x, y) => x - y);
    expect((await tasksOf(store, 'numbers_twice')).toSorted((x, y) => x - y)).toEqual(ids);
    expect(await faultsOf(store)).toEqual([]);
  }
  // What waits for quality of a result names its lots by number: central takes it in this spelling, too.
  const lab_data = '{"Lead": "1"}';
  const inspector = person(b.store, 'ann', 'inspector');
  await inspector.update('lab-result', result.id, { lab_data }, 'Misread.');
  await settle();
  expect(central.exchange.reader().heldCommits.all()).toEqual([]);
  expect(areSame(stores())).toBe(true);
  for (const store of stores()) {
    const lots = Object.values(shown(store)).filter(({ family }) => family === 'inventory');
    expect(lots.map(({ id }) => locks(store, id))).toEqual([['correction'], ['correction']]);
  }
});

it('a pallet that two stations receive at once stands twice, which people are told of until one of them is given up', async () => {
  const { central, stations, stores, settle } = await fleet(2);
  const [a, b] = stations;
  if (!a || !b) throw new Error();
  await create(central.store, 'company', { name: 'Ours' });
  await employ(central.store, 'tester', 'ann');
  await create(central.store, 'location', { name: 'Dock', kind: 'receiving' });
  const { id: part } = await create(central.store, 'part', { name: 'Jar', unit_of_measure: 'units' });
  await settle();
  const sscc = '340123450000000000';
  for (const [{ store }, serial_number] of new Map([
    [a, 'L-A'],
    [b, 'L-B'],
  ]))
    await create(store, 'receiving-inspection', {
      items: [{ part_id: part, serial_number, quantity_accepted: 5, sscc }],
    });
  await settle();
  expect(areSame(stores())).toBe(true);
  const pallets = Object.values(shown(central.store)).flatMap(({ family, id, fields }) =>
    family === 'location' && fields.name === sscc ? [id] : [],
  );
  expect(pallets).toHaveLength(2);
  for (const store of stores())
    expect((await tasksOf(store, 'numbers_twice')).toSorted((x, y) => x - y)).toEqual(pallets);
  const read = watching(a.store, 'numbers_twice');
  const twice = () => read()?.total;
  await expect.poll(twice).toBe(2);
  await update(a.store, 'location', pallets[0] ?? 0, { is_active: false });
  await expect.poll(twice).toBe(0);
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

/** A shelf with five of one lot, of which two stations count four each without knowing of each other. */
async function countedTwice() {
  const made = await fleet(2);
  const [a, b] = made.stations;
  if (!a || !b) throw new Error();
  const { store } = made.central;
  await create(store, 'company', { name: 'Ours' });
  await employ(store, 'tester', 'ann', 'poster');
  const { id: shelf } = await create(store, 'location', { name: 'Shelf' });
  const { id: part } = await create(store, 'part', { name: 'Jar', unit_of_measure: 'units' });
  await create(store, 'receiving-inspection', {
    items: [{ part_id: part, serial_number: 'L', quantity_accepted: 5, location_id: shelf }],
  });
  await made.settle();
  const lot = Object.values(shown(store)).find(({ family }) => family === 'inventory')?.id ?? 0;
  const counts: number[] = [];
  for (const station of [a, b]) counts.push(await countFour(station.store, shelf, lot));
  const [first = 0, second = 0] = counts;
  const at = (quantity: number) => [`${lot}@${shelf} ${quantity}000000`];
  return { ...made, a, b, shelf, lot, counts, first, second, at };
}

async function countFour(store: Store, location_id: number, inventory_id: number): Promise<number> {
  const { id } = await create(store, 'stock-count', { location_id });
  const items = [{ inventory_id, quantity_counted: 4 }];
  const [item = 0] = itemIds(await update(store, 'stock-count', id, { items, is_finished: true }), 'items');
  const again = [{ id: item, quantity_recounted: 4, reason: 'lost' }];
  await update(store, 'stock-count', id, { items: again, is_finished: true });
  return id;
}

const post = (store: Store, id: number, reason: string | null = null) =>
  store.gate.commit({
    actor: { rights: BY_SERVER, user: 'poster' },
    reason,
    work: work => postCount(work, id),
    answer: record => record,
  });

it('a place that two stations count at once has two counts, which people are told of; neither is posted until one is withdrawn', async () => {
  const { a, stores, settle, counts, first, second, at } = await countedTwice();
  await settle();
  expect(areSame(stores())).toBe(true);
  for (const store of stores()) {
    expect((await tasksOf(store, 'numbers_twice')).toSorted((x, y) => x - y)).toEqual(counts);
    expect(await tasksOf(store, 'counts_differ')).toEqual(counts);
  }
  await update(a.store, 'stock-count', second, { count_number: 'Mine' });
  await expect(post(a.store, first)).rejects.toMatchObject({
    message: expect.stringContaining('two stations'),
  });
  await update(a.store, 'stock-count', second, { is_withdrawn: true }, { reason: 'The other one stands' });
  await post(a.store, first);
  await settle();
  expect(areSame(stores())).toBe(true);
  for (const store of stores()) {
    expect(stockOf(store)).toEqual(at(4));
    expect(await faultsOf(store)).toEqual([]);
  }
});

it('a count that another station posted meanwhile is in the way of one that did not know of it', async () => {
  const { a, b, settle, first, second, lot, at } = await countedTwice();
  await post(a.store, first);
  await update(b.store, 'stock-count', second, { count_number: 'Mine' });
  await settle();
  // The books say again what they said when it was counted.
  await create(b.store, 'adjustment', { inventory_id: lot, quantity: 1, reason: 'Found' });
  await expect(post(b.store, second, 'It is so')).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('Another count corrected the stock'),
  });
  expect(stockOf(b.store)).toEqual(at(5));
});

it.each<[string, (made: Awaited<ReturnType<typeof countedTwice>>) => Promise<void>]>([
  [
    'two counts that two stations post',
    async ({ a, b, first, second }) => {
      await post(a.store, first);
      await update(b.store, 'stock-count', second, { count_number: 'Mine' });
      await post(b.store, second);
    },
  ],
  [
    'one count that two stations post',
    async ({ a, b, first, second, settle }) => {
      await update(
        b.store,
        'stock-count',
        second,
        { is_withdrawn: true },
        { reason: 'The other one stands' },
      );
      await settle();
      for (const { store } of [a, b]) await post(store, first);
    },
  ],
])(
  '%s at once correct the stock twice, which people are told of until the place is counted again',
  async (_, postBoth) => {
    const made = await countedTwice();
    const { a, shelf, lot, stores, settle, at } = made;
    await postBoth(made);
    await settle();
    expect(areSame(stores())).toBe(true);
    for (const store of stores()) {
      expect(stockOf(store)).toEqual(at(3));
      expect(await tasksOf(store, 'counts_crossed')).toEqual([shelf]);
      expect(await faultsOf(store)).toEqual([]);
    }
    const told = watching(a.store, 'counts_crossed');
    await expect.poll(() => told()?.total).toBeGreaterThan(0);
    await post(a.store, await countFour(a.store, shelf, lot));
    expect(stockOf(a.store)).toEqual(at(4));
    await expect.poll(() => told()?.total).toBe(0);
  },
);
