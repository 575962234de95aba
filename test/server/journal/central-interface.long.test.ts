import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyDependencies } from '../../../server/backup/verify-dependencies.ts';
import { verify } from '../../../server/store/verify/verify.ts';
import { POSTGRES, Postgres } from '../../support/postgres.ts';
import { type Answer, Station } from '../../support/station.ts';
import { backupOf } from '../backup/sent-backup.ts';
import { callWith, enrolledStation, newCode } from '../enrolment/enrolled.ts';
import { samplesOf } from '../metrics/samples.ts';
import { holdpoint } from '../transfer/holdpoint.ts';
import { Receiver } from '../webhooks/receiver.ts';
import { Balancer } from './balancer.ts';

const LIMIT_MS = 600_000;
const PASSWORD = 'correct horse battery staple 7';
const KEYS = ['authority.key', 'webhook.key'];

function dataOf<Data = { id: number }>({ status, body }: Answer): Data {
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return (body as { data: Data }).data;
}

describe.skipIf(POSTGRES === undefined)('processes of the product that are one central', () => {
  const postgres = new Postgres();
  const dock = new Station();
  const balancer = new Balancer(() => processes.map(({ origin }) => Number(new URL(origin).port)));
  let processes: Station[] = [];
  let one: Station;
  let other: Station;
  /** Of an administrator's token: the owners' tokens of the processes are two. */
  let everywhere = '';

  function newProcess(): Station {
    const folder = mkdtempSync(join(tmpdir(), 'holdpoint-process-'));
    const env = {
      HOLDPOINT_JOURNAL: postgres.url('central'),
      HOLDPOINT_HOSTS: new URL(balancer.origin).host,
      HOLDPOINT_WEBHOOK_TARGETS: '127.0.0.0/8',
    };
    return new Station({ role: 'central', folder, env });
  }

  beforeAll(async () => {
    await balancer.start();
    await postgres.start();
    await postgres.createDatabase('central');
    [one, other] = [newProcess(), newProcess()];
    await one.start();
  }, LIMIT_MS);

  afterAll(async () => {
    balancer.stop();
    await Promise.all([dock.stop(), ...processes.map(each => each.stop())]);
    await postgres.stop();
    for (const { folder } of processes) rmSync(folder, { recursive: true, force: true });
  }, LIMIT_MS);

  /** As a balancer asks, which has no token. */
  async function standingOf(all: readonly Station[]) {
    const headers = { authorization: undefined };
    const answers = await Promise.all(all.map(each => each.call('GET', '/x/health', { headers })));
    const found = answers.map(answer => dataOf<{ journal: { is_worker: boolean } }>(answer).journal);
    return { ready: found.length, workers: found.filter(({ is_worker: is }) => is).length };
  }

  const secretIn = (made: object) =>
    String(Object.values(made).find(value => typeof value === 'string' && value.startsWith('hp_')));
  const by = (token: string, headers: Record<string, string> = {}) => ({
    headers: { authorization: `Bearer ${token}`, ...headers },
  });

  it(
    'takes in another process that has the same keys, and no other one',
    async () => {
      await expect(other.start()).rejects.toThrow('authority.key is missing');
      for (const name of KEYS) copyFileSync(join(one.folder, name), join(other.folder, name));
      await other.start();
      processes = [one, other];
      const made = await one.post('/x/tokens', { name: 'administration', scopes: ['admin'] });
      everywhere = secretIn(dataOf<object>(made));
      const companies = await Promise.all(processes.map(each => each.get('/companies')));
      expect(companies.map(answer => dataOf<unknown[]>(answer).length)).toEqual([1, 1]);
    },
    LIMIT_MS,
  );

  it(
    'takes the code of one at the other, and knows there who has signed in here',
    async () => {
      const code = /first#([A-Z2-7]{26})/.exec(one.output)?.[1] ?? '';
      const own = (at: Station, cookie = '') => ({
        headers: { authorization: undefined, origin: at.origin, ...(cookie && { cookie }) },
      });
      const body = { code, name: 'Boss', login: 'boss', password: PASSWORD };
      const made = await other.call('POST', '/x/first-administrator', { ...own(other), body });
      expect(made.status).toBe(201);
      const cookie = made.headers.getSetCookie().at(-1)?.split(';')[0] ?? '';
      const supplier = await one.call('POST', '/suppliers', {
        ...own(one, cookie),
        body: { name: 'Harbour' },
      });
      const { id } = dataOf(supplier);
      const history = dataOf<object[]>(
        await other.call('GET', `/x/history/supplier/${id}`, own(other, cookie)),
      );
      expect(history).toEqual([expect.objectContaining({ user: 'boss', author_proof: 'proved' })]);
      const again = await one.call('POST', '/x/session', {
        ...own(one),
        body: { login: 'boss', password: PASSWORD },
      });
      expect(again.status).toBe(201);
      await one.call('POST', '/x/session/end', { ...own(one, cookie), body: {} });
      expect((await other.call('GET', '/suppliers', own(other, cookie))).status).toBe(401);
    },
    LIMIT_MS,
  );

  it(
    'takes a token of one at the other until it is revoked at either',
    async () => {
      const made = dataOf<{ secret: string; id: number; token: { id: number } }>(
        await one.post('/x/tokens', { name: 'scale', scopes: ['write'] }),
      );
      const secret = secretIn(made);
      expect((await other.call('GET', '/suppliers', by(secret))).status).toBe(200);
      const id = made.id ?? made.token.id;
      expect((await other.post(`/x/tokens/${id}/revoke`, {})).status).toBe(200);
      for (const each of processes)
        expect((await each.call('GET', '/suppliers', by(secret))).status).toBe(401);
    },
    LIMIT_MS,
  );

  it(
    'does once what is sent to both at the same time with one Idempotency-Key',
    async () => {
      const made = dataOf<object>(await one.post('/x/tokens', { name: 'integration', scopes: ['write'] }));
      const secret = secretIn(made);
      const ids = await Promise.all(
        Array.from({ length: 20 }, async (_, n) => {
          const sent = { ...by(secret, { 'idempotency-key': randomUUID() }), body: { name: `Once ${n}` } };
          const answers = await Promise.all(processes.map(each => each.call('POST', '/suppliers', sent)));
          expect(answers.map(({ status }) => status)).toEqual([201, 201]);
          return answers.map(answer => dataOf(answer).id);
        }),
      );
      expect(ids.filter(([here, there]) => here !== there)).toEqual([]);
      const { body } = await other.get('/suppliers', { per_page: 200 });
      const names = (body as { data: { name: string }[] }).data.map(({ name }) => name);
      expect(names.filter(name => name.startsWith('Once')).length).toBe(20);
    },
    LIMIT_MS,
  );

  it(
    'tells at each what was written at the other: a wait ends, and a webhook is sent once',
    async () => {
      const receiver = await new Receiver().open();
      const wanted = { name: 'erp', url: receiver.url, families: ['supplier'] };
      dataOf(await one.call('POST', '/x/webhooks', { ...by(everywhere), body: wanted }));
      // Whoever of the two sends, both say so.
      const lists = await Promise.all(processes.map(each => each.call('GET', '/x/webhooks', by(everywhere))));
      expect(lists.map(answer => dataOf<unknown[]>(answer).length)).toEqual([1, 1]);
      const { body } = await other.get('/x/changes');
      const { cursor } = (body as { meta: { cursor: string } }).meta;
      const waiting = other.get('/x/changes', { since: cursor, wait: 30 });
      const { id } = dataOf(await one.post('/suppliers', { name: 'Heard' }));
      const heard = dataOf<{ id: number }[]>(await waiting);
      expect(heard.map(change => change.id)).toContain(id);
      await expect.poll(() => receiver.seen.length).toBe(1);
      await receiver.close();
    },
    LIMIT_MS,
  );

  it(
    'answers at either what runs at one of them',
    async () => {
      const job = dataOf<{ id: string }>(
        await other.call('POST', '/x/imports', {
          ...by(everywhere),
          body: {
            mapping: {
              source: 'test',
              steps: [{ file: 's.csv', family: 'supplier', key: 'no', fields: { name: 'name' } }],
            },
          },
        }),
      );
      expect(await standingOf(processes)).toEqual({ ready: 2, workers: 1 });
      const there = await Promise.all(
        processes.map(each => each.call('GET', `/x/imports/${job.id}`, by(everywhere))),
      );
      expect(there.map(({ status }) => status)).toEqual([200, 200]);
    },
    LIMIT_MS,
  );

  it(
    'says to monitors how it stands with the journal, and how long it waited for it',
    async () => {
      const before = await Promise.all(processes.map(samplesOf));
      dataOf(await one.post('/suppliers', { name: 'Counted' }));
      await expect
        .poll(async () => (await samplesOf(other)).get('holdpoint_commits_total'))
        .toBe((before[1]?.get('holdpoint_commits_total') ?? 0) + 1);
      const after = await Promise.all(processes.map(samplesOf));
      for (const samples of after) {
        expect(samples.get('holdpoint_journal_up')).toBe(1);
        expect(samples.get('holdpoint_journal_parted')).toBe(0);
        expect(samples.get('holdpoint_journal_lag_turns')).toBe(0);
      }
      const workers = after.map(samples => samples.get('holdpoint_journal_worker'));
      expect(workers.sort()).toEqual([0, 1]);
      // The lock, the group with the supplier, and what the other one read of it.
      const waits = (at: number, operation: string) =>
        [before, after].map(
          samples => samples[at]?.get('holdpoint_journal_duration_seconds_count', { operation }) ?? 0,
        );
      for (const [at, operation] of [
        [0, 'lock'],
        [0, 'append'],
        [1, 'read'],
      ] as const) {
        const [then = 0, now = 0] = waits(at, operation);
        expect(now).toBeGreaterThan(then);
      }
    },
    LIMIT_MS,
  );

  it(
    'lists at each the backups of stations that one of them keeps',
    async () => {
      const { key, station, name } = await enrolledStation(one, 'Yard');
      const backup = backupOf(station, '2026-11-26T08:00:00.000Z');
      const sent = await callWith(other, key, 'POST', '/x/stations/backup', {
        ...backup.about,
        from: 0,
        data: backup.bytes.toString('base64'),
      });
      expect(sent.status).toBe(200);
      const kept = await Promise.all(
        processes.map(async each => {
          const all = dataOf<{ name: string; kept_backup: object | null }[]>(
            await each.call('GET', '/x/stations', by(everywhere)),
          );
          return all.find(listed => listed.name === name)?.kept_backup;
        }),
      );
      expect(kept).toEqual(
        processes.map(() => expect.objectContaining({ bytes: backup.bytes.length, count: 1 })),
      );
    },
    LIMIT_MS,
  );

  it(
    'exchanges with a station that meets now one and now the other, also while one is killed',
    async () => {
      await dock.start();
      const code = await newCode(one, 'Dock');
      dataOf(await dock.post('/x/sync/enrol', { address: balancer.origin, code }));
      const atDock = Array.from({ length: 30 }, (_, n) => `Dock ${n}`);
      for (const [n, name] of atDock.entries()) {
        if (n === 10) await one.kill();
        dataOf(await dock.post('/suppliers', { name }));
        if (n === 20) await one.start();
        dataOf(await other.post('/suppliers', { name: `Central ${n}` }));
      }
      const namesAt = async (station: Station) => {
        const { body } = await station.get('/suppliers', { per_page: 500 });
        return (body as { data: { name: string }[] }).data.map(({ name }) => name).sort();
      };
      await expect
        .poll(() => namesAt(dock), { timeout: 120_000 })
        .toEqual(expect.arrayContaining([...atDock, 'Central 29']));
      const expected = await namesAt(dock);
      for (const each of [one, other])
        await expect.poll(() => namesAt(each), { timeout: 120_000 }).toEqual(expected);
    },
    LIMIT_MS,
  );

  it(
    'answers 503 while the database is away, says so to the balancer, and goes on when it is back',
    async () => {
      await postgres.end();
      const { status, headers } = await other.get('/suppliers');
      expect(status).toBe(503);
      expect(headers.get('retry-after')).toBe('1');
      const health = await other.call('GET', '/x/health', { headers: { authorization: undefined } });
      expect(health.status).toBe(503);
      expect((await other.get('/status')).status).toBe(200);
      // A monitor is told so by a process that answers nobody else.
      const away = await samplesOf(other);
      expect(away.get('holdpoint_journal_up')).toBe(0);
      expect(away.get('holdpoint_journal_lag_turns')).toBeUndefined();
      postgres.startAgain();
      await postgres.untilReady();
      await expect.poll(async () => (await other.post('/suppliers', { name: 'Back' })).status).toBe(201);
      await expect.poll(() => standingOf(processes).catch(() => undefined)).toEqual({ ready: 2, workers: 1 });
    },
    LIMIT_MS,
  );

  it(
    'is whole in each folder in the end, and no folder is opened without the journal',
    async () => {
      await Promise.all([...processes, dock].map(each => each.end()));
      for (const each of processes) {
        const { findings } = await verify(each.folder, verifyDependencies);
        expect(findings).toEqual([]);
      }
      const alone = new Station({ role: 'central', folder: one.folder });
      await expect(alone.start()).rejects.toThrow('is a copy of the journal');
    },
    LIMIT_MS,
  );

  it(
    'is moved out to one of the folders, which goes on alone while the journal takes nothing any more',
    async () => {
      const env = { HOLDPOINT_DATA: one.folder, HOLDPOINT_JOURNAL: postgres.url('central') };
      const status = await holdpoint(env, 'journal', 'status');
      expect(status).toMatchObject({
        code: 0,
        output: expect.stringMatching(/^Journal [0-9a-f-]{36}: \d+ groups/),
      });
      expect(await holdpoint(env, 'journal', 'move-out')).toMatchObject({ code: 0 });
      // A folder that is as far as the one that went on.
      const again = await holdpoint({ ...env, HOLDPOINT_DATA: other.folder }, 'journal', 'move-out');
      expect(again).toMatchObject({ code: 1, output: expect.stringContaining('to another data folder') });
      await expect(other.start()).rejects.toThrow('was moved out to a data folder');
      const alone = new Station({ role: 'central', folder: one.folder });
      await alone.start();
      expect((await alone.post('/suppliers', { name: 'Alone' })).status).toBe(201);
      await alone.stop();
      expect((await verify(one.folder, verifyDependencies)).findings).toEqual([]);
    },
    LIMIT_MS,
  );
});
