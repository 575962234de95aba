import type { StoredRecord } from '../../shared/contract/present.ts';
import { readHistory } from '../store/history.ts';
import type { Records } from '../store/records.ts';
import type { SqlReader } from '../store/sqlite/connection.ts';

interface Reads {
  records: Pick<Records, 'all' | 'subjectNumber'>;
  database: { reader: SqlReader };
}

/** A name, from a moment on until the next one. */
interface Named {
  at: string;
  name: unknown;
}

/** Users by their logins, former ones included. */
export function usersByLogin(records: Pick<Records, 'all'>): Map<unknown, StoredRecord> {
  const users = new Map<unknown, StoredRecord>();
  for (const user of records.all('user')) {
    const { login, former_logins: former } = user.fields;
    for (const each of [...(Array.isArray(former) ? former : []), login]) users.set(each, user);
  }
  return users;
}

/**
 * What users were called when they wrote something, by the logins that history has: who is renamed keeps the name of then.
 * Null for programs. What is missing of a user's history is filled by the oldest name that is known.
 */
export function userNames({ records, database }: Reads): (author: string, at: string) => string | null {
  const users = usersByLogin(records);
  const known = new Map<string, readonly Named[]>();
  return (author, at) => {
    const user = users.get(author);
    if (!user) return null;
    const names =
      known.get(user.key) ?? namesOf(user, records.subjectNumber('user', user.id), database.reader);
    known.set(user.key, names);
    const then = names.findLast(named => named.at <= at) ?? names[0];
    return typeof then?.name === 'string' ? then.name : null;
  };
}

const PART = 200;

/** The names that a user has had, oldest first: commits that name none say nothing. */
function namesOf({ key, fields }: StoredRecord, subject: number, reader: SqlReader): readonly Named[] {
  const found: Named[] = [];
  for (let offset = 0; ; offset += PART) {
    const { commits, total } = readHistory(reader, subject, offset, PART, key);
    for (const { at, entries } of commits) {
      for (const entry of entries) {
        const change = entry.subject === key && entry.changes.find(({ path }) => path === 'name');
        if (!change) continue;
        if (found.length === 0 && change.old !== null) found.push({ at: '', name: change.old });
        found.push({ at, name: change.new });
      }
    }
    if (offset + PART >= total) break;
  }
  return found.length > 0
    ? found.toSorted((one, other) => (one.at < other.at ? -1 : 1))
    : [{ at: '', name: fields.name }];
}
