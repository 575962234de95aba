import { checksumSql } from './sqlite/checksum.ts';
import type { SqlReader } from './sqlite/connection.ts';
import type { Database } from './sqlite/database.ts';

/** What `seal` of a row is when nothing in it has changed since it was written. */
export const UNLOGGED_SEAL = checksumSql('number', 'after', 'subject');

/**
 * Records that sync changed here without a commit that arrived with it, in their order: what waited was decided otherwise
 * than it was shown, or was withdrawn, or went to another id. `after` is the last commit of history then. Never synced.
 */
export const UNLOGGED_TABLE = `
CREATE TABLE IF NOT EXISTS unlogged_change (
  number INTEGER PRIMARY KEY, after INTEGER NOT NULL, subject INTEGER NOT NULL,
  seal INTEGER AS ${UNLOGGED_SEAL} STORED
);
`;

export interface UnloggedChange {
  number: number;
  /** The sequence of the last commit of history then. */
  after: number;
  /** By `subjectNumber`. */
  subject: number;
}

/** In the open transaction. */
export function noteUnlogged(database: Database, after: number, subjects: readonly number[]): void {
  const sql = 'INSERT INTO unlogged_change (after, subject) SELECT ?, value FROM json_each(?)';
  database.run(sql, after, JSON.stringify([...new Set(subjects)]));
}

/** The next ones after a number. */
export function unloggedAfter(reader: SqlReader, number: number, limit: number): UnloggedChange[] {
  const sql = `SELECT number, after, subject, seal = ${UNLOGGED_SEAL} AS sound FROM unlogged_change
    WHERE number > ? ORDER BY number LIMIT ?`;
  return reader.all<UnloggedChange & { sound: number }>(sql, number, limit).map(({ sound, ...row }) => {
    if (sound !== 1)
      throw reader.damaged(
        `What is kept of the change ${row.number} without a commit is not what was written.`,
      );
    return row;
  });
}

export function lastUnlogged(reader: SqlReader): number {
  return reader.get<{ last: number | null }>('SELECT max(number) AS last FROM unlogged_change')?.last ?? 0;
}
