import type { IncomingHttpHeaders } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';

import { AppError } from '../../shared/contract/errors.ts';
import { type Rights, rightsOfScopes } from '../../shared/contract/permission.ts';
import { hasRole } from '../../shared/contract/role.ts';
import { isLoopback } from '../enrolment/certificate.ts';
import type { StationIdentity, Stations } from '../enrolment/stations.ts';
import type { SessionIdentity, Sessions } from '../identity/sessions.ts';
import type { TokenIdentity, Tokens } from '../identity/tokens.ts';
import type { Scope } from '../store/token-table.ts';
import { refuseOpenWrite } from './other-origins.ts';

/** Who calls: a program with a token, a station with its key, or a user with a session. */
export type Identity = TokenIdentity | StationIdentity | SessionIdentity;

export interface AuthenticateOptions {
  tokens: Pick<Tokens, 'authenticate'>;
  /** Central's stations; none where nothing is said. */
  stations?: Pick<Stations, 'authenticate'> | undefined;
  /** Users' sessions; none where nothing is said. */
  sessions?: Pick<Sessions, 'authenticate'> | undefined;
  /**
   * What needs no identity: `GET /api/v2/status`, or with a star at the end whatever lies below, `GET /docs/*`.
   * HEAD goes with GET. Compared with the path as sent: any other way of writing it needs an identity.
   */
  open: readonly string[];
  /** What needs none when it comes from this machine, as `open` has it. */
  openHere?: readonly string[] | undefined;
  /** What is no GET and writes nothing all the same, as `open` has it: a token that reads may call it. */
  reading?: readonly string[] | undefined;
  /** Why a session does nothing before its user has chosen another password; undefined: it may do all. */
  refusalOf?: ((session: SessionIdentity) => AppError | undefined) | undefined;
  /** A token or key that is none, and from where. */
  onRefused?: ((address: string) => void) | undefined;
}

/**
 * Lets a request through with an identity, or without one to what is open. Everything else, unknown paths included, is
 * `unauthenticated` (401); a write without the scope `write` is `forbidden` (403), but for what `reading` names. The token
 * counts in the `Authorization` header only: addresses end up in logs and histories. A station's key is judged by the operation.
 *
 * A browser sends a session's cookie with whatever request a page makes it send. So a write with a cookie must say that
 * it comes from a page of ours (403; a foreign one the guard has refused), and a locked session does nothing but what is
 * open (401 `session_locked`). Where a request has an `Authorization` header, its cookie says nothing.
 */
export function createAuthenticate({
  tokens,
  stations,
  sessions,
  open,
  openHere = [],
  reading = [],
  refusalOf,
  onRefused,
}: AuthenticateOptions): RequestHandler {
  const isOpen = matcherOf(open);
  const isOpenToMachine = matcherOf(openHere);
  const isReading = matcherOf(reading);
  const callerOf = (
    { headers: { authorization }, socket }: Request,
    isOpenHere: () => boolean,
  ): TokenIdentity | StationIdentity | null => {
    const refused = () => onRefused?.(socket.remoteAddress ?? '');
    try {
      const caller =
        tokens.authenticate(authorization, socket) ?? stations?.authenticate(authorization) ?? null;
      if (caller === null && authorization !== undefined) refused();
      return caller;
    } catch (error) {
      refused();
      // What needs no identity is told to a token that has ended as to anybody.
      if (isOpenHere()) return null;
      throw error;
    }
  };
  return (request, response, next) => {
    const { method, headers, path } = request;
    const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
    const { authorization, cookie } = headers;
    if (authorization === undefined && cookie !== undefined && sessions) {
      // Looking whether the session is locked is no use of it.
      const session = sessions.authenticate(cookie, path !== SESSION_PATH);
      if (session) {
        if (!isRead) requireOwnPage(headers);
        response.locals.identity = session;
        if (isOpen(method === 'HEAD' ? 'GET' : method, path)) return next();
        const refusal = session.isLocked ? undefined : refusalOf?.(session);
        const isChange = method === 'POST' && path === `/api/v2/x/users/${session.userId}/password`;
        if (refusal && !isChange) throw refusal;
        if (!session.isLocked) return next();
        throw new AppError('session_locked', 'The session is locked. Unlock it with the password.');
      }
    }
    const called = method === 'HEAD' ? 'GET' : method;
    // Most have an identity, and read: nothing depends on it for them.
    const isOpenHere = () => isOpen(called, path) || (isOpenToMachine(called, path) && isFromHere(request));
    if (!isRead && response.locals.isOtherOrigin === true && isOpenHere()) refuseOpenWrite();
    const identity = callerOf(request, isOpenHere);
    if (identity !== null) {
      const isWrite = !isRead && !isReading(method, path);
      if (isWrite && !isStation(identity) && !identity.scopes.includes('write')) throw lacks('write');
      response.locals.identity = identity;
    } else if (!isOpenHere()) {
      throw unauthenticated();
    }
    next();
  };
}

/** Behind a proxy of this machine everybody comes from here: nothing that is a secret may be open so. */
function isFromHere({ socket: { remoteAddress = '' } }: Request): boolean {
  return isLoopback(remoteAddress.replace(/^::ffff:/, ''));
}

const SESSION_PATH = '/api/v2/x/session';

/** The guard lets no other origin and site through: that one of them is there is enough. */
function requireOwnPage(headers: IncomingHttpHeaders): void {
  if (headers.origin !== undefined || headers['sec-fetch-site'] === 'same-origin') return;
  const message = 'A write with a session must come from a page of this server. Programs use a token.';
  throw new AppError('forbidden', message);
}

/** The caller. Throws 401 on an open path that was called without an identity. */
export function identityOf(response: Response): Identity {
  const identity = optionalIdentityOf(response);
  if (identity === undefined) throw unauthenticated();
  return identity;
}

/** The caller, if known: for what is open. */
export function optionalIdentityOf(response: Response): Identity | undefined {
  return response.locals.identity;
}

export function isStation(identity: Identity): identity is StationIdentity {
  return 'stationId' in identity;
}

export function isSession(identity: Identity): identity is SessionIdentity {
  return 'session' in identity;
}

/** Whether the caller may administer: by role or by scope. */
export function isAdministrator(response: Response): boolean {
  const identity = identityOf(response);
  if (isSession(identity)) return hasRole(identity.roles, 'administrator');
  return !isStation(identity) && identity.scopes.includes('admin');
}

/**
 * What the caller may write; nothing without an identity, and with a station's key. At a station no program is more than
 * an inspector, the owner's command line included: central would hold what it writes.
 */
export function rightsOf(identity: Identity | undefined, isAtStation: boolean): Rights {
  if (!identity || isStation(identity)) return { kind: 'integration', roles: [] };
  if (isSession(identity)) return { kind: 'person', roles: identity.roles };
  return rightsOfScopes(isAtStation ? identity.scopes.filter(scope => scope !== 'admin') : identity.scopes);
}

/** The caller's session. @throws AppError 401 where there is none */
export function sessionOf(response: Response): SessionIdentity {
  const identity = optionalIdentityOf(response);
  if (identity && isSession(identity)) return identity;
  throw new AppError('unauthenticated', 'There is no session. Sign in first.');
}

function matcherOf(open: readonly string[]): (method: string, path: string) => boolean {
  const exact = new Set(open.filter(entry => !entry.endsWith('*')));
  const prefixes = open.filter(entry => entry.endsWith('*')).map(entry => entry.slice(0, -1));
  return (method, path) => {
    const entry = `${method} ${path}`;
    return exact.has(entry) || prefixes.some(prefix => entry.startsWith(prefix));
  };
}

function unauthenticated(): AppError {
  return new AppError('unauthenticated', 'Sign in, or send a valid token as Authorization: Bearer <token>.');
}

function lacks(scope: Scope): AppError {
  return new AppError('forbidden', `The token lacks the scope ${scope}.`);
}
