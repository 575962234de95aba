import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { balancesOf, locksOfLot } from '../../../server/store/lots.ts';
import type { Store } from '../../../server/store/store.ts';
import { DATABASE_FILE, RECORDS_TABLE } from '../../../server/store/verify/verify.ts';
import { families } from '../../../shared/families/registry.ts';
import { hideLocks } from './hide-locks.ts';
import { mergeSearch } from './merge-search.ts';
import { create, temporaryStore, update } from './temporary-store.ts';

async function stocked(): Promise<Store> {
  const store = await temporaryStore();
  await create(store, 'company', { name: 'Ours' });
  await create(store, 'part', { name: 'Jar', unit_of_measure: 'units' });
  await create(store, 'receiving-inspection', {
    items: [{ part_id: 1, serial_number: 'L', quantity_accepted: 5 }],
  });
  await create(store, 'supplier', { name: 'Acme' });
  return store;
}

/** A bit that flips on the disk: every row looks as if it had been written so. */
function flip(store: Store, sql: string): void {
  store.database.exec('DROP TRIGGER history_is_never_changed');
  store.database.exec(sql.replaceAll('RECORDS', RECORDS_TABLE));
}

/**
 * SQL keeps a generated checksum in step with the row; a bit on the disk does not. So the table is a plain one while
 * the row is changed.
 */
function flipInFile(file: string, sql: string): void {
  const withSchema = (change: string) => {
    const shell = new DatabaseSync(file, { defensive: false });
    shell.exec(`PRAGMA writable_schema = ON; ${change}`);
    shell.close();
  };
  withSchema(`CREATE TABLE kept AS SELECT name, sql FROM sqlite_schema WHERE sql LIKE '%STORED%';
    UPDATE sqlite_schema SET sql = substr(sql, 1, instr(sql, ' AS (') - 1) || substr(sql, instr(sql, ' STORED') + 7)
    WHERE name IN (SELECT name FROM kept)`);
  withSchema(sql);
  withSchema(`UPDATE sqlite_schema SET sql = (SELECT sql FROM kept WHERE kept.name = sqlite_schema.name)
    WHERE name IN (SELECT name FROM kept); DROP TABLE kept`);
}

describe('a row that is not what was written is refused:', () => {
  it.each<[string, string, (store: Store) => unknown]>([
    [
      'a record, read by its id',
      `UPDATE RECORDS SET document = replace(document, 'Acme', 'Bcme')`,
      store => store.records.get('supplier', 1),
    ],
    [
      'a record, in a list',
      `UPDATE RECORDS SET document = replace(document, 'Acme', 'Bcme')`,
      store => store.records.page(families.supplier, { page: 1, perPage: 50 }),
    ],
    [
      'a record, by a query of RxDB',
      `UPDATE RECORDS SET document = replace(document, 'Acme', 'Bcme')`,
      store => store.collection.find({ selector: { family: 'supplier' } }).exec(),
    ],
    [
      'a record whose text has become bytes',
      "UPDATE RECORDS SET document = CAST(document AS BLOB) WHERE key = 'supplier:1'",
      store => store.records.get('supplier', 1),
    ],
    [
      'a checksum',
      "UPDATE RECORDS SET seal = seal + 1 WHERE key = 'supplier:1'",
      store => store.records.get('supplier', 1),
    ],
  ])('%s, and nothing is written from then on', async (_, sql, read) => {
    const store = await stocked();
    flip(store, sql);
    await expect(async () => read(store)).rejects.toThrow(
      /can be read only. The record supplier:1 is not what/,
    );
    await expect(create(store, 'supplier', { name: 'Next' })).rejects.toThrow(/can be read only/);
    expect(store.records.get('part', 1)).toMatchObject({ fields: { name: 'Jar' } });
  });

  it('a record that is about to be changed, so that a change does not hide it', async () => {
    const store = await stocked();
    flip(store, `UPDATE RECORDS SET document = replace(document, 'Acme', 'Bcme')`);
    await expect(update(store, 'supplier', 1, { primary_name: 'Ann' })).rejects.toThrow(
      /not what was written/,
    );
    const [row] = store.database.all<{ document: string }>(
      `SELECT document FROM "${RECORDS_TABLE}" WHERE key = 'supplier:1'`,
    );
    expect(row?.document).toContain('Bcme');
  });

  it.each<[string, string, (store: Store) => unknown]>([
    ['stock', 'UPDATE stock SET quantity = quantity + 1024', store => balancesOf(store.database.reader, 1)],
    ['a count', 'UPDATE bucket SET n = n + 1', store => store.records.total('supplier')],
    [
      'a hit of search',
      "UPDATE search_index_data SET block = replace(block, CAST('acm' AS BLOB), CAST('xyz' AS BLOB))",
      store => store.records.page(families.supplier, { page: 1, perPage: 50, keyword: 'xyz' }),
    ],
    [
      'a hit in a text that waits for the index',
      "INSERT INTO search_waiting (row, text) SELECT number * 17592186044416 + 1, 'xyz' FROM family_number WHERE family = 'supplier'",
      store => store.records.page(families.supplier, { page: 1, perPage: 50, keyword: 'xyz' }),
    ],
    ['a fact', "UPDATE lot_fact SET lock = 'person'", store => locksOfLot(store.database.reader, 1)],
  ])('%s that is derived, until it is worked out anew', async (_, sql, read) => {
    const sound = await stocked();
    mergeSearch(sound);
    const { folder } = sound.database;
    await sound.close();
    flipInFile(join(folder, DATABASE_FILE), sql);
    const store = await temporaryStore({ folder });
    expect(() => read(store)).toThrow(/is damaged. "holdpoint rebuild"/);
    await store.rebuild();
    expect(() => read(store)).not.toThrow();
    await create(store, 'supplier', { name: 'Next' });
  });
});

it.each(['lot_fact_lot', 'lot_fact_lock'])('a lock is not overlooked where %s has lost it', async index => {
  const sound = await temporaryStore();
  await create(sound, 'company', { name: 'Ours' });
  const { id: part } = await create(sound, 'part', { name: 'Jar', unit_of_measure: 'units' });
  const line = { part_id: part, serial_number: 'LOT-1', quantity_accepted: 10 };
  await create(sound, 'receiving-inspection', { is_quarantined: true, items: [line] });
  const [lot] = sound.records.findBy('inventory', 'part_id', part);
  expect(locksOfLot(sound.database, lot?.id ?? 0)).toHaveLength(1);
  const { folder } = sound.database;
  await sound.close();
  hideLocks(folder, index);
  const { database } = await temporaryStore({ folder });
  expect(() => locksOfLot(database, lot?.id ?? 0)).toThrow(/is damaged. "holdpoint rebuild"/);
});

it.each<[string, (store: Store) => unknown]>([
  ['a page', store => store.records.page(families.supplier, { page: 1, perPage: 50 })],
  ['a record', store => store.records.get('supplier', 1)],
])('%s is refused where an index leads to another record, whole in itself', async (_, read) => {
  const store = await stocked();
  await create(store, 'supplier', { name: 'Best' });
  expect(() => read(store)).not.toThrow();
  flip(
    store,
    `UPDATE RECORDS AS r SET (document, seal) = (SELECT document, seal FROM RECORDS AS o
       WHERE o.f_family = 'supplier' AND o.f_id = 3 - r.f_id) WHERE f_family = 'supplier'`,
  );
  expect(() => read(store)).toThrow(/can be read only. An index leads to/);
});

it('a page that lacks a record is refused', async () => {
  const store = await stocked();
  flip(store, "UPDATE RECORDS SET f_family = 'car' WHERE key = 'supplier:1'");
  const read = () => store.records.page(families.supplier, { page: 1, perPage: 50 });
  expect(read).toThrow('An index leads to 0 records of the family supplier instead of 1.');
});
