import { connect, type Socket } from 'node:net';

/** HTTP as bytes, for requests that a client of the language would mend, refuse or hide. */

export interface Caller {
  port: number;
  token: string;
}

export interface RawAnswer {
  status: number;
  /** Lower-case names. */
  headers: ReadonlyMap<string, string>;
  body: string;
}

export interface Exchange {
  answers: RawAnswer[];
  /** What came after the last whole answer. */
  rest: string;
  isClosed: boolean;
}

export interface ExchangeOptions {
  /** Ends at the first whole answer: the request is unfinished, so the server waits for more of it. */
  untilAnswered?: boolean;
  isHead?: boolean;
  /** Milliseconds after which what has come so far is returned. */
  limit?: number;
}

/**
 * The bytes of a request with a good host and token, one request to the connection; null leaves a header out. A body
 * brings its length and JSON as its type.
 */
export function requestBytes(
  { port, token }: Caller,
  line: string,
  headers: Record<string, string | null> = {},
  body: string | Uint8Array = '',
): Buffer {
  const content = Buffer.from(body);
  const own =
    content.length > 0
      ? { 'Content-Type': 'application/json', 'Content-Length': String(content.length) }
      : {};
  const all = {
    Host: `127.0.0.1:${port}`,
    Authorization: `Bearer ${token}`,
    Connection: 'close',
    ...own,
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}\r\n`],
  );
  return Buffer.concat([Buffer.from(`${line} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), content]);
}

/** Sends bytes on a connection of their own and reads to its end: one request must not be answered twice. */
export function exchange(
  port: number,
  bytes: Uint8Array,
  { untilAnswered = false, isHead = false, limit = 60_000 }: ExchangeOptions = {},
): Promise<Exchange> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let received = Buffer.alloc(0);
    const settle = (isClosed: boolean): void => {
      clearTimeout(timer);
      resolve({ ...parseAnswers(received, isHead), isClosed });
      socket.destroy();
    };
    const timer = setTimeout(() => settle(false), limit);
    socket.on('data', chunk => {
      received = Buffer.concat([received, chunk]);
      if (untilAnswered && parseAnswers(received, isHead).answers.length > 0) settle(false);
    });
    // A reset after the answer is an end like any other.
    socket.on('close', () => settle(true)).on('error', () => {});
  });
}

/** A connection that is open. */
export function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.off('error', reject).on('error', () => {});
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

/** The whole answers at the beginning of what a server has sent. */
export function parseAnswers(received: Buffer, isHead = false): { answers: RawAnswer[]; rest: string } {
  const answers: RawAnswer[] = [];
  let at = 0;
  while (at < received.length) {
    const parsed = parseAnswer(received, at, isHead);
    if (parsed === undefined) break;
    answers.push(parsed.answer);
    at = parsed.end;
  }
  return { answers, rest: received.toString('utf8', at) };
}

function parseAnswer(
  bytes: Buffer,
  start: number,
  isHead: boolean,
): { answer: RawAnswer; end: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n', start);
  if (headEnd === -1) return undefined;
  const [statusLine = '', ...lines] = bytes.toString('latin1', start, headEnd).split('\r\n');
  if (!/^HTTP\/1\.1 \d{3} /.test(statusLine)) return undefined;
  const headers = new Map(
    lines.map(line => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const status = Number(statusLine.slice(9, 12));
  const bodyStart = headEnd + 4;
  const isBodyless = isHead || status === 204 || status === 304 || status < 200;
  if (isBodyless) return { answer: { status, headers, body: '' }, end: bodyStart };
  if (headers.get('transfer-encoding') === 'chunked') {
    const chunks = parseChunks(bytes, bodyStart);
    return chunks && { answer: { status, headers, body: chunks.body }, end: chunks.end };
  }
  const end = bodyStart + Number(headers.get('content-length') ?? 0);
  if (end > bytes.length) return undefined;
  return { answer: { status, headers, body: bytes.toString('utf8', bodyStart, end) }, end };
}

function parseChunks(bytes: Buffer, start: number): { body: string; end: number } | undefined {
  const chunks: Buffer[] = [];
  let at = start;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const chunkStart = lineEnd + 2;
    at = chunkStart + size + 2;
    if (at > bytes.length) return undefined;
    if (size === 0) return { body: Buffer.concat(chunks).toString('utf8'), end: at };
    chunks.push(bytes.subarray(chunkStart, chunkStart + size));
  }
}
