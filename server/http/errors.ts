import type { IncomingMessage, ServerResponse } from 'node:http';

import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';

import { AppError, type ErrorCode, errorStatus, type FieldErrors } from '../../shared/contract/errors.ts';
import { requestIdOf } from './log.ts';

/** How long an answered client may go on sending a refused body before its connection is cut. */
const LINGER_MS = 5_000;

/** Headers that HTTP requires or expects with a code, unless the error brings its own. */
const HEADERS_OF_CODE: Partial<Record<ErrorCode, Record<string, string>>> = {
  unauthenticated: { 'WWW-Authenticate': 'Bearer' },
  session_locked: { 'WWW-Authenticate': 'Bearer' },
  too_many_requests: { 'Retry-After': '60' },
  unavailable: { 'Retry-After': '5' },
};

/** The error envelope: interface decisions, 2. `errors` only with `validation_failed`. */
export interface ErrorBody {
  status: 'error';
  message: string;
  code: ErrorCode;
  errors?: FieldErrors;
  request_id: string;
}

/** The last handler of the application: answers every error with the envelope and logs those that are the server's. */
export function createErrorHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, _request, response, _next) => {
    const requestId = requestIdOf(response);
    if (isOfServer(asAppError(error))) log.error({ err: error, requestId }, 'request failed');
    sendError(response, error, requestId);
  };
}

/** What no route has answered. Stands after the routes, so that only callers with an identity learn what is not there. */
export const refuseUnknownPath: RequestHandler = () => {
  throw new AppError('not_found', 'There is nothing at this path.');
};

/** Answers with the envelope of any thrown value; an answer that has begun cannot be mended and is cut off. */
export function sendError(response: ServerResponse, error: unknown, requestId: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const known = asAppError(error);
  const body = Buffer.from(JSON.stringify(errorBody(known, requestId)));
  for (const [name, value] of Object.entries(errorHeaders(known))) response.setHeader(name, value);
  response.setHeader('Content-Length', body.length);
  response.statusCode = known.status;
  if (isRead(response.req)) response.end(body);
  else endOverUnread(response, body);
}

export function errorBody(error: AppError, requestId: string): ErrorBody {
  return {
    status: 'error',
    message: error.message,
    code: error.code,
    ...(error.errors === undefined ? {} : { errors: error.errors }),
    request_id: requestId,
  };
}

export function errorHeaders(error: AppError): Record<string, string> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    ...HEADERS_OF_CODE[error.code],
    ...error.headers,
  };
}

/** What only a client can put right is its own, whatever its status: anybody could fill the log with stacks by it. */
function isOfServer({ status, code }: AppError): boolean {
  return status >= 500 && code !== 'not_implemented';
}

const ERROR_CODES = Object.keys(errorStatus) as ErrorCode[];

/** Express and its static files throw errors with a 4xx `status`; the text of anything else stays in the log. */
function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
  if (status >= 400 && status < 500) {
    const code = ERROR_CODES.find(candidate => errorStatus[candidate] === status) ?? 'malformed';
    return new AppError(code, 'The request cannot be answered.', { cause: error });
  }
  return new AppError('internal', 'The server could not answer. Its log names the cause.', { cause: error });
}

/** Whether nothing of the body is to come. */
function isRead({ complete, headers }: IncomingMessage): boolean {
  return (
    complete || (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0)
  );
}

/**
 * Answers while the client still sends, and reads the refused body away: a connection closed over unread bytes is reset,
 * and its client loses the answer. One that is to be closed is kept until the body ends, where its end can be known; the
 * client has the answer meanwhile.
 */
function endOverUnread(response: ServerResponse, body: Buffer): void {
  const { req: request, shouldKeepAlive } = response;
  const coding = request.headers['transfer-encoding']?.toLowerCase() ?? 'chunked';
  const staysOpen = !shouldKeepAlive && coding === 'chunked';
  if (staysOpen) response.write(body);
  else response.end(body);
  const timer = setTimeout(() => request.socket.destroy(), LINGER_MS).unref();
  request.on('close', () => clearTimeout(timer)).resume();
  if (staysOpen) request.on('end', () => response.end());
}
