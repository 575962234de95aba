import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../shared/contract/errors.ts';
import type { IdentityTables, SessionHand } from '../store/identity-tables.ts';
import { hashOfSecret, type SessionIdentity, type Sessions } from './sessions.ts';

/** Wrong ones after which a session ends. */
const MOST_WRONG = 5;
/** For so long a PIN is kept for who signs in again in the same browser. */
const KEPT_MS = 30 * 24 * 3_600_000;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A session that rests or works in the browser that calls, with the secret of its cookie. */
export interface Present {
  secret: string;
  identity: SessionIdentity;
}

export interface Resuming {
  code: string;
  /** Whose it is said to be; undefined: whoever's badge it is. */
  named: Present | undefined;
  /** All that the browser has. */
  present: readonly Present[];
}

/** What resumes a session beside the password. */
export interface HandState {
  has_pin: boolean;
  has_badge: boolean;
}

export interface HandsOptions {
  tables: IdentityTables;
  now: () => Date;
  random: (size: number) => Buffer;
  sessions: Pick<Sessions, 'end' | 'unlock'>;
  /** Runs work in a transaction of the write gate; resolves when it is durable. */
  write: (work: () => void) => Promise<void>;
}

export type Hands = ReturnType<typeof createHands>;

/**
 * PINs and badges: they resume a session that was begun by password in the same browser, and do nothing else. What is kept of
 * one is a keyed digest, whose key only the session's cookie opens: who reads the disk cannot try the ten thousand PINs there
 * are. Whoever has the cookie has five tries.
 */
export function createHands({ tables, now, random, sessions, write }: HandsOptions) {
  /** By the hash of the session: a try counts from its begin. Whoever else writes the table says so: `reread`. */
  const known = new Map<string, SessionHand>();

  function find(sessionHash: string): SessionHand | undefined {
    const row = known.get(sessionHash) ?? tables.hand(sessionHash);
    if (row) known.set(sessionHash, row);
    return row;
  }

  function keep(row: SessionHand): Promise<void> {
    known.set(row.hash, row);
    return write(() => {
      // It may have ended meanwhile.
      if (known.get(row.hash) === row) tables.putHand(row);
    });
  }

  function stateOf({ session }: Pick<SessionIdentity, 'session'>): HandState {
    const row = find(session);
    return { has_pin: Boolean(row?.pin), has_badge: Boolean(row?.badge) };
  }

  /** Sets what is given, takes away what is null, and leaves what is undefined. The password was right. */
  async function set(
    { secret, identity }: Present,
    { pin, badge }: { pin?: string | null | undefined; badge?: string | null | undefined },
  ): Promise<void> {
    const former = find(identity.session);
    const key = (former && openedBy(secret, former.sealed)) ?? random(KEY_BYTES);
    const digest = (kind: Kind, given: string | null | undefined, before: string) =>
      given === undefined ? before : given === null ? '' : digestOf(key, kind, given);
    await keep({
      hash: identity.session,
      user_id: identity.userId,
      sealed: sealedBy(secret, key, random(NONCE_BYTES)),
      pin: digest('pin', pin, former?.pin ?? ''),
      badge: digest('badge', badge, former?.badge ?? ''),
      ...FRESH,
      kept_until: keptUntil(),
    });
  }

  /** Whose badge it is, of those who are in the browser. */
  function ownerOf(badge: string, present: readonly Present[]): Present | undefined {
    return present.find(({ secret, identity }) => {
      const row = find(identity.session);
      return row !== undefined && isBy(secret, row, ['badge'], badge);
    });
  }

  /** What a session of the same person in the same browser had is the new one's. `former`: the secrets of its cookies. */
  async function inherit(former: readonly string[], { secret, identity }: Present): Promise<void> {
    for (const before of former) {
      const row = find(hashOfSecret(before));
      const key = row?.user_id === identity.userId ? openedBy(before, row.sealed) : undefined;
      if (!row || !key) continue;
      known.delete(row.hash);
      await write(() => tables.removeHand(row.hash));
      const sealed = sealedBy(secret, key, random(NONCE_BYTES));
      return keep({ ...row, hash: identity.session, sealed, ...FRESH, kept_until: keptUntil() });
    }
  }

  /**
   * Resumes the session that the code is the PIN or the badge of. What nobody is named for is a badge, if anything: a worker who scans goods at a
   * locked screen ends nobody's session, and after five such codes a name is asked for first.
   * @throws AppError 401 for a wrong one, with which the fifth ends the session; 403 where only the password opens it; 409
   * where there is no PIN and no badge
   */
  async function resume({ code, named, present }: Resuming): Promise<Present> {
    const found = named ? tried(named, code) : scanned(present, code);
    if ('failure' in found) {
      const { rows, failure } = found;
      await Promise.all(rows.map(keep));
      const over = rows.filter(({ wrong }) => wrong >= MOST_WRONG);
      for (const { hash } of over) await end(hash);
      throw failure;
    }
    const { identity } = found;
    const row = find(identity.session);
    if (identity.needsPassword || row?.is_held === 1)
      throw new AppError('forbidden', 'Give your password this time: a PIN or badge is not enough here.');
    if (row && (row.wrong > 0 || row.strays > 0)) await keep({ ...row, ...FRESH });
    await sessions.unlock(identity.session);
    return found;
  }

  function tried(named: Present, code: string): Present | Failed {
    const row = find(named.identity.session);
    if (!row?.pin && !row?.badge) {
      const failure = new AppError('conflict', 'There is no PIN and no badge here. Give your password.');
      return { rows: [], failure };
    }
    // One that comes at the same time as the fifth is late.
    if (row.wrong < MOST_WRONG && isBy(named.secret, row, ['pin', 'badge'], code)) return named;
    const wrong = row.wrong + 1;
    const left = MOST_WRONG - wrong;
    const message =
      left <= 0
        ? 'Five wrong ones: the session is over. Sign in with your password.'
        : `The PIN or badge is wrong. ${left === 1 ? 'One try is' : `${left} tries are`} left, then the password is needed.`;
    return { rows: [noted({ ...row, wrong })], failure: new AppError('unauthenticated', message) };
  }

  function scanned(present: readonly Present[], code: string): Present | Failed {
    const rows = present.flatMap(({ identity }) => find(identity.session) ?? []).filter(row => row.badge);
    const open = rows.filter(({ strays }) => strays < MOST_WRONG).map(({ hash }) => hash);
    const owner = ownerOf(
      code,
      present.filter(({ identity }) => open.includes(identity.session)),
    );
    if (owner) return owner;
    const message =
      open.length < rows.length
        ? 'Choose your name first, then scan your badge.'
        : "This is nobody's badge here. Choose your name, or sign in with your password.";
    return {
      rows: rows.map(row => noted({ ...row, strays: row.strays + 1 })),
      failure: new AppError('unauthenticated', message),
    };
  }

  /** Counted before anything is waited for. */
  function noted(row: SessionHand): SessionHand {
    known.set(row.hash, row);
    return row;
  }

  async function end(sessionHash: string): Promise<void> {
    known.delete(sessionHash);
    await sessions.end(sessionHash, { kind: 'session_ended', cause: 'five wrong PINs or badges' });
  }

  /** The machine's clock was changed: only passwords open what is here. */
  async function hold(): Promise<void> {
    await Promise.all(tables.hands().map(row => keep({ ...(known.get(row.hash) ?? row), is_held: 1 })));
  }

  /** Another process has written these, by the hashes of their sessions. */
  function reread(hashes: ReadonlySet<unknown>): void {
    for (const sessionHash of known.keys()) {
      if (!hashes.has(sessionHash)) continue;
      const row = tables.hand(sessionHash);
      if (row) known.set(sessionHash, row);
      else known.delete(sessionHash);
    }
  }

  /** The password was given. */
  async function release(sessionHash: string): Promise<void> {
    const row = find(sessionHash);
    if (row && (row.is_held || row.wrong > 0 || row.strays > 0)) await keep({ ...row, ...FRESH });
  }

  function keptUntil(): string {
    return new Date(now().getTime() + KEPT_MS).toISOString();
  }

  return {
    stateOf,
    set,
    ownerOf,
    inherit,
    resume,
    hold,
    release,
    reread,
    /** Users have other ids now, and what is kept is gone. */
    forgetAll: () => known.clear(),
  };
}

type Kind = 'pin' | 'badge';

interface Failed {
  rows: SessionHand[];
  failure: AppError;
}

const FRESH = { wrong: 0, strays: 0, is_held: 0 } as const;

function isBy(secret: string, row: SessionHand, kinds: readonly Kind[], code: string): boolean {
  const key = openedBy(secret, row.sealed);
  return key !== undefined && kinds.some(kind => isSame(row[kind], digestOf(key, kind, code)));
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

function digestOf(key: Buffer, kind: Kind, code: string): string {
  return createHmac('sha256', key).update(`${kind}:${code}`).digest('base64url');
}

function sealedBy(secret: string, key: Buffer, nonce: Buffer): string {
  const cipher = createCipheriv('aes-256-gcm', keyFrom(secret), nonce);
  return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  );
}

/** Undefined for another cookie than the one that it was sealed under. */
function openedBy(secret: string, sealed: string): Buffer | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyFrom(secret), bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}

function keyFrom(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'holdpoint: what resumes a session', KEY_BYTES));
}
