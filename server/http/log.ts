import { randomUUID } from 'node:crypto';

import type { RequestHandler, Response } from 'express';
import { type DestinationStream, type Logger, pino } from 'pino';

import type { Answered } from '../metrics/metrics.ts';
import { optionalIdentityOf } from './authenticate.ts';
import { isJournal, journalDestination } from './journal.ts';

/** Bytes of log that wait for a reader that has stopped; what comes beyond is dropped rather than held in memory. */
const BACKLOG_LIMIT = 16 * 1024 * 1024;

const SECRET_NAMES = new Set([
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'current_password',
  'esignature_password',
  'secret',
  'token',
]);
const SECRET_DEPTH = 5;
/** Ids that clients give their requests, fit for a line of a log. */
const REQUEST_ID = /^[\w.:/=+-]{1,128}$/;

export interface LoggerOptions {
  /** `HOLDPOINT_LOG`: a pino level. */
  level: string;
  /** Standard output unless said. */
  destination?: DestinationStream;
}

/** A logger of JSON lines. Secrets are masked by name, and a `url` loses its query; request bodies are never logged. */
export function createLogger({ level, destination = standardOutput() }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }), log: line => maskSecrets(line, SECRET_DEPTH) },
      serializers: { url: (url: unknown) => (typeof url === 'string' ? pathOf(url) : undefined) },
    },
    destination,
  );
}

/** pino's own redaction clones every line for a path with a wildcard: ten times the cost of all else about it. */
function maskSecrets(line: Record<string, unknown>, depth: number): Record<string, unknown> {
  let masked = line;
  for (const name of Object.keys(line)) {
    const value = line[name];
    const replacement = SECRET_NAMES.has(name) ? '[secret]' : maskWithin(value, depth - 1);
    if (replacement === value) continue;
    if (masked === line) masked = { ...line };
    masked[name] = replacement;
  }
  return masked;
}

function maskWithin(value: unknown, depth: number): unknown {
  if (!isPlainObject(value)) return value;
  return depth === 0 ? '[deep]' : maskSecrets(value, depth);
}

/** Errors and the like keep what they are: pino has serializers for them. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Writes in the background; pino flushes it when the process exits. The system's log is told how grave each line is. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: false, maxLength: BACKLOG_LIMIT });
  return isJournal(1) ? journalDestination(output) : output;
}

export interface RequestLogOptions {
  newId?: () => string;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
  /** Told of each answer that is done, whatever the log's level. */
  onAnswered?: ((answer: Answered) => void) | undefined;
}

/**
 * Gives every request an id, its client's own or a random one, answered as `X-Request-Id`, and writes a line when its answer is done: method, path
 * without the query, status, milliseconds, the caller's name, and `aborted` when the client left before the end.
 */
export function createRequestLog(log: Logger, options: RequestLogOptions = {}): RequestHandler {
  const { newId = randomUUID, now = () => performance.now(), onAnswered } = options;
  return (request, response, next) => {
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : newId();
    response.locals.requestId = requestId;
    response.setHeader('X-Request-Id', requestId);
    const isLogged = log.isLevelEnabled('info');
    if (isLogged || onAnswered) {
      const started = now();
      const { method } = request;
      const path = isLogged ? pathOf(request.originalUrl) : '';
      // It closes once, and `once` would cost a second function.
      response.on('close', () => {
        const milliseconds = now() - started;
        const isWhole = response.writableFinished;
        const status = isWhole ? response.statusCode : undefined;
        onAnswered?.({ method, route: response.locals.route, status, seconds: milliseconds / 1_000 });
        if (!isLogged) return;
        log.info({
          requestId,
          method,
          path,
          status: response.statusCode,
          duration: Math.round(milliseconds * 1000) / 1000,
          caller: optionalIdentityOf(response)?.name,
          aborted: isWhole ? undefined : true,
        });
      });
    }
    next();
  };
}

/** The id that `createRequestLog` gave the request that this answers. */
export function requestIdOf(response: Response): string {
  const requestId: unknown = response.locals.requestId;
  return typeof requestId === 'string' ? requestId : '';
}

function pathOf(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
}
