import type { IncomingMessage, ServerResponse } from 'node:http';

import { AppError } from '../../shared/contract/errors.ts';
import { drained } from './reply.ts';

const HEARTBEAT_MS = 15_000;
const RECONNECT_MS = 2_000;
const BACKLOG_LIMIT = 1024 * 1024;
/** Bytes left unread from which on a client that catches up is waited for. */
const FULL = 64 * 1024;
const STREAMS_PER_TOKEN = 50;

export interface StreamEvent {
  /** What the client names as `Last-Event-ID` when it comes back. */
  id?: string | number;
  event?: string;
  /** Sent as JSON. */
  data: unknown;
}

export interface EventStream {
  /** From the client's `Last-Event-ID`, as sent; undefined on a first visit. */
  readonly lastEventId: string | undefined;
  /** Whether the client has left something unread. */
  readonly hasUnread: boolean;
  /** Whether the client has left so much unread that the rest is better kept for it: `drained` says when it takes more. */
  readonly isFull: boolean;
  /** Until the client takes more, or is gone. */
  drained(): Promise<void>;
  /** Does nothing once the stream is closed; closes it when the client has left more than 1 MB unread. */
  send(event: StreamEvent): void;
  close(): void;
  /** Called once, whoever closes; at once when the stream is closed already. */
  onClose(listener: () => void): void;
}

export interface EventStreamsOptions {
  /** Milliseconds between comments that keep connections alive through proxies. */
  heartbeat?: number;
  /** Bytes that one client may leave unread. */
  backlogLimit?: number;
  perToken?: number;
}

export type EventStreams = ReturnType<typeof createEventStreams>;

/**
 * Server-sent events (HTML standard, 9.2), counted per token. A stream that falls behind is dropped rather than buffered:
 * its client resumes from the last event that it read.
 */
export function createEventStreams(options: EventStreamsOptions = {}) {
  const { heartbeat = HEARTBEAT_MS, backlogLimit = BACKLOG_LIMIT, perToken = STREAMS_PER_TOKEN } = options;
  const streamsByToken = new Map<number, Set<OpenStream>>();
  let heart: NodeJS.Timeout | undefined;

  /** Answers a request with a stream. Throws 429 when the token has its number of streams. HEAD gets the headers only. */
  function open(request: IncomingMessage, response: ServerResponse, tokenId: number): EventStream {
    const streams = roomOf(tokenId);
    const stream = startStream(request, response, backlogLimit);
    streams.add(stream);
    streamsByToken.set(tokenId, streams);
    heart ??= setInterval(beat, heartbeat).unref();
    stream.onClose(() => leave(tokenId, streams, stream));
    if (request.method === 'HEAD') stream.close();
    return stream;
  }

  /**
   * Waits with an answer for so many milliseconds, unless `wake` is called or the caller leaves. It counts as a stream of its
   * token and ends with them. Throws 429 as `open` does.
   */
  async function hold(
    response: ServerResponse,
    tokenId: number,
    milliseconds: number,
    waking: (wake: () => void) => () => void,
  ): Promise<void> {
    const streams = roomOf(tokenId);
    let stop = () => {};
    let timer: NodeJS.Timeout | undefined;
    let waiting: OpenStream | undefined;
    await new Promise<void>(resolve => {
      const wake = () => resolve();
      waiting = { close: wake, hasUnread: true, write: () => {} };
      streams.add(waiting);
      streamsByToken.set(tokenId, streams);
      timer = setTimeout(wake, milliseconds);
      response.once('close', wake);
      stop = waking(wake);
    });
    clearTimeout(timer);
    stop();
    if (waiting) leave(tokenId, streams, waiting);
  }

  /** @throws AppError 429 when the token has its number of streams */
  function roomOf(tokenId: number): Set<OpenStream> {
    const streams = streamsByToken.get(tokenId) ?? new Set();
    if (streams.size < perToken) return streams;
    const message = `A token may have ${perToken} event streams. Close one first.`;
    throw new AppError('too_many_requests', message, { headers: { 'Retry-After': '10' } });
  }

  function leave(tokenId: number, streams: Set<OpenStream>, stream: OpenStream): void {
    streams.delete(stream);
    if (streams.size === 0) streamsByToken.delete(tokenId);
  }

  function beat(): void {
    for (const streams of streamsByToken.values()) {
      for (const stream of streams) if (!stream.hasUnread) stream.write(':\n\n');
    }
    if (streamsByToken.size > 0) return;
    clearInterval(heart);
    heart = undefined;
  }

  /** For a token that is revoked. */
  function closeToken(tokenId: number): void {
    for (const stream of streamsByToken.get(tokenId) ?? []) stream.close();
  }

  /** For a server that shuts down. */
  function closeAll(): void {
    for (const tokenId of [...streamsByToken.keys()]) closeToken(tokenId);
    clearInterval(heart);
    heart = undefined;
  }

  function count(): number {
    return streamsByToken.values().reduce((sum, streams) => sum + streams.size, 0);
  }

  return { open, hold, closeToken, closeAll, count };
}

/** What is counted and closed: a stream, or an answer that waits. */
interface OpenStream extends Pick<EventStream, 'close' | 'hasUnread'> {
  write(text: string): void;
}

function startStream(
  request: IncomingMessage,
  response: ServerResponse,
  backlogLimit: number,
): EventStream & OpenStream {
  const lastEventId = request.headers['last-event-id'];
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    // The connection ends with the stream, so that closing a stream is seen at once.
    Connection: 'close',
    // nginx would hold events back until its buffer is full.
    'X-Accel-Buffering': 'no',
  });
  const isOpen = (): boolean => !response.writableEnded && !response.destroyed;
  const write = (text: string): void => {
    if (!isOpen()) return;
    response.write(text);
    if (response.writableLength > backlogLimit) response.destroy();
  };
  write(`retry: ${RECONNECT_MS}\n\n`);
  return {
    lastEventId: Array.isArray(lastEventId) ? lastEventId[0] : lastEventId,
    get hasUnread() {
      return response.writableLength > 0;
    },
    get isFull() {
      return response.writableLength > FULL;
    },
    drained: async () => {
      if (isOpen() && response.writableNeedDrain) await drained(response);
    },
    write,
    send: event => write(format(event)),
    close: () => {
      // A client that has stopped reading would never see the end.
      if (response.writableLength > 0) response.destroy();
      else if (isOpen()) response.end();
    },
    onClose: listener => {
      if (response.destroyed) listener();
      else response.once('close', listener);
    },
  };
}

/** JSON text has no line breaks, so that one `data` line holds it; an id or name with one would begin another field. */
function format({ id, event, data }: StreamEvent): string {
  const head = `${id === undefined ? '' : `id: ${oneLine(id)}\n`}${event === undefined ? '' : `event: ${oneLine(event)}\n`}`;
  return `${head}data: ${JSON.stringify(data)}\n\n`;
}

function oneLine(value: string | number): string {
  return String(value).replaceAll(/[\r\n\0]/g, '');
}
