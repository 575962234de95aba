import type { AttackCase, Target } from './attack-case.ts';
import { requestBytes } from './raw-http.ts';

const LIST = 'GET /api/v2/suppliers';
const CREATE = 'POST /api/v2/suppliers';
const BODY = '{"name":"x"}';
const LENGTH = String(BODY.length);
const CHUNKED = { 'Content-Length': null, 'Transfer-Encoding': 'chunked' };

/** A request that another program on the way may take for the end of this one, and this server for the next. */
const smuggled = (target: Target) =>
  requestBytes(target, CREATE, {}, '{"name":"smuggled"}').toString('latin1');

/** The request with a line put in behind its first. */
function withLine(target: Target, line: string): Buffer {
  const text = requestBytes(target, LIST).toString('latin1');
  return Buffer.from(text.replace('\r\n', `\r\n${line}`), 'latin1');
}

function withBody(target: Target, headers: Record<string, string | null>, body: string): Buffer {
  return requestBytes(target, CREATE, { 'Content-Type': 'application/json', ...headers }, body);
}

const lines: [string, string][] = [
  ['a bare LF', 'X-A: 1\n'],
  ['a bare CR', 'X-A: 1\rX-B: 2\r\n'],
  ['a folded header', 'X-A: 1\r\n  2\r\n'],
  ['a space before the colon', 'X-A : 1\r\n'],
  ['a header without a name', ': 1\r\n'],
  ['a header without a colon', 'X-A\r\n'],
  ['NUL in a header', 'X-A: a\0b\r\n'],
  ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n'],
  ['two equal lengths', 'Content-Length: 2\r\nContent-Length: 2\r\n'],
  ['two lengths in one', 'Content-Length: 2, 2\r\n'],
  ['a negative length', 'Content-Length: -1\r\n'],
  ['a length with a sign', 'Content-Length: +2\r\n'],
  ['a hexadecimal length', 'Content-Length: 0x2\r\n'],
  ['a length beyond 2^64', 'Content-Length: 18446744073709551618\r\n'],
];

/** Framing: where a request begins and ends, and how large it may be. */
export const framingCases: AttackCase[] = [
  ...lines.map(
    ([name, line]): AttackCase => ({ name, bytes: target => withLine(target, line), statuses: [400] }),
  ),
  {
    name: 'a length with chunks',
    bytes: target =>
      withBody(
        target,
        { 'Content-Length': '5', 'Transfer-Encoding': 'chunked' },
        `0\r\n\r\n${smuggled(target)}`,
      ),
    statuses: [400],
  },
  {
    name: 'chunks with a length, in the other order',
    bytes: target =>
      withBody(
        target,
        { 'Transfer-Encoding': 'chunked', 'content-length': '5' },
        `0\r\n\r\n${smuggled(target)}`,
      ),
    statuses: [400],
  },
  ...['xchunked', 'chunked, identity', 'gzip, chunked', 'identity', '\x0bchunked'].map(
    (coding): AttackCase => ({
      name: `the transfer coding ${JSON.stringify(coding)}`,
      bytes: target =>
        withBody(
          target,
          { 'Content-Length': null, 'Transfer-Encoding': coding },
          `0\r\n\r\n${smuggled(target)}`,
        ),
      statuses: [400, 501],
    }),
  ),
  ...[
    '5\r\n{"name":"x"}\r\n0\r\n\r\n',
    '-c\r\n{"name":"x"}\r\n',
    'c \r\n{"name":"x"}\r\n0\r\n\r\n',
    '0xc\r\n',
    'fffffffffffffffff\r\n',
  ].map(
    (chunks): AttackCase => ({
      name: `broken chunks: ${JSON.stringify(chunks)}`,
      bytes: target => withBody(target, CHUNKED, chunks),
      statuses: [400],
    }),
  ),
  {
    name: 'a chunk extension of 100 kB',
    bytes: target => withBody(target, CHUNKED, `c;${'x'.repeat(100_000)}\r\n${BODY}\r\n0\r\n\r\n`),
    statuses: [400, 413],
  },
  {
    name: 'only LF',
    bytes: target => Buffer.from(requestBytes(target, LIST).toString('latin1').replaceAll('\r\n', '\n')),
    statuses: [400],
  },
  {
    name: 'a header of 20 kB',
    bytes: target => requestBytes(target, LIST, { 'X-Long': 'x'.repeat(20_000) }),
    statuses: [431],
  },
  {
    name: '3,000 headers',
    bytes: target =>
      requestBytes(
        target,
        LIST,
        Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`x${at}`, ''])),
      ),
    statuses: [431],
  },
  {
    name: 'an address of 20 kB',
    bytes: target => requestBytes(target, `${LIST}?keyword=${'x'.repeat(20_000)}`),
    statuses: [414, 431],
  },
  ...[
    'CONNECT example.com:443',
    'TRACE /api/v2/suppliers',
    'PROPFIND /api/v2/suppliers',
    'DELETE /api/v2/suppliers/1',
  ].map(
    (line): AttackCase => ({ name: line, bytes: target => requestBytes(target, line), statuses: [405, 501] }),
  ),
  ...[
    'get /api/v2/suppliers',
    'G\0T /api/v2/suppliers',
    'GETT /api/v2/suppliers',
    'GET /api/v2/sup pliers',
  ].map(
    (line): AttackCase => ({
      name: `the request line ${JSON.stringify(line)}`,
      bytes: target => requestBytes(target, line),
      statuses: [400],
    }),
  ),
  ...['HTTP/1.9', 'HTTP/3.0', 'HTTPS/1.1', 'HTTP/1', 'ICE/1.0'].map(
    (version): AttackCase => ({
      name: `the version ${version}`,
      bytes: target => {
        const text = requestBytes(target, LIST).toString('latin1');
        return Buffer.from(text.replace('HTTP/1.1', version), 'latin1');
      },
      statuses: [400],
    }),
  ),
  ...(['GET', 'HEAD'] as const).map(
    (method): AttackCase => ({
      name: `${method} with a method override`,
      bytes: target =>
        requestBytes(target, `${method} /api/v2/suppliers?_method=POST`, {
          'X-HTTP-Method-Override': 'POST',
          'X-HTTP-Method': 'DELETE',
          'X-Method-Override': 'PUT',
        }),
      statuses: [200],
      isHead: method === 'HEAD',
    }),
  ),
  {
    name: 'a length of 10^12, at once',
    bytes: target => withBody(target, { 'Content-Length': '1000000000000' }, '{'),
    statuses: [413],
    isUnfinished: true,
  },
  {
    name: 'a length written 1e12',
    bytes: target => withBody(target, { 'Content-Length': '1e12' }, '{'),
    statuses: [400],
  },
  {
    name: 'a body where none is due',
    bytes: target => requestBytes(target, LIST, { 'Content-Length': LENGTH }, BODY),
    statuses: [200, 400],
  },
  {
    name: 'an upgrade to a web socket',
    bytes: target =>
      requestBytes(target, LIST, {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Key': 'x',
        'Sec-WebSocket-Version': '13',
      }),
    statuses: [200],
    isUnfinished: true,
    check: ({ headers }) => {
      if (headers.has('upgrade')) throw new Error('The server changed the protocol.');
    },
  },
  {
    name: 'TLS',
    bytes: () => Buffer.from('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 'latin1'),
    statuses: [400],
  },
];
