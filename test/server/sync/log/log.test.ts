import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { reissuedId } from '../../../../server/store/commit-id.ts';
import type { SqlReader } from '../../../../server/store/sqlite/connection.ts';
import type { Database } from '../../../../server/store/sqlite/database.ts';
import { atOnce } from '../../../../server/store/yield-to-event-loop.ts';
import { Log } from '../../../../server/sync/log/log.ts';
import { notingSome } from '../../../../server/sync/log/noted-names.ts';
import { createSyncTables } from '../../../../server/sync/log/tables.ts';

const MANY = 300;
const named = (n: number) => `01a223bf-9703-7bca-92bf-${String(n).padStart(12, '0')}`;

/** A log of an earlier version, without what leads back from names: many commits of one millisecond, each of which gives up the one before. */
function earlierLog(): { log: Log; database: Database; append: (n: number) => void; readRows: () => number } {
  const file = new DatabaseSync(':memory:');
  let rows = 0;
  const count = <Row>(found: Row[]): Row[] => {
    rows += found.length;
    return found;
  };
  const database = {
    exec: (text: string) => file.exec(text),
    run: (text: string, ...values: string[]) => file.prepare(text).run(...values),
    all: (text: string, ...values: string[]) => count(file.prepare(text).all(...values)),
    get: (text: string, ...values: string[]) => count([file.prepare(text).get(...values)])[0],
  } as unknown as Database;
  file.exec('CREATE TABLE local (name TEXT PRIMARY KEY, value TEXT)');
  createSyncTables(database);
  const append = (n: number) => {
    const decisions = JSON.stringify([{ commit_id: named(n - 1), outcome: 'withdrawn', effects: [] }]);
    const sql = 'INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)';
    file.prepare(sql).run(n, named(n), `s.${n}`, 1, decisions, '', '');
  };
  for (let n = 1; n <= MANY; n += 1) append(n);
  file.exec('DROP TABLE IF EXISTS name_again; DROP TABLE IF EXISTS given_up');
  createSyncTables(database);
  atOnce(notingSome(database));
  rows = 0;
  return { log: new Log(database, database as unknown as SqlReader), database, append, readRows: () => rows };
}

it('looks up what a name is of, and who gave a commit up, however many commits are of the same millisecond', () => {
  const { log, readRows } = earlierLog();
  expect(log.formerOf(reissuedId(named(MANY)))).toBe(named(MANY));
  expect(log.formerOf(reissuedId(named(MANY + 1)))).toBeUndefined();
  expect(log.withdrawnBy(named(7))).toBe('s.8');
  expect(log.withdrawnBy(named(MANY))).toBeUndefined();
  expect(readRows()).toBeLessThan(10);
});

it('knows no former one, and nobody who gave it up, in what was cut', () => {
  const { log } = earlierLog();
  log.cutAfter(MANY - 1);
  expect(log.formerOf(reissuedId(named(MANY)))).toBeUndefined();
  expect(log.withdrawnBy(named(MANY - 1))).toBeUndefined();
});

it('notes what an earlier version has written after this one', () => {
  const { log, database, append } = earlierLog();
  database.run('DELETE FROM log WHERE sequence = ?', MANY);
  database.run("INSERT INTO snapshot_commit VALUES ('kept', 's.0', 1)");
  append(MANY + 1);
  atOnce(notingSome(database));
  expect(log.formerOf(reissuedId(named(MANY + 1)))).toBe(named(MANY + 1));
  expect(log.withdrawnBy(named(MANY))).toBe(`s.${MANY + 1}`);
  expect(log.formerOf(reissuedId('kept'))).toBe('kept');
});

it('takes no other entry for the one that an earlier version has cut, for who gave a commit up', () => {
  const { log, database } = earlierLog();
  database.run('DELETE FROM log WHERE sequence > ?', MANY - 2);
  database.run("INSERT INTO log VALUES (?, ?, 'other.1', 1, '', '', '')", MANY - 1, named(0));
  atOnce(notingSome(database));
  expect(log.withdrawnBy(named(MANY - 2))).toBeUndefined();
});
