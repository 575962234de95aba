import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { enrolledStation, newCode } from '../../../server/enrolment/enrolled.ts';
import { environmentOf, holdpoint } from '../../../server/transfer/holdpoint.ts';
import type { Station } from '../../../support/station.ts';
import {
  dataOf,
  startCentral,
  startStation,
  stationsOf,
  syncOf,
  until,
  untilInStep,
} from './installation.ts';

let central: Station;
let dock: Station;
beforeAll(async () => {
  central = await startCentral();
  dock = await startStation(central, 'Dock');
  await untilInStep(central, [dock]);
});
afterAll(async () => {
  await dock?.stop();
  await central?.stop();
});

it('a page that asks to sign in, in place of central, is told as such, and nothing is lost', async () => {
  await central.kill();
  const { port } = new URL(central.origin);
  const portal = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end('<h1>Welcome to the guest network</h1>');
  }).listen(Number(port), '127.0.0.1');
  await once(portal, 'listening');
  const { id } = dataOf<{ id: number }>(await dock.post('/suppliers', { name: 'Written behind the portal' }));
  const state = await until(
    'told',
    () => syncOf(dock),
    ({ fault }) => fault?.includes('it is not central') === true,
  );
  expect(state).toMatchObject({ state: 'offline', unsent: 1 });
  expect(state.says).toContain('Work here goes on.');
  portal.closeAllConnections();
  portal.close();
  await central.start();
  await untilInStep(central, [dock]);
  expect(dataOf(await central.get(`/suppliers/${id}`))).toMatchObject({ name: 'Written behind the portal' });
});

it('a revoked station is told so, works on, and comes back with a new code', async () => {
  const [row] = await stationsOf(central);
  dataOf(await central.post(`/x/stations/${row?.id}/revoke`));
  await until(
    'refused',
    () => syncOf(dock),
    ({ state }) => state === 'refused',
  );
  const { id } = dataOf<{ id: number }>(await dock.post('/suppliers', { name: 'While revoked' }));
  expect((await central.get(`/suppliers/${id}`)).status).toBe(404);
  const code = await newCode(central, 'Dock again');
  const { output } = await holdpoint(environmentOf(dock), 'enrol', central.origin, code);
  expect(output).toContain('This station is "Dock again"');
  await untilInStep(central, [dock]);
  expect(dataOf(await central.get(`/suppliers/${id}`))).toMatchObject({ name: 'While revoked' });
});

it('a key speaks for its own station and in a version that central knows', async () => {
  const { key, station } = await enrolledStation(central, 'By hand');
  const cursor = { epoch: '', sequence: 0, hash: '', countersignature: '' };
  const asking = { kind: 'pull', request: 'r1', station, protocol: 1, cursor, limit: 10 };
  const send = (body: unknown, token = key) =>
    central.call('POST', '/x/sync/exchange', { body, headers: { authorization: `Bearer ${token}` } });
  const { digests, ...answer } = dataOf<Record<string, unknown>>(await send(asking));
  expect(answer).toMatchObject({ kind: 'cursor_unknown', request: 'r1' });
  expect(digests).toMatchObject({ sequence: answer.last });
  expect(await send({ ...asking, station: 'another' })).toMatchObject({ status: 403 });
  const before = await syncOf(central);
  const newer = {
    kind: 'push',
    request: 'r2',
    station,
    protocol: 2,
    cursor,
    offers: [],
    commits: [{ later: 1 }],
  };
  for (const message of [{ ...asking, protocol: 2 }, newer]) {
    expect(await send(message)).toMatchObject({
      status: 426,
      body: { message: expect.stringContaining('Update central') },
    });
  }
  expect((await syncOf(central)).sequence).toBe(before.sequence);
  expect(await send({ ...asking, cursor: 7 })).toMatchObject({
    status: 422,
    body: { errors: { cursor: {} } },
  });
  expect(await send(asking, central.token)).toMatchObject({ status: 403 });
});

it('news come to a station at once, and end when its key does', async () => {
  const { key, name } = await enrolledStation(central, 'Listener');
  const response = await central.fetch(`${central.origin}/api/v2/x/sync/pokes`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const count = () => text.split('event: news').length - 1;
  const read = async () => {
    const { value, done } = (await reader?.read()) ?? { done: true };
    text += value ?? '';
    return done;
  };
  while (count() < 1) await read();
  dataOf(await dock.post('/suppliers', { name: 'News' }));
  while (count() < 2) await read();
  const row = (await stationsOf(central)).find(one => one.name === name);
  dataOf(await central.post(`/x/stations/${row?.id}/revoke`));
  while (!(await read()));
  expect(text).not.toContain('News');
});

it('what arrives from central is an event at the station, record by record', async () => {
  const response = await dock.fetch(`${dock.origin}/api/v2/x/events`, {
    headers: { authorization: `Bearer ${dock.token}` },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const names = ['One', 'Two', 'Three'];
  const ids = await Promise.all(
    names.map(async name => dataOf<{ id: number }>(await central.post('/suppliers', { name })).id),
  );
  const own = dataOf<{ id: number }>(await dock.post('/suppliers', { name: 'Own' }));
  let text = '';
  while (![...ids, own.id].every(id => text.includes(`"family":"supplier","id":${id}`))) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done) throw new Error(text);
    text += value;
  }
  await reader?.cancel();
});

it('a station of another central is refused and stays as it is', async () => {
  const other = await startCentral();
  try {
    const refused = await dock.post('/x/sync/enrol', {
      address: other.origin,
      code: await newCode(other, 'Gate'),
    });
    expect(refused).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('is a station of') },
    });
    expect(await syncOf(dock)).toMatchObject({ name: 'Dock again' });
    await untilInStep(central, [dock]);
  } finally {
    await other.stop();
  }
});
