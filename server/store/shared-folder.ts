import { AppError } from '../../shared/contract/errors.ts';
import type { SqlReader } from './sqlite/connection.ts';
import type { Database } from './sqlite/database.ts';
import { readLocal } from './tables.ts';

/** Where `local` keeps the id of the journal that a folder is a copy of, and how far the copy goes. */
export const JOURNAL = 'journal';
export const JOURNAL_PLACE = 'journal_place';
/** And by which attempt it is to end the journal: where that was cut off, this folder alone goes on. */
export const JOURNAL_ENDING = 'journal_ending';

/** What was written to such a folder alone would stand in no other one. @throws AppError `conflict` */
export function refuseShared(sql: Pick<SqlReader, 'get'>, folder: string): void {
  const hasNames = "SELECT 1 FROM sqlite_schema WHERE name = 'local'";
  const journal = sql.get(hasNames) && readLocal(sql, JOURNAL);
  if (journal === undefined) return;
  const message = `The data folder ${folder} is a copy of the journal ${journal}, which several processes share. Start it with that journal, or take another folder: set HOLDPOINT_DATA.`;
  throw new AppError('conflict', message);
}

/** In the open transaction: the file is all there is from now on. */
export function leaveJournal(database: Pick<Database, 'run'>): void {
  database.run('DELETE FROM local WHERE name IN (?, ?, ?)', JOURNAL, JOURNAL_PLACE, JOURNAL_ENDING);
}
