import { hash } from 'node:crypto';
import type { StoredRecord } from '../../shared/contract/present.ts';
import type { IdentityTables, SessionRow } from '../store/identity-tables.ts';

/** The cookie of a session. One of an origin's ports is seen by the others: hosts tell them apart, ports do not. */
export const SESSION_COOKIE = 'holdpoint_session';
const LIFE_MS = 12 * 3_600_000;
/** How often it is written down that a session is used. */
const NOTE_MS = 60_000;
const SECRET = /^[\w-]{43}$/;
/** Callers by session come after those by token: remembered answers and event streams are counted by user. */
const FIRST_CALLER = 2 ** 52;

/** A signed-in user. */
export interface SessionIdentity {
  /** Its place among the callers of the interface. */
  tokenId: number;
  /** The login, by which history names the author. */
  name: string;
  userId: number;
  user: StoredRecord;
  roles: readonly string[];
  isLocked: boolean;
  /** ISO 8601 UTC: when the session ends unless it is used. */
  expiresAt: string;
  /** The hash by which the session is stored. */
  session: string;
}

export interface SessionsOptions {
  tables: IdentityTables;
  now: () => Date;
  random: (size: number) => Buffer;
  userOf: (id: number) => StoredRecord | undefined;
  idleMinutes: () => number;
  /** Locks all sessions if the clock was changed: what is opened with a password after it stays open. */
  lookAtClock: () => void;
  /** Runs work in a transaction of the write gate; resolves when it is durable. */
  write: (work: () => void) => Promise<void>;
  /** The same, for what nobody waits for. */
  later: (work: () => void) => void;
  /** The user has one session less, or one that is locked: event streams of theirs must close. */
  onEnd: (callerId: number) => void;
}

export type Sessions = ReturnType<typeof createSessions>;

/**
 * Browsers' sessions. What the cookie holds has 256 random bits and is stored as a hash, so that sessions outlive the
 * process and nobody who reads the file has one. They belong to this machine and are not synced.
 */
export function createSessions(options: SessionsOptions) {
  const { tables, now, random, userOf, idleMinutes, lookAtClock, write, later, onEnd } = options;
  /** Sessions that have been used, by hash, and the use that is written down. This process is the only writer. */
  const known = new Map<string, { row: SessionRow; written: string }>();

  /** A new session of a user; the secret is for the cookie. Always a new one: nobody can have given it to the browser. */
  async function start(user: StoredRecord): Promise<{ secret: string; identity: SessionIdentity }> {
    lookAtClock();
    const secret = random(32).toString('base64url');
    const at = now().toISOString();
    const row: SessionRow = {
      hash: sha256(secret),
      user_id: user.id,
      created_at: at,
      used_at: at,
      is_locked: 0,
    };
    await write(() => {
      tables.endSessionsUnusedSince(oldest());
      tables.putSession(row);
    });
    known.set(row.hash, { row, written: at });
    return { secret, identity: identityOf(row, user) };
  }

  /**
   * Who a `Cookie` header stands for, or null. `isUse`: whether the request is a person's doing, which keeps the session
   * from locking.
   */
  function authenticate(cookie: string | undefined, isUse: boolean): SessionIdentity | null {
    const secret = cookie === undefined ? undefined : secretIn(cookie);
    if (secret === undefined) return null;
    const found = find(sha256(secret));
    const user = found && userOf(found.user_id);
    if (!found || user?.fields.is_active !== true) return null;
    if (found.used_at < oldest()) {
      known.delete(found.hash);
      later(() => void tables.endSession(found.hash));
      return null;
    }
    const row = lockIdle(found);
    return identityOf(isUse && !row.is_locked ? noteUse(row) : row, user);
  }

  function find(sessionHash: string): SessionRow | undefined {
    const live = known.get(sessionHash);
    if (live) return live.row;
    const row = tables.session(sessionHash);
    if (row) known.set(sessionHash, { row, written: row.used_at });
    return row;
  }

  /** A session that nobody used for long stays locked, whatever becomes of the setting. */
  function lockIdle(row: SessionRow): SessionRow {
    const minutes = idleMinutes();
    // One that was used when the clock was ahead was not used just now.
    const idle = Math.abs(now().getTime() - Date.parse(row.used_at));
    if (row.is_locked || minutes === 0 || idle < minutes * 60_000) return row;
    onEnd(callerIdOf(row.user_id));
    return keep({ ...row, is_locked: 1 });
  }

  function noteUse(row: SessionRow): SessionRow {
    const used = { ...row, used_at: now().toISOString() };
    const written = known.get(row.hash)?.written ?? row.used_at;
    if (now().getTime() - Date.parse(written) >= NOTE_MS) return keep(used);
    known.set(row.hash, { row: used, written });
    return used;
  }

  function keep(row: SessionRow): SessionRow {
    const live = { row, written: row.used_at };
    known.set(row.hash, live);
    later(() => {
      // It may have ended meanwhile.
      if (known.get(row.hash) === live) tables.putSession(row);
    });
    return row;
  }

  /** Locks or unlocks; the next request sees it. */
  async function change(sessionHash: string, isLocked: 0 | 1): Promise<void> {
    lookAtClock();
    const row = find(sessionHash);
    if (!row) return;
    const changed = { ...row, is_locked: isLocked, used_at: isLocked ? row.used_at : now().toISOString() };
    known.set(sessionHash, { row: changed, written: changed.used_at });
    if (isLocked) onEnd(callerIdOf(row.user_id));
    await write(() => tables.putSession(changed));
  }

  async function end(sessionHash: string): Promise<void> {
    const row = find(sessionHash);
    await write(() => void tables.endSession(sessionHash));
    known.delete(sessionHash);
    if (row) onEnd(callerIdOf(row.user_id));
  }

  /** Ends a user's sessions, but for one that is named. */
  async function endOf(userId: number, except = ''): Promise<void> {
    await write(() => void tables.endSessionsOf(userId, except));
    for (const [sessionHash, { row }] of known) {
      if (row.user_id === userId && sessionHash !== except) known.delete(sessionHash);
    }
    onEnd(callerIdOf(userId));
  }

  /** Locks what nobody has used, so that its event streams end without another request. */
  function lockAllIdle(): void {
    for (const { row } of known.values()) lockIdle(row);
  }

  /** Locks every session, also one that nobody has used since the start: only its user's password opens it. */
  async function lockAll(): Promise<void> {
    for (const { hash } of tables.sessions()) find(hash);
    const open = [...known.values()].filter(({ row }) => !row.is_locked);
    const locked = open.map(({ row, written }) => ({ row: { ...row, is_locked: 1 } as const, written }));
    for (const live of locked) {
      known.set(live.row.hash, live);
      onEnd(callerIdOf(live.row.user_id));
    }
    await write(() => {
      for (const live of locked) if (known.get(live.row.hash) === live) tables.putSession(live.row);
    });
  }

  function identityOf(row: SessionRow, user: StoredRecord): SessionIdentity {
    const { roles } = user.fields;
    return {
      tokenId: callerIdOf(user.id),
      name: String(user.fields.login),
      userId: user.id,
      user,
      roles: Array.isArray(roles) ? roles : [],
      isLocked: row.is_locked === 1,
      expiresAt: new Date(Date.parse(row.used_at) + LIFE_MS).toISOString(),
      session: row.hash,
    };
  }

  function oldest(): string {
    return new Date(now().getTime() - LIFE_MS).toISOString();
  }

  return {
    start,
    authenticate,
    end,
    endOf,
    lockAllIdle,
    lockAll,
    lock: (sessionHash: string) => change(sessionHash, 1),
    unlock: (sessionHash: string) => change(sessionHash, 0),
  };
}

/** What the session's cookie holds; two of them say nothing, because one may be another page's. */
function secretIn(cookie: string): string | undefined {
  const values = cookie.split(';').flatMap(pair => {
    const [name = '', value = ''] = pair.trim().split('=', 2);
    return name === SESSION_COOKIE ? [value] : [];
  });
  const [secret = ''] = values;
  return values.length === 1 && SECRET.test(secret) ? secret : undefined;
}

function callerIdOf(userId: number): number {
  return FIRST_CALLER + userId;
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
