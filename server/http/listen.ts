import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

import { AppError } from '../../shared/contract/errors.ts';
import { errorBody, errorHeaders } from './errors.ts';
import { HEADER_COUNT_LIMIT } from './guard.ts';
import { type Messages, messagesIn } from './messages.ts';

/** Request line and headers together, in bytes: 431 beyond. */
const HEADER_SIZE_LIMIT = 16 * 1024;
const CONNECTION_LIMIT = 5_000;
/** Connections that wait to be taken: a fleet that comes back at once after a start is not turned away by the system. */
const BACKLOG = 4_096;

const HEADERS_TIME_LIMIT_MS = 5_000;
/**
 * Long uploads stream, and a station may send its largest message at 5 kB a second; the time for any other JSON body is
 * `readJson`'s.
 */
export const REQUEST_TIME_LIMIT_MS = 3_600_000;
const TIME_LIMIT_CHECK_MS = 500;
const KEEP_ALIVE_MS = 60_000;
const SHUTDOWN_TIME_LIMIT_MS = 10_000;
const IDLE_CHECK_MS = 50;
/** A handshake goes to and fro twice: on a slow line that takes seconds. */
const HANDSHAKE_TIME_LIMIT_MS = 15_000;
/** How long a refused connection stays to let the client read why. */
const LINGER_MS = 1_000;
/** How long a client whose request was answered may go on sending a body that nobody reads. */
const UNREAD_LIMIT_MS = 5_000;

export interface HttpServerOptions {
  /** With the classes of its messages, unless they are Node's own. */
  handler: RequestListener & Messages;
  /** PEM texts: HTTPS instead of HTTP. */
  tls?: { certificate: string; key: string } | undefined;
  /** Called when the server stops: ends what never ends by itself, such as event streams. */
  onStop?: () => void;
  /** Milliseconds that running requests have to finish when the server stops. */
  shutdownTimeLimit?: number;
}

export interface HttpServer {
  /** Port 0 takes a free one. Answers where the server listens; throws `unavailable` that names the setting to change. */
  listen(host: string, port: number): Promise<{ host: string; port: number }>;
  /** New connections of an HTTPS server get this certificate from now on; those that stand go on. PEM texts. */
  setCertificate(tls: { certificate: string; key: string }): void;
  /** Stops accepting, lets running requests finish within the time limit, then cuts what is left. */
  close(): Promise<void>;
}

/**
 * An HTTP server whose every answer, those to requests that cannot be parsed included, is the error envelope or the
 * handler's. Tunnels (CONNECT) are refused; protocol upgrades are never taken and the request answered as if not asked.
 */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { handler, tls, onStop = () => {}, shutdownTimeLimit = SHUTDOWN_TIME_LIMIT_MS } = options;
  let isClosing = false;
  /** Open connections with their newest answer; an older one is finished or stands before it in line. */
  const connections = new Map<Duplex, ServerResponse | undefined>();
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    connections.set(request.socket, response);
    if (isClosing) response.shouldKeepAlive = false;
    if (hasBody(request)) response.once('finish', () => endUnread(request));
    handler(request, response);
  };

  const limits = {
    ...messagesIn(handler),
    maxHeaderSize: HEADER_SIZE_LIMIT,
    headersTimeout: HEADERS_TIME_LIMIT_MS,
    requestTimeout: REQUEST_TIME_LIMIT_MS,
    connectionsCheckingInterval: TIME_LIMIT_CHECK_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Finds event-stream clients whose machine is gone.
    keepAlive: true,
    // The guard refuses a missing host, with the envelope.
    requireHostHeader: false,
  };
  const secure =
    tls &&
    createTlsServer({ ...limits, ...contextOf(tls), handshakeTimeout: HANDSHAKE_TIME_LIMIT_MS }, handle);
  const server = secure ?? createServer(limits, handle);
  // One more than is allowed, so that the guard sees that there are too many.
  server.maxHeadersCount = HEADER_COUNT_LIMIT + 1;
  server.maxConnections = CONNECTION_LIMIT;
  server.on(tls ? 'secureConnection' : 'connection', (socket: Duplex) => {
    connections.set(socket, undefined);
    socket.once('close', () => connections.delete(socket));
  });
  /** What lies below TLS; a handshake that is not done has nothing above it. */
  const sockets = new Set<Duplex>();
  server.on('connection', (socket: Duplex) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // An expectation other than 100-continue may be ignored: RFC 9110, 10.1.1.
  server.on('checkExpectation', handle);
  server.on('connect', (_request, socket) => {
    refuse(socket, new AppError('not_implemented', 'This server is not a proxy.'));
  });

  const refused = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // What follows a refused request on its connection fails again.
    if (refused.has(socket)) return;
    refused.add(socket);
    // A handshake that failed: whoever is there cannot read an answer.
    if (!connections.has(socket)) socket.destroy();
    else if (error.code === 'ECONNRESET' || !isNextAnswerOpen(socket, connections.get(socket)))
      socket.destroy();
    else refuse(socket, parserError(error));
  });

  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        const onError = (error: NodeJS.ErrnoException): void => reject(listenError(error, host, port));
        server.once('error', onError);
        server.listen({ port, host, backlog: BACKLOG }, () => {
          server.off('error', onError);
          const address = server.address() as AddressInfo;
          resolve({ host: address.address, port: address.port });
        });
      }),
    setCertificate: changed => secure?.setSecureContext(contextOf(changed)),
    close: () =>
      new Promise(resolve => {
        isClosing = true;
        // Node's own check of idle connections takes one that has not sent anything yet for a busy one.
        const endIdle = (): void => {
          for (const [socket, newest] of connections)
            if (newest?.writableFinished !== false) socket.destroy();
        };
        const idleCheck = setInterval(endIdle, IDLE_CHECK_MS);
        const timeLimit = setTimeout(() => {
          for (const socket of sockets) socket.destroy();
        }, shutdownTimeLimit);
        server.close(() => {
          clearInterval(idleCheck);
          clearTimeout(timeLimit);
          resolve();
        });
        onStop();
        endIdle();
      }),
  };
}

function contextOf({ certificate, key }: { certificate: string; key: string }) {
  return { cert: certificate, key, minVersion: 'TLSv1.2' } as const;
}

/**
 * Whether bytes written now are read as the answer to the request at fault: not while an earlier request of the
 * connection waits for its own, nor in the middle of one.
 */
function isNextAnswerOpen(socket: Duplex, newest: ServerResponse | undefined): boolean {
  if (!socket.writable) return false;
  if (newest === undefined || newest.writableFinished) return true;
  return newest.socket === socket && !newest.headersSent && !newest.req.complete;
}

function parserError(error: NodeJS.ErrnoException): AppError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new AppError(
        'headers_too_large',
        `The address and headers are larger than ${HEADER_SIZE_LIMIT} bytes.`,
      );
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new AppError('too_large', 'The chunk extensions of the body are too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('timeout', 'The request was not complete in time.');
    default:
      return new AppError('malformed', 'This is not a valid HTTP/1.1 request.');
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function endUnread(request: IncomingMessage): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.socket.destroy(), UNREAD_LIMIT_MS).unref();
  request.once('close', () => clearTimeout(timer));
}

/** Answers on the bare connection and ends it. */
function refuse(socket: Duplex, error: AppError): void {
  const body = JSON.stringify(errorBody(error, randomUUID()));
  const headers = {
    ...errorHeaders(error),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const message = LISTEN_MESSAGES[error.code ?? '']?.(host, port);
  return message === undefined ? error : new AppError('unavailable', message, { cause: error });
}

const LISTEN_MESSAGES: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} of ${host} is in use by another program. Set HOLDPOINT_PORT to a free port.`,
  EACCES: (_host, port) =>
    `This user may not listen on port ${port}. Set HOLDPOINT_PORT to a port from 1024 on.`,
  EADDRNOTAVAIL: host => `This machine has no address ${host}. Set HOLDPOINT_HOST to one that it has.`,
  ENOTFOUND: host => `The name ${host} is not known. Set HOLDPOINT_HOST to an address of this machine.`,
};
