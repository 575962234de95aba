import type { RequestHandler, Response } from 'express';

import { AppError } from '../../shared/errors.ts';
import type { Scope, TokenIdentity, Tokens } from '../identity/tokens.ts';

export interface AuthenticateOptions {
  tokens: Pick<Tokens, 'authenticate'>;
  /**
   * What needs no identity: `GET /api/v2/status`, or with a star at the end whatever lies below, `GET /docs/*`.
   * HEAD goes with GET. Compared with the path as sent: any other way of writing it needs an identity.
   */
  open: readonly string[];
}

/**
 * Lets a request through with an identity, or without one to what is open. Everything else, unknown paths included, is
 * `unauthenticated` (401); a write without the scope `write` is `forbidden` (403). The token counts in the
 * `Authorization` header only: addresses end up in logs and histories.
 */
export function createAuthenticate({ tokens, open }: AuthenticateOptions): RequestHandler {
  const isOpen = matcherOf(open);
  return (request, response, next) => {
    const { method } = request;
    const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
    const identity = tokens.authenticate(request.headers.authorization);
    if (identity !== null) {
      if (!isRead && !identity.scopes.includes('write')) throw lacks('write');
      response.locals.identity = identity;
    } else if (!isOpen(method === 'HEAD' ? 'GET' : method, request.path)) {
      throw unauthenticated();
    }
    next();
  };
}

/** The caller. Throws 401 on an open path that was called without an identity. */
export function identityOf(response: Response): TokenIdentity {
  const identity = optionalIdentityOf(response);
  if (identity === undefined) throw unauthenticated();
  return identity;
}

/** The caller, if known: for what is open. */
export function optionalIdentityOf(response: Response): TokenIdentity | undefined {
  return response.locals.identity;
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
