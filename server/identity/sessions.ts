import { hash, type KeyObject } from 'node:crypto';
import type { StoredRecord } from '../../shared/contract/present.ts';
import type { AuditEvent } from '../audit/event.ts';
import type { Trail } from '../audit/trail.ts';
import { isKeyPending, SESSION_LIFE_MS, type SessionCertificate } from '../keys/authorship.ts';
import type { IdentityTables, SessionRow } from '../store/identity-tables.ts';
import type { Author } from '../store/unit-of-work.ts';
import { secretIn } from './session-cookies.ts';
import {
  certifiedBy,
  certifySession,
  isByPresentPassword,
  isInForce,
  openSession,
  type SessionAuthor,
} from './session-keys.ts';
import type { SessionSummary } from './session-summary.ts';

/** A session that nobody uses ends after this time, and each after `SESSION_LIFE_MS`, however much it is used. */
const LIFE_MS = 12 * 3_600_000;
/** How often it is written down that a session is used. */
const NOTE_MS = 60_000;
/** Characters of what a browser calls itself. */
const AGENT = 300;
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
  /** Only the password opens it again: it does not sign for its user as it is. */
  needsPassword: boolean;
  /** ISO 8601 UTC: when the session ends unless it is used, or however it is used. */
  expiresAt: string;
  /** The hash by which the session is stored. */
  session: string;
  /** Signs what the user commits; absent while the session has no key. */
  author?: Author;
}

export interface SessionsOptions {
  tables: IdentityTables;
  now: () => Date;
  random: (size: number) => Buffer;
  userOf: (id: number) => StoredRecord | undefined;
  /** The installation, as its chains are named: a session signs where it began. */
  station: () => string;
  /** Whether the user has a key to sign with on this machine. */
  hasKey: (userId: number) => boolean;
  idleMinutes: () => number;
  /** Locks all sessions if the clock was changed: what is opened with a password after it stays open. */
  lookAtClock: () => void;
  /** In whose transactions sessions begin and end. */
  trail: Pick<Trail, 'with'>;
  /** Runs work in a transaction of the write gate; resolves when it is durable. */
  write: (work: () => void) => Promise<void>;
  /** The same, for what nobody waits for. */
  later: (work: () => void) => void;
  /** Whether nothing can be written: the store is damaged. */
  isReadOnly: () => boolean;
  /** Of what is written so already: nobody waits for it. */
  follow: (written: Promise<unknown>) => void;
  /** The user has one session less, or one that is locked: event streams of theirs must close. */
  onEnd: (callerId: number) => void;
}

/** A session that has been used since the process began. */
interface Live {
  row: SessionRow;
  /** The use that is written down. */
  written: string;
  /** What signs for it; null where it has no key. Undefined: its cookie was not seen yet. */
  author?: SessionAuthor | null;
  /** It began without a key, which is asked for meanwhile. */
  isAwaitingKey?: boolean;
}

export type Sessions = ReturnType<typeof createSessions>;

/**
 * Browsers' sessions. What the cookie holds has 256 random bits and is stored as a hash, so that sessions outlive the
 * process and nobody who reads the file has one. They belong to this machine and are not synced.
 */
export function createSessions(options: SessionsOptions) {
  const { tables, now, random, userOf, station, hasKey, idleMinutes, lookAtClock, onEnd } = options;
  const { trail, write, later, follow, isReadOnly } = options;
  /** By hash. Whoever else writes the tables says so: `reread`. */
  const known = new Map<string, Live>();
  /** One after the other: each looks for what the one before left. */
  let certifying: Promise<void> = Promise.resolve();

  /**
   * A new session of a user; the secret is for the cookie. Always a new one: nobody can have given it to the browser.
   * @param key the user's own, which the session signs by; undefined where it comes later or never: `certify`, `goOnWithout`
   */
  async function start(
    user: StoredRecord,
    address: string,
    key?: KeyObject,
    agent = '',
  ): Promise<{ secret: string; identity: SessionIdentity }> {
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
    const made = keyFor(secret, user, key);
    let over: SessionRow[] = [];
    const events = () => {
      over = tables.pendingSessionsOver(oldest(), oldestBegun());
      return [...over.map(expiryOf), { ...eventOf('signed_in', row), address }];
    };
    await trail.with(events, () => {
      for (const { hash } of over) tables.expireSession(hash);
      tables.forgetHandsBefore(at);
      tables.putSession(row);
      tables.putPlace({ hash: row.hash, address, agent: agent.slice(0, AGENT) });
      tables.putSessionKey({ hash: row.hash, ...made.row });
    });
    if (key) follow(certifyPending(user, key));
    const live: Live = { row, written: at, author: made.author, isAwaitingKey: !key };
    known.set(row.hash, live);
    return { secret, identity: identityOf(live, user) };
  }

  function keyFor(secret: string, user: StoredRecord, key: KeyObject | undefined) {
    const login = String(user.fields.login);
    const row = certifySession(secret, {
      user: { id: user.id, login },
      key,
      station: station(),
      at: now(),
    });
    return { row, author: openSession(secret, row) ?? null };
  }

  /** Lets the session of a cookie sign for its user from now on, and what was signed for them before their key was here count. */
  async function certify(secret: string, key: KeyObject): Promise<void> {
    const live = find(sha256(secret));
    const user = live && userOf(live.row.user_id);
    if (!live || !user) return;
    await certifyPending(user, key);
    const { hash: sessionHash } = live.row;
    live.isAwaitingKey = false;
    const present = authorOf(live, secret, user);
    if (present && !isKeyPending(present.certificate)) return;
    const { row, author } = keyFor(secret, user, key);
    known.set(sessionHash, { ...live, author });
    await write(() => {
      // It may have ended meanwhile.
      if (known.has(sessionHash)) tables.putSessionKey({ hash: sessionHash, ...row });
    });
  }

  /** Nobody asks for the key of the session's user any more: until the password is given again it is pending. */
  function goOnWithout(secret: string): void {
    const live = find(sha256(secret));
    if (live) live.isAwaitingKey = false;
  }

  /**
   * The user's key certifies the sessions that signed for them here while it was pending, those that are over as well. The trail
   * says so, and takes the certificates to whoever has what they signed.
   */
  function certifyPending(user: StoredRecord, key: KeyObject): Promise<void> {
    const done = certifying.then(async () => {
      const rows = tables.sessionKeys().flatMap(row => {
        const certificate: SessionCertificate = JSON.parse(row.certificate);
        const isOfUser = certificate.user_id === user.id && certificate.station === station();
        return isOfUser && isKeyPending(certificate) && isByPresentPassword(certificate, user)
          ? { row, certificate: certifiedBy(key, certificate) }
          : [];
      });
      if (rows.length === 0) return;
      const events = rows.map(({ row, certificate }) => ({
        ...eventOf('session_certified', { hash: row.hash, user_id: user.id }),
        details: { ...certificate },
      }));
      await trail.with(events, () => {
        for (const { row, certificate } of rows)
          tables.putSessionKey({ ...row, certificate: JSON.stringify(certificate) });
        tables.forgetKeys();
      });
      for (const { row } of rows) delete known.get(row.hash)?.author;
    });
    certifying = done.catch(() => undefined);
    return done;
  }

  /**
   * Who a `Cookie` header stands for, or null. `isUse`: whether the request is a person's doing, which keeps the session
   * from locking.
   */
  function authenticate(cookie: string | undefined, isUse: boolean): SessionIdentity | null {
    const secret = cookie === undefined ? undefined : secretIn(cookie);
    return secret === undefined ? null : identify(secret, isUse);
  }

  /** Who a secret of a cookie stands for, or null. `isUse` as `authenticate` has it. */
  function identify(secret: string, isUse: boolean): SessionIdentity | null {
    const live = find(sha256(secret));
    const user = live && userOf(live.row.user_id);
    if (!live || user?.fields.is_active !== true) return null;
    const { row: found } = live;
    if (isOver(found)) {
      known.delete(found.hash);
      if (!isReadOnly())
        follow(endRows(() => tables.pendingSession(found.hash), expiryOf, tables.expireSession));
      return null;
    }
    const author = authorOf(live, secret, user);
    // Whoever has a key signs with it: the password that opens the session again lets it sign.
    const isSigning = author && !isKeyPending(author.certificate);
    const isUncertified = !isSigning && !live.isAwaitingKey && hasKey(user.id);
    const row = isUncertified && !found.is_locked ? lock(found) : lockIdle(found);
    const used = isUse && !row.is_locked ? noteUse(row) : row;
    return identityOf({ row: used, ...(author && { author }) }, user, isUncertified);
  }

  /** What signs for the session here and now. */
  function authorOf(live: Live, secret: string, user: StoredRecord): SessionAuthor | undefined {
    if (live.author === undefined) {
      const row = tables.sessionKey(live.row.hash);
      live.author = (row && openSession(secret, row)) ?? null;
    }
    const { author } = live;
    if (!author) return undefined;
    return isInForce(author.certificate, station(), user.fields.public_key, now()) ? author : undefined;
  }

  function find(sessionHash: string): Live | undefined {
    const live = known.get(sessionHash);
    if (live) return live;
    const row = tables.session(sessionHash);
    if (!row) return undefined;
    const read: Live = { row, written: row.used_at };
    known.set(sessionHash, read);
    return read;
  }

  /** A session that nobody used for long stays locked, whatever becomes of the setting. */
  function lockIdle(row: SessionRow): SessionRow {
    const minutes = idleMinutes();
    // One that was used when the clock was ahead was not used just now.
    const idle = Math.abs(now().getTime() - Date.parse(row.used_at));
    return row.is_locked || minutes === 0 || idle < minutes * 60_000 ? row : lock(row);
  }

  function lock(row: SessionRow): SessionRow {
    onEnd(callerIdOf(row.user_id));
    return keep({ ...row, is_locked: 1 });
  }

  function noteUse(row: SessionRow): SessionRow {
    const used = { ...row, used_at: now().toISOString() };
    const live = known.get(row.hash);
    const written = live?.written ?? row.used_at;
    if (now().getTime() - Date.parse(written) >= NOTE_MS) return keep(used);
    known.set(row.hash, { ...live, row: used, written });
    return used;
  }

  function keep(row: SessionRow): SessionRow {
    const live: Live = { ...known.get(row.hash), row, written: row.used_at };
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
    const live = find(sessionHash);
    if (!live) return;
    const { row } = live;
    const changed = { ...row, is_locked: isLocked, used_at: isLocked ? row.used_at : now().toISOString() };
    known.set(sessionHash, { ...live, row: changed, written: changed.used_at });
    if (isLocked) onEnd(callerIdOf(row.user_id));
    await write(() => {
      // It may have ended meanwhile.
      if (known.has(sessionHash)) tables.putSession(changed);
    });
  }

  /** Who signs out, or signs in anew in the same browser. */
  async function end(
    sessionHash: string,
    about: Pick<AuditEvent, 'kind' | 'address'> & { cause?: string },
  ): Promise<void> {
    const live = find(sessionHash);
    await endRows(
      () => tables.pendingSession(sessionHash),
      ended => {
        const { details, ...event } = eventOf(about.kind, ended);
        const { address, cause } = about;
        return { ...event, address, details: { ...details, ...(cause !== undefined && { cause }) } };
      },
    );
    known.delete(sessionHash);
    if (live) onEnd(callerIdOf(live.row.user_id));
  }

  /** Ends a user's sessions, all or some. `author`: by whose doing, and from where; undefined: the machine's. */
  async function endOf(
    userId: number,
    { cause, author, address }: Pick<AuditEvent, 'author' | 'address'> & { cause: string },
    which: (sessionHash: string) => boolean = () => true,
  ): Promise<void> {
    await endRows(
      () => tables.pendingSessionsOf(userId).filter(row => which(row.hash)),
      row => {
        const { details, ...event } = eventOf('session_ended', row);
        return { ...event, author, author_name: undefined, address, details: { ...details, cause } };
      },
    );
    for (const [sessionHash, { row }] of known) {
      if (row.user_id === userId && which(sessionHash)) known.delete(sessionHash);
    }
    onEnd(callerIdOf(userId));
  }

  /** In one transaction with what the trail says of each. */
  function endRows(
    rows: () => SessionRow[],
    event: (row: SessionRow) => AuditEvent,
    end: (hash: string) => void = tables.endSession,
  ): Promise<void> {
    let ended: SessionRow[] = [];
    const events = () => {
      ended = rows();
      return ended.map(event);
    };
    return trail.with(events, () => {
      for (const { hash } of ended) end(hash);
    });
  }

  function eventOf(kind: AuditEvent['kind'], { hash, user_id: id }: Pick<SessionRow, 'hash' | 'user_id'>) {
    const { login, name } = userOf(id)?.fields ?? {};
    return {
      kind,
      subject: `user:${id}`,
      ...(typeof login === 'string' && { author: login }),
      ...(typeof name === 'string' && { author_name: name }),
      details: { session: idOf(hash) },
    } satisfies AuditEvent;
  }

  /** It ended when its time was over, whenever that is noticed. */
  function expiryOf(row: SessionRow): AuditEvent {
    return { ...eventOf('session_expired', row), at: endAt(row) };
  }

  /** Another process has written these sessions, or their keys, by hash: they stand here as they stand there. */
  function reread(hashes: ReadonlySet<unknown>): void {
    for (const [sessionHash, { row: before, isAwaitingKey }] of known) {
      if (!hashes.has(sessionHash)) continue;
      const row = tables.session(sessionHash);
      if (!row || row.is_locked > before.is_locked) onEnd(callerIdOf(before.user_id));
      if (!row) {
        known.delete(sessionHash);
        continue;
      }
      const used_at = before.used_at > row.used_at ? before.used_at : row.used_at;
      known.set(sessionHash, {
        row: { ...row, used_at },
        written: row.used_at,
        ...(isAwaitingKey && { isAwaitingKey }),
      });
    }
  }

  /** Locks what nobody has used, so that its event streams end without another request. */
  function lockAllIdle(): void {
    for (const { row } of known.values()) lockIdle(row);
  }

  /** Locks every session, also one that nobody has used since the start: only its user's password opens it. */
  async function lockAll(): Promise<void> {
    for (const { hash } of tables.sessions()) find(hash);
    const open = [...known.values()].filter(({ row }) => !row.is_locked);
    const locked = open.map(live => ({ ...live, row: { ...live.row, is_locked: 1 } as const }));
    for (const live of locked) {
      known.set(live.row.hash, live);
      onEnd(callerIdOf(live.row.user_id));
    }
    await write(() => {
      for (const live of locked) if (known.get(live.row.hash) === live) tables.putSession(live.row);
    });
  }

  function identityOf(
    { row, author }: Pick<Live, 'row' | 'author'>,
    user: StoredRecord,
    needsPassword = false,
  ): SessionIdentity {
    const { roles } = user.fields;
    return {
      tokenId: callerIdOf(user.id),
      name: String(user.fields.login),
      userId: user.id,
      user,
      roles: Array.isArray(roles) ? roles : [],
      isLocked: row.is_locked === 1,
      needsPassword,
      expiresAt: endAt(row),
      session: row.hash,
      ...(author && { author: author.sign }),
    };
  }

  function oldest(): string {
    return new Date(now().getTime() - LIFE_MS).toISOString();
  }

  function oldestBegun(): string {
    return new Date(now().getTime() - SESSION_LIFE_MS).toISOString();
  }

  function isOver({ used_at: used, created_at: begun }: SessionRow): boolean {
    return used < oldest() || begun < oldestBegun();
  }

  /** The sessions of a user that are not over, the one that was used last first. */
  function listOf(userId: number): SessionSummary[] {
    const rows = tables.sessions().filter(row => row.user_id === userId);
    const live = rows.map(row => known.get(row.hash)?.row ?? row).filter(row => !isOver(row));
    const shown = live.map(row => {
      const place = tables.place(row.hash);
      return {
        id: idOf(row.hash),
        hash: row.hash,
        address: place?.address ?? null,
        agent: place?.agent || null,
        began_at: row.created_at,
        used_at: row.used_at,
        ends_at: endAt(row),
        is_locked: row.is_locked === 1,
      };
    });
    return shown.toSorted((one, other) => (one.used_at < other.used_at ? 1 : -1));
  }

  return {
    start,
    certify,
    goOnWithout,
    authenticate,
    identify,
    listOf,
    end,
    endOf,
    lockAllIdle,
    lockAll,
    reread,
    lock: (sessionHash: string) => change(sessionHash, 1),
    unlock: (sessionHash: string) => change(sessionHash, 0),
  };
}

/** When a session ends unless it is used: at the latest so long after its begin. */
function endAt({ used_at: used, created_at: begun }: SessionRow): string {
  return new Date(Math.min(Date.parse(used) + LIFE_MS, Date.parse(begun) + SESSION_LIFE_MS)).toISOString();
}

/** What people and the trail call a session: the cookie does not follow from it. */
export function idOf(sessionHash: string): string {
  return sessionHash.slice(0, 12);
}

export function hashOfSecret(secret: string): string {
  return sha256(secret);
}

function callerIdOf(userId: number): number {
  return FIRST_CALLER + userId;
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
