import type { SqlReader } from './sqlite/connection.ts';
import type { Database } from './sqlite/database.ts';
import { readLocal, writeLocal } from './tables.ts';

const NAME = 'other_ids';

/** An id that records or items of this machine had, and the one that they have now. */
interface OtherId {
  /** The counter that gives such ids: the family, or that of a kind of items. */
  family: string;
  from: number;
  to: number;
}

/** In the open transaction: another machine had given these ids as well. */
export function noteOtherIds(database: Database, ids: readonly OtherId[]): void {
  writeLocal(database, NAME, JSON.stringify([...readOtherIds(database), ...ids]));
}

/** The id that a record of this machine has now; undefined where it never had another one. */
export function otherIdOf(sql: Pick<SqlReader, 'get'>, family: string, id: number): number | undefined {
  let now: number | undefined;
  // What was given another id may have been given a further one since.
  for (const one of readOtherIds(sql)) if (one.family === family && one.from === (now ?? id)) now = one.to;
  return now;
}

function readOtherIds(sql: Pick<SqlReader, 'get'>): OtherId[] {
  return JSON.parse(readLocal(sql, NAME) ?? '[]');
}
