import { hash } from 'node:crypto';
import type { IdentityTables, UserSecret } from '../store/identity-tables.ts';

export type Secrets = ReturnType<typeof createSecrets>;

/** The hashes of the users' passwords. What writes (`put`, `merge`) runs in a transaction of the write gate. */
export function createSecrets(tables: IdentityTables) {
  let known = { mark: '', digest: '' };
  const listeners = new Set<(userId: number) => void>();

  /** Stores a new hash over whatever there is. */
  function put(userId: number, passwordHash: string, changedAt: string): void {
    const version = (tables.pendingSecret(userId)?.version ?? 0) + 1;
    tables.putSecret({ user_id: userId, hash: passwordHash, version, changed_at: changedAt });
  }

  /** Takes in those that are newer than what is here; the result is the same in whatever order they come. */
  function merge(secrets: readonly UserSecret[]): void {
    for (const secret of secrets) {
      const own = tables.pendingSecret(secret.user_id);
      if (own && !isNewer(secret, own)) continue;
      tables.putSecret(secret);
      tables.afterCommit(() => {
        for (const listener of listeners) listener(secret.user_id);
      });
    }
  }

  /** The same on two machines exactly when they have the same hashes. */
  function digest(): string {
    const mark = tables.secretsMark();
    if (mark !== known.mark) known = { mark, digest: digestOf(tables.secrets()) };
    return known.digest;
  }

  /** Calls `listener` with the user whose password `merge` has changed. */
  function onMerge(listener: (userId: number) => void): void {
    listeners.add(listener);
  }

  return {
    hashOf: (userId: number) => tables.secret(userId)?.hash,
    all: () => tables.secrets(),
    put,
    merge,
    digest,
    onMerge,
  };
}

export function isNewer(one: UserSecret, other: UserSecret): boolean {
  if (one.version !== other.version) return one.version > other.version;
  if (one.changed_at !== other.changed_at) return one.changed_at > other.changed_at;
  return one.hash > other.hash;
}

function digestOf(secrets: readonly UserSecret[]): string {
  const lines = secrets.map(row => [row.user_id, row.hash, row.version, row.changed_at]);
  return hash('sha256', JSON.stringify(lines));
}
