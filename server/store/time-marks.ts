import { checksumSql } from './sqlite/checksum.ts';
import type { SqlReader } from './sqlite/connection.ts';
import type { Database } from './sqlite/database.ts';

/** What `seal` of a row is when nothing in it has changed since it was written. */
export const TIME_MARK_SEAL = checksumSql('change', 'at');

/**
 * In each minute in which records are written here, which change of the collection was the last by then: so many were made
 * until `at`, in milliseconds since 1970 by this machine's clock. Never synced.
 */
export const TIME_MARK_TABLE = `
CREATE TABLE IF NOT EXISTS time_mark (
  change INTEGER PRIMARY KEY, at INTEGER NOT NULL, seal INTEGER AS ${TIME_MARK_SEAL} STORED
);
`;

/** In the open transaction, after a write of records. `table` is theirs. */
export function markTime(database: Database, table: string, at: number): void {
  const sql = `INSERT OR IGNORE INTO time_mark (change, at) SELECT max(sequence), ? FROM "${table}" HAVING max(sequence) > 0`;
  database.run(sql, at);
}

/**
 * The change after which all lie that were made at a moment or later: up to a minute of those before it is among them. Where
 * the clock was set back, all since it first showed the moment are.
 * @throws AppError `unavailable` for a mark that is not what was written
 */
export function changeBefore(reader: SqlReader, at: number): number {
  const sql = `SELECT change, at, seal = ${TIME_MARK_SEAL} AS sound FROM time_mark
    WHERE change < ifnull((SELECT min(change) FROM time_mark WHERE at >= ?), ${Number.MAX_SAFE_INTEGER})
    ORDER BY change DESC LIMIT 1`;
  const mark = reader.get<{ change: number; at: number; sound: number }>(sql, at);
  if (mark && mark.sound !== 1)
    throw reader.damaged(`What is kept of the time of the change ${mark.change} is not what was written.`);
  return mark?.change ?? 0;
}
