import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { putEvent } from '../../../../server/audit/event.ts';
import { verifyDependencies } from '../../../../server/backup/verify-dependencies.ts';
import type { Store } from '../../../../server/store/store.ts';
import { tokenTable } from '../../../../server/store/token-table.ts';
import { RECORDS_TABLE, type VerifyReport, verify } from '../../../../server/store/verify/verify.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import { hideLocks } from '../hide-locks.ts';
import { mergeSearch } from '../merge-search.ts';
import { create, START, temporaryStore, update } from '../temporary-store.ts';

/** A store with stock, a shipment, a lock, items, changes and words to search. */
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
  const { id } = await create(store, 'supplier', { name: 'Łódź "Szkło" 🫙', primary_name: 'Ann' });
  await update(store, 'supplier', id, { primary_name: 'Bo', notes: 'ü' });
  await create(store, 'lab-result', { id: 77, batch_number: 'LOT-1' });
  return store;
}

function verified(store: Store): Promise<VerifyReport> {
  return verify(store.database.folder, { ...verifyDependencies });
}

/** What a person with a database shell can do. */
function plant(store: Store, sql: string): void {
  for (const { name } of store.database.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'trigger'",
  )) {
    store.database.exec(`DROP TRIGGER ${name}`);
  }
  store.database.exec(sql.replaceAll('RECORDS', RECORDS_TABLE));
}

describe('verify', () => {
  it('finds nothing wrong with what the gate has written, while the store is open and when it is closed', async () => {
    const store = await stocked();
    const expected = { findings: [], faults: 0, commits: 9, chains: 1, records: 9, unknown: 0 };
    expect(await verified(store)).toMatchObject(expected);
    await store.close();
    expect(await verified(store)).toMatchObject(expected);
  });

  it('finds that a token lacks what bounds it, by what the trail says; one of before the trail has no such row', async () => {
    const store = await stocked();
    const { database, gate } = store;
    const tokens = tokenTable(database);
    const about = { scopes: ['read'], created_at: START, revoked_at: null, families: ['part'] } as const;
    const insert = (name: string) => tokens.insert({ ...about, name, hash: name.padEnd(64, '0') }).id;
    await gate.commit({
      actor: { user: 'audit-trail', rights: BY_SERVER },
      reason: null,
      work: work => putEvent(work, { kind: 'token_created', details: { token: 'Scale' } }),
      answer: () => ['Scale', 'Of 0.1.0'].map(insert),
    });
    expect((await verified(store)).findings).toEqual([]);
    await gate.briefly(() => database.exec('DELETE FROM token_bounds'));
    expect((await verified(store)).findings).toEqual([
      expect.objectContaining({ what: 'What bounds a token is missing.', where: 'token 1' }),
    ]);
  });

  it('finds a trigger of somebody else', async () => {
    const store = await stocked();
    store.database.exec('CREATE TRIGGER own AFTER INSERT ON history BEGIN DELETE FROM lot_fact; END');
    const { findings } = await verified(store);
    expect(findings.map(({ where }) => where)).toEqual(['trigger own']);
  });

  it.each(['lot_fact_lot', 'lot_fact_lock'])('finds a lock that the index %s has lost', async index => {
    const store = await stocked();
    await store.close();
    hideLocks(store.database.folder, index);
    const { findings } = await verified(store);
    expect(findings[0]?.what).toContain(`missing from index ${index}`);
  });

  it.each([
    ['an entry dropped', 'DELETE FROM history WHERE number = 4', /^The chain is cut: number 4/, /commit 5/],
    [
      'the newest entry dropped',
      'DELETE FROM history WHERE number = 9',
      /ends at commit 8; commit 9/,
      /^chain /,
    ],
    ['an entry changed', "UPDATE history SET user = 'eve' WHERE number = 2", /its hash/, /^commit 2 /],
    [
      'an unreadable entry',
      "UPDATE history SET entries = '[' WHERE number = 2",
      /cannot be read/,
      /commit 2/,
    ],
    [
      'a link changed',
      "UPDATE history SET previous_hash = 'x' WHERE number = 3",
      /hash of the one/,
      /commit 3/,
    ],
    [
      'two commits of one id',
      'UPDATE history SET commit_id = 1 WHERE number IN (2, 3)',
      /its hash/,
      /commit 2/,
    ],
    [
      'a list of commits cut',
      'DELETE FROM history_subject WHERE sequence = 3',
      /does not list/,
      /sequence 3/,
    ],
    ['a list too long', 'INSERT INTO history_subject VALUES (1, 3)', /did not change it/, /sequence 3/],
    [
      'a document edited',
      `UPDATE RECORDS SET document = replace(document, '"Jar"', '"Lid"')`,
      /value_\d is not the record's/,
      /record part:1/,
    ],
    [
      'a document edited where no index looks',
      `UPDATE RECORDS SET document = replace(document, '"unit_of_measure":"units"', '"unit_of_measure":"g"')`,
      /not what its hash says/,
      /record part:1/,
    ],
    [
      'a version edited',
      `UPDATE RECORDS SET document = replace(document, '"version":1', '"version":2') WHERE key = 'part:1'`,
      /version of a record/,
      /record part:1/,
    ],
    [
      'an author edited',
      `UPDATE RECORDS SET document = replace(document, '"tester"', '"eve"') WHERE key = 'part:1'`,
      /user of a record/,
      /record part:1/,
    ],
    ['a record lost', "DELETE FROM RECORDS WHERE key = 'part:1'", /is not there/, /record part:1/],
    [
      'a record without history',
      `INSERT INTO RECORDS (key, revision, deleted, lwt, sequence, seal, f_family, f_id, document)
         SELECT 'part:9', revision, deleted, lwt, 99, 0, f_family, 9, replace(document, '"id":1', '"id":9')
       FROM RECORDS WHERE key = 'part:1'; UPDATE collection_sequence SET last = 99;`,
      /in no commit/,
      /record part:9/,
    ],
    ['a record deleted', "UPDATE RECORDS SET deleted = 1 WHERE key = 'part:1'", /column deleted/, /part:1/],
    [
      'a looked up value changed',
      "UPDATE RECORDS SET value_2 = 8 WHERE key = 'part:1'",
      /column value_2/,
      /part:1/,
    ],
    ['an id column changed', "UPDATE RECORDS SET f_id = 8 WHERE key = 'part:1'", /column f_id/, /part:1/],
    [
      'a stock row changed',
      'UPDATE stock SET quantity = 7000000 WHERE lot = 2',
      /Stock is 7; .* to 6/,
      /lot 2 /,
    ],
    ['a stock row lost', 'DELETE FROM stock WHERE lot = 1', /Stock is 0; .* to 10/, /lot 1 /],
    [
      'stock of nothing',
      'INSERT INTO stock (lot, location, quantity) VALUES (9, 0, 5000000)',
      /Stock is 5; .* to 0/,
      /lot 9 /,
    ],
    [
      'a lock fact lost',
      "DELETE FROM lot_fact WHERE lock = 'quarantine'",
      /worked out from/,
      /lot_fact of receiving-inspection:1/,
    ],
    [
      'a lock lifted',
      'UPDATE lot_fact SET lock = NULL',
      /says of lots/,
      /lot_fact of receiving-inspection:1/,
    ],
    [
      'a fact of nothing',
      "INSERT INTO lot_fact VALUES ('shipment:9', 1, 0, NULL, 'B', 0, 0, NULL, 0)",
      /no record behind/,
      /shipment:9/,
    ],
    ['a counter of records', 'UPDATE bucket SET n = 5 WHERE n = 2', /is 5, not 2/, /^bucket of /],
    [
      'a search row lost',
      'DELETE FROM search_index WHERE rowid & 1048575 = 1',
      /Search does not find/,
      /search_index, the characters/,
    ],
    [
      'a search row of other words',
      `INSERT OR REPLACE INTO search_index (rowid, text)
       SELECT id, 'zzzzzzzzzzzzzzzz' FROM search_index_docsize`,
      /Search does not find/,
      /search_index, the characters/,
    ],
    [
      'a search row of nothing',
      "INSERT INTO search_index (rowid, text) VALUES (17592186044416 * 3 + 900, 'ghost')",
      /finds what is not/,
      /search_index, the characters/,
    ],
    [
      'a waiting text lost',
      'DELETE FROM search_waiting',
      /Search does not find/,
      /search_index, the char/,
      'waits',
    ],
    [
      'a waiting text of other words',
      "UPDATE search_waiting SET text = 'ghost' WHERE row & 1048575 = 1",
      /Search does not find/,
      /search_index, the characters/,
      'waits',
    ],
    [
      'a waiting text of nothing',
      "INSERT INTO search_waiting (row, text) VALUES (17592186044416 * 3 + 900, 'ghost')",
      /finds what is not/,
      /search_waiting, row/,
      'waits',
    ],
    [
      'a waiting text that the index has, too',
      'INSERT INTO search_index (rowid, text) SELECT row, text FROM search_waiting LIMIT 1',
      /finds what is not/,
      /search_index, the characters/,
      'waits',
    ],
    [
      'an id counter behind',
      "UPDATE allocation SET next = 1 WHERE counter = 'part'",
      /1 is in use/,
      /of part,/,
    ],
    [
      'an item counter behind',
      "DELETE FROM allocation WHERE counter LIKE 'item:%'",
      /is in use/,
      /allocation of item:/,
    ],
    [
      'the counter of changes behind',
      'UPDATE collection_sequence SET last = 1',
      /behind a change/,
      /sequence/,
    ],
    [
      'a writer changed',
      `UPDATE RECORDS SET document = json_set(document, '$.writers.notes', 'x') WHERE f_family = 'supplier'`,
      /writers of/,
      /record supplier/,
    ],
  ])('names %s first', async (_, sql, what, where, waits?: string) => {
    const store = await stocked();
    if (!waits) mergeSearch(store);
    plant(store, sql);
    const { findings, faults } = await verified(store);
    expect(faults).toBeGreaterThan(0);
    expect(findings[0]?.what).toMatch(what);
    expect(findings[0]?.where).toMatch(where);
    expect(findings[0]?.remedy).toMatch(/holdpoint (rebuild|restore)/);
  });

  it('names rebuild, which costs nothing, where only the index of words is broken', async () => {
    const store = await stocked();
    mergeSearch(store);
    await store.close();
    const shell = new DatabaseSync(store.database.file, { defensive: false });
    shell.exec('DELETE FROM search_index_data');
    shell.close();
    const { findings } = await verified(store);
    expect(findings.length).toBeGreaterThan(0);
    for (const { remedy } of findings) expect(remedy).toContain('holdpoint rebuild');
    const opened = await temporaryStore({ folder: store.database.folder });
    await opened.rebuild();
    expect(await verified(opened)).toMatchObject({ findings: [] });
  });

  it('finds an index that lacks a row', async () => {
    const store = await stocked();
    const { file } = store.database;
    await store.close();
    const index = `${RECORDS_TABLE}__page`;
    const shell = new DatabaseSync(file, { defensive: false });
    const redefine = (from: string, to: string) => {
      shell.exec('PRAGMA writable_schema = ON');
      shell.prepare('UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = ?').run(from, to, index);
      shell.exec('PRAGMA writable_schema = RESET');
    };
    redefine('(f_family, f_id)', '(f_family, f_id) WHERE f_id > 1');
    shell.exec(`REINDEX "${index}"`);
    redefine(' WHERE f_id > 1', '');
    shell.close();
    const { findings } = await verified(store);
    expect(findings[0]?.what).toMatch(/^SQLite finds damage: .*index .*page/);
  });

  it('counts what it does not list', async () => {
    const store = await stocked();
    plant(
      store,
      `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 150)
       INSERT INTO history (chain, number, commit_id, at, user, entries, previous_hash, hash)
       SELECT 'x', i + 5, 'c' || i, '', '', '[]', '', '' FROM n`,
    );
    const { findings, faults } = await verified(store);
    expect(findings).toHaveLength(100);
    expect(faults).toBeGreaterThan(150);
  });

  it('can be cancelled', async () => {
    const store = await stocked();
    for (let index = 0; index < 500; index += 1) await create(store, 'supplier', { name: `S${index}` });
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(verify(store.database.folder, { ...verifyDependencies, signal })).rejects.toThrow('enough');
  });
});
