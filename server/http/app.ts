import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';

import type { Stations } from '../enrolment/stations.ts';
import type { Sessions } from '../identity/sessions.ts';
import type { Tokens } from '../identity/tokens.ts';
import { type AuthenticateOptions, createAuthenticate } from './authenticate.ts';
import { createErrorHandler, refuseUnknownPath } from './errors.ts';
import { type Forwarding, isForwarded } from './forwarding.ts';
import { createGuard } from './guard.ts';
import { createRequestLog, type RequestLogOptions } from './log.ts';
import { type Messages, withMessages } from './messages.ts';
import { createSecurityHeaders } from './security-headers.ts';

export interface AppOptions {
  log: Logger;
  tokens: Pick<Tokens, 'authenticate'>;
  /** Central's stations, which call with their keys. */
  stations?: Pick<Stations, 'authenticate'>;
  /** Signed-in users, whose browsers call with a cookie. */
  sessions?: Pick<Sessions, 'authenticate'>;
  /** What needs no identity: see `createAuthenticate`. */
  open: readonly string[];
  openHere?: readonly string[];
  /** What writes nothing though it is no GET: see `createAuthenticate`. */
  reading?: readonly string[];
  /** A token or key that is none, and from where. */
  refusalOf?: AuthenticateOptions['refusalOf'];
  onRefused?: (address: string) => void;
  /** Told of each answer that is done. */
  onAnswered?: RequestLogOptions['onAnswered'];
  /** Of an installation that other processes serve as well. */
  shared?: SharedInterface | undefined;
  /** Host names besides loopback: see `createGuard`. */
  hosts?: readonly string[];
  /** Origins whose pages may call with a token: see `createGuard`. */
  otherOrigins?: () => readonly string[];
  /** The server speaks TLS itself. */
  isSecure?: boolean;
}

export interface SharedInterface {
  /** Resolves once all that was written at other processes is here. @throws AppError `unavailable` */
  fresh: () => Promise<void>;
  forwarding: Pick<Forwarding, 'receive' | 'forward'>;
}

/**
 * The application around the routes: nothing reaches what `mount` adds but a well-formed request, for this host, from no
 * foreign page, by a known caller; what no route answers is 404, and every error is answered with the envelope.
 */
export function createApp(
  {
    log,
    tokens,
    stations,
    sessions,
    open,
    openHere,
    reading,
    refusalOf,
    onRefused,
    onAnswered,
    shared,
    hosts = [],
    otherOrigins,
    isSecure = false,
  }: AppOptions,
  mount: (app: Express) => void,
): Express & Messages {
  const app = withMessages(express());
  app.disable('x-powered-by');
  // An ETag here names a record's version, which only its route knows.
  app.disable('etag');
  app.use(
    inOneStep(
      ...(shared ? [shared.forwarding.receive] : []),
      createRequestLog(log, { onAnswered }),
      createSecurityHeaders(),
      unlessForwarded(createGuard({ hosts, isSecure, otherOrigins })),
      ...(shared ? [waitUntilFresh(shared.fresh)] : []),
      createAuthenticate({ tokens, stations, sessions, open, openHere, reading, refusalOf, onRefused }),
      ...(shared ? [shared.forwarding.forward] : []),
    ),
  );
  mount(app);
  app.use(refuseUnknownPath, createErrorHandler(log));
  return app;
}

/** What another process forwards it has looked at itself, by the names that it answers to. */
function unlessForwarded(guard: RequestHandler): RequestHandler {
  return (request, response, next) => (isForwarded(response) ? next() : guard(request, response, next));
}

/**
 * Tokens, sessions, keys and what one wrote oneself at another process are known before anybody is told who calls. What says how
 * the process itself stands is answered without, and so are pages and documentation, which are files.
 */
function waitUntilFresh(fresh: () => Promise<void>): RequestHandler {
  return ({ path }, _response, next) => {
    if (!path.startsWith('/api/') || STANDING.has(path)) return next();
    fresh()
      .then(() => next())
      // What the next ones throw as well: nobody else catches it here.
      .catch(next);
  };
}

const STANDING: ReadonlySet<string> = new Set(['/api/v2/status', '/api/v2/x/health', '/api/v2/x/metrics']);

/** Handlers one after the other, without Express's own way from each to the next. */
function inOneStep(...handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, next) => {
    const run = (at: number): unknown => {
      const handle = handlers[at];
      if (!handle) return next();
      return handle(request, response, error => (error ? next(error) : run(at + 1)));
    };
    run(0);
  };
}
