import { AppError } from '../../shared/contract/errors.ts';
import type { Database } from './sqlite/database.ts';
import { readLocal } from './tables.ts';

/** Where `local` keeps the id of the journal that a folder is a copy of, and how far the copy goes. */
export const JOURNAL = 'journal';
export const JOURNAL_PLACE = 'journal_place';

/** What was written to such a folder alone would stand in no other one. @throws AppError `conflict` */
export function refuseShared(database: Pick<Database, 'get' | 'folder'>): void {
  const hasNames = "SELECT 1 FROM sqlite_schema WHERE name = 'local'";
  const journal = database.get(hasNames) && readLocal(database, JOURNAL);
  if (journal === undefined) return;
  const message = `The data folder ${database.folder} is a copy of the journal ${journal}, which several processes share. Set HOLDPOINT_JOURNAL to that journal.`;
  throw new AppError('conflict', message);
}
