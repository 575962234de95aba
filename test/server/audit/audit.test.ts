import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyDependencies } from '../../../server/backup/verify-dependencies.ts';
import { readHistory } from '../../../server/store/history.ts';
import { verify } from '../../../server/store/verify/verify.ts';
import type { AuditEventAnswer } from '../../../shared/operations/audit-operations.ts';
import type { Browser } from '../identity/browser.ts';
import { dataOf, errorOf, PASSWORD } from '../identity/browser.ts';
import { ClockedStation } from '../identity/clocked-station.ts';

/** The system's own trail, by the interface of a stand-alone installation. */
const at = new ClockedStation();
const ids = { quinn: 0, ann: 0 };
let quinn: Browser;
beforeAll(async () => {
  await at.start();
  ids.quinn = await at.user('quinn', ['quality']);
  ids.ann = await at.user('ann', ['operator']);
  quinn = await at.signedIn('quinn');
});
afterAll(() => at.end());

const commits = () =>
  at.station.store.database.reader.get<{ n: number }>('SELECT count(*) AS n FROM history')?.n ?? 0;
const list = async (query: string) => dataOf<AuditEventAnswer[]>(await quinn.get(`/x/audit?${query}`));
const newest = async (kind: string) => (await list(`kind=${kind}&order=desc&per_page=1`))[0];

describe('what a session does', () => {
  it('is noted with who, from where and which session, in one commit each', async () => {
    // The first time a key is made as well.
    await at.signedIn('ann');
    const before = commits();
    const browser = await at.signedIn('ann');
    expect(commits() - before).toBe(1);
    const begun = await newest('signed_in');
    expect(begun).toMatchObject({
      author: 'ann',
      author_name: 'Name of ann',
      address: '127.0.0.1',
      subject: `user:${ids.ann}`,
      count: null,
      station: at.station.store.station,
      details: { session: expect.stringMatching(/^[0-9a-f]{12}$/) },
    });
    for (const path of ['/suppliers', '/x/session', '/inventory', '/x/overview']) await browser.get(path);
    expect(commits() - before).toBe(1);
    expect((await browser.post('/x/session/end')).status).toBe(200);
    expect(commits() - before).toBe(2);
    expect(await newest('signed_out')).toMatchObject({ author: 'ann', details: begun?.details });
  });

  it('ends unused, and says when; whoever ends others is named', async () => {
    const browser = await at.signedIn('ann');
    at.wait(12 * 60 + 5);
    expect(dataOf<{ user: unknown }>(await browser.get('/x/session')).user).toBeNull();
    quinn = await at.signedIn('quinn');
    const expired = await list('kind=session_expired&person=ann');
    expect(expired.at(-1)).toMatchObject({ author: 'ann', subject: `user:${ids.ann}` });
    const [, again] = [await at.signedIn('ann'), await at.signedIn('ann')];
    dataOf(await at.call('PUT', `/x/users/${ids.ann}`, { is_active: false }));
    await expect.poll(async () => (await again.get('/suppliers')).status).toBe(401);
    const ended = (await list('kind=session_ended&order=desc')).slice(0, 2);
    expect(ended).toMatchObject([
      { author: 'HOLDPOINT_TOKEN', subject: `user:${ids.ann}`, details: { cause: 'deactivated' } },
      { author: 'HOLDPOINT_TOKEN', subject: `user:${ids.ann}`, details: { cause: 'deactivated' } },
    ]);
    dataOf(await at.call('PUT', `/x/users/${ids.ann}`, { is_active: true }));
  });
});

describe('failures', () => {
  it('are counted by hour and address; what was typed for a login that nobody has is nowhere', async () => {
    const typed = 'Hunter2-of-my-bank';
    for (const login of ['ann', 'ann', typed]) await at.browser().signIn(login, 'wrong, wrong');
    const headers = { authorization: 'Bearer hp_no-such-token' };
    expect((await at.browser().call('GET', '/suppliers', { headers })).status).toBe(401);
    // It outlives the process, and is noted once the hour is over.
    const before = commits();
    await at.stop();
    await at.start();
    expect(commits()).toBe(before);
    await at.stop();
    at.wait(60);
    await at.start();
    await expect.poll(commits).toBe(before + 1);
    quinn = await at.signedIn('quinn');
    const failed = await list('kind=sign_in_failed');
    expect(failed).toMatchObject([
      {
        address: '127.0.0.1',
        author: null,
        count: 4,
        details: { users: { ann: 2 }, unknown_logins: 1, refused_tokens_and_codes: 1 },
      },
    ]);
    expect(failed[0]?.at).toMatch(/:00:00\.000Z$/);
    const files = readdirSync(at.folder, { withFileTypes: true, recursive: true }).filter(file =>
      file.isFile(),
    );
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name)).includes(typed), name).toBe(false);
    expect(at.log.includes(typed)).toBe(false);
  });

  it('lock out, which is noted once', async () => {
    const browser = at.browser();
    for (let time = 0; time < 12; time += 1) {
      await browser.signIn('ann', 'wrong, wrong');
      at.wait(2);
    }
    quinn = await at.signedIn('quinn');
    await expect.poll(async () => (await list('kind=locked_out')).length).toBe(1);
    expect(await newest('locked_out')).toMatchObject({ author: 'ann', subject: `user:${ids.ann}` });
    at.wait(16);
    quinn = await at.signedIn('quinn');
  });
});

it('tokens, users and settings are noted with what changed, and by whom', async () => {
  const made = dataOf(await at.call('POST', '/x/tokens', { name: 'Scale 3', scopes: ['read'] }));
  dataOf(await at.call('POST', `/x/tokens/${made.id}/revoke`));
  dataOf(await at.call('POST', `/x/tokens/${made.id}/revoke`));
  expect((await at.call('POST', '/x/tokens', { name: 'Scale 3', scopes: ['read'] })).status).toBe(422);
  // The first one is the start's.
  expect((await list('kind=token_created,token_revoked')).slice(1)).toMatchObject([
    { kind: 'token_created', author: 'HOLDPOINT_TOKEN', details: { token: 'Scale 3', scopes: ['read'] } },
    { kind: 'token_revoked', author: 'HOLDPOINT_TOKEN', details: { token: 'Scale 3' } },
  ]);
  dataOf(
    await at.call('PUT', '/x/settings', { expiry_soon_days: 60, backup_keep: 20, reason: 'As agreed.' }),
  );
  expect(await list('kind=settings_changed')).toMatchObject([
    { details: { backup_keep: '14 → 20', of: 'this machine' } },
    {
      subject: 'setting:1',
      address: '127.0.0.1',
      details: { expiry_soon_days: '30 → 60', reason: 'As agreed.' },
    },
  ]);
  dataOf(await at.call('PUT', `/x/users/${ids.ann}`, { roles: ['inspector'] }));
  expect(await newest('user_changed')).toMatchObject({
    subject: `user:${ids.ann}`,
    address: '127.0.0.1',
    details: { login: 'ann', roles: 'operator → inspector' },
  });
});

describe('who looks for something', () => {
  it('narrows it by period, person, kind and record, page by page', async () => {
    const all = await list('per_page=500');
    const moments = all.map(event => event.at);
    expect(moments).toEqual([...moments].sort());
    const first = await quinn.get('/x/audit?per_page=2&page=2');
    expect(first.body).toMatchObject({ meta: { total: all.length, from: 3, to: 4, per_page: 2 } });
    expect(dataOf<AuditEventAnswer[]>(first)).toEqual(all.slice(2, 4));
    const anns = await list('person=Ann&per_page=500');
    expect(anns).toEqual(
      all.filter(({ author, subject }) => author === 'ann' || subject === `user:${ids.ann}`),
    );
    const middle = all[Math.floor(all.length / 2)]?.at ?? '';
    expect(await list(`from=${middle}&per_page=500`)).toEqual(
      all.filter(event => (event.at ?? '') >= middle),
    );
    expect(await list(`to=${middle}&per_page=500`)).toEqual(all.filter(event => (event.at ?? '') <= middle));
    expect(await list(`record=user:${ids.quinn}&kind=user_created`)).toHaveLength(1);
    expect(await list('person=nobody')).toEqual([]);
  });

  it.each([
    ['from=yesterday', 'from'],
    ['from=2026-06-16&to=2026-06-15', 'from'],
    ['record=ncr', 'record'],
    ['record=thing:5', 'record'],
    ['order=upwards', 'order'],
  ])('%s is refused by name', async (query, field) => {
    expect(errorOf(await quinn.get(`/x/audit?${query}`))).toMatchObject({ status: 422, fields: [field] });
  });

  it('reads one with its place in history', async () => {
    const event = await newest('user_changed');
    const one = dataOf<{ commit: { hash: string; number: number } }>(
      await quinn.get(`/x/audit/${event?.id}`),
    );
    const store = at.station.store;
    const history = readHistory(
      store.database.reader,
      store.records.subjectNumber('audit-event', event?.id ?? 0),
      0,
      1,
    );
    expect(one.commit).toMatchObject({ hash: history.commits[0]?.hash });
    expect((await quinn.get('/x/audit/999999')).status).toBe(404);
  });

  it('takes it along as CSV and JSON, the same events', async () => {
    const read = async (format: string) => {
      const headers = { cookie: quinn.cookie };
      const response = await fetch(
        `${at.station.origin}/api/v2/x/audit/export?format=${format}&kind=signed_in`,
        { headers },
      );
      expect(response.status).toBe(200);
      return response.text();
    };
    const events = await list('kind=signed_in&per_page=500');
    expect(
      (await read('json'))
        .trim()
        .split('\n')
        .map(line => JSON.parse(line)),
    ).toEqual(events);
    const [head, ...lines] = (await read('csv')).trim().split('\r\n');
    expect(head).toBe('id,at,kind,author,author_name,address,subject,count,details,station,station_name');
    expect(lines).toHaveLength(events.length);
    expect(lines[0]).toContain(`${events[0]?.at},signed_in,quinn,Name of quinn,127.0.0.1`);
  });
});

describe('nobody', () => {
  it('below quality reads it, nor a token without the scope admin, by any door', async () => {
    const ann = await at.signedIn('ann');
    const { secret } = dataOf(
      await at.call('POST', '/x/tokens', { name: 'Writer', scopes: ['read', 'write'] }),
    );
    const headers = { authorization: `Bearer ${secret}` };
    const { id } = (await list('kind=signed_in'))[0] ?? {};
    const kinds = ['records', 'history', 'signatures', 'references'];
    for (const path of [
      '/x/audit',
      `/x/audit/${id}`,
      '/x/audit/export',
      '/x/exports/audit-event',
      '/x/records/audit-event',
    ].concat(kinds.map(kind => `/x/${kind}/audit-event/${id}`))) {
      expect((await ann.get(path)).status, path).toBe(403);
      expect((await at.browser().call('GET', path, { headers })).status, path).toBe(403);
    }
    expect((await at.call('GET', '/x/audit')).status).toBe(200);
    expect((await quinn.get(`/x/history/audit-event/${id}`)).status).toBe(200);
  });

  it('writes, changes or brings one, whatever the role and the door', async () => {
    const { id } = (await list('kind=signed_in'))[0] ?? {};
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      for (const path of [
        '/x/audit',
        `/x/audit/${id}`,
        '/x/audit/bulk',
        `/audit/${id}`,
        '/x/records/audit-event',
      ])
        expect([404, 405], `${method} ${path}`).toContain(
          (await at.call(method, path, { kind: 'signed_in' })).status,
        );
    const steps = [{ family: 'audit-event', file: 'events.jsonl', format: 'holdpoint' }];
    const mapping = { source: 'elsewhere', files: { 'events.jsonl': { format: 'json' } }, steps };
    const refused = errorOf(await at.call('POST', '/x/imports', { mapping }));
    expect(refused).toMatchObject({ status: 422, fields: ['mapping.steps.0.family'] });
  });
});

it('what was kept in the data folder is noted once, with the moment that it had', async () => {
  const event = {
    kind: 'restored',
    author: 'command-line',
    at: '2026-06-01T08:00:00.000Z',
    details: { lacked: 3 },
  };
  await at.stop();
  appendFileSync(join(at.folder, 'audit-events.jsonl'), `${JSON.stringify(event)}\n{"kind": "torn`);
  await at.start();
  quinn = await at.signedIn('quinn');
  await expect
    .poll(async () => list('kind=restored'))
    .toMatchObject([{ at: event.at, author: 'command-line' }]);
  expect(existsSync(join(at.folder, 'audit-events.jsonl'))).toBe(false);
});

it('is as sound as everything else in the store', async () => {
  const store = at.station.store;
  const found: unknown[] = [];
  await at.stop();
  const report = await verify(at.folder, verifyDependencies);
  found.push(...report.findings);
  expect(found).toEqual([]);
  expect(store.station).toMatch(/./);
  await at.start();
  expect((await at.browser().signIn('quinn', PASSWORD)).status).toBe(201);
});
