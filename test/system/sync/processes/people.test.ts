import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newCommitId } from '../../../../server/store/commit-id.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { callWith } from '../../../server/enrolment/enrolled.ts';
import { Browser, errorOf, PASSWORD } from '../../../server/identity/browser.ts';
import { temporaryStore } from '../../../server/store/temporary-store.ts';
import { environmentOf, holdpoint } from '../../../server/transfer/holdpoint.ts';
import type { Answer, Station } from '../../../support/station.ts';
import {
  dataOf,
  faultsOf,
  startCentral,
  startStation,
  syncOf,
  until,
  untilInStep,
  untilPasswords,
} from './installation.ts';

/** What a station tried on version 0.1.0 to rule central by, and where honest people are sent. */
let central: Station;
let dock: Station;
/** Root at the dock. */
let administrator: Browser;
let root: number;
let folder: string;
beforeAll(async () => {
  central = await startCentral();
  const user = {
    login: 'root',
    name: 'Root',
    roles: ['administrator'],
    password: PASSWORD,
    is_password_temporary: false,
  };
  root = dataOf<{ id: number }>(await central.post('/x/users', user)).id;
  dataOf(
    await central.post('/x/users', {
      ...user,
      login: 'quinn',
      name: 'Quinn',
      roles: ['quality'],
    }),
  );
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-test-'));
  dock = await startStation(central, 'Dock', { folder });
  await untilInStep(central, [dock]);
  administrator = new Browser(dock.origin);
  await untilPasswords(central, [dock]);
  dataOf(await administrator.signIn('root'));
});
afterAll(async () => {
  await dock?.stop();
  await central?.stop();
  rmSync(folder, { recursive: true });
});

async function signIn(station: Station, login: string, password = PASSWORD): Promise<number> {
  return (await new Browser(station.origin).signIn(login, password)).status;
}

async function signedIn(station: Station, login: string): Promise<Browser> {
  const browser = new Browser(station.origin);
  dataOf(await browser.signIn(login));
  return browser;
}

const byToken = (method: string, path: string, body?: unknown): Promise<Answer> =>
  dock.call(method, path, {
    headers: { authorization: `Bearer ${dock.token}` },
    ...(body === undefined ? {} : { body }),
  });

const EVE = {
  login: 'eve',
  name: 'Eve',
  roles: ['administrator'],
  password: PASSWORD,
  is_password_temporary: false,
};

describe('at a station of a central', () => {
  it.each([
    ['makes a user', 'POST', '/x/users', () => EVE],
    ['gives a role', 'PATCH', '/x/users/ROOT', () => ({ roles: ['viewer'] })],
    ['ends a user', 'PUT', '/x/users/ROOT', () => ({ is_active: false })],
    ['sets a password', 'POST', '/x/users/ROOT/password', () => ({ password: 'nine brown otters' })],
    ["sets the site's policy", 'PUT', '/x/settings', () => ({ is_esignature_required: true })],
  ])('nobody %s, and all are told where', async (_, method, path, body) => {
    const way = path.replace('ROOT', String(root));
    for (const answer of [
      await dock.call(method, way, { body: body() }),
      await administrator.call(method, way, { body: body() }),
    ]) {
      expect(errorOf(answer)).toMatchObject({
        status: 403,
        message: expect.stringContaining(`central: ${central.origin}`),
      });
    }
    expect(errorOf(await byToken(method, way, body()))).toMatchObject({ status: 403 });
    expect(dataOf(await administrator.get('/x/session'))).toMatchObject({
      station: { role: 'station', central_address: central.origin },
    });
    expect(dataOf(await central.get(`/x/users/${root}`))).toMatchObject({
      roles: ['administrator'],
      is_active: true,
    });
    expect(dataOf(await central.get('/x/settings'))).toMatchObject({ is_esignature_required: false });
  });

  it('after all of that the password is what it was', async () => {
    expect(await signIn(central, 'root')).toBe(201);
    expect(await signIn(dock, 'root')).toBe(201);
  });

  it('a file of users is not imported past it, and nothing of it is written', async () => {
    const mapping = {
      source: 'elsewhere',
      steps: [{ format: 'holdpoint', file: 'user.jsonl', family: 'user' }],
    };
    const { id } = dataOf<{ id: string }>(await dock.post('/x/imports', { mapping }));
    const file = `${JSON.stringify({ login: 'eve', name: 'Eve', roles: ['administrator'] })}\n`;
    await dock.call('PUT', `/x/imports/${id}/files/user.jsonl`, {
      body: file,
      headers: { 'content-type': 'application/octet-stream' },
    });
    await dock.post(`/x/imports/${id}/run`);
    const over = await until(
      'over',
      async () => dataOf<{ state: string; message: string }>(await dock.get(`/x/imports/${id}`)),
      ({ state }) => !['waiting', 'running'].includes(state),
    );
    expect([over.state, JSON.stringify(over)]).toEqual([
      'failed',
      expect.stringContaining('needs the role administrator'),
    ]);
    expect(JSON.stringify(dataOf(await dock.get('/x/users')))).not.toContain('eve');
    expect(await signIn(dock, 'eve')).toBe(401);
  });

  it('a token counts as operator and inspector, says so, and administers nothing', async () => {
    expect((await byToken('POST', '/suppliers', { name: 'By a token' })).status).toBe(201);
    for (const [method, path, body] of [
      ['GET', '/x/tokens'],
      ['POST', '/x/tokens', { name: 'More', scopes: ['admin'] }],
      ['POST', '/x/backups', {}],
      ['PUT', '/x/settings', { backup_keep: 3 }],
      ['POST', '/x/specifications', { name: 'A template' }],
    ] as const) {
      const refused = errorOf(await byToken(method, path, body));
      expect(refused, path).toMatchObject({ status: 403 });
    }
    const file = readFileSync(join(dock.folder, 'token'), 'utf8').trim();
    const call = (path: string) => dock.call('GET', path, { headers: { authorization: `Bearer ${file}` } });
    expect([(await call('/x/tokens')).status, (await call('/suppliers')).status]).toEqual([403, 200]);
    expect(dataOf(await dock.get('/x/tokens'))).toMatchObject([
      { name: 'first token', scopes: ['read', 'write', 'admin'], effective_scopes: ['read', 'write'] },
    ]);
  });

  it('the owner of the data folder looks after the machine, by a credential that ends with the server', async () => {
    const path = join(dock.folder, 'owner-credential');
    const secret = readFileSync(path, 'utf8');
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    dataOf(await dock.put('/x/settings', { backup_keep: 3 }));
    expect(dataOf(await central.get('/x/settings'))).toMatchObject({ backup_keep: 14 });
    const env = environmentOf(dock);
    for (const command of [['backup'], ['rebuild'], ['token', 'list'], ['verify', '--central']]) {
      const { code, output } = await holdpoint(env, ...command);
      expect([code, output], command.join(' ')).toMatchObject([0, expect.any(String)]);
    }
    const made = await holdpoint(env, 'user', 'list');
    expect(made.output).toContain('quinn');
    await dock.restart();
    expect(readFileSync(path, 'utf8')).not.toBe(secret);
    const old = { authorization: `Bearer ${secret.trim()}` };
    expect((await dock.call('GET', '/suppliers', { headers: old })).status).toBe(401);
    await dock.kill();
    // Without a server the command opens the folder itself.
    expect((await holdpoint(env, 'backup')).code).toBe(0);
    await dock.start();
  });

  it('wrong passwords lock out there and nowhere else, and the language is a choice of that machine', async () => {
    const other = await startStation(central, 'Other');
    try {
      await untilPasswords(central, [other]);
      for (let turn = 0; turn < 6; turn += 1) await signIn(dock, 'quinn', `wrong ${turn}`);
      // A wrong one counts from its begin: who comes right after it waits.
      const wrong = signIn(dock, 'quinn', 'wrong once more');
      await sleep(50);
      expect(await signIn(dock, 'quinn')).toBe(429);
      await wrong;
      expect(await signIn(other, 'quinn')).toBe(201);
      expect(await signIn(central, 'quinn')).toBe(201);
    } finally {
      await other.stop();
    }
    const at = administrator;
    const { version } = dataOf<{ version: number }>(await central.get(`/x/records/user/${root}`));
    expect(dataOf(await at.post(`/x/users/${root}/language`, { language: 'de' }))).toMatchObject({
      language: 'de',
    });
    expect(dataOf(await at.get('/x/session'))).toMatchObject({ user: { language: 'de' } });
    expect(dataOf(await central.get(`/x/records/user/${root}`))).toMatchObject({ version });
    await until(
      'sent',
      () => syncOf(dock),
      ({ unsent }) => unsent === 0,
    );
    expect((await syncOf(dock)).held).toEqual([]);
  });
});

it('passwords that a station sends are answered as ever and not taken', async () => {
  const key = readFileSync(join(dock.folder, 'station.key'), 'utf8').trim();
  const ask = (changed: unknown[]) =>
    callWith(central, key, 'POST', '/x/stations/secrets', {
      since: '',
      changed,
    });
  const known = dataOf<{ changed: { user_id: number; hash: string; version: number }[] }>(await ask([]));
  const [mine] = known.changed;
  const users = dataOf<{ id: number }[]>(await central.get('/x/users'));
  const forged = users.map(({ id }) => ({ ...mine, user_id: id, version: 9 }));
  expect(dataOf<{ changed: object[] }>(await ask(forged)).changed).toEqual(known.changed);
  expect([known.changed.length, forged.length > 1]).toEqual([1, true]);
  expect(await signIn(central, 'root')).toBe(201);
  await expect.poll(() => central.output).toContain('A station sent passwords of users. They are not taken');
});

it('what an altered station writes of users and settings is held, and decided by an administrator', async () => {
  await dock.stop();
  const { creator } = dataOf<{ creator?: string }>(await central.get(`/x/records/user/${root}`));
  const store = await temporaryStore({ folder: dock.folder });
  const station = new StationStore(store, syncRules, store.database);
  const over = [store.records.get('user', root)?.creator ?? creator ?? ''];
  const set = (subject: string, path: string, value: unknown, seen: string[]) => ({
    subject,
    changes: [{ path, old: null, new: value, over: seen }],
  });
  const at = new Date().toISOString();
  const about = { at, clock_offset: null, user: 'root', reason: null };
  const eve = [
    ['name', 'Eve'],
    ['login', 'eve'],
    ['roles', ['administrator']],
    ['is_active', true],
  ].map(([path, value]) => ({ path: String(path), old: null, new: value, over: [] }));
  await station.writeOwn(() => [
    { ...about, commit_id: newCommitId(), entries: [{ subject: 'user:1048999', changes: eve }] },
    { ...about, commit_id: newCommitId(), entries: [set(`user:${root}`, 'is_active', false, over)] },
    {
      ...about,
      commit_id: newCommitId(),
      entries: [set('setting:1', 'idle_lock_minutes', 0, [store.records.get('setting', 1)?.creator ?? ''])],
    },
  ]);
  await store.close();
  await dock.start();
  const held = await until(
    'held',
    () => syncOf(central),
    state => state.held.length === 3,
  );
  expect(held.held.map(({ code, is_administrative: isFor }) => [code, isFor])).toEqual(
    Array(3).fill(['central_decides', true]),
  );
  expect(held.held[0]?.why).toContain('only central writes');
  await until(
    'told there',
    () => syncOf(dock),
    state => state.held.length === 3,
  );
  for (const machine of [central, dock]) {
    expect(await signIn(machine, 'eve')).toBe(401);
    expect(await signIn(machine, 'root')).toBe(201);
    expect(dataOf(await machine.get('/x/settings'))).toMatchObject({ idle_lock_minutes: 15 });
    expect((await machine.get('/x/users/1048999')).status).toBe(404);
  }
  const quinn = await signedIn(central, 'quinn');
  for (const { commit_id: id } of held.held) {
    for (const verb of ['release', 'withdraw']) {
      expect((await quinn.post(`/x/held/${id}/${verb}`, { reason: 'Mine.' })).status).toBe(403);
    }
  }
  const atCentral = await signedIn(central, 'root');
  const [first, ...others] = held.held.map(({ commit_id: id }) => id);
  for (const id of others) dataOf(await atCentral.post(`/x/held/${id}/withdraw`, { reason: 'Not ours.' }));
  // As somebody whom a fleet of 0.1.0 brought along: such a user stays, and is told apart until central saves it.
  dataOf(await atCentral.post(`/x/held/${first}/release`, { reason: 'She works there.' }));
  const code = dataOf<{ station: { code: string } }>(await atCentral.get('/x/session')).station.code;
  const writtenAt = async (id: number) =>
    dataOf<{ written_at: string }>(await central.get(`/x/users/${id}`)).written_at;
  expect(await writtenAt(1_048_999)).toBe(store.station);
  expect(await writtenAt(root)).toBe(code);
  dataOf(await atCentral.put('/x/users/1048999', { roles: [] }));
  expect(await writtenAt(1_048_999)).toBe(code);
  await untilInStep(central, [dock]);
  // The station's own counter knows nothing of an id that was given past it.
  expect(await faultsOf(central)).toEqual([]);
});

it('the credential is gone with the server', async () => {
  await dock.stop();
  expect(existsSync(join(dock.folder, 'owner-credential'))).toBe(false);
  await dock.start();
});
