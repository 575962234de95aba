import { AppError } from '../../shared/contract/errors.ts';

/** Seconds to wait after so many wrong passwords of one place for one login; after more, as after the last. */
const DELAYS = [0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 900];
const LOCKOUT = DELAYS.length - 1;
const LONGEST = DELAYS.at(-1) ?? 0;
/** After so many it is the longest at once where many others were wrong before. */
const TIGHT = 3;
/** A place where nothing was wrong for so long begins anew. */
const FORGET_MS = 24 * 3_600_000;
/** Counters that are kept, and of those of users, how many outlive the process; the oldest make room. */
const COUNTERS = 10_000;
const KEPT = 1_000;

/** A user, or a login that no user has. */
export type Attempted = { userId: number } | { login: string };

/** Wrong passwords at one of them say nothing of the others. */
export type Door = 'sign-in' | 'unlock' | 'signature';

/** One try: at which door, whose, and from which place: a network, a browser that is known, or a session. */
export interface Attempt {
  door: Door;
  whom: Attempted;
  place: string;
}

interface Counted {
  count: number;
  /** Milliseconds since 1970: from when on another one is looked at. */
  next: number;
  last: number;
}

export interface AttemptsOptions {
  now: () => Date;
  /** What `kept` told before the restart. */
  stored: unknown;
}

/**
 * Counts wrong passwords by door, by whose they are and by where they come from: whoever gets them wrong waits longer each time, and
 * nobody else does. An attempt counts from its begin, so that many at once are no more than one after the other.
 */
export function createAttempts({ now, stored }: AttemptsOptions) {
  const counters = new Map<string, Counted>(readStored(stored));
  /** When a place was cleared here: what another process counted before that is over. */
  const cleared = new Map<string, number>();
  let isChanged = false;

  /** @param isTight a few wrong passwords are enough here. @throws AppError 429 with `Retry-After` for who must wait */
  function begin(attempt: Attempt, isTight: boolean): void {
    const counted = countOf(attempt);
    const left = counted.next - now().getTime();
    if (left > 0) throw mustWait(Math.ceil(left / 1_000));
    set(attempt, counted.count + 1, isTight);
  }

  /** The attempt that `begin` counted was wrong. Whether it is one that closes the place for long. */
  function fail(attempt: Attempt, isTight: boolean): boolean {
    const { count } = countOf(attempt);
    set(attempt, count, isTight);
    return count >= LOCKOUT;
  }

  /** The attempt that `begin` counted was not judged. */
  function cancel(attempt: Attempt): void {
    set(attempt, Math.max(0, countOf(attempt).count - 1), false);
  }

  /** The right password ends the count of its place. */
  function clear(attempt: Attempt): void {
    forget(keyOf(attempt));
  }

  function forget(key: string): void {
    if (!counters.delete(key)) return;
    cleared.set(key, now().getTime());
    isChanged = true;
  }

  /** Another password ends all of a user's. */
  function clearAllOf(userId: number): void {
    for (const key of counters.keys()) if (isOf(key, userId)) forget(key);
    isChanged = true;
  }

  function countOf(attempt: Attempt): Counted {
    const moment = now().getTime();
    const known = counters.get(keyOf(attempt));
    if (!known || Math.abs(moment - known.last) >= FORGET_MS) return { count: 0, next: moment, last: moment };
    if (known.last <= moment) return known;
    // The clock was set back. Who waits does so from now on, not until the clock is again where it was.
    const again = { ...known, next: moment + known.next - known.last, last: moment };
    counters.set(keyOf(attempt), again);
    isChanged = true;
    return again;
  }

  function set(attempt: Attempt, count: number, isTight: boolean): void {
    const last = now().getTime();
    const seconds = isTight && count >= TIGHT ? LONGEST : (DELAYS[Math.min(count, LOCKOUT)] ?? LONGEST);
    const key = keyOf(attempt);
    counters.delete(key);
    counters.set(key, { count, next: last + seconds * 1_000, last });
    isChanged = true;
    if (counters.size <= COUNTERS) return;
    const keys = [...counters.keys()].slice(0, COUNTERS / 10);
    // Logins that nobody has cost nothing to invent: they make room first.
    const invented = keys.filter(each => !isOfUser(each));
    for (const each of invented.length > 0 ? invented : keys) counters.delete(each);
  }

  /** What another process has counted, as its `kept`: what is wrong there counts here as well. */
  function join(kept: unknown): void {
    for (const [key, counted] of readStored(kept)) {
      const isLater = counted.last > Math.max(counters.get(key)?.last ?? 0, cleared.get(key) ?? 0);
      if (isLater)
        counters.set(key, { ...counted, count: Math.max(counted.count, counters.get(key)?.count ?? 0) });
    }
    if (cleared.size > COUNTERS) cleared.clear();
  }

  /** What is to be known after a restart; undefined where nothing has changed since it was asked for. */
  function kept(): unknown {
    if (!isChanged) return undefined;
    isChanged = false;
    return [...counters].filter(([key]) => isOfUser(key)).slice(-KEPT);
  }

  return { begin, fail, cancel, clear, clearAllOf, join, kept };
}

function mustWait(seconds: number): AppError {
  const says =
    seconds < 60
      ? `Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
      : `Try again in ${Math.ceil(seconds / 60)} minutes, or ask an administrator.`;
  return new AppError('too_many_requests', `Too many wrong passwords. ${says}`, {
    headers: { 'Retry-After': String(seconds) },
  });
}

function keyOf({ door, whom, place }: Attempt): string {
  const who = 'userId' in whom ? `user ${whom.userId}` : `login ${whom.login}`;
  return `${who} ${door} ${place}`;
}

function isOfUser(key: string): boolean {
  return key.startsWith('user ');
}

function isOf(key: string, userId: number): boolean {
  return key.startsWith(`user ${userId} `);
}

function readStored(stored: unknown): [string, Counted][] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((entry: unknown): [string, Counted][] => {
    const [key, counted]: unknown[] = Array.isArray(entry) ? entry : [];
    const { count, next, last } = Object(counted);
    const isWhole = [count, next, last].every(value => typeof value === 'number');
    return typeof key === 'string' && isWhole ? [[key, { count, next, last }]] : [];
  });
}
