import type { StoredRecord } from '../../shared/contract/present.ts';
import { FIRST_ADMINISTRATOR, SIGN_IN } from '../store/authors.ts';
import { commitsOf } from '../store/history.ts';
import type { Reads } from './lot-state.ts';

/**
 * Who gave a person the key: `signer`: the person, by a password of their own; `other`: somebody else, who set the password that it was
 * made with, and could have opened it; `unknown`: history of then is not here.
 */
export interface KeyGiver {
  key_from: 'signer' | 'other' | 'unknown';
  /** Of another: the name, or as history names them. */
  key_given_by: string | null;
}

/** Changes of one person that are looked at. */
const MOST = 1_000;

/** As history tells. @param user the record of whose key it is, as it names keys now or former ones */
export function giverOfKey({ records, sql }: Reads, user: StoredRecord, key: string): KeyGiver {
  const made = commitsOf(sql, user.key, MOST).find(({ entries }) =>
    entries.some(
      ({ subject, changes }) =>
        subject === user.key &&
        changes.some(({ path, new: value }) => path === 'public_key' && value === key),
    ),
  );
  if (!made) return { key_from: 'unknown', key_given_by: null };
  const { login, former_logins: former } = user.fields;
  const isOwn = made.user === login || (Array.isArray(former) && former.includes(made.user));
  // Somebody who is called so signs what they do.
  const isByServer = (made.authorship ?? null) === null && [SIGN_IN, FIRST_ADMINISTRATOR].includes(made.user);
  if (isOwn || isByServer) return { key_from: 'signer', key_given_by: null };
  const [giver] = records.findBy('user', 'login', made.user);
  return { key_from: 'other', key_given_by: String(giver?.fields.name ?? made.user) };
}
