import { hash, timingSafeEqual } from 'node:crypto';

import { AppError, type FieldErrors, invalid, noting, refuse } from '../../shared/contract/errors.ts';
import { SCOPES, type Scope, type TokenRow, type TokenTable, type TokenUse } from '../store/token-table.ts';
import { checkBounds, networkList, type WantedBounds } from './token-bounds.ts';

const NAME_LIMIT = 100;
/** RFC 6750, 2.1; the length keeps a hash of a whole header's worth of noise off the request path. */
const BEARER = /^Bearer +([\w.~+/-]{1,512}=*)$/i;
const SECRET = /^hp_[\w-]{43}$/;
const ENVIRONMENT_TOKEN_ID = 0;
const ENVIRONMENT_TOKEN_NAME = 'HOLDPOINT_TOKEN';
/** Authors in history that no token made here is. */
const RESERVED_NAMES = new Set([
  ENVIRONMENT_TOKEN_NAME,
  'setup',
  'sign-in',
  'first-administrator',
  'command-line',
  'audit-trail',
]);
/** What tokens count as, by the highest of their scopes; at a station of a central one that administers only writes. */
const COUNTS_AS = { admin: ['administrator'], write: ['operator', 'inspector'], read: ['viewer'] } as const;
/** How often it is noted when a token was used. */
const NOTE_USE_MS = 60_000;

/** Who calls. `tokenId` 0 is the environment's token, which is not stored and cannot be revoked. */
export interface TokenIdentity {
  tokenId: number;
  name: string;
  scopes: readonly Scope[];
  /** What it counts as at most, whatever its scopes; undefined where the scopes alone say what it may do. */
  roles?: readonly string[] | undefined;
  /** The families that it reaches; undefined: all. */
  families?: ReadonlySet<string> | undefined;
}

export interface TokenSummary extends Omit<TokenRow, 'hash'> {
  /** What of its scopes counts here. */
  effective_scopes: readonly Scope[];
  /** What it counts as here. */
  roles: readonly string[];
  last_used_at: string | null;
  last_used_from: string | null;
}

export interface NewToken extends WantedBounds {
  name: string;
  scopes: readonly string[];
  /** Who makes it. */
  created_by?: string | undefined;
}

/** A token as a request meets it. */
interface Known {
  identity: TokenIdentity;
  /** Milliseconds since 1970. */
  endsAt: number;
  isFrom: ((address: string) => boolean) | undefined;
}

export interface TokensOptions {
  table: TokenTable;
  now: () => Date;
  /** What the time is at least, where the clock is not believed: who sets it back keeps no token. ISO 8601 UTC. */
  atLeast?: (() => string | undefined) | undefined;
  random: (size: number) => Buffer;
  /** `HOLDPOINT_TOKEN`: an administrator's token to accept besides the stored ones. */
  environmentToken?: string | undefined;
  /** Whether this is a station of a central: there no token administers or decides on quality. */
  isLimited?: () => boolean;
}

export type Tokens = ReturnType<typeof createTokens>;

/**
 * API tokens: named, scoped, revocable, stored as hashes. Their secrets have 256 random bits, so that a plain hash is
 * enough: there is nothing to guess that salt or stretching would slow down.
 */
export function createTokens({
  table,
  now,
  atLeast = () => undefined,
  random,
  environmentToken,
  isLimited = () => false,
}: TokensOptions) {
  /** Active tokens that have been used, by hash. Whoever else writes the table says so: `reread`. */
  const known = new Map<string, Known>();
  /** Uses of this process, by token. */
  const used = new Map<number, TokenUse & { time: number; isNoted: boolean }>();
  /** The last header of each open connection. */
  const heard = new WeakMap<object, { authorization: string; secretHash: string }>();
  const revokeListeners = new Set<(tokenId: number) => void>();
  const environmentIdentity = environmentToken ? readEnvironmentToken(environmentToken) : undefined;
  if (environmentIdentity !== undefined) {
    const { hash: secretHash, ...identity } = environmentIdentity;
    known.set(secretHash, { identity, endsAt: Number.POSITIVE_INFINITY, isFrom: undefined });
  }

  /** The secret of a new token; it counts once `adopt` has stored its hash. */
  function newSecret(): string {
    return `hp_${random(32).toString('base64url')}`;
  }

  /** Stores a token whose secret exists already. Throws 422 on `name` and `scopes`, and for what was found before. */
  function adopt(secret: string, token: NewToken, faults: FieldErrors = {}): TokenSummary {
    if (!isSecret(secret)) throw new AppError('malformed', 'This is not the secret of a token.');
    const scopes = noting(faults, () => checkScopes(token.scopes)) ?? [];
    const bounds = checkBounds(token, { scopes, now: now() }, (field, message) => {
      faults[field] = [...(faults[field] ?? []), message];
    });
    const given = {
      name: noting(faults, () => checkName(token.name)) ?? '',
      scopes,
      ...bounds,
      created_by: token.created_by ?? null,
    };
    refuse(faults);
    const row = {
      ...given,
      hash: sha256(secret),
      created_at: now().toISOString(),
      revoked_at: null,
    };
    return summarize(table.insert(row));
  }

  /** A new token and its secret, which is shown this once. Throws as `adopt` does. */
  function create(token: NewToken, faults?: FieldErrors): { secret: string; token: TokenSummary } {
    const secret = newSecret();
    return { secret, token: adopt(secret, token, faults) };
  }

  function list(): TokenSummary[] {
    const uses = new Map(table.uses().map(use => [use.token_id, use]));
    return table.list().map(row => summarize(row, used.get(row.id) ?? uses.get(row.id)));
  }

  /** Ends a token: its next call is refused, and listeners hear of it now. Again does nothing; an unknown id is 404. */
  function revoke(id: number): void {
    const row = table.list().find(candidate => candidate.id === id);
    if (row === undefined) throw new AppError('not_found', `There is no token ${id}.`);
    if (row.revoked_at !== null) return;
    table.revoke(id, now().toISOString());
    known.delete(row.hash);
    tell(id);
  }

  /** Another process has written these tokens: those that have ended there end here. */
  function reread(ids: ReadonlySet<unknown>): void {
    for (const [secretHash, { identity }] of [...known]) {
      if (!ids.has(identity.tokenId) || identity.tokenId === ENVIRONMENT_TOKEN_ID) continue;
      known.delete(secretHash);
      if (!lookUp(secretHash)) tell(identity.tokenId);
    }
  }

  function tell(id: number): void {
    for (const listener of revokeListeners) listener(id);
  }

  /** Tells of tokens whose end has come since they were last used. */
  function endOver(): void {
    for (const [secretHash, { identity, endsAt }] of known) {
      if (!isOver(endsAt)) continue;
      known.delete(secretHash);
      tell(identity.tokenId);
    }
  }

  /** What is to be noted of uses since the last time; it counts as noted. In the open transaction: `TokenTable.noteUses`. */
  function takeUses(): TokenUse[] {
    const fresh = [...used.values()].filter(({ isNoted }) => !isNoted);
    for (const use of fresh) use.isNoted = true;
    return fresh.map(({ token_id, used_at, address }) => ({ token_id, used_at, address }));
  }

  /** Calls `listener` with the id of every token that is revoked, or whose end comes; answers how to stop that. */
  function onRevoke(listener: (tokenId: number) => void): () => void {
    revokeListeners.add(listener);
    return () => revokeListeners.delete(listener);
  }

  /**
   * Who an `Authorization` header stands for, or null. Secrets are never compared, only their hashes: what the time of a
   * lookup tells about a hash does not lead to its secret. What came over the same connection before is no secret to it,
   * so a header that comes again is not hashed again.
   * @throws AppError 401 for one whose end has come, 403 for one that does not count from the caller's address
   */
  function authenticate(authorization: string | undefined, connection?: object): TokenIdentity | null {
    if (authorization === undefined) return null;
    const before = connection && heard.get(connection);
    if (before?.authorization === authorization) return identityOf(before.secretHash, connection);
    const secret = BEARER.exec(authorization)?.[1];
    if (secret === undefined) return null;
    const secretHash = sha256(secret);
    if (connection) heard.set(connection, { authorization, secretHash });
    return identityOf(secretHash, connection);
  }

  function identityOf(secretHash: string, connection: object | undefined): TokenIdentity | null {
    const found = known.get(secretHash) ?? lookUp(secretHash);
    if (!found) return null;
    const { identity, endsAt, isFrom } = found;
    const { remoteAddress: address = '' }: { remoteAddress?: string } = connection ?? {};
    const time = now().getTime();
    if (isOver(endsAt)) {
      const end = new Date(endsAt).toISOString();
      throw new AppError('unauthenticated', `The token ended on ${end}. An administrator makes another one.`);
    }
    if (isFrom?.(address) === false)
      throw new AppError('forbidden', 'The token does not count from this address.');
    noteUse(identity.tokenId, time, address);
    return isLimited() ? limited(identity) : identity;
  }

  function isOver(endsAt: number): boolean {
    if (endsAt === Number.POSITIVE_INFINITY) return false;
    return Math.max(now().getTime(), Date.parse(atLeast() ?? '') || 0) >= endsAt;
  }

  function noteUse(tokenId: number, time: number, address: string): void {
    const before = used.get(tokenId);
    // A clock that was set back notes as well.
    if (tokenId === ENVIRONMENT_TOKEN_ID || (before && Math.abs(time - before.time) < NOTE_USE_MS)) return;
    const at = new Date(time).toISOString();
    used.set(tokenId, {
      token_id: tokenId,
      used_at: at,
      address: plainAddress(address),
      time,
      isNoted: false,
    });
  }

  function limited(identity: TokenIdentity): TokenIdentity {
    const { scopes } = identity;
    return { ...identity, scopes: effective(scopes), roles: countsAs(effective(scopes)) };
  }

  function effective(scopes: readonly Scope[]): readonly Scope[] {
    return isLimited() ? scopes.filter(scope => scope !== 'admin') : scopes;
  }

  /** Names of the valid tokens that have scopes which do not count here. */
  function limitedNames(): string[] {
    const stored = table.list().filter(({ revoked_at: revoked }) => revoked === null);
    const all = [...(environmentIdentity ? [environmentIdentity] : []), ...stored];
    return all.flatMap(({ name, scopes }) => (effective(scopes).length < scopes.length ? name : []));
  }

  function lookUp(secretHash: string): Known | null {
    const row = table.findByHash(secretHash);
    if (row === undefined || row.revoked_at !== null || !areEqual(row.hash, secretHash)) return null;
    const { id: tokenId, name, scopes, families, networks } = row;
    const found: Known = {
      identity: { tokenId, name, scopes, ...(families && { families: new Set(families) }) },
      endsAt: row.ends_at === null ? Number.POSITIVE_INFINITY : Date.parse(row.ends_at),
      isFrom: networks ? networkList(networks) : undefined,
    };
    known.set(secretHash, found);
    return found;
  }

  function checkName(name: string): string {
    const trimmed = name.trim();
    if (trimmed === '') throw invalid({ name: ['A token needs a name.'] });
    if (trimmed.length > NAME_LIMIT) throw invalid({ name: [`At most ${NAME_LIMIT} characters.`] });
    if (/\p{Cc}/u.test(trimmed)) throw invalid({ name: ['Control characters are not allowed.'] });
    // History knows authors by this name, so it is given once and never again.
    const isTaken = RESERVED_NAMES.has(trimmed) || table.list().some(row => row.name === trimmed);
    if (isTaken) {
      throw invalid({
        name: [`"${trimmed}" was given already; history names its author by it. Choose another.`],
      });
    }
    return trimmed;
  }

  function summarize({ hash: _, ...row }: TokenRow, use?: TokenUse): TokenSummary {
    const scopes = effective(row.scopes);
    return {
      ...row,
      effective_scopes: scopes,
      roles: countsAs(scopes),
      last_used_at: use?.used_at ?? null,
      last_used_from: use?.address ?? null,
    };
  }

  return {
    newSecret,
    adopt,
    create,
    list,
    limitedNames,
    revoke,
    reread,
    onRevoke,
    authenticate,
    endOver,
    takeUses,
  };
}

function countsAs(scopes: readonly Scope[]): readonly string[] {
  return COUNTS_AS[scopes.at(-1) ?? 'read'];
}

/** An address of version 4 that came mapped into version 6 as people write it. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=[\d.]+$)/i, '');
}

/** Whether a text has the form of a secret made by `newSecret`. */
export function isSecret(text: string): boolean {
  return SECRET.test(text);
}

function readEnvironmentToken(token: string): TokenIdentity & { hash: string } {
  if (BEARER.exec(`Bearer ${token}`)?.[1] !== token) {
    const message = 'HOLDPOINT_TOKEN must be 1 to 512 letters, digits and . _ ~ + / - characters.';
    throw new AppError('validation_failed', message);
  }
  return { tokenId: ENVIRONMENT_TOKEN_ID, name: ENVIRONMENT_TOKEN_NAME, scopes: SCOPES, hash: sha256(token) };
}

/** The given scopes and those that they include, in the order of `SCOPES`. */
function checkScopes(scopes: readonly string[]): Scope[] {
  const unknown = scopes.find(scope => !SCOPES.some(known => known === scope));
  if (unknown !== undefined || scopes.length === 0) {
    throw invalid({ scopes: [`One or more of: ${SCOPES.join(', ')}.`] });
  }
  return SCOPES.slice(0, 1 + SCOPES.findLastIndex(scope => scopes.includes(scope)));
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/** Byte by byte: a table's lookup may be looser than that, for instance blind to case. */
function areEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
