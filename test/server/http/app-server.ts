import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';

import type { Express } from 'express';

import { createApp } from '../../../server/http/app.ts';
import { readJson } from '../../../server/http/json-body.ts';
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../../../server/http/listen.ts';
import { createLogger } from '../../../server/http/log.ts';
import { createTokens, type Tokens } from '../../../server/identity/tokens.ts';
import { createTokenTable } from '../identity/token-table.ts';

export interface FrontServer {
  port: number;
  tokens: Tokens;
  /** The secret of a token with every scope. */
  secret: string;
  /** Parsed log lines. */
  logged: Record<string, unknown>[];
  /** Request bodies that reached a route. */
  stored: unknown[];
  server: HttpServer;
}

export interface FrontServerOptions extends Pick<HttpServerOptions, 'onStop' | 'shutdownTimeLimit'> {
  hosts?: readonly string[];
  otherOrigins?: () => readonly string[];
  mount?: (app: Express) => void;
}

/** The security front on a free port, before a few routes of its own. */
export async function startFrontServer(options: FrontServerOptions = {}): Promise<FrontServer> {
  const { hosts = [], otherOrigins = () => [], mount = () => {}, ...serverOptions } = options;
  const logged: Record<string, unknown>[] = [];
  const stored: unknown[] = [];
  const log = createLogger({ level: 'info', destination: { write: line => logged.push(JSON.parse(line)) } });
  const tokens = createTokens({ table: createTokenTable(), now: () => new Date(), random: randomBytes });
  const { secret } = tokens.create({ name: 'all', scopes: ['admin'] });
  const handler = createApp(
    { log, tokens, hosts, otherOrigins, open: ['GET /status', 'POST /session', 'GET /docs/*'] },
    app => {
      app.get(['/status', '/docs/page'], (_request, response) => void response.json({ status: 'success' }));
      app.get('/items/:id', (request, response) => void response.json({ id: request.params.id }));
      for (const [path, body] of Object.entries(BODY_ROUTES)) {
        app.post(path, async (request, response) => {
          stored.push(await readJson(request, body));
          response.status(201).json({ status: 'success' });
        });
      }
      mount(app);
    },
  );
  const server = createHttpServer({ handler, ...serverOptions });
  const { port } = await server.listen('127.0.0.1', 0);
  return { port, tokens, secret, logged, stored, server };
}

const BODY_ROUTES = {
  '/items': {},
  '/items/bulk': { limit: 5 * 1024 * 1024 },
  '/items/optional': { optional: true },
  '/items/hasty': { timeLimit: 200 },
  '/items/slow': { limit: 5 * 1024 * 1024, timeLimit: 60_000, window: 300 },
};

export interface RawAnswer {
  status: number;
  headers: Map<string, string>;
  body: string;
}

/** Sends bytes as they are and reads the first answer: by its `Content-Length`, or up to the end of the connection. */
export function exchange(port: number, bytes: string | Uint8Array, isHead = false): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let received = '';
    const settle = (isEnd: boolean): void => {
      const answer = parseAnswer(received);
      const length = Number(answer?.headers.get('content-length') ?? Number.NaN);
      const isWhole = answer !== undefined && (isHead || answer.body.length >= length);
      if (answer !== undefined && (isWhole || isEnd)) resolve(answer);
      else if (isEnd) reject(new Error(`No answer: ${JSON.stringify(received)}`));
      else return;
      socket.destroy();
    };
    socket.setEncoding('latin1').on('data', chunk => {
      received += chunk;
      settle(false);
    });
    socket.on('close', () => settle(true)).on('error', () => {});
  });
}

function parseAnswer(text: string): RawAnswer | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = new Map(
    lines.map(line => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, body: text.slice(end + 4) };
}

/** The text of a request with an allowed host, a good token and the given lines; `null` leaves a header out. */
export function requestText(
  { port, secret }: Pick<FrontServer, 'port' | 'secret'>,
  line: string,
  headers: Record<string, string | null> = {},
  body = '',
): string {
  const all = { Host: `127.0.0.1:${port}`, Authorization: `Bearer ${secret}`, ...headers };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}\r\n`],
  );
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
