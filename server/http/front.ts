import express, { type Express } from 'express';
import type { Logger } from 'pino';

import type { Tokens } from '../identity/tokens.ts';
import { createAuthenticate } from './authenticate.ts';
import { createErrorHandler, refuseUnknownPath } from './errors.ts';
import { createGuard } from './guard.ts';
import { createRequestLog } from './log.ts';
import { createSecurityHeaders } from './security-headers.ts';

export interface FrontOptions {
  log: Logger;
  tokens: Pick<Tokens, 'authenticate'>;
  /** What needs no identity: see `createAuthenticate`. */
  open: readonly string[];
  /** Host names besides loopback: see `createGuard`. */
  hosts?: readonly string[];
}

/**
 * The application around the routes: nothing reaches what `mount` adds but a well-formed request, for this host, from no
 * foreign page, by a known caller; what no route answers is 404, and every error is answered with the envelope.
 */
export function createFront(
  { log, tokens, open, hosts = [] }: FrontOptions,
  mount: (app: Express) => void,
): Express {
  const app = express();
  app.disable('x-powered-by');
  // An ETag here names a record's version, which only its route knows.
  app.disable('etag');
  app.use(
    createRequestLog(log),
    createSecurityHeaders(),
    createGuard({ hosts }),
    createAuthenticate({ tokens, open }),
  );
  mount(app);
  app.use(refuseUnknownPath, createErrorHandler(log));
  return app;
}
