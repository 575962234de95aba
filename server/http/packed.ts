import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import { AppError } from '../../shared/contract/errors.ts';
import { isOfThisMachine } from '../identity/owner-credential.ts';
import { GZIP_FROM, gzip, unpack } from '../sync/protocol/gzip.ts';
import { sendJson } from './reply.ts';

/**
 * The bytes that a gzip body stands for; it is given up as soon as they are more
 * than `limit`.
 * @throws AppError `too_large` (413), `malformed` (400) for what is not gzip or is cut off
 */
export async function unpackBody(bytes: Buffer, limit: number): Promise<Buffer> {
  try {
    return await unpack(bytes, { maxOutputLength: limit });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ERR_BUFFER_TOO_LARGE')
      throw new AppError('too_large', `The body unpacks to more than ${limit} bytes.`, { cause });
    throw new AppError('malformed', 'The body is not gzip, or it is cut off.', { cause });
  }
}

/** Whether a client takes gzip. */
export function takesGzip({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(String(headers['accept-encoding'] ?? ''));
}

/**
 * Whether an answer is better packed for its client: over a network where the client takes gzip, on this machine where it asks for
 * nothing else. What programs say by themselves would cost more here than it saves.
 */
export function wantsGzip(request: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  if (request.headers['accept-encoding'] === undefined || !takesGzip(request)) return false;
  return !isOfThisMachine(request.socket) || !String(request.headers['accept-encoding']).includes(',');
}

/** Sends a JSON text, packed where it is worth it and the client takes gzip. */
export function sendPacked(
  response: Response,
  { status, headers }: { status: number; headers: Record<string, string> },
  text: string,
): void {
  response.vary('Accept-Encoding');
  if (!takesGzip(response.req) || text.length < GZIP_FROM) {
    sendJson(response, status, headers, text);
    return;
  }
  const packed = gzip(text);
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Length', packed.length);
  response.end(packed);
}
