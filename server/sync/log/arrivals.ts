import type { SqlReader } from '../../store/sqlite/connection.ts';
import type { Database } from '../../store/sqlite/database.ts';
import { readLocal, writeLocal } from '../../store/tables.ts';

/** The name under which `local` keeps from when on arrivals are noted, in a file that had a log before. */
const KEPT_SINCE = 'arrivals_since';

/** Up to which entry of the log nothing was noted, and when that began. */
export interface KeptSince {
  place: number;
  at: string;
}

/** In the open transaction: that these entries of central's log have arrived here, all at one moment. */
export function noteArrival(
  database: Pick<Database, 'run'>,
  { first, last, at }: { first: number; last: number; at: string },
): void {
  const sql = 'INSERT OR REPLACE INTO arrival (last, first, at) VALUES (?, ?, ?)';
  if (last >= first) database.run(sql, last, first, at);
}

/** In the open transaction: the entries after a place are forgotten, and arrive again some day. */
export function cutArrivals(database: Pick<Database, 'run'>, place: number): void {
  database.run('DELETE FROM arrival WHERE first > ?', place);
  // What was taken as records lies over what had arrived before: of both, the earlier says when the place arrived.
  database.run('DELETE FROM arrival WHERE last > (SELECT min(last) FROM arrival WHERE last >= ?)', place);
  database.run('UPDATE arrival SET last = ? WHERE last > ?', place, place);
}

/** In the transaction that makes the table in a file whose log there was before. */
export function beginArrivals(database: Pick<Database, 'get' | 'run'>, at: string): void {
  const last = database.get<{ last: number | null }>('SELECT max(sequence) AS last FROM log')?.last ?? 0;
  if (last > 0) writeLocal(database, KEPT_SINCE, JSON.stringify({ place: last, at }));
}

/** Null where arrivals were noted from the log's first entry on. */
export function arrivalsKeptSince(sql: Pick<SqlReader, 'get'>): KeptSince | null {
  const text = readLocal(sql, KEPT_SINCE);
  return text === undefined ? null : JSON.parse(text);
}

/** When an entry of the log arrived here; undefined where it was written here, or nothing was noted yet. */
export function arrivalOf(sql: Pick<SqlReader, 'get'>, place: number): string | undefined {
  const row = sql.get<{ first: number; at: string }>(
    'SELECT first, at FROM arrival WHERE last >= ? ORDER BY last LIMIT 1',
    place,
  );
  return row && row.first <= place ? row.at : undefined;
}
