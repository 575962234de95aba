import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';

import { AppError } from '../../shared/contract/errors.ts';
import { BODY_LIMIT } from '../../shared/contract/operation.ts';
import { strictJsonInParts } from '../../shared/contract/strict-json-in-parts.ts';
import { utf16Of } from '../../shared/contract/utf-16.ts';
import { inTurns } from '../store/yield-to-event-loop.ts';
import { unpackBody } from './packed.ts';

const TIME_LIMIT_MS = 10_000;
/** Of a body in a `window`. */
const LEAST_BYTES = 1_024;
const MERGE_PATCH = 'application/merge-patch+json';
const BYTE_ORDER_MARK = 0xfeff;

export interface JsonBodyOptions {
  /** Bytes; `BODY_LIMIT` unless said. */
  limit?: number;
  /** No body, with or without a content type, is fine and reads as `undefined`. */
  optional?: boolean;
  /** The body may come packed with gzip; `limit` holds for what is sent and for what it unpacks to. */
  mayBePacked?: boolean;
  /** The body may be a merge patch (RFC 7396) by its type. */
  isPatch?: boolean;
  /** Containers within containers; `BODY_DEPTH` unless said. */
  depth?: number;
  /** Characters that are read in one step; `PART` unless said. What is longer is swept once more. */
  part?: number | undefined;
  /** Milliseconds from the call until the body must be complete. */
  timeLimit?: number;
  /** Milliseconds, over and over, in each of which 1,024 bytes of it must come, or its end. */
  window?: number;
  /** Runs the reading of what has come after that of bodies that came before it; at once unless it is given. */
  inOrder?: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/**
 * The JSON value in the body of a request, read strictly (`parseStrictJson`). Any value may stand at the top level;
 * the route judges it. Throws `AppError`: `malformed` (400: missing, cut off, not UTF-8, not JSON), `timeout` (408),
 * `too_large` (413, from the declared length without reading), `unsupported_media_type` (415), `validation_failed` (422).
 */
export async function readJson(request: IncomingMessage, options: JsonBodyOptions = {}): Promise<unknown> {
  const { limit = BODY_LIMIT, optional = false, mayBePacked = false, isPatch = false } = options;
  const { 'content-length': length, 'content-type': type, 'content-encoding': encoding } = request.headers;
  const isDeclaredEmpty = request.headers['transfer-encoding'] === undefined && Number(length ?? 0) === 0;
  if (isDeclaredEmpty) return withoutBody(optional);
  if (!isJson(type, isPatch)) throw new AppError('unsupported_media_type', wrongType(type, isPatch));
  const isPacked = mayBePacked && encoding?.toLowerCase() === 'gzip';
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity' && !isPacked) {
    const remedy = mayBePacked ? 'with gzip or without Content-Encoding' : 'without Content-Encoding';
    throw new AppError('unsupported_media_type', `Send the body ${remedy}.`);
  }
  if (Number(length) > limit) throw tooLarge(limit);
  const sent = await readBytes(request, limit, options);
  const parsed = async () => {
    const bytes = isPacked ? await unpackBody(sent, limit) : sent;
    return bytes.length === 0
      ? withoutBody(optional)
      : inTurns(strictJsonInParts(decode(bytes), options.depth, options.part));
  };
  return options.inOrder ? options.inOrder(parsed) : parsed();
}

function withoutBody(optional: boolean): undefined {
  if (!optional) throw new AppError('malformed', 'This operation needs a JSON body.');
  return undefined;
}

function tooLarge(limit: number): AppError {
  return new AppError('too_large', `The body is larger than ${limit} bytes.`);
}

function isJson(contentType: string | undefined, isPatch: boolean): boolean {
  if (contentType === 'application/json') return true;
  if (contentType === undefined) return false;
  const type = parseType(contentType);
  const isKnown = type?.essence === 'application/json' || (isPatch && type?.essence === MERGE_PATCH);
  return isKnown && (type?.params.get('charset') ?? 'utf-8').toLowerCase() === 'utf-8';
}

function wrongType(contentType: string | undefined, isPatch: boolean): string {
  const type = parseType(contentType ?? '');
  const charset = type?.params.get('charset');
  const isOther = charset !== undefined && charset !== null && charset.toLowerCase() !== 'utf-8';
  if (isOther && /json$/.test(type?.subtype ?? '')) return `The body is ${charset}. Send it as UTF-8.`;
  const patch = isPatch ? ' or application/merge-patch+json' : '';
  return `Send the body as Content-Type: application/json${patch}.`;
}

function parseType(contentType: string): MIMEType | undefined {
  try {
    return new MIMEType(contentType);
  } catch {
    return undefined;
  }
}

function decode(bytes: Buffer): string {
  const other = utf16Of(bytes);
  if (other !== undefined)
    throw new AppError('malformed', `The body is ${other.toUpperCase()}. Send it as UTF-8.`);
  if (!isUtf8(bytes)) throw new AppError('malformed', 'The body is not valid UTF-8.');
  const text = bytes.toString('utf8');
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

/** The whole body. What comes after a refusal is not kept: `sendError` sees the client off. */
function readBytes(
  request: IncomingMessage,
  limit: number,
  { timeLimit = TIME_LIMIT_MS, window }: Pick<JsonBodyOptions, 'timeLimit' | 'window'>,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) refuse(tooLarge(limit));
      else chunks.push(chunk);
    };
    const onEnd = () => {
      release();
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
    };
    const onBroken = () =>
      refuse(new AppError('malformed', 'The connection ended before the body was complete.'));
    const onTimeout = (message: string) =>
      refuse(new AppError('timeout', message, { headers: { Connection: 'close' } }));
    const timer = setTimeout(() => {
      onTimeout(`The body was not complete after ${timeLimit / 1000} seconds.`);
    }, timeLimit);
    let before = 0;
    const onWindow = (milliseconds: number) => {
      if (size - before < LEAST_BYTES) {
        onTimeout(`Fewer than ${LEAST_BYTES} bytes of the body came in ${milliseconds / 1000} seconds.`);
      }
      before = size;
    };
    const watch = window === undefined ? undefined : setInterval(onWindow, window, window);
    const release = () => {
      clearTimeout(timer);
      clearInterval(watch);
      request.off('data', onData).off('end', onEnd).off('close', onBroken);
    };
    const refuse = (error: AppError) => {
      release();
      reject(error);
    };
    request.on('data', onData).on('end', onEnd).on('close', onBroken);
    if (request.destroyed) onBroken();
  });
}
