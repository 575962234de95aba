import type { Dated } from '../../../shared/contract/moment-of.ts';
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

/**
 * In the open transaction: that these entries of central's log have arrived here, all at one moment, by a clock that was off by
 * so much; null where that is not known.
 */
export function noteArrival(
  database: Pick<Database, 'run'>,
  { first, last, at, clock_offset: offset }: { first: number; last: number } & Dated,
): void {
  const sql = 'INSERT OR REPLACE INTO arrival (last, first, at, clock_offset) VALUES (?, ?, ?, ?)';
  if (last >= first) database.run(sql, last, first, at, offset);
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

/** What arrived at one moment. */
export interface Arrival extends Dated {
  first: number;
  last: number;
}

/** When an entry of the log arrived here; undefined where it was written here, or nothing was noted yet. */
export function arrivalOf(sql: Pick<SqlReader, 'get'>, place: number): string | undefined {
  const arrival = arrivalFrom(sql, place);
  return arrival && arrival.first <= place ? arrival.at : undefined;
}

/** What arrived with an entry, or next after it. */
export function arrivalFrom(sql: Pick<SqlReader, 'get'>, place: number): Arrival | undefined {
  return sql.get<Arrival>('SELECT * FROM arrival WHERE last >= ? ORDER BY last LIMIT 1', place);
}
