import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callWith, enrolledStation } from '../../server/enrolment/enrolled.ts';
import { type AttackCase, runCase } from './attack-case.ts';
import { AttackedStation } from './attacked-station.ts';
import { connected, requestBytes } from './raw-http.ts';

/** What is tried at a central with a station's key, or without one. */

let target: AttackedStation;
let station = '';
let key = '';
beforeAll(async () => {
  // Central notes when it last heard of a station.
  target = await AttackedStation.start({ role: 'central' }, /^(search_|sqlite_|station$)/);
  ({ station, key } = await enrolledStation(target.station, 'Dock'));
});
afterAll(() => target?.stop());

const EXCHANGE = 'POST /api/v2/x/sync/exchange';
const MIB = 1024 * 1024;

function push(changed: Record<string, unknown> = {}): Record<string, unknown> {
  const cursor = { epoch: '', sequence: 0, hash: '', countersignature: '' };
  return { kind: 'push', request: 'r', station, protocol: 1, cursor, offers: [], commits: [], ...changed };
}

/** A request with the station's key, its body made when the station is known. */
function asked(name: string, statuses: readonly number[], body: () => unknown, line = EXCHANGE): AttackCase {
  return {
    name,
    bytes: ({ port }) => {
      const value = body();
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return requestBytes({ port, token: key }, line, {}, value === undefined ? '' : text);
    },
    statuses,
  };
}

const commit = {
  chain: 'elsewhere',
  number: 1,
  commit_id: 'c1',
  at: '2999-01-01T00:00:00.000Z',
  clock_offset: null,
  user: 'mallory',
  reason: null,
  entries: [{ subject: 'supplier:1', changes: [{ path: 'name', old: null, new: 'Taken over', over: [] }] }],
  previous_hash: '',
  hash: 'no hash of this',
};

describe('an exchange', () => {
  it.each<AttackCase>([
    asked('as another station', [403], () => push({ station: 'another' })),
    asked('of a newer protocol', [426], () => push({ protocol: 2, commits: [{ later: 1 }] })),
    asked('of no protocol', [422], () => push({ protocol: 0 })),
    asked('of commits that are none', [422], () => push({ commits: [{}, 1, null] })),
    asked('of a place that is none', [422], () => push({ cursor: 7 })),
    asked('of __proto__', [422], () => `{"__proto__":{"polluted":true},${JSON.stringify(push()).slice(1)}`),
    asked('of a doubled name', [422], () => `{"kind":"pull",${JSON.stringify(push()).slice(1)}`),
    asked('of cut-off JSON', [400], () => JSON.stringify(push()).slice(0, -1)),
    asked('of a list', [422], () => [push()]),
    asked('of nothing', [400], () => undefined),
    {
      ...asked('of a batch over the limit', [413], () => push({ commits: ['x'.repeat(17 * MIB)] })),
      isUnfinished: true,
    },
  ])('$name is refused', attack => runCase(target, attack));

  it.each<[string, () => string | null, number]>([
    ['without a key', () => null, 401],
    [
      'with a key that is one character off',
      () => `Bearer ${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`,
      401,
    ],
    ["with an administrator's token", () => `Bearer ${target.token}`, 403],
    ['with a token that reads', () => `Bearer ${target.readerToken}`, 403],
  ])('%s is refused', async (name, authorization, status) => {
    await runCase(target, {
      name,
      bytes: to => requestBytes(to, EXCHANGE, { Authorization: authorization() }, JSON.stringify(push())),
      statuses: [status],
    });
  });

  it('takes nothing of a commit whose hash is another, from a place that central does not know', async () => {
    await runCase(target, {
      ...asked('forged', [200, 409, 422], () => push({ commits: [commit] })),
      check: ({ body }) => expect(body).not.toContain('Taken over'),
    });
  });
});

it('eight messages of a station that do not end keep out its ninth, nobody else, and not when they are gone', async () => {
  const slow = await enrolledStation(target.station, 'Slow');
  const whole = async (of: string) =>
    (await callWith(target.station, of, 'POST', '/x/sync/exchange', push())).status;
  const length = { 'Content-Type': 'application/json', 'Content-Length': '1000' };
  const begun = requestBytes({ port: target.port, token: slow.key }, EXCHANGE, length);
  const sockets = await Promise.all(Array.from({ length: 8 }, () => connected(target.port)));
  for (const socket of sockets) socket.write(Buffer.concat([begun, Buffer.from('{')]));
  await expect.poll(() => whole(slow.key)).toBe(429);
  expect(await whole(key)).toBe(200);
  for (const socket of sockets) socket.destroy();
  // Its key is not of the station that the message names.
  await expect.poll(() => whole(slow.key)).toBe(403);
});

it.each([
  'GET /api/v2/suppliers',
  'POST /api/v2/suppliers',
  'GET /api/v2/x/events',
  'POST /api/v2/x/tokens',
  'GET /api/v2/x/stations',
  'POST /api/v2/x/rebuild',
])("a station's key opens nothing else: %s", async line => {
  const body = line.startsWith('POST') ? () => ({ name: 'x' }) : () => undefined;
  await runCase(target, asked(line, [403], body, line));
});

it('logs none of it with the key, nor as a fault of the server', () => {
  expect(target.station.output).not.toContain(key.slice(0, 16));
  expect(target.station.output).not.toContain('"level":"error"');
});
