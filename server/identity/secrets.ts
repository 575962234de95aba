import { hash } from 'node:crypto';
import { readJson } from '../../shared/contract/read-json.ts';
import type { IdentityTables, UserSecret } from '../store/identity-tables.ts';

/** Passwords before the present one that are remembered (trust, rule 8). */
const REMEMBERED = 10;

export type Secrets = ReturnType<typeof createSecrets>;

/** The hashes of the users' passwords. What writes (`put`, `replaceAll`) runs in a transaction of the write gate. */
export function createSecrets(tables: IdentityTables) {
  let known = { mark: '', digest: '' };
  const listeners = new Set<(userId: number) => void>();

  /** Stores a new hash over whatever there is, which is remembered. */
  function put(userId: number, passwordHash: string, changedAt: string): void {
    const present = tables.pendingSecret(userId);
    const version = (present?.version ?? 0) + 1;
    const hashes = [...(present ? [present.hash] : []), ...formersOf(userId)].slice(0, REMEMBERED);
    tables.putFormerSecret({ user_id: userId, hashes: JSON.stringify(hashes) });
    tables.putSecret({ user_id: userId, hash: passwordHash, version, changed_at: changedAt });
  }

  function formersOf(userId: number): string[] {
    const hashes = readJson(tables.formerSecret(userId)?.hashes ?? '[]');
    return Array.isArray(hashes) ? hashes.map(String) : [];
  }

  /**
   * What central gives this station takes the place of all that is here: nobody has another password, and nobody else one.
   * @param keepsOthers central does not know yet who signed in here meanwhile: nobody's is dropped
   */
  function replaceAll(given: readonly UserSecret[], { keepsOthers = false } = {}): void {
    const wanted = new Set(given.map(secret => secret.user_id));
    const others = tables.secrets().flatMap(({ user_id }) => (wanted.has(user_id) ? [] : user_id));
    const gone = keepsOthers ? [] : others;
    const changed = given.filter(secret => !isSame(secret, tables.pendingSecret(secret.user_id)));
    if (gone.length === 0 && changed.length === 0) return;
    tables.leaveSecrets(given, () => keepsOthers);
    for (const userId of [...gone, ...changed.map(({ user_id }) => user_id)]) {
      tables.afterCommit(() => {
        for (const listener of listeners) listener(userId);
      });
    }
  }

  /** The same on two machines exactly when they have the same hashes. */
  function digest(): string {
    const mark = tables.secretsMark();
    if (mark !== known.mark) known = { mark, digest: digestOfSecrets(tables.secrets()) };
    return known.digest;
  }

  /** Calls `listener` with the user whose password `replaceAll` has changed. */
  function onReplace(listener: (userId: number) => void): void {
    listeners.add(listener);
  }

  return {
    of: (userId: number) => tables.secret(userId),
    hashOf: (userId: number) => tables.secret(userId)?.hash,
    all: () => tables.secrets(),
    /** Another text whenever one of them is another one. */
    mark: () => tables.secretsMark(),
    /** Hashes of the passwords that a user must not take again: the present one first. */
    remembered: (userId: number) => [tables.secret(userId)?.hash ?? [], formersOf(userId)].flat(),
    /** Whether the password was set here by the rules that passwords have now. */
    isByRules: (userId: number) => tables.formerSecret(userId) !== undefined,
    put,
    replaceAll,
    digest,
    onReplace,
  };
}

export function isNewer(one: UserSecret, other: UserSecret): boolean {
  if (one.version !== other.version) return one.version > other.version;
  if (one.changed_at !== other.changed_at) return one.changed_at > other.changed_at;
  return one.hash > other.hash;
}

function isSame(one: UserSecret, other: UserSecret | undefined): boolean {
  return digestOfSecrets([one]) === digestOfSecrets(other ? [other] : []);
}

/** Of the hashes of a machine, in the order of their users. */
export function digestOfSecrets(secrets: readonly UserSecret[]): string {
  const lines = secrets.map(row => [row.user_id, row.hash, row.version, row.changed_at]);
  return hash('sha256', JSON.stringify(lines));
}
