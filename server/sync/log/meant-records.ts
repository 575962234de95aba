import type { Commit, Entry } from '../../store/changes.ts';
import { isNameAgain } from '../../store/commit-id.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import type { Database } from '../../store/sqlite/database.ts';
import { isCreation } from '../protocol/decide.ts';
import type { IsMeant } from '../protocol/overlay.ts';
import { siblingsOf } from '../protocol/siblings.ts';
import type { PushRequest } from '../protocol/wire.ts';
import { itemsChanged } from './created-ids.ts';

/** Of the record itself. */
const RECORD = '';

/**
 * In the open transaction, as a log is lost: by which commits the records and items were created that an own commit changes. From
 * then on others may have their ids. What was noted when an earlier one was lost holds. Central notes what a station says so.
 * @param creators of records by their keys, of items by counter and id
 */
export function noteMeant(
  database: Pick<Database, 'run'>,
  { commit_id: id, entries }: Pick<Commit, 'commit_id' | 'entries'>,
  creators: ReadonlyMap<string, string>,
): void {
  for (const { key, subject, path } of entries.flatMap(changedIn)) {
    const creator = creators.get(key);
    if (creator === undefined) continue;
    database.run('INSERT OR IGNORE INTO meant_record VALUES (?, ?, ?, ?)', id, subject, path, creator);
  }
}

/** The record that an entry changes, and the items in it; nothing where it creates the record. */
function changedIn(entry: Entry): { key: string; subject: string; path: string }[] {
  const { subject } = entry;
  if (isCreation(entry)) return [];
  const items = itemsChanged(entry).map(({ counter, id, path }) => ({
    key: `${counter}:${id}`,
    subject,
    path,
  }));
  return [{ key: subject, subject, path: RECORD }, ...items];
}

/** In the open transaction: what is issued again means what the former one meant, in so far as it still changes that. */
export function noteMeantAgain(
  database: Pick<Database, 'run'> & SqlReader,
  again: Pick<Commit, 'commit_id' | 'entries'>,
  former: string,
): void {
  noteMeant(database, again, new Map(creatorsNoted(database, former, again.entries)));
}

/** Of what these entries change, by keys, who created it as was noted of a commit. */
function creatorsNoted(sql: SqlReader, commit: string, entries: readonly Entry[]): [string, string][] {
  const creators = new Map(notedOf(sql, commit).map(one => [`${one.subject} ${one.path}`, one.creator]));
  return entries.flatMap(changedIn).flatMap(({ key, subject, path }): [string, string][] => {
    const creator = creators.get(`${subject} ${path}`);
    return creator === undefined ? [] : [[key, creator]];
  });
}

/** What was noted of these commits, as `Offer.means` says it; undefined where nothing was. */
export function meansOf(sql: SqlReader, commits: readonly Commit[]): PushRequest['means'] {
  if (!hasMeant(sql)) return undefined;
  const means = commits.flatMap(({ commit_id: id, entries }) => {
    const noted = creatorsNoted(sql, id, entries);
    return noted.length > 0 ? [[id, Object.fromEntries(noted)] as const] : [];
  });
  return means.length > 0 ? Object.fromEntries(means) : undefined;
}

/** In the open transaction: it stands decided. */
export function forgetMeant(database: Pick<Database, 'run'>, commit: string): void {
  database.run('DELETE FROM meant_record WHERE commit_id = ?', commit);
}

interface Noted {
  subject: string;
  path: string;
  creator: string;
}

function notedOf(sql: SqlReader, commit: string): Noted[] {
  return sql.all('SELECT subject, path, creator FROM main.meant_record WHERE commit_id = ?', commit);
}

function hasMeant(sql: SqlReader): boolean {
  return (
    sql.get("SELECT 1 FROM sqlite_schema WHERE name = 'meant_record'") !== undefined &&
    sql.get('SELECT 1 FROM main.meant_record LIMIT 1') !== undefined
  );
}

/** In the open transaction, before a log is lost: of commits that stand decided nothing is shown on top. */
export function forgetDecided(database: Pick<Database, 'run'>): void {
  database.run('DELETE FROM meant_record WHERE commit_id NOT IN (SELECT commit_id FROM undecided)');
}

/** Whether what a commit changes is what its author meant, and not another that has the id since central lost that. */
export function meantIn(sql: SqlReader): IsMeant {
  let isUsed: boolean | undefined;
  return ({ commit_id: id, entries }, read) => {
    isUsed ??= hasMeant(sql);
    return (
      !isUsed ||
      notedOf(sql, id).every(({ subject, path, creator }) => {
        // It may be issued again as a change of another; an item that is not listed came with its record.
        const isNamed = entries.some(entry => entry.subject === subject);
        if (!isNamed || (path !== RECORD && !read.siblings(subject, path))) return true;
        const [now] = siblingsOf(read, subject, path);
        return now === undefined || isNameAgain(now.commit, creator) || isNameAgain(creator, now.commit);
      })
    );
  };
}
