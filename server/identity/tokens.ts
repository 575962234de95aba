import { hash, timingSafeEqual } from 'node:crypto';

import { AppError, type FieldErrors, invalid, noting, refuse } from '../../shared/contract/errors.ts';
import { SCOPES, type Scope, type TokenRow, type TokenTable } from '../store/token-table.ts';

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
/** What a token that may write counts as at a station of a central, and one that may only read. */
const LIMITS = { write: ['operator', 'inspector'], read: ['viewer'] } as const;

/** Who calls. `tokenId` 0 is the environment's token, which is not stored and cannot be revoked. */
export interface TokenIdentity {
  tokenId: number;
  name: string;
  scopes: readonly Scope[];
  /** What it counts as at most, whatever its scopes; undefined where the scopes alone say what it may do. */
  roles?: readonly string[] | undefined;
}

export interface TokenSummary extends Omit<TokenRow, 'hash'> {
  /** What of its scopes counts here. */
  effective_scopes: readonly Scope[];
}

export interface NewToken {
  name: string;
  scopes: readonly string[];
}

export interface TokensOptions {
  table: TokenTable;
  now: () => Date;
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
  random,
  environmentToken,
  isLimited = () => false,
}: TokensOptions) {
  /** Active tokens that have been used, by hash. This process is the only writer of the table. */
  const known = new Map<string, TokenIdentity>();
  /** The last header of each open connection. */
  const heard = new WeakMap<object, { authorization: string; secretHash: string }>();
  const revokeListeners = new Set<(tokenId: number) => void>();
  const environmentIdentity = environmentToken ? readEnvironmentToken(environmentToken) : undefined;
  if (environmentIdentity !== undefined) known.set(environmentIdentity.hash, environmentIdentity);

  /** The secret of a new token; it counts once `adopt` has stored its hash. */
  function newSecret(): string {
    return `hp_${random(32).toString('base64url')}`;
  }

  /** Stores a token whose secret exists already. Throws 422 on `name` and `scopes`, and for what was found before. */
  function adopt(secret: string, { name, scopes }: NewToken, faults: FieldErrors = {}): TokenSummary {
    if (!isSecret(secret)) throw new AppError('malformed', 'This is not the secret of a token.');
    const given = {
      name: noting(faults, () => checkName(name)) ?? '',
      scopes: noting(faults, () => checkScopes(scopes)) ?? [],
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
    return table.list().map(summarize);
  }

  /** Ends a token: its next call is refused, and listeners hear of it now. Again does nothing; an unknown id is 404. */
  function revoke(id: number): void {
    const row = table.list().find(candidate => candidate.id === id);
    if (row === undefined) throw new AppError('not_found', `There is no token ${id}.`);
    if (row.revoked_at !== null) return;
    table.revoke(id, now().toISOString());
    known.delete(row.hash);
    for (const listener of revokeListeners) listener(id);
  }

  /** Calls `listener` with the id of every token that is revoked; answers how to stop that. */
  function onRevoke(listener: (tokenId: number) => void): () => void {
    revokeListeners.add(listener);
    return () => revokeListeners.delete(listener);
  }

  /**
   * Who an `Authorization` header stands for, or null. Secrets are never compared, only their hashes: what the time of a
   * lookup tells about a hash does not lead to its secret. What came over the same connection before is no secret to it,
   * so a header that comes again is not hashed again.
   */
  function authenticate(authorization: string | undefined, connection?: object): TokenIdentity | null {
    if (authorization === undefined) return null;
    const before = connection && heard.get(connection);
    if (before?.authorization === authorization) return identityOf(before.secretHash);
    const secret = BEARER.exec(authorization)?.[1];
    if (secret === undefined) return null;
    const secretHash = sha256(secret);
    if (connection) heard.set(connection, { authorization, secretHash });
    return identityOf(secretHash);
  }

  function identityOf(secretHash: string): TokenIdentity | null {
    const identity = known.get(secretHash) ?? lookUp(secretHash);
    return identity && isLimited() ? limited(identity) : identity;
  }

  function limited({ tokenId, name, scopes }: TokenIdentity): TokenIdentity {
    const roles = scopes.includes('write') ? LIMITS.write : LIMITS.read;
    return { tokenId, name, scopes: effective(scopes), roles };
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

  function lookUp(secretHash: string): TokenIdentity | null {
    const row = table.findByHash(secretHash);
    if (row === undefined || row.revoked_at !== null || !areEqual(row.hash, secretHash)) return null;
    const identity = { tokenId: row.id, name: row.name, scopes: row.scopes };
    known.set(secretHash, identity);
    return identity;
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

  function summarize({ id, name, scopes, created_at, revoked_at }: TokenRow): TokenSummary {
    return { id, name, scopes, effective_scopes: effective(scopes), created_at, revoked_at };
  }

  return { newSecret, adopt, create, list, limitedNames, revoke, onRevoke, authenticate };
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
