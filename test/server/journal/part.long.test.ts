import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyDependencies } from '../../../server/backup/verify-dependencies.ts';
import { verify } from '../../../server/store/verify/verify.ts';
import { POSTGRES, Postgres } from '../../support/postgres.ts';
import { type Answer, Station } from '../../support/station.ts';
import { newCode } from '../enrolment/enrolled.ts';
import { holdpoint } from '../transfer/holdpoint.ts';
import { Balancer } from './balancer.ts';

const LIMIT_MS = 600_000;

/** As when a standby is promoted that had not been waited for: what came after a place is gone. */
const lostAfter = (position: number) => `
  DELETE FROM entry WHERE position > ${position};
  DELETE FROM turn WHERE position > ${position};
  UPDATE head SET position = ${position}, turn = (SELECT id FROM turn WHERE position = ${position}),
    (sequence, hash) = (SELECT sequence, hash FROM entry ORDER BY sequence DESC LIMIT 1)`;

describe.skipIf(POSTGRES === undefined)('a journal that lost its end', () => {
  const postgres = new Postgres();
  const dock = new Station();
  const running: Station[] = [];
  const balancer = new Balancer(() => running.map(({ origin }) => Number(new URL(origin).port)));
  const processes: Station[] = [];

  function newProcess(): Station {
    const folder = mkdtempSync(join(tmpdir(), 'holdpoint-part-'));
    const env = {
      HOLDPOINT_JOURNAL: postgres.url('central'),
      HOLDPOINT_HOSTS: new URL(balancer.origin).host,
    };
    const made = new Station({ role: 'central', folder, env });
    processes.push(made);
    return made;
  }

  beforeAll(async () => {
    await balancer.start();
    await postgres.start();
    await postgres.createDatabase('central');
  }, LIMIT_MS);

  afterAll(async () => {
    balancer.stop();
    await Promise.all([dock, ...processes].map(each => each.stop()));
    await postgres.stop();
    for (const { folder } of processes) rmSync(folder, { recursive: true, force: true });
  }, LIMIT_MS);

  const dataOf = <Data>({ status, body }: Answer): Data => {
    if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return (body as { data: Data }).data;
  };
  const enter = async (at: Station, name: string) => void dataOf(await at.post('/suppliers', { name }));
  const namesAt = async (at: Station) => {
    const { status, body } = await at.get('/suppliers', { per_page: 200 });
    if (status !== 200) return [`${status}`];
    return (body as { data: { name: string }[] }).data.map(({ name }) => name).sort();
  };
  const newToken = async (at: Station, name: string) => {
    const made = dataOf<{ id: number; secret?: unknown }>(
      await at.post('/x/tokens', { name, scopes: ['read'] }),
    );
    const secret =
      Object.values(made)
        .map(String)
        .find(value => value.startsWith('hp_')) ?? '';
    return { id: made.id, secret };
  };
  const statusBy = async (at: Station, secret: string) =>
    (await at.call('GET', '/suppliers', { headers: { authorization: `Bearer ${secret}` } })).status;
  const partOf = ({ folder }: Station, ...options: string[]) =>
    holdpoint(
      { HOLDPOINT_DATA: folder, HOLDPOINT_JOURNAL: postgres.url('central') },
      'journal',
      'part',
      ...options,
    );

  it(
    'gets back from a folder that parted, and from stations, all that was answered, once, and keeps what it has taken since',
    async () => {
      const [one, other] = [newProcess(), newProcess()];
      await one.start();
      for (const name of ['authority.key', 'webhook.key'])
        copyFileSync(join(one.folder, name), join(other.folder, name));
      await other.start();
      running.push(one);
      await dock.start();
      dataOf(
        await dock.post('/x/sync/enrol', { address: balancer.origin, code: await newCode(one, 'Dock') }),
      );
      await enter(one, 'before');
      const [leaver, stays] = [await newToken(one, 'leaver'), await newToken(one, 'stays')];
      await expect.poll(() => namesAt(dock)).toEqual(['before']);
      await other.end();
      const position = Number(await postgres.run('SELECT position FROM head', 'central'));

      await enter(dock, 'at the dock');
      await expect.poll(() => namesAt(one)).toContain('at the dock');
      await enter(one, 'at one, and at the dock');
      await expect.poll(() => namesAt(dock)).toContain('at one, and at the dock');
      await dock.end();
      await enter(one, 'at one alone');
      dataOf(await one.post(`/x/tokens/${leaver.id}/revoke`, {}));
      const late = await newToken(one, 'late');
      await postgres.run(lostAfter(position), 'central');

      await expect.poll(async () => (await one.get('/suppliers')).status).toBe(503);
      expect(await partOf(one)).toMatchObject({ code: 1, output: expect.stringContaining('in use') });
      await one.end();
      expect(await partOf(other)).toMatchObject({
        code: 1,
        output: expect.stringContaining('nothing to part'),
      });
      running.splice(0, 1, other);
      await other.start();
      await enter(other, 'at the other since');
      await dock.start();
      await expect.poll(() => namesAt(other)).toContain('at one, and at the dock');

      expect(await partOf(one)).toMatchObject({ code: 1, output: expect.stringContaining('1 token.') });
      expect(await namesAt(other)).not.toContain('at one alone');
      const parted = await partOf(one, '--give-up');
      expect(parted).toMatchObject({ code: 0, output: expect.stringContaining('Given up: 1 token.') });
      await one.start();
      const all = ['at one alone', 'at one, and at the dock', 'at the dock', 'at the other since', 'before'];
      for (const each of [one, other, dock]) await expect.poll(() => namesAt(each)).toEqual(all);
      // What was taken away stays so, and what was given up counts nowhere.
      for (const each of [one, other]) {
        const statuses = [leaver, stays, late].map(({ secret }) => statusBy(each, secret));
        expect(await Promise.all(statuses)).toEqual([401, 200, 401]);
      }
      await enter(one, 'after');
      for (const each of [other, dock]) await expect.poll(() => namesAt(each)).toContain('after');
      await Promise.all([one, other, dock].map(each => each.end()));
      for (const { folder } of [one, other, dock])
        expect((await verify(folder, verifyDependencies)).findings).toEqual([]);
      expect(readdirSync(one.folder).filter(name => /^holdpoint-set-aside-.*\.db$/.test(name))).toHaveLength(
        1,
      );
    },
    LIMIT_MS,
  );
});
