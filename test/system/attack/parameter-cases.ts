import { expect } from 'vitest';
import type { AttackCase } from './attack-case.ts';
import { requestBytes } from './raw-http.ts';

const get = (path: string, statuses: readonly number[], check?: AttackCase['check']): AttackCase => ({
  name: `GET ${path.length > 80 ? `${path.slice(0, 80)}…` : path}`,
  bytes: target => requestBytes(target, `GET /api/v2${path}`),
  statuses,
  ...(check && { check }),
});

const ids = [
  '-1',
  '0',
  '01',
  '+1',
  '1.0',
  '1e0',
  '1e309',
  '0x1',
  '9007199254740992',
  '9007199254740993',
  '1;drop',
  "1'--",
  '1%20',
  '%201',
  '1%0a',
  '%EF%BC%91',
  '%E2%81%A01',
  '1,2',
  'null',
  'NaN',
  '__proto__',
  'constructor',
  '[object%20Object]',
  '%7B%22$gt%22:%22%22%7D',
  '9'.repeat(400),
];

const counts = [
  '-1',
  '0',
  '',
  'x',
  '1.5',
  '1e9',
  '0x10',
  ' 1',
  '%EF%BC%91',
  '9'.repeat(30),
  '%7B%22$gt%22:%22%22%7D',
  'Infinity',
];

const keywords: [string, string][] = [
  ['a regular expression', '(a+)+$'],
  ['10 kB', 'a'.repeat(10_000)],
  ['10 kB of stars', '*'.repeat(10_000)],
  ['wildcards of LIKE', '%_\\'],
  ['wildcards of GLOB', '*?[a-z]'],
  ['a query of FTS', 'NEAR('],
  ['a query of FTS by column', 'text : x OR y NOT z'],
  ['a prefix of FTS', '^x*'],
  ['a double quote', '"'],
  ['an odd number of double quotes', '"""x" AND "'],
  ['a single quote', "'"],
  ['SQL', "' OR 1=1; DROP TABLE records; --"],
  ['an operator', '{"$gt":""}'],
  ['half a word of two letters', '%%'],
  ['a right-to-left override', '\u202egnp.exe'],
  ['a combining avalanche', 'e\u0301'.repeat(200)],
  ['a format', '%s%n%x'],
];

function total(body: string): unknown {
  return (JSON.parse(body) as { meta: { total: unknown } }).meta.total;
}

/** Parameters: what an address names. */
export const parameterCases: AttackCase[] = [
  ...ids.flatMap(id => [
    get(`/suppliers/${id}`, [404, 422]),
    get(`/x/records/supplier/${id}`, [404, 422]),
    get(`/x/history/supplier/${id}`, [404, 422]),
    get(`/x/inventory/${id}/facts`, [404, 422]),
  ]),
  ...ids.map(
    (id): AttackCase => ({
      name: `PUT /suppliers/${id.slice(0, 40)}`,
      bytes: target => requestBytes(target, `PUT /api/v2/suppliers/${id}`, {}, '{"name":"x"}'),
      statuses: [404, 422],
    }),
  ),
  ...ids
    .map(
      (id): AttackCase => ({
        name: `a reference ${id.slice(0, 40)}`,
        bytes: target =>
          requestBytes(
            target,
            'POST /api/v2/parts',
            {},
            JSON.stringify({ supplier_id: decodeURIComponent(id) }),
          ),
        statuses: [422],
      }),
    )
    .filter(({ name }) => !/reference (01|1\.0)$/.test(name)),
  ...['%00', '..%2f', '..%2f..%2fetc%2fpasswd', '%2e%2e', '..%5c', '%zz', '%', '%c0%ae', '%ff', 'a%00b'].map(
    part => get(`/suppliers/${part}`, [400, 404]),
  ),
  ...[
    '/../suppliers',
    '/suppliers/../../../etc/passwd',
    '//suppliers',
    '/suppliers//1',
    '/SUPPLIERS',
    '/suppliers/1/..',
  ].map(path => get(path, [400, 404])),
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'token', 'records', 'supplier%27'].flatMap(
    family => [
      get(`/x/records/${family}/1`, [404]),
      get(`/x/history/${family}/1`, [404]),
      get(`/x/exports/${family}`, [404]),
      get(`/x/proposals/${family}/1`, [404]),
    ],
  ),
  ...counts
    .flatMap(count => [
      get(`/suppliers?per_page=${count}`, [422, 400]),
      get(`/suppliers?page=${count}`, [422, 400]),
    ])
    .filter(({ name }) => !name.includes(' 1')),
  get('/suppliers?per_page=1000000000', [200], ({ body }) => {
    expect(JSON.parse(body)).toMatchObject({ meta: { per_page: 500 } });
  }),
  get('/suppliers?page=999999999999999&per_page=500', [200], ({ body }) => {
    expect(JSON.parse(body)).toMatchObject({ data: [], meta: { from: 0, to: 0 } });
  }),
  get('/suppliers?per_page=1&per_page=2', [422]),
  get('/suppliers?per_page[]=1', [422]),
  get('/suppliers?per_page[$gt]=1', [422]),
  get('/suppliers?page[__proto__]=1', [422]),
  get('/suppliers?__proto__[polluted]=1', [200]),
  get('/suppliers?constructor[prototype][polluted]=1&hasOwnProperty=1', [200]),
  get('/parts?supplier_id=%7B%22$gt%22:%22%22%7D', [422]),
  get('/parts?supplier_id[$gt]=', [422]),
  get('/parts?supplier_id=1%20OR%201=1', [422]),
  get("/ncrs?status=open'--", [200], ({ body }) => expect(total(body)).toBe(0)),
  get('/shipments?dateRange=true&fromDate=%7B%22$gt%22:%22%22%7D&toDate=', [422]),
  get("/shipments?dateRange=true&fromDate=2026-01-01'%20OR%20'1&toDate=", [422]),
  get('/shipments?dateRange=true&fromDate=+275760-09-13&toDate=', [422]),
  ...keywords.map(
    ([name, keyword]): AttackCase => ({
      ...get(`/suppliers?keyword=${encodeURIComponent(keyword)}`, [200], ({ body }) =>
        expect(total(body)).toBe(0),
      ),
      name: `keyword: ${name}`,
    }),
  ),
  ...['/suppliers', '/parts', '/inventory', '/ncrs', '/orders', '/x/adjustments', '/x/shipments'].map(path =>
    get(`${path}?keyword=${encodeURIComponent('" OR "a"* NEAR(b')}`, [200]),
  ),
  ...['%0d%0aX-Injected:%201', 'a%0aX-Injected:%201', '%0d%0a%0d%0a<script>'].flatMap(
    (part): AttackCase[] => [
      get(`/x/exports/supplier${part}`, [404], expectNoInjection),
      get(`/x/exports/supplier?format=csv&items=${part}`, [422], expectNoInjection),
      get(`/x/exports/supplier?format=${part}`, [422], expectNoInjection),
      get(`/suppliers/1${part}`, [404], expectNoInjection),
      {
        name: `an import's file called ${part}`,
        bytes: target =>
          requestBytes(
            target,
            `PUT /api/v2/x/imports/1/files/${part}`,
            { 'Content-Type': 'application/octet-stream' },
            'a,b\n',
          ),
        statuses: [404, 422],
        check: expectNoInjection,
      },
    ],
  ),
  ...[' ', 'a b', 'ключ', 'x'.repeat(256), 'é'].map(
    (key): AttackCase => ({
      name: `the idempotency key ${JSON.stringify(key.slice(0, 20))}`,
      bytes: target =>
        requestBytes(
          target,
          'POST /api/v2/suppliers',
          { 'Idempotency-Key': Buffer.from(key).toString('latin1') },
          '{"name":"x"}',
        ),
      statuses: [422],
    }),
  ),
  ...['"0-0"', 'W/"1-0"', 'x', '""', '"1-__proto__"'].map(
    (tag): AttackCase => ({
      name: `a stale If-Match: ${tag}`,
      bytes: target =>
        requestBytes(
          target,
          target.normal.line.replace('GET', 'PUT'),
          { 'If-Match': tag },
          '{"name":"taken over"}',
        ),
      statuses: [412],
    }),
  ),
  ...['-1', 'NaN', '1e309', '999999999999999', "0'--", '9'.repeat(400)].map(
    (id): AttackCase => ({
      name: `HEAD of an event stream from the event ${id.slice(0, 20)}`,
      bytes: target => requestBytes(target, 'HEAD /api/v2/x/events', { 'Last-Event-ID': id }),
      // A number is a place, whether there are so many changes or not.
      statuses: [/^\d{15}$/.test(id) ? 200 : 422],
      isHead: true,
    }),
  ),
];

function expectNoInjection({ headers }: Parameters<NonNullable<AttackCase['check']>>[0]): void {
  expect([...headers.keys()]).not.toContain('x-injected');
}
