import type { IncomingMessage } from 'node:http';
import { errorSchema } from '../../../shared/contract/envelope.ts';
import { MESSAGE_DEPTH } from '../../../shared/contract/limits.ts';
import { PART, strictJsonInParts } from '../../../shared/contract/strict-json-in-parts.ts';
import { CallError, errorCodeOf } from '../../../shared/operations/send-operation.ts';
import { inTurns } from '../../store/yield-to-event-loop.ts';
import { CentralFailure } from './central-failure.ts';

const GATEWAY = new Set([502, 503, 504]);

/** @throws CentralFailure for an answer that cannot be central's: a redirect, a page, any other type than is expected */
export function refuseForeign(answer: IncomingMessage, host: string, expected: string): void {
  const { statusCode: status = 0, headers } = answer;
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  const isRedirect = status >= 300 && status < 400;
  if (type === expected && !isRedirect) return;
  if (GATEWAY.has(status)) {
    const message = `${host}: the proxy before central answers ${status}; central itself does not. It is tried again.`;
    throw new CentralFailure('gateway', message);
  }
  const what = isRedirect
    ? `sends on to ${originOf(headers.location)}`
    : `answers ${status} with ${type === undefined || type === '' ? 'no type' : type}`;
  throw new CentralFailure(
    'not_central',
    `What is at ${host} ${what}: it is not central. Check the address, and whether the network asks to sign in.`,
  );
}

/**
 * A stream is asked for as it is: unpacked, its events would come when a proxy thinks that they are enough.
 * @throws CentralFailure for one that is packed all the same
 */
export function refusePacked({ headers }: IncomingMessage, host: string): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return;
  const message = `${host}: the proxy before central packs the stream of news (${encoding}), so that none arrive. Leave text/event-stream as it is there.`;
  throw new CentralFailure('gateway', message);
}

/**
 * The `data` of a success.
 * @throws CallError for an error that central answered, CentralFailure for what is not central's envelope
 */
export async function readEnvelope(answer: IncomingMessage, bytes: Buffer, host: string): Promise<unknown> {
  const { statusCode: status = 0, headers } = answer;
  const envelope = await parsed(bytes);
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess && isObject(envelope) && envelope.status === 'success' && 'data' in envelope)
    return envelope.data;
  const error = errorSchema.safeParse(envelope);
  if (isSuccess || !error.success) {
    const message = `What is at ${host} answers ${status} with something else than central does. Check the address.`;
    throw new CentralFailure('not_central', message);
  }
  const { code, message, errors, request_id: requestId } = error.data;
  const retryAfter = headers['retry-after'];
  throw new CallError(
    errorCodeOf(code, status),
    message,
    { code, status, requestId },
    {
      ...(errors && { errors }),
      ...(retryAfter !== undefined && { headers: { 'Retry-After': retryAfter } }),
    },
  );
}

async function parsed(bytes: Buffer): Promise<unknown> {
  try {
    // What an earlier version let in stands in central's log, and is held or shown there: nothing behind it waits.
    return await inTurns(strictJsonInParts(bytes.toString('utf8'), DEPTH, PART, text => JSON.parse(text)));
  } catch {
    // Another program's answer; the caller says so.
    return undefined;
  }
}

/** More than any record that central took from a message has, with all that an answer puts around it. */
const DEPTH = 2 * MESSAGE_DEPTH;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Of a foreign address no more than is needed to know it. */
function originOf(location: string | undefined): string {
  const url = URL.parse(location ?? '');
  return url === null || url.host === '' ? 'another page' : url.origin;
}
