import { expect, it, vi } from 'vitest';
import { inputOf } from '../../../server/rules/input-of.ts';
import { Connection } from '../../../server/store/sqlite/connection.ts';
import type { Store } from '../../../server/store/store.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import { families } from '../../../shared/families/registry.ts';
import { audit, stockOf } from './audit.ts';
import { mergeSearch } from './merge-search.ts';
import { create, temporaryStore, update } from './temporary-store.ts';

/** A store with stock, a shipment, locks, and words to search. */
async function stocked(): Promise<Store> {
  const store = await temporaryStore();
  await create(store, 'company', { name: 'Ours' });
  const { id: part } = await create(store, 'part', { name: 'Jar', unit_of_measure: 'units' });
  const line = { part_id: part, serial_number: 'LOT-1', quantity_accepted: 10 };
  await create(store, 'receiving-inspection', { is_quarantined: true, items: [line] });
  await create(store, 'receiving-inspection', { items: [{ ...line, serial_number: 'LOT-2' }] });
  const items = [{ part_id: part, serial_number: 'LOT-2', quantity: 4 }];
  const shipment = await create(store, 'shipment', { items });
  await update(store, 'shipment', shipment.id, { actual_ship_date: '2026-06-15' });
  return store;
}

function found(store: Store, keyword: string): number {
  return store.records.page(families.inventory, { page: 1, perPage: 10, keyword }).total;
}

it('finds nothing to mend in what the writes have derived', async () => {
  const store = await stocked();
  const before = stockOf(store);
  expect(await store.rebuild()).toMatchObject({ records: 7, differences: 0 });
  expect(stockOf(store)).toEqual(before);
  expect(found(store, 'lot-')).toBe(2);
  expect(audit(store)).toEqual([]);
});

it.each([
  ['a quantity', 'UPDATE stock SET quantity = quantity + 1 WHERE lot = 1', 2],
  ['a lost lot', 'DELETE FROM stock WHERE lot = 1', 1],
  ['a lot that nobody received', 'INSERT INTO stock (lot, location, quantity) VALUES (9, 0, 5)', 1],
  ['a counter', 'UPDATE bucket SET n = n + 1 WHERE family_number = 1', 0],
  ['a lock', 'UPDATE lot_fact SET lock = NULL', 2],
  ['a list of commits', 'DELETE FROM history_subject WHERE sequence = 2', 1],
])('mends and reports %s', async (_, sql, differences) => {
  const store = await stocked();
  await create(store, 'supplier', { name: 'Acme' });
  store.database.run(sql);
  const report = await store.rebuild();
  expect(report.differences).toBeGreaterThanOrEqual(Math.max(1, differences));
  expect(audit(store)).toEqual([]);
  expect(await store.rebuild()).toMatchObject({ differences: 0 });
});

it('mends the search index', async () => {
  const store = await stocked();
  mergeSearch(store);
  store.database.run("INSERT INTO search_index (search_index) VALUES ('delete-all')");
  expect(found(store, 'LOT-1')).toBe(0);
  await store.rebuild();
  expect(found(store, 'LOT-1')).toBe(1);
  expect(found(store, 'Jar')).toBe(2);
});

it('mends the texts that wait for the search index', async () => {
  const store = await stocked();
  store.database.run('DELETE FROM search_waiting');
  expect(found(store, 'LOT-1')).toBe(0);
  await store.rebuild();
  expect(found(store, 'LOT-1')).toBe(1);
});

it('is undone as a whole when it fails, and leaves the store at work', async () => {
  const store = await stocked();
  const before = stockOf(store);
  store.database.run('UPDATE stock SET quantity = 0 WHERE lot = 1');
  store.database.run(
    "CREATE TRIGGER broken BEFORE INSERT ON bucket BEGIN SELECT RAISE(ABORT, 'broken'); END",
  );
  await expect(store.rebuild()).rejects.toThrow('broken');
  store.database.run('DROP TRIGGER broken');
  expect(stockOf(store)).toContain('1@0 0');
  await store.rebuild();
  expect(stockOf(store)).toEqual(before);
});

it('lets writes wait, not fail', async () => {
  const store = await stocked();
  const [report, supplier] = await Promise.all([
    store.rebuild(),
    create(store, 'supplier', { name: 'Acme' }),
  ]);
  expect(report.differences).toBe(0);
  expect(supplier.version).toBe(1);
  expect(audit(store)).toEqual([]);
});

it.each([
  ['a forged commit', "UPDATE history SET user = 'eve' WHERE number = 2", /wrong hash/],
  ['a lost commit', 'DELETE FROM history WHERE number = 2', /does not follow/],
  ['a forged record', "UPDATE RECORDS SET document = replace(document, 'Jar', 'Lid')", /not its history/],
  ['a lost record', "DELETE FROM RECORDS WHERE f_family = 'part'", /in history only/],
  ['forged stock', 'UPDATE stock SET quantity = 0', /stock is/],
])('the audit of these tests finds %s', async (_, sql, fault) => {
  const store = await stocked();
  expect(audit(store)).toEqual([]);
  for (const trigger of ['changed', 'deleted'])
    store.database.exec(`DROP TRIGGER history_is_never_${trigger}`);
  store.database.run(sql.replace('RECORDS', store.collection.internalStorageInstance.internals.table));
  expect(audit(store).join('\n')).toMatch(fault);
});

it('lists the records of a large commit some at a time, so that others have their turns in between', async () => {
  const store = await temporaryStore();
  await store.gate.commit({
    actor: { rights: BY_SERVER, user: 'tester' },
    reason: null,
    work: work => {
      for (let n = 0; n < 4_500; n += 1) work.create(families.supplier, inputOf({ name: `S ${n}` }));
    },
    answer: () => undefined,
  });
  const run = Connection.prototype.run;
  const listed: number[] = [];
  vi.spyOn(Connection.prototype, 'run').mockImplementation(function (this: Connection, sql, ...values) {
    const written = run.call(this, sql, ...values);
    if (sql.startsWith('INSERT INTO history_subject')) listed.push(Number(written.changes));
    return written;
  });
  expect(await store.rebuild()).toMatchObject({ records: 4_500, differences: 0 });
  vi.restoreAllMocks();
  expect(listed).toEqual([2_000, 2_000, 500]);
});
