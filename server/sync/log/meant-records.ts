import type { Commit } from '../../store/changes.ts';
import { isNameAgain } from '../../store/commit-id.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import type { Database } from '../../store/sqlite/database.ts';
import { isCreation } from '../protocol/decide.ts';
import type { IsMeant } from '../protocol/overlay.ts';
import { siblingsOf } from '../protocol/siblings.ts';
import { itemsChanged } from './created-ids.ts';

/** Of the record itself. */
const RECORD = '';

/**
 * In the open transaction, as a log is lost: by which commits the records and items were created that an own commit changes. From
 * then on others may have their ids. What was noted when an earlier one was lost holds.
 * @param creators of records by their keys, of items by counter and id
 */
export function noteMeant(
  database: Pick<Database, 'run'>,
  { commit_id: id, entries }: Commit,
  creators: ReadonlyMap<string, string>,
): void {
  const note = (subject: string, path: string, creator = creators.get(subject)) => {
    if (creator === undefined) return;
    database.run('INSERT OR IGNORE INTO meant_record VALUES (?, ?, ?, ?)', id, subject, path, creator);
  };
  for (const entry of entries) {
    if (isCreation(entry)) continue;
    note(entry.subject, RECORD);
    for (const { counter, id: item, path } of itemsChanged(entry))
      note(entry.subject, path, creators.get(`${counter}:${item}`));
  }
}

/** In the open transaction, before a log is lost: of commits that stand decided nothing is shown on top. */
export function forgetDecided(database: Pick<Database, 'run'>): void {
  database.run('DELETE FROM meant_record WHERE commit_id NOT IN (SELECT commit_id FROM undecided)');
}

/** Whether what a commit changes is what its author meant, and not another that has the id since central lost that. */
export function meantIn(sql: SqlReader): IsMeant {
  let isUsed: boolean | undefined;
  return ({ commit_id: id, entries }, read) => {
    isUsed ??=
      sql.get("SELECT 1 FROM sqlite_schema WHERE name = 'meant_record'") !== undefined &&
      sql.get('SELECT 1 FROM main.meant_record LIMIT 1') !== undefined;
    if (!isUsed) return true;
    const noted = sql.all<{ subject: string; path: string; creator: string }>(
      'SELECT subject, path, creator FROM main.meant_record WHERE commit_id = ?',
      id,
    );
    return noted.every(({ subject, path, creator }) => {
      // It may be issued again as a change of another; an item that is not listed came with its record.
      const isNamed = entries.some(entry => entry.subject === subject);
      if (!isNamed || (path !== RECORD && !read.siblings(subject, path))) return true;
      const [now] = siblingsOf(read, subject, path);
      return now === undefined || isNameAgain(now.commit, creator) || isNameAgain(creator, now.commit);
    });
  };
}
