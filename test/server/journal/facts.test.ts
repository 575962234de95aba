import { expect, it } from 'vitest';
import { DERIVED_TABLES, FACT_TABLES, LOG_TABLES, OTHER_TABLES } from '../../../server/journal/facts.ts';
import { Outbox } from '../../../server/journal/outbox.ts';
import { RECORDS_TABLE } from '../../../server/store/verify/verify.ts';
import { createCentralExchange } from '../../../server/sync/central/exchange.ts';
import { createSyncTables } from '../../../server/sync/log/tables.ts';
import { create, START, temporaryStore } from '../store/temporary-store.ts';

it('says of every table of a central what becomes of it', async () => {
  const store = await temporaryStore();
  createSyncTables(store.database);
  const tables = store.database
    .all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .map(({ name }) => name)
    .filter(name => !/^(sqlite|search_index)_|internal__0$/.test(name));
  const said = [...FACT_TABLES, ...LOG_TABLES, ...DERIVED_TABLES, ...OTHER_TABLES, RECORDS_TABLE];
  expect(tables.filter(name => !said.some(each => each === name))).toEqual([]);
  expect(new Set(said).size).toBe(said.length);
  for (const name of said) expect(tables).toContain(name);
});

it('notes what a transaction changes of small tables, and not what was undone or is of this folder', async () => {
  const store = await temporaryStore();
  createSyncTables(store.database);
  await createCentralExchange(store, () => new Date(START));
  const outbox = new Outbox(store.database);
  const { database } = store;
  await create(store, 'supplier', { name: 'Acme' });
  const [allocation] = database.transaction(() => outbox.take());
  expect(allocation).toEqual({
    table: 'allocation',
    key: ['supplier', 0],
    row: { counter: 'supplier', block: 0, next: 2 },
  });
  database.transaction(() => {
    database.run("INSERT INTO local VALUES ('said:x', 'a'), ('clock_seen', 'b'), ('said:z', 'c')");
    expect(() =>
      database.transaction(() => {
        database.run("INSERT INTO local VALUES ('said:y', 'c')");
        throw new Error('undone');
      }),
    ).toThrow('undone');
    database.run("DELETE FROM local WHERE name = 'said:z'");
    expect(outbox.take()).toEqual([
      { table: 'local', key: ['said:x'], row: { name: 'said:x', value: 'a' } },
      { table: 'local', key: ['said:z'], row: null },
    ]);
    expect(outbox.take()).toEqual([]);
  });
});

it('notes a row that another one replaces by a unique value, and takes both over', async () => {
  const { database } = await temporaryStore();
  createSyncTables(database);
  const outbox = new Outbox(database);
  const insert = 'INSERT OR REPLACE INTO token VALUES (?, ?, ?, ?, ?, NULL, 0)';
  database.transaction(() => {
    database.run(insert, 1, 'first', 'h', '[]', START);
    outbox.clear();
    database.run(insert, 2, 'second', 'h', '[]', START);
    const facts = outbox.take();
    expect(facts.map(({ key, row }) => [key, row?.name])).toEqual([
      [[1], undefined],
      [[2], 'second'],
    ]);
    database.run('DELETE FROM token');
    database.run(insert, 1, 'first', 'h', '[]', START);
    outbox.apply(facts);
    expect(database.all('SELECT id, name FROM token')).toEqual([{ id: 2, name: 'second' }]);
  });
});

it.each([
  { what: 'a table', fact: { table: 'later', key: [1], row: { id: 1 } } },
  {
    what: 'a column',
    fact: { table: 'local', key: ['said:x'], row: { name: 'said:x', value: 'x', later: 1 } },
  },
])('takes over no row of a later version, and says what to do: $what', async ({ fact }) => {
  const { database } = await temporaryStore();
  createSyncTables(database);
  const outbox = new Outbox(database);
  expect(() => database.transaction(() => outbox.apply([fact]))).toThrow(
    expect.objectContaining({
      code: 'unavailable',
      message: expect.stringContaining('Update this process.'),
    }),
  );
});
