import type { RequestHandler, Response } from 'express';

import { AppError } from '../../shared/errors.ts';
import type { StationIdentity, Stations } from '../central/stations.ts';
import type { Scope, TokenIdentity, Tokens } from '../identity/tokens.ts';

/** Who calls: a person or program with a token, or a station with its key. */
export type Identity = TokenIdentity | StationIdentity;

export interface AuthenticateOptions {
  tokens: Pick<Tokens, 'authenticate'>;
  /** Central's stations; none where nothing is said. */
  stations?: Pick<Stations, 'authenticate'> | undefined;
  /**
   * What needs no identity: `GET /api/v2/status`, or with a star at the end whatever lies below, `GET /docs/*`.
   * HEAD goes with GET. Compared with the path as sent: any other way of writing it needs an identity.
   */
  open: readonly string[];
}

/**
 * Lets a request through with an identity, or without one to what is open. Everything else, unknown paths included, is
 * `unauthenticated` (401); a write without the scope `write` is `forbidden` (403). The token counts in the
 * `Authorization` header only: addresses end up in logs and histories. A station's key is judged by the operation.
 */
export function createAuthenticate({ tokens, stations, open }: AuthenticateOptions): RequestHandler {
  const isOpen = matcherOf(open);
  return (request, response, next) => {
    const { method } = request;
    const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
    const { authorization } = request.headers;
    const identity: Identity | null =
      tokens.authenticate(authorization) ?? stations?.authenticate(authorization) ?? null;
    if (identity !== null) {
      if (!isRead && !isStation(identity) && !identity.scopes.includes('write')) throw lacks('write');
      response.locals.identity = identity;
    } else if (!isOpen(method === 'HEAD' ? 'GET' : method, request.path)) {
      throw unauthenticated();
    }
    next();
  };
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

function matcherOf(open: readonly string[]): (method: string, path: string) => boolean {
  const exact = new Set(open.filter(entry => !entry.endsWith('*')));
  const prefixes = open.filter(entry => entry.endsWith('*')).map(entry => entry.slice(0, -1));
  return (method, path) => {
    const entry = `${method} ${path}`;
    return exact.has(entry) || prefixes.some(prefix => entry.startsWith(prefix));
  };
}

function unauthenticated(): AppError {
  return new AppError('unauthenticated', 'Send a valid token as Authorization: Bearer <token>.');
}

function lacks(scope: Scope): AppError {
  return new AppError('forbidden', `The token lacks the scope ${scope}.`);
}
