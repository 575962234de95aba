import { CLOCK_TABLES } from './clock-facts.ts';
import { FORM_DRAFT_TABLE } from './form-drafts.ts';
import { IDENTITY_TABLES } from './identity-tables.ts';
import { checksumOf, checksumSql } from './sqlite/checksum.ts';
import type { Database } from './sqlite/database.ts';
import { STATION_TABLES } from './station-rows.ts';
import { TIME_MARK_TABLE } from './time-marks.ts';
import { TOKEN_TABLES } from './token-table.ts';
import { UNLOGGED_TABLE } from './unlogged-changes.ts';
import { WEBHOOK_TABLES } from './webhook-table.ts';

/** What `seal` of a counter is when nothing in its row has changed since it was written. */
export const COUNTER_SEAL = checksumSql('block', 'next');

/**
 * The tables beside the `records` collection. `history` is the fact; what stands under "derived" can be thrown away
 * and worked out again from it and the records.
 */
const TABLES = `
CREATE TABLE IF NOT EXISTS local (
  name TEXT PRIMARY KEY, value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS history (
  sequence INTEGER PRIMARY KEY,
  chain TEXT NOT NULL,
  number INTEGER NOT NULL,
  commit_id TEXT NOT NULL,
  at TEXT NOT NULL,
  clock_offset INTEGER,
  user TEXT NOT NULL,
  reason TEXT,
  entries TEXT NOT NULL,
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL,
  -- Of the text of the entries: the hash does not see the names of members that are null.
  seal INTEGER NOT NULL DEFAULT 0,
  UNIQUE (chain, number, hash)
);
-- Commits that a station which was restored unnoticed had written in the place of others, and has issued again.
CREATE TABLE IF NOT EXISTS abandoned (
  chain TEXT NOT NULL, number INTEGER NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (chain, number, hash)
) WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS history_is_never_changed BEFORE UPDATE ON history
  BEGIN SELECT RAISE(ABORT, 'history is append-only'); END;
CREATE TRIGGER IF NOT EXISTS history_is_never_deleted BEFORE DELETE ON history
  BEGIN SELECT RAISE(ABORT, 'history is append-only'); END;
-- What INSERT OR REPLACE deletes passes no trigger for DELETE.
CREATE TRIGGER IF NOT EXISTS history_is_never_replaced BEFORE INSERT ON history
  WHEN EXISTS (SELECT 1 FROM history WHERE sequence = NEW.sequence)
    OR EXISTS (SELECT 1 FROM history WHERE chain = NEW.chain AND number = NEW.number AND hash = NEW.hash)
  BEGIN SELECT RAISE(ABORT, 'history is append-only'); END;

CREATE TABLE IF NOT EXISTS block (block INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS allocation (
  counter TEXT NOT NULL, block INTEGER NOT NULL, next INTEGER NOT NULL,
  seal INTEGER AS ${COUNTER_SEAL} STORED, PRIMARY KEY (counter, block)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS token (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, scopes TEXT NOT NULL,
  created_at TEXT NOT NULL, revoked_at TEXT, seal INTEGER NOT NULL
);

CREATE TABLE IF NOT EXISTS remembered_answer (
  token INTEGER NOT NULL, key TEXT NOT NULL, request_hash TEXT NOT NULL,
  status INTEGER NOT NULL, headers TEXT NOT NULL, body TEXT NOT NULL, seal INTEGER NOT NULL, at TEXT NOT NULL,
  PRIMARY KEY (token, key)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS remembered_answer_at ON remembered_answer (at);

CREATE TABLE IF NOT EXISTS import_key (
  source TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (source, kind, key)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS family_number (
  family TEXT PRIMARY KEY, number INTEGER NOT NULL UNIQUE
) WITHOUT ROWID;
`;

/** What `seal` of a row of stock is when nothing in the row has changed since it was written. */
export const STOCK_SEAL = checksumSql('lot', 'location', 'quantity');

export const STOCK_PLACE_INDEX = 'CREATE INDEX IF NOT EXISTS stock_place ON stock (location);';

const DERIVED_TABLES = `
CREATE TABLE IF NOT EXISTS history_subject (
  subject INTEGER NOT NULL, sequence INTEGER NOT NULL, PRIMARY KEY (subject, sequence)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS lot_fact (
  source TEXT NOT NULL, line INTEGER NOT NULL, ordinal INTEGER NOT NULL,
  lot INTEGER, batch TEXT, location INTEGER NOT NULL, quantity INTEGER NOT NULL, lock TEXT, seal INTEGER NOT NULL,
  PRIMARY KEY (source, line, ordinal)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS lot_fact_lot ON lot_fact (lot) WHERE lot IS NOT NULL;
CREATE INDEX IF NOT EXISTS lot_fact_batch ON lot_fact (batch) WHERE batch IS NOT NULL;

CREATE TABLE IF NOT EXISTS stock (
  lot INTEGER NOT NULL, location INTEGER NOT NULL, quantity INTEGER NOT NULL,
  seal INTEGER AS ${STOCK_SEAL} STORED, PRIMARY KEY (lot, location)
) WITHOUT ROWID;
-- What needs attention, and so has few rows.
CREATE INDEX IF NOT EXISTS lot_fact_lock ON lot_fact (lot) WHERE lock IS NOT NULL;
CREATE INDEX IF NOT EXISTS stock_below_nothing ON stock (lot) WHERE quantity < 0;
-- What stands in a place.
${STOCK_PLACE_INDEX}

-- Codes, references of items and open matters, by value: shared/families/secondary-index.ts. A subject is a family and an id.
CREATE TABLE IF NOT EXISTS lookup (
  place TEXT NOT NULL, value NOT NULL, subject INTEGER NOT NULL, PRIMARY KEY (place, value, subject)
) WITHOUT ROWID;
`;

export function createTables(database: Pick<Database, 'exec'>): void {
  database.exec(TABLES);
  database.exec(STATION_TABLES);
  database.exec(IDENTITY_TABLES);
  database.exec(TOKEN_TABLES);
  database.exec(FORM_DRAFT_TABLE);
  database.exec(CLOCK_TABLES);
  database.exec(UNLOGGED_TABLE);
  database.exec(TIME_MARK_TABLE);
  database.exec(WEBHOOK_TABLES);
  database.exec(DERIVED_TABLES);
}

/** What is worked out from the records and history, so that a table which is gone can be made anew. */
export const derivedTables: ReadonlySet<string> = new Set([
  'history_subject',
  'lot_fact',
  'stock',
  'lookup',
  'search_index',
  'search_waiting',
  'bucket',
]);

/** Takes note of the tables that there are, so that one which is gone is told from one that an older version lacks. */
export function noteTables(database: Pick<Database, 'all' | 'get' | 'run' | 'transaction'>): void {
  const names = tableNames(database).join(' ');
  const note = `${checksumOf(names)} ${names}`;
  if (readLocal(database, 'tables') === note) return;
  database.transaction(() => writeLocal(database, 'tables', note));
}

/** The name under which `local` keeps the derived tables that the opening fills anew. */
export const UNFILLED = 'unfilled';

/** Derived tables are made empty before they are filled: a start that is cut off between must not take them for whole. */
export function noteUnfilled(
  database: Pick<Database, 'run' | 'transaction'>,
  tables: readonly string[],
): void {
  database.transaction(() => writeLocal(database, UNFILLED, tables.join(' ')));
}

/**
 * The tables that there were when the database was last opened, and that are gone or not filled since; a broken note
 * tells of none.
 */
export function lostTables(database: Pick<Database, 'all' | 'get'>): string[] {
  const there = new Set(tableNames(database));
  if (!there.has('local')) return ['local'];
  const [seal, ...noted] = (readLocal(database, 'tables') ?? '').split(' ');
  const gone = seal === String(checksumOf(noted.join(' '))) ? noted.filter(name => !there.has(name)) : [];
  const unfilled = (readLocal(database, UNFILLED) ?? '').split(' ').filter(name => derivedTables.has(name));
  return [...new Set([...gone, ...unfilled])];
}

/** Without those that belong to SQLite or to the index of words. */
function tableNames(database: Pick<Database, 'all'>): string[] {
  return database
    .all<{ name: string }>(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
    .flatMap(({ name }) => (/^(sqlite|search_index)_/.test(name) ? [] : [name]));
}

/** Whether the database has been written by a version that keeps `lookup`. */
export function hasEntries(database: Pick<Database, 'get'>): boolean {
  return database.get("SELECT 1 FROM sqlite_schema WHERE name = 'lookup'") !== undefined;
}

/** A value that belongs to this installation alone: its station, its chain. Never synced. */
export function readLocal(database: Pick<Database, 'get'>, name: string): string | undefined {
  return database.get<{ value: string }>('SELECT value FROM local WHERE name = ?', name)?.value;
}

export function writeLocal(database: Pick<Database, 'run'>, name: string, value: string): void {
  database.run(
    'INSERT INTO local (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    name,
    value,
  );
}
