import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listOperations } from '../../../shared/operations/operations.ts';
import { type AttackCase, runCase } from './attack-case.ts';
import { AttackedStation } from './attacked-station.ts';
import { bodyCases } from './body-cases.ts';
import { framingCases } from './framing-cases.ts';
import { originCases } from './origin-cases.ts';
import { parameterCases } from './parameter-cases.ts';
import { requestBytes } from './raw-http.ts';

let target: AttackedStation;
beforeAll(async () => {
  target = await AttackedStation.start();
});
afterAll(() => target.stop());

const operations = listOperations().map(({ method, path, body, scope }) => ({
  line: `${method} /api/v2${path.replace(/\{\w+\}/g, '1')}`,
  path: `/api/v2${path.replace(/\{\w+\}/g, '1')}`,
  body: body?.type === 'application/json' ? (path.endsWith('/bulk') ? '[]' : '{}') : '',
  scope,
}));
const closed = operations.filter(({ scope }) => scope !== 'none');

/** On the machine itself the description of the interface needs no token. */
const guarded = closed.filter(({ path }) => !path.endsWith('/openapi.json'));

const withoutToken: AttackCase[] = guarded.flatMap(({ line, path, body }) => [
  {
    name: line,
    bytes: ({ port }) => requestBytes({ port, token: '' }, line, { Authorization: null }, body),
    statuses: [401],
  },
  ...['HEAD', 'OPTIONS', 'DELETE'].map(method => ({
    name: `${method} ${path}`,
    bytes: ({ port }: { port: number }) =>
      requestBytes({ port, token: '' }, `${method} ${path}`, { Authorization: null }),
    statuses: [401],
    isHead: method === 'HEAD',
  })),
]);

/** What a token that may only read is refused: writes, and what is the administrator's. */
const withReader: AttackCase[] = closed
  // What a code means is read.
  .filter(({ line, scope }) => (!line.startsWith('GET') && !line.endsWith('/x/scan')) || scope === 'admin')
  .map(({ line, body }) => ({
    name: line,
    bytes: ({ port, readerToken }) => requestBytes({ port, token: readerToken }, line, {}, body),
    statuses: [403],
  }));

describe.each([
  ['origin and authentication', originCases],
  ['framing', framingCases],
  ['body', bodyCases],
  ['parameters', parameterCases],
  ['without a token', withoutToken],
  ['with a token that may only read', withReader],
])('%s', (_name, cases) => {
  it.each(cases)('$name', attack => runCase(target, attack));
});

it('logs none of it with a token, nor as a fault of the server', async () => {
  await expect.poll(() => target.station.output).toContain('"status":401');
  expect(target.station.output).not.toContain(target.token.slice(0, 16));
  expect(target.station.output).not.toContain('access_token');
  expect(target.station.output).not.toContain('"level":"error"');
});
