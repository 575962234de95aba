import type { KeyObject } from 'node:crypto';
import { BY_SERVER } from '../../shared/contract/permission.ts';
import { families } from '../../shared/families/registry.ts';
import { newPrivateKey, publicKeyOf } from '../keys/ed25519.ts';
import { SIGN_IN } from '../store/authors.ts';
import type { Fields } from '../store/changes.ts';
import type { IdentityTables } from '../store/identity-tables.ts';
import type { Store } from '../store/store.ts';
import type { Passwords } from './passwords.ts';
import type { Secrets } from './secrets.ts';
import type { Turn } from './turns.ts';
import type { UserKeys } from './user-keys.ts';

/** What a password makes: what it is checked by, and a key that it seals. */
export interface Credential {
  hash: string;
  publicKey: string;
  sealed: string;
  /** Whether it is one that the person had of late: it is not to be taken. */
  isAgain: boolean;
  /** The private key, as long as somebody holds it: for the session that begins with the password. */
  key: KeyObject;
}

export type Credentials = ReturnType<typeof createCredentials>;

export interface CredentialsOptions {
  store: Pick<Store, 'gate'>;
  tables: IdentityTables;
  passwords: Passwords;
  secrets: Secrets;
  keys: UserKeys;
}

/** Passwords of people, and the keys to sign with that are sealed by them. */
export function createCredentials({ store, tables, passwords, secrets, keys }: CredentialsOptions) {
  /**
   * Of a new password. @param userId whose it is, where the person had others. @param key the one to seal by it, where the person
   * keeps it; a new one where not. @throws AppError 503 when too many wait
   */
  async function of(password: string, userId?: number, key = newPrivateKey()): Promise<Credential> {
    const former = userId === undefined ? [] : secrets.remembered(userId);
    const hash = await passwords.hash(password, former[0]);
    let isAgain = former.includes(hash);
    for (const one of former)
      if (!isAgain && !passwords.isSameSalt(one, hash)) isAgain = await passwords.isPassword(password, one);
    const sealed = await passwords.seal(password, key);
    return { hash, isAgain, sealed, publicKey: publicKeyOf(key), key };
  }

  /** The fields of a user with this key. One that it takes the place of stays known: what it signed stands. */
  function named(fields: Fields, publicKey: string): Fields {
    const { public_key: former, former_keys: formers } = fields;
    if (former === publicKey) return fields;
    const known = Array.isArray(formers) ? formers : [];
    return {
      ...fields,
      public_key: publicKey,
      ...(typeof former === 'string' && { former_keys: [...known, former] }),
    };
  }

  /** In the open transaction. */
  function keep(
    userId: number,
    { hash, publicKey, sealed }: Pick<Credential, 'hash' | 'publicKey' | 'sealed'>,
    changedAt: string,
  ): void {
    secrets.put(userId, hash, changedAt);
    const version = tables.pendingSecret(userId)?.version ?? 0;
    keys.put({ user_id: userId, public_key: publicKey, sealed, version, changed_at: changedAt });
  }

  /** Whether it is the password: of who has a key here the key opens by it, of others the hash says so. */
  async function prove(
    userId: number | undefined,
    password: string,
    turn: Turn = 'known',
  ): Promise<{ isRight: boolean; key?: KeyObject }> {
    const sealed = userId === undefined ? undefined : keys.of(userId)?.sealed;
    if (sealed === undefined) {
      const hash = userId === undefined ? undefined : secrets.hashOf(userId);
      return { isRight: await passwords.isPassword(password, hash, turn) };
    }
    const key = await passwords.open(password, sealed, turn);
    return key ? { isRight: true, key } : { isRight: false };
  }

  /** A key for somebody who has none, by the password that was found right. */
  async function make(userId: number, password: string): Promise<void> {
    const secret = secrets.of(userId);
    if (!secret) return;
    const key = newPrivateKey();
    const sealed = await passwords.seal(password, key);
    await store.gate.commit({
      actor: { user: SIGN_IN, rights: BY_SERVER },
      reason: null,
      work(work) {
        // Somebody signs in twice at once.
        if (keys.of(userId)) return;
        const { fields } = work.require('user', userId);
        work.set(families.user, userId, named(fields, publicKeyOf(key)));
      },
      answer() {
        if (keys.of(userId)) return;
        const { version, changed_at: changedAt } = secret;
        keys.put({ user_id: userId, public_key: publicKeyOf(key), sealed, version, changed_at: changedAt });
      },
    });
  }

  return { of, named, keep, prove, make };
}
