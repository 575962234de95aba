import { promisify } from 'node:util';
import { gzip as gzipLater } from 'node:zlib';
import type { Response } from 'express';
import { GZIP_FROM } from '../sync/protocol/gzip.ts';
import { answerTag, isKnown } from './answer-tags.ts';
import { wantsGzip } from './packed.ts';
import { endWithText } from './reply.ts';

/** On another thread: others are answered meanwhile. */
const pack = promisify(gzipLater);
/** The last tenth of the bytes would take as long as all the others. */
const PACK_LEVEL = 3;

/**
 * Sends an answer with its tag; where the client has it already, says only that (304). It is packed where that is worth it.
 * @param isRead whether it answers a GET, so that `If-None-Match` counts
 * @returns undefined where all is sent already: most answers wait for nothing
 */
export function sendTagged(
  response: Response,
  { status, headers }: { status: number; headers: Readonly<Record<string, string>> },
  text: string,
  isRead: boolean,
): Promise<void> | undefined {
  const length = Buffer.byteLength(text);
  const { ETag: recordTag } = headers;
  response.statusCode = status;
  for (const name in headers) {
    const value = headers[name] ?? '';
    // A sign-in sets two.
    if (name === 'Set-Cookie') response.appendHeader(name, value);
    else if (name !== 'ETag') response.setHeader(name, value);
  }
  if (recordTag !== undefined || (isRead && status === 200)) {
    const tag = answerTag(recordTag, text, length);
    response.setHeader('ETag', tag);
    if (isRead && status === 200 && isKnown(response.req.headers['if-none-match'], tag)) {
      response.statusCode = 304;
      response.end();
      return;
    }
  }
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (length >= GZIP_FROM) response.vary('Accept-Encoding');
  if (length >= GZIP_FROM && wantsGzip(response.req)) return sendPackedLater(response, text);
  response.setHeader('Content-Length', length);
  endWithText(response, text, length);
  return;
}

async function sendPackedLater(response: Response, text: string): Promise<void> {
  const packed = await pack(text, { level: PACK_LEVEL });
  response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Length', packed.length);
  response.end(packed);
}
