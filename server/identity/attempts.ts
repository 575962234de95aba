import { AppError } from '../../shared/contract/errors.ts';
import type { IdentityTables } from '../store/identity-tables.ts';

const LIMIT = 10;
const WINDOW_MS = 15 * 60_000;
/** Logins that no user has, of which so many are remembered; the oldest make room. */
const UNKNOWN_LIMIT = 10_000;

/** Whom an attempt is counted for: a user, or a login that no user has. */
export type Attempted = { userId: number } | { login: string };

export interface AttemptsOptions {
  tables: IdentityTables;
  now: () => Date;
  /** Runs work in a transaction of the write gate, soon; nobody waits for it. */
  later: (work: () => void) => void;
  /** A user has just been locked out. */
  onLockout: (userId: number) => void;
}

interface Counted {
  count: number;
  endsAt: number;
}

/**
 * Counts wrong passwords: ten within a quarter of an hour lock out for another one. A user's count outlives the process.
 * An attempt counts from its begin, so that many at once are not more than ten.
 */
export function createAttempts({ tables, now, later, onLockout }: AttemptsOptions) {
  const counts = new Map<string, Counted>();

  /** @throws AppError 429 with `Retry-After` while too many have failed */
  function begin(whom: Attempted): void {
    const { count, endsAt } = countOf(whom);
    const left = endsAt - now().getTime();
    if (count >= LIMIT) {
      const seconds = Math.max(1, Math.ceil(left / 1_000));
      throw new AppError(
        'too_many_requests',
        `Too many wrong passwords. Try again in ${Math.ceil(seconds / 60)} minutes, or ask an administrator.`,
        { headers: { 'Retry-After': String(seconds) } },
      );
    }
    set(whom, { count: count + 1, endsAt });
  }

  /** The attempt that `begin` counted was wrong. */
  function fail(whom: Attempted): void {
    const counted = countOf(whom);
    const isLockout = counted.count >= LIMIT;
    const endsAt = isLockout ? now().getTime() + WINDOW_MS : counted.endsAt;
    set(whom, { ...counted, endsAt });
    if (!('userId' in whom)) return;
    const { userId } = whom;
    const row = { user_id: userId, count: counted.count, ends_at: new Date(endsAt).toISOString() };
    later(() => tables.putFailures(row));
    if (isLockout) onLockout(userId);
  }

  /** The attempt that `begin` counted was not judged. */
  function cancel(whom: Attempted): void {
    const counted = countOf(whom);
    set(whom, { ...counted, count: Math.max(0, counted.count - 1) });
  }

  /** The right password, or an administrator, ends the count. */
  function clear(whom: Attempted): void {
    const isCounted = counts.delete(keyOf(whom));
    if (!('userId' in whom)) return;
    const { userId } = whom;
    // A count of before the restart is only stored, and one that is still to be stored is only counted.
    if (isCounted || tables.failures(userId)) later(() => void tables.clearFailures(userId));
  }

  function countOf(whom: Attempted): Counted {
    const key = keyOf(whom);
    const known = counts.get(key) ?? ('userId' in whom ? stored(whom.userId) : undefined);
    if (known && known.endsAt > now().getTime()) return known;
    return { count: 0, endsAt: now().getTime() + WINDOW_MS };
  }

  function stored(userId: number): Counted | undefined {
    const row = tables.failures(userId);
    return row && { count: row.count, endsAt: Date.parse(row.ends_at) };
  }

  function set(whom: Attempted, counted: Counted): void {
    const key = keyOf(whom);
    counts.delete(key);
    counts.set(key, counted);
    if (counts.size <= UNKNOWN_LIMIT) return;
    for (const [oldest] of counts) {
      if (!oldest.startsWith('login ')) continue;
      counts.delete(oldest);
      return;
    }
  }

  return { begin, fail, cancel, clear };
}

function keyOf(whom: Attempted): string {
  return 'userId' in whom ? `user ${whom.userId}` : `login ${whom.login}`;
}
