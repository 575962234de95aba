import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { POSTGRES, Postgres } from '../../support/postgres.ts';
import { freePort } from '../../support/station.ts';
import { temporaryFolder } from '../store/sqlite/temporary-folder.ts';
import { create } from '../store/temporary-store.ts';
import { Peer } from '../sync/exchange/fleet.ts';
import { CentralProcess } from './central-process.ts';
import { createAll, expectKept, expectSame, isToRepeat, named } from './many-creates.ts';
import { namesIn } from './simulation/simulated-central.ts';

const LIMIT_MS = 600_000;

describe.skipIf(POSTGRES === undefined)('a primary of PostgreSQL and its standby', () => {
  /** @param isSynchronous whether a COMMIT waits for the standby */
  async function pair(isSynchronous: boolean) {
    const ports = [await freePort(), await freePort()];
    const [primary, standby] = [new Postgres(ports[0]), new Postgres(ports[1])];
    onTestFinished(async () => void (await Promise.all([primary.stop(), standby.stop()])));
    await primary.start();
    await primary.createDatabase('central');
    await standby.follow(primary);
    if (isSynchronous) {
      await primary.run("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
      await primary.run('SELECT pg_reload_conf()');
    }
    const state = isSynchronous ? 'sync' : 'async';
    const states = () => primary.run('SELECT sync_state FROM pg_stat_replication');
    await expect.poll(states).toBe(`${state}\n`);
    const hosts = ports.map(port => `127.0.0.1:${port}`).join(',');
    const url = `postgres://postgres@${hosts}/central?target_session_attrs=read-write`;
    const newProcess = async () => {
      const made = new CentralProcess(temporaryFolder(), url);
      onTestFinished(() => made.kill());
      await made.start();
      return made;
    };
    return { primary, standby, newProcess };
  }

  it(
    'lose nothing that was answered, and have nothing twice, where the standby takes the place of the primary amid writes',
    async () => {
      const { primary, standby, newProcess } = await pair(true);
      const [one, other] = [await newProcess(), await newProcess()];
      let answers = 0;
      const creating = createAll(named(80, 'before '), [one, other], () => {
        answers += 1;
      });
      await expect.poll(() => answers, { interval: 5 }).toBeGreaterThan(10);
      await primary.end('SIGQUIT');
      const during = createAll(named(20, 'during '), [one, other]);
      await standby.promote();
      const answered = [...(await creating), ...(await during)];
      answered.push(...(await createAll(named(20, 'after '), [one, other])));
      const standing = await expectSame(one, other);
      expect(answered).toHaveLength(120);
      expectKept(standing?.suppliers ?? [], answered);
    },
    LIMIT_MS,
  );

  it(
    'show nobody what a restarted primary has and its standby has not, so that nobody has what a failover takes away',
    async () => {
      const { primary, standby, newProcess } = await pair(true);
      const [one, other] = [await newProcess(), await newProcess()];
      const answered = await createAll(['kept'], [one]);
      await other.standing();
      await standby.end('SIGINT');
      const unsent = one.create('unsent').then(
        () => true,
        () => false,
      );
      const waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
      await expect.poll(() => primary.run(waiting)).toBe('1\n');
      const standing = await other.standing();
      await primary.end('SIGQUIT');
      primary.startAgain();
      await primary.untilReady();
      // It is there for whoever asks the server.
      const positions = await primary.run('SELECT max(position) FROM turn', 'central');
      expect(Number(positions)).toBeGreaterThan(standing.position);
      await expect(other.standing()).rejects.toMatchObject({ code: 'unavailable' });
      await primary.end('SIGQUIT');
      standby.startAgain();
      await standby.untilReady();
      await standby.promote();
      expect(await unsent).toBe(false);
      answered.push(...(await createAll(named(10, 'after '), [one, other])));
      const last = await expectSame(one, other);
      expectKept(last?.suppliers ?? [], answered);
      expect(last?.suppliers).not.toContain('unsent');
    },
    LIMIT_MS,
  );

  it(
    'part who has what an asynchronous standby never got, and a station gives it back to who begins anew',
    async () => {
      const { primary, standby, newProcess } = await pair(false);
      const one = await newProcess();
      const [kept] = await createAll(['kept'], [one]);
      let at = one;
      const station = await Peer.join(async request => {
        const answer = await at.exchange(request);
        return JSON.parse(JSON.stringify({ ...answer, pushes: 2 }));
      }, 7);
      await create(station.store, 'supplier', { name: 'of a station' });
      await station.settle();
      const sent = 'SELECT count(*) FROM pg_stat_replication WHERE replay_lsn = pg_current_wal_lsn()';
      await expect.poll(() => primary.run(sent)).toBe('1\n');
      await standby.end('SIGINT');
      const [lost] = await createAll(['lost'], [one]);
      await station.settle();
      await primary.end('SIGQUIT');
      standby.startAgain();
      await standby.untilReady();
      await standby.promote();
      const parting = async () => {
        for (;;) {
          const refusal: Error = await one.create('after').then(
            () => new Error('It was taken.'),
            error => error,
          );
          if (!isToRepeat(refusal) || /has lost its end/.test(refusal.message)) return refusal;
          await sleep(100);
        }
      };
      expect((await parting()).message).toMatch(/has lost its end/);
      await expect(one.standing()).rejects.toThrow(/has lost its end/);
      at = await newProcess();
      expect((await at.standing()).suppliers).not.toContain(lost);
      await station.settle();
      const standing = await at.standing();
      expect(standing.suppliers).toEqual([kept, lost, 'of a station'].sort());
      expect(namesIn(station.store).sort()).toEqual(standing.suppliers);
      expect((await at.close()).findings).toEqual([]);
    },
    LIMIT_MS,
  );
});
