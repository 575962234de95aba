import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { AppError } from '../../../shared/contract/errors.ts';
import { GZIP_FROM, gzip, unpack } from '../protocol/gzip.ts';
import { readEnvelope, refuseForeign, refusePacked } from './central-answer.ts';
import { createAgent } from './central-connection.ts';
import { CentralFailure, centralFailureOf } from './central-failure.ts';
import { readCentralAddress, type Trust } from './central-tls.ts';
import { readEvents, type ServerEvent } from './event-stream.ts';

const API = '/api/v2';
const JSON_TYPE = 'application/json';

export interface CentralClientOptions {
  /** Central's address: see `readCentralAddress`. */
  address: string;
  trust: Trust;
  /** The station's key; absent while it has none. */
  key?: string;
  /** Milliseconds until a connection stands. */
  connectMs?: number;
  /** Milliseconds without a byte on one that does, beside what the message takes on a very slow line. */
  idleMs?: number;
  /** Milliseconds without a byte on an event stream: central sends one every 15 s. */
  streamIdleMs?: number;
  /** Bytes of an answer, unpacked. */
  answerLimit?: number;
}

export interface CentralRequestOptions {
  signal?: AbortSignal;
  /** It may wait at central until another of this station is answered: twice as long is normal. */
  isQueued?: boolean;
  /** Called when the last byte has left. */
  onSent?: () => void;
  /** Called with the sizes and times of a request that was answered, a refusal included. */
  onAnswered?: (traffic: Traffic) => void;
}

/** What went over the line for a request. In bytes of the body, and seconds. */
export interface Traffic {
  /** As JSON, and packed as it was sent. */
  sent: { unpacked: number; packed: number };
  received: { unpacked: number; packed: number };
  /** From the beginning of the request to that of its answer, and from there to its end. */
  waited: number;
  arrived: number;
}

/** A station's way to its central. */
export interface CentralClient {
  /**
   * Asks central, below `/api/v2`; answers the `data` of a success. An abort rejects with the signal's reason.
   * @throws CallError when central refuses, CentralFailure when it could not be asked or its answer did not come
   */
  request(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    options?: CentralRequestOptions,
  ): Promise<unknown>;
  /**
   * Follows an event stream until central ends it; whether and when to come back is the caller's.
   * @throws as `request` does, and CentralFailure when the stream breaks off
   */
  stream(path: string, onEvent: (event: ServerEvent) => void, options?: CentralRequestOptions): Promise<void>;
  close(): void;
}

/** @throws AppError 422 on an address that is none */
export function createCentralClient(options: CentralClientOptions): CentralClient {
  const { key, connectMs = 20_000, idleMs = 30_000, streamIdleMs = 45_000 } = options;
  const { answerLimit = 64 * 1024 * 1024 } = options;
  const address = readCentralAddress(options.address);
  const agent = createAgent(address, options.trust, connectMs);
  const { host } = address;

  async function send(sending: Sending): Promise<Sent> {
    const { method, path, body, signal } = sending;
    const json = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    // Only what stations call takes packed bodies.
    const isPacked = json !== undefined && json.length > GZIP_FROM && key !== undefined;
    const bytes = isPacked ? gzip(json) : json;
    signal?.throwIfAborted();
    const headers = {
      Accept: sending.accept,
      'Accept-Encoding': sending.accept === JSON_TYPE ? 'gzip' : 'identity',
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...(bytes && { 'Content-Type': JSON_TYPE, 'Content-Length': bytes.length }),
      ...(isPacked && { 'Content-Encoding': 'gzip' }),
    };
    const { idleMs: patience, onSent } = sending;
    const answer = await open({
      agent,
      address,
      method,
      path: API + path,
      headers,
      bytes,
      idleMs: patience,
      signal,
      onSent,
    });
    return { answer, size: { unpacked: json?.length ?? 0, packed: bytes?.length ?? 0 } };
  }

  return {
    async request(method, path, body, { signal, isQueued = false, onSent, onAnswered } = {}) {
      return asLinkFailure(host, signal, async () => {
        const patience = isQueued ? 2 * idleMs : idleMs;
        const sending = { method, path, body, signal, accept: JSON_TYPE, idleMs: patience, onSent };
        const begun = performance.now();
        const { answer, size } = await send(sending);
        const answered = performance.now();
        try {
          refuseForeign(answer, host, JSON_TYPE);
          const { bytes, packed } = await readAll(answer, answerLimit, host);
          onAnswered?.({
            sent: size,
            received: { unpacked: bytes.length, packed },
            waited: (answered - begun) / 1_000,
            arrived: (performance.now() - answered) / 1_000,
          });
          return await readEnvelope(answer, bytes, host);
        } finally {
          // Unread, it would keep its connection.
          if (!answer.readableEnded) answer.destroy();
        }
      });
    },

    async stream(path, onEvent, { signal } = {}) {
      await asLinkFailure(host, signal, async () => {
        const sending = { method: 'GET', path, signal, accept: 'text/event-stream', idleMs: streamIdleMs };
        const { answer } = await send(sending);
        try {
          if (answer.statusCode !== 200) {
            refuseForeign(answer, host, JSON_TYPE);
            await readEnvelope(answer, (await readAll(answer, answerLimit, host)).bytes, host);
          }
          refuseForeign(answer, host, 'text/event-stream');
          refusePacked(answer, host);
          await readEvents(answer, onEvent);
          if (!answer.complete) throw cut(host);
        } finally {
          answer.destroy();
        }
      });
    },

    close: () => agent.destroy(),
  };
}

interface Sending {
  method: string;
  path: string;
  body?: unknown;
  accept: string;
  idleMs: number;
  signal?: AbortSignal | undefined;
  onSent?: (() => void) | undefined;
}

interface Sent {
  answer: IncomingMessage;
  /** Of the request's body. */
  size: Traffic['sent'];
}

/**
 * Bytes a second: slower is no line. Of what is sent nothing is seen until the answer begins, because the system takes up
 * to some megabytes at once.
 */
const SLOWEST = 2_000;
/** Of an answer every byte is seen: this is for a line on which nothing passes for a minute, and what that costs TCP. */
const LONGEST_SILENCE_MS = 180_000;

interface Opening {
  agent: Agent;
  address: { isSecure: boolean; host: string; port: number };
  method: string;
  path: string;
  headers: Record<string, string | number>;
  bytes: Buffer | undefined;
  idleMs: number;
  signal: AbortSignal | undefined;
  onSent: (() => void) | undefined;
}

/** Sends a request; redirects are answers like any other. */
function open({
  agent,
  address,
  method,
  path,
  headers,
  bytes,
  idleMs,
  signal,
  onSent,
}: Opening): Promise<IncomingMessage> {
  const { isSecure, host, port } = address;
  return new Promise((resolve, reject) => {
    const start = isSecure ? httpsRequest : httpRequest;
    let begun: IncomingMessage | undefined;
    let patience = idleMs + ((bytes?.length ?? 0) / SLOWEST) * 1_000;
    const request = start({ agent, host, port, method, path, headers, ...(signal && { signal }) }, answer => {
      begun = answer;
      // Also while the answer is read: a half-open connection says nothing for ever.
      const length = Number(answer.headers['content-length'] ?? 0);
      patience = Math.max(idleMs, Math.min(idleMs + (length / SLOWEST) * 1_000, LONGEST_SILENCE_MS));
      request.setTimeout(patience);
      resolve(answer);
    });
    request.setTimeout(patience, () => {
      const seconds = Math.round(patience / 1_000);
      const failure = new CentralFailure('timeout', `${host}: nothing came for ${seconds} seconds.`);
      begun?.destroy(failure);
      request.destroy(failure);
    });
    request.on('error', reject);
    if (onSent) request.once('finish', onSent);
    request.end(bytes);
  });
}

/** The body, as it was before it was packed, and how many bytes it had then. */
async function readAll(
  answer: IncomingMessage,
  limit: number,
  host: string,
): Promise<{ bytes: Buffer; packed: number }> {
  const tooLarge = () => new CentralFailure('too_large', `${host}: the answer has more than ${limit} bytes.`);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  // A cut answer can look whole to whoever reads what came.
  if (!answer.complete) throw cut(host);
  const bytes = Buffer.concat(chunks, size);
  if (answer.headers['content-encoding'] !== 'gzip') return { bytes, packed: size };
  try {
    return { bytes: await unpack(bytes, { maxOutputLength: limit }), packed: size };
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge()
      : error;
  }
}

async function asLinkFailure<Result>(
  host: string,
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof AppError) throw error;
    // What is not whole does not unpack either.
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw /^(Z_|ERR_STREAM_PREMATURE_CLOSE$)/.test(code) ? cut(host, error) : centralFailureOf(error, host);
  }
}

function cut(host: string, cause?: unknown): CentralFailure {
  return new CentralFailure(
    'cut',
    `The answer of ${host} broke off or cannot be read. It is asked again.`,
    cause,
  );
}
