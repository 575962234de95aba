import { afterAll, beforeAll, expect, it } from 'vitest';
import { callWith, enrolledStation } from '../../../server/enrolment/enrolled.ts';
import { Browser, errorOf, PASSWORD } from '../../../server/identity/browser.ts';
import { environmentOf, holdpoint } from '../../../server/transfer/holdpoint.ts';
import type { Station } from '../../../support/station.ts';
import {
  dataOf,
  faultsOf,
  passwordsIn,
  startCentral,
  startStation,
  stationsOf,
  syncOf,
  until,
  untilInStep,
  untilPasswords,
} from './installation.ts';

/** Users and their passwords reach the stations; sessions do not. */
let central: Station;
let dock: Station;
let lab: Station;
beforeAll(async () => {
  central = await startCentral();
  dock = await startStation(central, 'Dock');
  lab = await startStation(central, 'Lab');
});
afterAll(() => Promise.all([central, dock, lab].map(each => each?.stop())));

const signIn = async (station: Station, password: string) =>
  (await new Browser(station.origin).signIn('ann', password)).status;

it('a user of central signs in at a station that has no network, and a password set at central reaches all', async () => {
  const user = {
    login: 'ann',
    name: 'Ann',
    roles: ['operator'],
    password: PASSWORD,
    is_password_temporary: false,
  };
  const { id } = dataOf<{ id: number }>(await central.post('/x/users', user));
  await untilInStep(central, [dock, lab]);
  // A station asks for first administrators no more: its users come from central.
  const atDock = new Browser(dock.origin);
  const before = dataOf<Record<string, unknown>>(await atDock.get('/x/session'));
  expect(before).toMatchObject({
    is_first_administrator_missing: false,
    station: { name: 'Dock', role: 'station' },
  });
  expect((await dock.post('/x/first-administrator/link', {})).status).toBe(409);
  // Nobody's password lies where that person does not sign in.
  expect([...passwordsIn(dock), ...passwordsIn(lab)]).toEqual([]);
  dataOf(await atDock.signIn('ann'));
  expect([[...passwordsIn(dock).keys()], [...passwordsIn(lab)]]).toEqual([[id], []]);
  await central.kill();
  expect((await atDock.signIn('ann')).status).toBe(201);
  // Elsewhere it is told what is missing, and to a stranger the same.
  await until(
    'away',
    () => syncOf(lab),
    ({ state }) => state === 'offline',
  );
  const refused = async (login: string) => errorOf(await new Browser(lab.origin).signIn(login));
  const said = await refused('ann');
  expect(said).toMatchObject({
    status: 401,
    message: expect.stringContaining('the first time needs central'),
  });
  expect(await refused('nobody')).toEqual(said);
  expect(passwordsIn(lab).size).toBe(0);
  // The session is the dock's alone.
  const atLab = new Browser(lab.origin);
  atLab.cookie = atDock.cookie;
  expect(dataOf<Record<string, unknown>>(await atLab.get('/x/session')).user).toBeNull();

  const fresh = 'nine brown otters';
  const body = { password: fresh, current_password: PASSWORD };
  expect((await atDock.post(`/x/users/${id}/password`, body)).status).toBe(403);
  const { id: supplier } = dataOf<{ id: number }>(await atDock.post('/suppliers', { name: 'Harbour' }));
  await central.start();
  const atCentral = new Browser(central.origin);
  dataOf(await atCentral.signIn('ann'));
  dataOf(await atCentral.post(`/x/users/${id}/password`, body));
  await untilPasswords(central, [dock, lab]);
  // The new password ends what was begun with the former one.
  await until(
    'out',
    () => atDock.get('/suppliers'),
    ({ status }) => status === 401,
  );
  dataOf(await atDock.signIn('ann', fresh));
  for (const station of [central, lab]) expect(await signIn(station, fresh)).toBe(201);
  expect(await signIn(lab, PASSWORD)).toBe(401);
  expect([...passwordsIn(lab).keys()]).toEqual([id]);
  await untilInStep(central, [dock, lab]);
  const history = dataOf<object[]>(await lab.get(`/x/history/supplier/${supplier}`));
  expect(history[0]).toMatchObject({ user: 'ann', user_name: 'Ann' });

  // One who is deactivated at central is out at the station.
  const listening = await atDock.listen();
  dataOf(await central.patch(`/x/users/${id}`, { is_active: false }));
  await until(
    'out',
    () => atDock.get('/suppliers'),
    ({ status }) => status === 401,
  );
  await expect.poll(listening.isOver).toBe(true);
  await until(
    'forgotten there',
    async () => passwordsIn(dock),
    ({ size }) => size === 0,
  );
  for (const station of [central, dock, lab]) {
    expect(await faultsOf(station)).toEqual([]);
    expect(station.output).not.toContain(fresh);
  }
});

it('hashes are for stations only, for each those of its people, and of no other form', async () => {
  const { key } = await enrolledStation(central, 'Odd');
  const nobodys = await callWith(central, key, 'POST', '/x/stations/secrets', { since: '', changed: [] });
  expect(dataOf(nobodys)).toMatchObject({ changed: [] });
  const odd = (await stationsOf(central)).find(({ name }) => name === 'Odd');
  const [ann] = dataOf<{ id: number }[]>(await central.get('/x/users'));
  dataOf(await central.patch(`/x/users/${ann?.id}`, { is_active: true }));
  dataOf(await central.post(`/x/stations/${odd?.id}/assign`, { user_id: ann?.id }));
  const ask = (changed: unknown[], by = key) =>
    callWith(central, by, 'POST', '/x/stations/secrets', { since: '', changed });
  expect((await ask([], central.token)).status).toBe(403);
  const known = dataOf<{ changed: { user_id: number; hash: string; version: number }[]; cursor: string }>(
    await ask([]),
  );
  expect(known.changed).toHaveLength(1);
  const again = callWith(central, key, 'POST', '/x/stations/secrets', { since: known.cursor, changed: [] });
  expect(dataOf(await again)).toMatchObject({ changed: [] });
  const [one] = known.changed;
  for (const bad of [
    { ...one, hash: 'plain text' },
    { ...one, hash: one?.hash.replace('$10$', '$19$') },
    { ...one, version: 2 ** 40 },
    { ...one, user_id: 'x' },
    null,
  ]) {
    expect((await ask([bad])).status, JSON.stringify(bad)).toBe(422);
  }
  // Older ones change nothing.
  const older = { ...one, version: 1, changed_at: '2020-01-01T00:00:00.000Z' };
  expect(dataOf(await ask([older]))).toMatchObject({ cursor: known.cursor });
});

it('commands at central assign people to a station, list them, and take them away', async () => {
  const person = { login: 'bea', name: 'Bea', roles: ['operator'], password: PASSWORD };
  const { id } = dataOf<{ id: number }>(
    await central.post('/x/users', { ...person, is_password_temporary: false }),
  );
  const listed = (await stationsOf(central)).find(({ name }) => name === 'Lab');
  const at = String(listed?.id);
  const command = (...words: string[]) => holdpoint(environmentOf(central), 'station', ...words);
  const line = new RegExp(`^${id} +bea +Bea +assigned$`, 'm');
  expect((await command('people', at)).stdout).not.toMatch(/bea/);
  const assigned = await command('assign', at, 'bea');
  expect(assigned).toMatchObject({ code: 0, stdout: expect.stringMatching(line) });
  expect((await command('people', at)).stdout).toBe(assigned.stdout);
  await until(
    'given',
    async () => passwordsIn(lab),
    given => given.has(id),
  );
  const unassigned = await command('unassign', at, 'bea');
  expect(unassigned.code).toBe(0);
  expect(unassigned.stdout).toMatch(/^ID +LOGIN +NAME +SINCE$/m);
  expect(unassigned.stdout).not.toMatch(/bea/);
  await until(
    'taken away',
    async () => passwordsIn(lab),
    given => !given.has(id),
  );
  for (const [words, says] of [
    [['assign', at, 'nobody'], 'nobody'],
    [['assign', '999', 'bea'], '999'],
    [['people', '999'], '999'],
  ] as const) {
    const refused = await command(...words);
    expect(refused.code).toBe(1);
    expect(refused.output).toMatch(new RegExp(`^holdpoint: .*${says}`, 'm'));
  }
});
