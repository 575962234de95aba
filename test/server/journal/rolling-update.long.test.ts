import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packedOperations } from '../../../build/packed-operations.ts';
import { verifyDependencies } from '../../../server/backup/verify-dependencies.ts';
import { verify } from '../../../server/store/verify/verify.ts';
import { createHoldpoint } from '../../../shared/client/holdpoint.ts';
import { earlierProgram } from '../../support/earlier-program.ts';
import { POSTGRES, Postgres } from '../../support/postgres.ts';
import { type Answer, Station } from '../../support/station.ts';
import { Balancer } from './balancer.ts';

const LIMIT_MS = 600_000;
const WRITERS = 4;

interface Used {
  'suppliers.create': Called<{ id: number }>;
  'suppliers.read': Called<{ name: string }>;
  'suppliers.list': Called<{ id: number; name: string }[]>;
}
interface Called<Answer> {
  asked: { params?: object; body?: unknown };
  answer: Answer;
  meta: unknown;
}

describe.skipIf(POSTGRES === undefined)('processes of a central that are updated one after the other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-rolling-'));
  const earlier = earlierProgram(join(folder, 'program'));
  const postgres = new Postgres();
  const all: Station[] = [];
  let running: Station[] = [];
  const balancer = new Balancer(() => running.map(({ origin }) => Number(new URL(origin).port)));

  function processIn(name: string, options: { program?: string; port?: number } = {}): Station {
    const env = {
      HOLDPOINT_JOURNAL: postgres.url('central'),
      HOLDPOINT_HOSTS: new URL(balancer.origin).host,
    };
    mkdirSync(join(folder, name), { recursive: true });
    const made = new Station({ role: 'central', folder: join(folder, name), env, ...options });
    all.push(made);
    return made;
  }

  const portOf = ({ origin }: Station) => Number(new URL(origin).port);
  const dataOf = <Data>({ status, body }: Answer): Data => {
    if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return (body as { data: Data }).data;
  };

  beforeAll(async () => {
    await balancer.start();
    await postgres.start();
    await postgres.createDatabase('central');
  }, LIMIT_MS);

  afterAll(async () => {
    balancer.stop();
    for (const each of all) await each.kill();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }, LIMIT_MS);

  it(
    'answer all the time but for a 503 with Retry-After, and lose and double nothing of what a client writes meanwhile',
    async () => {
      const [one, other] = [processIn('one', { program: earlier }), processIn('other', { program: earlier })];
      await one.start();
      for (const name of ['authority.key', 'webhook.key'])
        copyFileSync(join(one.folder, name), join(other.folder, name));
      await other.start();
      running = [one, other];
      const made = dataOf<object>(await one.post('/x/tokens', { name: 'writer', scopes: ['write'] }));
      const token = String(
        Object.values(made).find(value => typeof value === 'string' && value.startsWith('hp_')),
      );

      const refused: (readonly [status: number, retryAfter: string | null])[] = [];
      const holdpoint = createHoldpoint<Used>(packedOperations(), {
        baseUrl: balancer.origin,
        token,
        async fetch(url, init) {
          const answer = await fetch(url, init);
          if (answer.status >= 400) refused.push([answer.status, answer.headers.get('retry-after')]);
          return answer;
        },
      });
      const written: string[] = [];
      let isDone = false;
      const writing = Array.from({ length: WRITERS }, async (_, writer) => {
        for (let n = 0; !isDone; n += 1) {
          const name = `${writer}.${n}`;
          const { data } = await holdpoint.call('suppliers.create', { body: { name } });
          written.push(name);
          // Whichever process is asked.
          const read = await holdpoint.call('suppliers.read', { params: { id: data.id } });
          expect(read.data.name).toBe(name);
        }
      });
      const untilMore = async () => {
        const before = written.length;
        await expect.poll(() => written.length).toBeGreaterThan(before + 2 * WRITERS);
      };

      await untilMore();
      const updated: Station[] = [];
      for (const old of [one, other]) {
        await old.end();
        await untilMore();
        const next = processIn(old === one ? 'one' : 'other', { port: portOf(old) });
        await next.start();
        running = running.map(each => (each === old ? next : each));
        updated.push(next);
        if (updated.length === 1) {
          // What the earlier program has no name for stands in its folder all the same.
          dataOf(await next.post('/x/customers', { name: 'Corner shop' }));
          expect((await other.get('/suppliers')).status).toBe(200);
        }
        await untilMore();
      }
      isDone = true;
      await Promise.all(writing);

      expect(refused.filter(([status, after]) => status !== 503 || after === null)).toEqual([]);
      const names: string[] = [];
      for await (const { name } of holdpoint.list('suppliers.list')) names.push(name);
      expect(names.sort()).toEqual(written.sort());
      for (const each of updated) {
        const customers = dataOf<{ name: string }[]>(await each.get('/x/customers'));
        expect(customers.map(({ name }) => name)).toEqual(['Corner shop']);
      }
      await Promise.all(updated.map(each => each.end()));
      for (const each of updated)
        expect((await verify(each.folder, verifyDependencies)).findings).toEqual([]);
    },
    LIMIT_MS,
  );
});
