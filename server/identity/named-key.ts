import type { KeyObject } from 'node:crypto';
import type { IdentityTables } from '../store/identity-tables.ts';
import type { Store } from '../store/store.ts';
import type { Passwords } from './passwords.ts';
import type { UserKeys } from './user-keys.ts';

/** For how long a key that central gave waits for the log to say here that it is the person's. */
const KEY_UNNAMED_MS = 120_000;

export interface NamedKeyOptions {
  gate: Pick<Store['gate'], 'follow'>;
  keys: Pick<UserKeys, 'of'>;
  tables: Pick<IdentityTables, 'userKey'>;
  passwords: Pick<Passwords, 'open'>;
  signal: AbortSignal;
}

/**
 * The key of a person that lies here, opened, once the record of the user names it; undefined where there is none, or none such soon.
 * What central gave before its log has told here of the key, as after an update, is opened at once, so that nobody keeps the password.
 */
export async function openNamed(
  options: NamedKeyOptions,
  userId: number,
  password: string,
): Promise<KeyObject | undefined> {
  const { keys, tables, passwords } = options;
  const given = keys.of(userId) ?? tables.userKey(userId);
  const key = given && (await passwords.open(password, given.sealed).catch(() => undefined));
  if (!given || !key) return undefined;
  return (await isNamed(options, userId, given.public_key)) ? key : undefined;
}

/** Whether the user's record names the key, now or soon. */
function isNamed(
  { gate, keys, signal }: NamedKeyOptions,
  userId: number,
  publicKey: string,
): Promise<boolean> {
  const isSo = () => keys.of(userId)?.public_key === publicKey;
  if (isSo()) return Promise.resolve(true);
  return new Promise(resolve => {
    const end = (is: boolean) => {
      stop();
      clearTimeout(timer);
      signal.removeEventListener('abort', late);
      resolve(is);
    };
    const late = () => end(false);
    const timer = setTimeout(late, KEY_UNNAMED_MS).unref();
    const stop = gate.follow(() => isSo() && end(true));
    signal.addEventListener('abort', late);
    if (signal.aborted) late();
  });
}
