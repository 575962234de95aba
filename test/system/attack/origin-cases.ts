import type { AttackCase, Target } from './attack-case.ts';
import { requestBytes } from './raw-http.ts';

/** `PORT` stands for the server's own. */
const withPort = ({ port }: Target, text: string) => text.replaceAll('PORT', String(port));

const LIST = 'GET /api/v2/suppliers';
const CREATE = 'POST /api/v2/suppliers';

const hosts = [
  'evil:PORT',
  '127.0.0.1.evil.com',
  '127.0.0.1.evil.com:PORT',
  '0.0.0.0:PORT',
  '2130706433:PORT',
  '0x7f000001:PORT',
  '127.1:PORT',
  '127.0.0.1:1',
  '127.0.0.1',
  'localhost.:PORT',
  'evil@127.0.0.1:PORT',
  '127.0.0.1:PORT@evil',
  '',
].map(
  (host): AttackCase => ({
    name: `the host "${host}"`,
    bytes: target => requestBytes(target, LIST, { Host: withPort(target, host) }),
    statuses: [403],
  }),
);

const origins = [
  { Origin: 'http://evil' },
  { Origin: 'null' },
  { Origin: 'http://localhost:1' },
  { Origin: 'http://localhost' },
  { Origin: 'https://127.0.0.1:PORT' },
  { Origin: 'file://' },
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site' },
  { Origin: 'http://127.0.0.1:PORT', 'Sec-Fetch-Site': 'cross-site' },
].flatMap((headers): AttackCase[] =>
  [LIST, CREATE, 'GET /api/v2/status', 'GET /docs', 'GET /api/v2/x/events'].map(line => ({
    name: `${line} with ${JSON.stringify(headers)}`,
    bytes: target => {
      const own = Object.entries(headers).map(([name, value]) => [name, withPort(target, value)] as const);
      return requestBytes(target, line, Object.fromEntries(own), line === CREATE ? '{"name":"x"}' : '');
    },
    statuses: [403],
  })),
);

const preflights = ['PUT', 'POST', 'DELETE'].map(
  (method): AttackCase => ({
    name: `a preflight for ${method} from elsewhere`,
    bytes: target =>
      requestBytes(target, 'OPTIONS /api/v2/suppliers/1', {
        Origin: 'http://evil',
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'authorization',
        'Access-Control-Request-Private-Network': 'true',
        Authorization: null,
      }),
    statuses: [403],
  }),
);

const types: [string, string | null, string][] = [
  ['text/plain', 'text/plain', '{"name":"x"}'],
  ['urlencoded', 'application/x-www-form-urlencoded', '{"name":"x"}'],
  ['multipart', 'multipart/form-data; boundary=b', '--b\r\n\r\n{"name":"x"}\r\n--b--'],
  ['no type', null, '{"name":"x"}'],
  ['text/html', 'text/html', '{"name":"x"}'],
];
const contentTypes = types.flatMap(([name, type, body]): AttackCase[] =>
  [CREATE, 'POST /api/v2/parts/bulk', 'PUT /api/v2/x/settings', 'POST /api/v2/x/rebuild'].map(line => ({
    name: `${line}: JSON sent as ${name}`,
    bytes: target => requestBytes(target, line, { 'Content-Type': type }, body),
    statuses: [415],
  })),
);

const tokens: [string, (target: Target) => string | null][] = [
  ['no token', () => null],
  ['an empty token', () => ''],
  ['only the scheme', () => 'Bearer '],
  ['a short token', () => 'Bearer x'],
  [
    'a token one character off',
    ({ token }) => `Bearer ${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
  ],
  ['a token one character short', ({ token }) => `Bearer ${token.slice(0, -1)}`],
  ['a token one character long', ({ token }) => `Bearer ${token}A`],
  ['a token of 8 kB', () => `Bearer ${'x'.repeat(8_192)}`],
  ['a token of another scheme', ({ token }) => `Basic ${Buffer.from(`:${token}`).toString('base64')}`],
  ['two tokens in one header', ({ token }) => `Bearer ${token}, Bearer ${token}`],
  ['the token in a language of its own', ({ token }) => `Bearer\t${token}`],
];
const authentication = tokens.flatMap(([name, authorization]): AttackCase[] =>
  [LIST, CREATE, 'GET /api/v2/x/events', 'GET /unknown', 'DELETE /api/v2/suppliers/1'].map(line => ({
    name: `${line} with ${name}`,
    bytes: target =>
      requestBytes(
        target,
        line,
        { Authorization: authorization(target) },
        line === CREATE ? '{"name":"x"}' : '',
      ),
    statuses: [401],
  })),
);

const doubled = (name: string, value: (target: Target) => string): AttackCase => ({
  name: `two ${name} headers`,
  bytes: target => {
    const text = requestBytes(target, LIST).toString('latin1');
    return Buffer.from(text.replace('\r\n', `\r\n${name}: ${value(target)}\r\n`), 'latin1');
  },
  statuses: [400],
});

/** Origin and authentication: who asks, in whose name, by which name. */
export const originCases: AttackCase[] = [
  {
    name: 'no host',
    bytes: target => requestBytes(target, LIST, { Host: null }),
    statuses: [400],
  },
  {
    name: 'no host, as HTTP/1.0',
    bytes: ({ token }) =>
      Buffer.from(`GET /api/v2/suppliers HTTP/1.0\r\nAuthorization: Bearer ${token}\r\n\r\n`),
    statuses: [400],
  },
  doubled('Host', ({ port }) => `127.0.0.1:${port}`),
  doubled('hoST', () => 'evil'),
  doubled('Authorization', ({ token }) => `Bearer ${token}`),
  doubled('authorization', () => 'Bearer x'),
  ...hosts,
  ...['http://evil/api/v2/suppliers', 'http://127.0.0.1:PORT/api/v2/suppliers', '*', 'evil:80'].map(
    (address): AttackCase => ({
      name: `the address ${address}`,
      bytes: target => requestBytes(target, `GET ${withPort(target, address)}`),
      statuses: [400],
    }),
  ),
  ...origins,
  ...preflights,
  ...contentTypes,
  ...authentication,
  {
    name: 'the token in the address',
    bytes: target =>
      requestBytes(target, `${LIST}?token=${target.token}&access_token=${target.token}`, {
        Authorization: null,
      }),
    statuses: [401],
  },
  {
    name: 'the token in a cookie',
    bytes: target => requestBytes(target, LIST, { Authorization: null, Cookie: `token=${target.token}` }),
    statuses: [401],
  },
];
