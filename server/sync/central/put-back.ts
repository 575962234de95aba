import type { SqlReader } from '../../store/sqlite/connection.ts';
import type { Database } from '../../store/sqlite/database.ts';
import { readLocal, writeLocal } from '../../store/tables.ts';

const PUT_BACK = 'put_back';

/** That this central was found to be an earlier copy of itself: an image of its machine was put back. */
export interface PutBack {
  /** When a station named what it does not know any more: ISO 8601 UTC with milliseconds. */
  noticed_at: string;
  /** How many changes that it lacked stations have given back since. */
  returned: number;
}

/** The last time; null while it never happened. */
export function readPutBack(sql: SqlReader): PutBack | null {
  return JSON.parse(readLocal(sql, PUT_BACK) ?? 'null');
}

/** In the open transaction. */
export function notePutBack(database: Database, at: Date): void {
  const noted: PutBack = { noticed_at: at.toISOString(), returned: 0 };
  writeLocal(database, PUT_BACK, JSON.stringify(noted));
}

/** In the open transaction: after a restore that somebody declared, nothing was noticed. */
export function noteReturned(database: Database, count: number): void {
  const noted = readPutBack(database);
  if (noted) writeLocal(database, PUT_BACK, JSON.stringify({ ...noted, returned: noted.returned + count }));
}
