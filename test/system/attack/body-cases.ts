import { gzipSync } from 'node:zlib';
import { listOperations } from '../../../shared/operations/operations.ts';
import type { AttackCase } from './attack-case.ts';
import { requestBytes } from './raw-http.ts';

const MIB = 1024 * 1024;
const CREATE = 'POST /api/v2/suppliers';
const SUPPLIER = '{"name":"x"}';

/** Writes of people that take a body, their parameters filled in with what may or may not be there. */
const writes = listOperations().flatMap(({ method, path, body, scope }) =>
  body?.type === 'application/json' && scope !== 'station'
    ? [`${method} /api/v2${path.replace(/\{\w+\}/g, '1')}`]
    : [],
);

function create(name: string, body: string | Uint8Array, statuses: readonly number[]): AttackCase {
  return { name, bytes: target => requestBytes(target, CREATE, {}, body), statuses };
}

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** What would show in every record that has no value of its own there. */
const POLLUTED =
  '{"polluted":true,"secondary_name":"polluted","notes":"polluted","primary_email":"polluted"}';

const texts: [string, string | Uint8Array, number[]][] = [
  ['cut-off JSON', '{"name":', [400]],
  ['cut-off text', '{"name":"x', [400]],
  ['two values', '{"name":"x"}{"name":"y"}', [400]],
  ['a comma too many', '{"name":"x",}', [400]],
  ['a comment', '{"name":"x"/**/}', [400]],
  ['single quotes', "{'name':'x'}", [400]],
  ['NaN', '{"name":NaN}', [400]],
  ['white space', '   ', [400]],
  ['a duplicate key', '{"name":"x","name":"y"}', [422]],
  ['a duplicate key, escaped', '{"name":"x","n\\u0061me":"y"}', [422]],
  ['a duplicate key, deep', '{"name":"x","items":[{"a":1,"a":2}]}', [422]],
  ['__proto__', `{"name":"x","__proto__":${POLLUTED}}`, [422]],
  ['__proto__, escaped', `{"name":"x","__pr\\u006fto__":${POLLUTED}}`, [422]],
  ['__proto__, deep', `{"name":"x","a":[{"__proto__":${POLLUTED}}]}`, [422]],
  ['constructor.prototype', `{"name":"x","constructor":{"prototype":${POLLUTED}}}`, [422]],
  ['prototype', `{"name":"x","prototype":${POLLUTED}}`, [422]],
  ['30,000 nested arrays', nested(30_000), [400, 422]],
  ['30,000 nested arrays in a field', `{"name":${nested(30_000)}}`, [400, 422]],
  ['100,000 nested objects', objects(100_000), [400, 422]],
  ['500,000 opening brackets', '['.repeat(500_000), [400, 422]],
  ['1e309', '{"name":1e309}', [422]],
  ['-1e309', '{"name":-1e309}', [422]],
  ['2^53+1', '{"name":9007199254740993}', [422]],
  ['invalid UTF-8', Buffer.from([...Buffer.from('{"name":"'), 0xc3, 0x28, ...Buffer.from('"}')]), [400]],
  ['overlong UTF-8', Buffer.from([...Buffer.from('{"name":"'), 0xc0, 0xaf, ...Buffer.from('"}')]), [400]],
  [
    'a surrogate as UTF-8',
    Buffer.from([...Buffer.from('{"name":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')]),
    [400],
  ],
  ['a lone surrogate', '{"name":"\\ud800"}', [422]],
  ['surrogates the wrong way', '{"name":"\\udc00\\ud800"}', [422]],
  ['a lone surrogate in a key', '{"name":"x","\\ud800":1}', [422]],
  ['NUL in text', '{"name":"a\\u0000b"}', [422]],
  ['NUL in a key', '{"name":"x","a\\u0000b":1}', [422]],
  ['NUL, plain', '{"name":"a\0b"}', [400]],
  ['UTF-16', Buffer.from(SUPPLIER, 'utf16le'), [400]],
  ['an operator as a value', '{"name":{"$gt":""}}', [422]],
  ['a list as a value', '{"name":["x"]}', [422]],
  ['an object with toString', '{"name":{"toString":"x"}}', [422]],
  ['a text of 10,001 characters', JSON.stringify({ name: 'x'.repeat(10_001) }), [422]],
];

const headers: [string, Record<string, string>, string | Uint8Array, number[]][] = [
  ['charset utf-7', { 'Content-Type': 'application/json; charset=utf-7' }, SUPPLIER, [415]],
  ['charset utf-16', { 'Content-Type': 'application/json; charset=utf-16' }, SUPPLIER, [415]],
  ['a gzip bomb', { 'Content-Encoding': 'gzip' }, gzipSync(Buffer.alloc(20 * MIB, 0x20)), [413, 415]],
  ['an unknown encoding', { 'Content-Encoding': 'rot13' }, SUPPLIER, [415]],
  ['encodings in a row', { 'Content-Encoding': 'identity, gzip' }, SUPPLIER, [415]],
];

/** Body: what a write is given. */
export const bodyCases: AttackCase[] = [
  ...texts.map(([name, body, statuses]) => create(name, body, statuses)),
  ...headers.map(
    ([name, own, body, statuses]): AttackCase => ({
      name,
      bytes: target => requestBytes(target, CREATE, own, body),
      statuses,
    }),
  ),
  {
    name: 'an empty body',
    bytes: target =>
      requestBytes(target, CREATE, { 'Content-Type': 'application/json', 'Content-Length': '0' }),
    statuses: [400],
  },
  {
    name: 'no body',
    bytes: target => requestBytes(target, CREATE),
    statuses: [400],
  },
  create('more than 1 MiB', JSON.stringify({ name: 'x'.repeat(MIB) }), [413]),
  {
    name: 'more than 1 MiB in chunks',
    bytes: target =>
      requestBytes(
        target,
        CREATE,
        { 'Content-Type': 'application/json', 'Content-Length': null, 'Transfer-Encoding': 'chunked' },
        `${(2 * MIB).toString(16)}\r\n"${'x'.repeat(2 * MIB - 2)}"\r\n0\r\n\r\n`,
      ),
    statuses: [413],
    isUnfinished: true,
  },
  {
    name: 'more than 5 MiB in bulk',
    bytes: target =>
      requestBytes(target, 'POST /api/v2/parts/bulk', {}, JSON.stringify([{ name: 'x'.repeat(5 * MIB) }])),
    statuses: [413],
    isUnfinished: true,
  },
  {
    name: '1,001 parts in bulk',
    bytes: target =>
      requestBytes(
        target,
        'POST /api/v2/parts/bulk',
        {},
        JSON.stringify(
          Array.from({ length: 1_001 }, (_, at) => ({ name: `${at}`, identification: `${at}` })),
        ),
      ),
    statuses: [422],
  },
  {
    name: '1,001 items',
    bytes: target =>
      requestBytes(
        target,
        'POST /api/v2/orders',
        {},
        JSON.stringify({ items: Array.from({ length: 1_001 }, () => ({ part_id: 1, quantity: 1 })) }),
      ),
    statuses: [422],
  },
  {
    name: 'a number with a fraction where a whole one is due',
    bytes: target => requestBytes(target, 'PUT /api/v2/x/settings', {}, '{"expiry_soon_days":1.5}'),
    statuses: [422],
  },
  {
    name: '2^53+1 where a whole number is due',
    bytes: target =>
      requestBytes(target, 'PUT /api/v2/x/settings', {}, '{"expiry_soon_days":9007199254740993}'),
    statuses: [422],
  },
  {
    name: '2^53+1 as text where a whole number is due',
    bytes: target =>
      requestBytes(target, 'PUT /api/v2/x/settings', {}, '{"expiry_soon_days":"9007199254740993"}'),
    statuses: [422],
  },
  ...writes.flatMap((line): AttackCase[] =>
    ['null', '1', '"text"', line.includes('/bulk') ? '{}' : '[]'].map(body => ({
      name: `${line} with ${body}`,
      bytes: target => requestBytes(target, line, {}, body),
      statuses: [400, 404, 422],
    })),
  ),
  ...writes.map(
    (line): AttackCase => ({
      name: `text/plain: ${line}`,
      bytes: target => requestBytes(target, line, { 'Content-Type': 'text/plain' }, '{}'),
      statuses: [415],
    }),
  ),
  ...writes.map(
    (line): AttackCase => ({
      name: `${line} with __proto__`,
      bytes: target => requestBytes(target, line, {}, `{"__proto__":${POLLUTED}}`),
      statuses: [422],
    }),
  ),
];
