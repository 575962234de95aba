import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { verifyDependencies } from '../../../server/backup/verify-dependencies.ts';
import { restore } from '../../../server/store/restore/restore.ts';
import { readLocal } from '../../../server/store/tables.ts';
import { tokenTable } from '../../../server/store/token-table.ts';
import { DATABASE_FILE } from '../../../server/store/verify/verify.ts';
import { createCentralExchange } from '../../../server/sync/central/exchange.ts';
import { digestsOf } from '../../../server/sync/log/digest.ts';
import { createSyncTables } from '../../../server/sync/log/tables.ts';
import { CuttingProxy } from '../../support/cutting-proxy.ts';
import { POSTGRES, Postgres } from '../../support/postgres.ts';
import { temporaryFolder } from '../store/sqlite/temporary-folder.ts';
import { create, START, temporaryStore } from '../store/temporary-store.ts';
import { Peer } from '../sync/exchange/fleet.ts';
import { CentralProcess, Refused } from './central-process.ts';
import { createAll, expectKept, expectSame, named } from './many-creates.ts';

const LIMIT_MS = 600_000;
const TOKEN = {
  name: 'program',
  hash: 'h',
  scopes: ['read' as const],
  created_at: START,
  revoked_at: null,
};

describe.skipIf(POSTGRES === undefined)('a central that several processes serve', () => {
  let postgres: Postgres;
  let databases = 0;

  beforeAll(async () => {
    postgres = new Postgres();
    await postgres.start();
  }, LIMIT_MS);

  afterAll(() => postgres?.stop());

  async function newJournal(): Promise<string> {
    databases += 1;
    await postgres.createDatabase(`journal_${databases}`);
    return `journal_${databases}`;
  }

  function processOf(database: string, { folder = temporaryFolder(), host = '' } = {}): CentralProcess {
    const url = host === '' ? postgres.url(database) : `postgres://postgres@/${database}?host=${host}`;
    const process = new CentralProcess(folder, url);
    onTestFinished(() => process.kill());
    return process;
  }

  async function twoProcesses(): Promise<{ one: CentralProcess; other: CentralProcess; database: string }> {
    const database = await newJournal();
    const [one, other] = [processOf(database), processOf(database)];
    await one.start();
    await other.start();
    return { one, other, database };
  }

  it(
    'has at each what was created at either, with ids that are given once',
    async () => {
      const { one, other } = await twoProcesses();
      const ids = await Promise.all(
        named(40, 'S').map((name, n) => (n % 2 === 0 ? one : other).create(name)),
      );
      expect(new Set(ids).size).toBe(40);
      expect((await expectSame(one, other))?.suppliers).toEqual(named(40, 'S').sort());
    },
    LIMIT_MS,
  );

  it(
    'gives each what was written beside the log, the last of it where both write the same',
    async () => {
      const { one, other } = await twoProcesses();
      await one.note('said:x', '"one"');
      await other.note('said:x', '"\ud800 other \u0000"');
      await one.note('said:y', '"y"');
      const at = await one.standing();
      expect((await expectSame(one, other))?.tables.local).toBe(at.tables.local);
    },
    LIMIT_MS,
  );

  it(
    'begins once where two start on an empty journal at the same time',
    async () => {
      const database = await newJournal();
      const [one, other] = [processOf(database), processOf(database)];
      await Promise.all([one.start(), other.start()]);
      await Promise.all([one.create('A'), other.create('B')]);
      expect((await expectSame(one, other))?.suppliers).toEqual(['A', 'B']);
    },
    LIMIT_MS,
  );

  it(
    'loses nothing of what was answered when processes are killed in turn, and writes nothing twice',
    async () => {
      const { one, other } = await twoProcesses();
      let isDone = false;
      const killing = (async () => {
        for (let turn = 0; !isDone; turn += 1) {
          const killed = turn % 2 === 0 ? one : other;
          await sleep(300);
          await killed.kill();
          await killed.start();
        }
      })();
      const answered: string[] = [];
      for (let round = 0; round < 8; round += 1) {
        answered.push(...(await createAll(named(25, `R${round}.`), [one, other])));
        await sleep(100);
      }
      isDone = true;
      await killing;
      const standing = await expectSame(one, other);
      expect(answered).toHaveLength(200);
      expectKept(standing?.suppliers ?? [], answered);
    },
    LIMIT_MS,
  );

  it(
    'refuses for as long as PostgreSQL is away, and goes on after',
    async () => {
      const { one, other } = await twoProcesses();
      const answered: string[] = [];
      for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
        const creating = createAll(named(60, signal), [one, other]);
        await sleep(10);
        await postgres.end(signal);
        await expect(one.create('while it is away')).rejects.toMatchObject({ code: 'unavailable' });
        postgres.startAgain();
        await postgres.untilReady();
        answered.push(...(await creating));
      }
      const standing = await expectSame(one, other);
      expect(answered).toHaveLength(120);
      expectKept(standing?.suppliers ?? [], answered);
      expect(standing?.suppliers).not.toContain('while it is away');
    },
    LIMIT_MS,
  );

  it(
    'answers what is written though the answer to the COMMIT was lost',
    async () => {
      const database = await newJournal();
      const proxy = new CuttingProxy(postgres.folder);
      await proxy.start();
      onTestFinished(() => proxy.stop());
      const [one, other] = [processOf(database, { host: proxy.folder }), processOf(database)];
      await one.start();
      await other.start();
      for (const name of named(5, 'C')) {
        proxy.cutNext();
        await one.create(name);
      }
      expect(proxy.cuts).toBe(5);
      expect((await expectSame(one, other))?.suppliers).toEqual(named(5, 'C'));
    },
    LIMIT_MS,
  );

  it(
    'lets the others write while one stands still in the middle of a write, and that one goes on after',
    async () => {
      const { one, other } = await twoProcesses();
      const waiting = createAll(named(30, 'F'), [one]);
      await sleep(30);
      const goOn = one.freeze();
      const answered = await createAll(named(5, 'G'), [other]);
      goOn();
      answered.push(...(await waiting));
      const standing = await expectSame(one, other);
      expect(answered).toHaveLength(35);
      expectKept(standing?.suppliers ?? [], answered);
    },
    LIMIT_MS,
  );

  it.each([
    { at: 'locked' as const, stands: false },
    { at: 'sent' as const, stands: undefined },
    { at: 'committed' as const, stands: true },
  ])(
    'has at all or at none what was under way when the process ended: $at',
    async ({ at, stands }) => {
      const { one, other } = await twoProcesses();
      await one.dieAt(at);
      await expect(one.create('under way')).rejects.toMatchObject({ code: 'gone' });
      await other.create('after');
      await one.start();
      const standing = await expectSame(one, other);
      const stood = standing?.suppliers.includes('under way');
      expect(standing?.suppliers).toEqual(stood ? ['after', 'under way'] : ['after']);
      // Where it was sent and no more, the server had it or had it not.
      expect(stood).toBe(stands ?? stood);
    },
    LIMIT_MS,
  );

  it(
    'answers what the journal has taken though the file does not take it, ends, and has it at the next start',
    async () => {
      const { one, other } = await twoProcesses();
      await one.fillDisk();
      await expect(one.create('A')).resolves.toEqual(expect.any(Number));
      expect(await one.ended()).toBe(71);
      await other.create('B');
      await one.start();
      expect((await expectSame(one, other))?.suppliers).toEqual(['A', 'B']);
    },
    LIMIT_MS,
  );

  it(
    'ends where another process has begun another epoch, and goes on in its chain',
    async () => {
      const { one, other } = await twoProcesses();
      await one.create('A');
      await one.note('chain', `${randomUUID()}.12345678`);
      // It may have ended before it could answer.
      await other.standing().catch(() => {});
      expect(await other.ended()).toBe(71);
      await other.start();
      await other.create('B');
      expect((await other.standing()).suppliers).toEqual(['A', 'B']);
    },
    LIMIT_MS,
  );

  it(
    'loses nothing where the server serializes, refuses statements, and nobody is notified',
    async () => {
      const { one, other, database } = await twoProcesses();
      await postgres.run(
        `ALTER DATABASE ${database} SET default_transaction_isolation = 'serializable'`,
        database,
      );
      // They connect anew.
      await postgres.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'holdpoint' AND datname = current_database()",
        database,
      );
      for (const each of [one, other]) await each.refuse(0.1);
      const answered = await createAll(named(80, 'T'), [one, other]);
      for (const each of [one, other]) await each.refuse(0);
      const standing = await expectSame(one, other);
      expect(answered).toHaveLength(80);
      expectKept(standing?.suppliers ?? [], answered);
    },
    LIMIT_MS,
  );

  it(
    'is one central to a station, which asks the one and the other while they are killed',
    async () => {
      const { one, other } = await twoProcesses();
      let asked = 0;
      const station = await Peer.join(async request => {
        asked += 1;
        const at = asked % 2 === 0 ? one : other;
        return JSON.parse(JSON.stringify({ ...(await at.exchange(request)), pushes: 2 }));
      }, 7);
      const settled = async () => {
        for (let attempt = 0; ; attempt += 1) {
          try {
            return await station.settle();
          } catch (error) {
            if (!(error instanceof Refused) || attempt > 100) throw error;
            await sleep(50);
          }
        }
      };
      for (let round = 0; round < 4; round += 1) {
        for (const name of named(10, `station ${round}.`)) await create(station.store, 'supplier', { name });
        const killed = round % 2 === 0 ? one : other;
        const settling = settled();
        await createAll(named(5, `central ${round}.`), [one, other]);
        await killed.kill();
        await killed.start();
        await settling;
      }
      await settled();
      const here = digestsOf(station.store.database.reader);
      const standing = await expectSame(one, other);
      expect(standing?.digests).toEqual(here);
      expect(standing?.suppliers).toHaveLength(60);
    },
    LIMIT_MS,
  );

  it(
    'refuses to go on where PostgreSQL has lost its end, and says so',
    async () => {
      const { one, other, database } = await twoProcesses();
      await one.create('kept');
      const before = Number(await postgres.run('SELECT position FROM head', database));
      await one.create('lost');
      await other.kill();
      const cut = `DELETE FROM entry WHERE position > ${before}; DELETE FROM turn WHERE position > ${before};
        UPDATE head SET (position, turn, sequence, hash) = (SELECT turn.position, turn.id, entry.sequence, entry.hash
          FROM turn, entry WHERE turn.position = ${before} AND entry.position = ${before})`;
      await postgres.run(cut, database);
      await expect(one.create('after')).rejects.toThrow(/has lost its end/);
      await expect(one.standing()).rejects.toThrow(/has lost its end/);
      expect(Number(await postgres.run('SELECT position FROM head', database))).toBe(before);
    },
    LIMIT_MS,
  );

  it(
    'takes a folder for what it is: a copy of one journal, or none of any',
    async () => {
      const database = await newJournal();
      const folder = temporaryFolder();
      const one = processOf(database, { folder });
      await one.start();
      await one.create('A');
      await one.close();
      await expect(temporaryStore({ folder })).rejects.toThrow(/copy of the journal/);
      await expect(
        restore({
          folder,
          file: join(folder, DATABASE_FILE),
          clock: () => new Date(),
          ...verifyDependencies,
        }),
      ).rejects.toThrow(/copy of the journal/);
      await expect(processOf(await newJournal(), { folder }).start()).rejects.toThrow(/names another one/);
      const own = await temporaryStore();
      await create(own, 'supplier', { name: 'its own' });
      await own.close();
      await expect(processOf(database, { folder: own.database.folder }).start()).rejects.toThrow(
        /records of its own/,
      );
      // A backup of it stands alone wherever it is restored.
      const alone = temporaryFolder();
      await restore({
        folder: alone,
        file: join(folder, DATABASE_FILE),
        clock: () => new Date(),
        ...verifyDependencies,
      });
      const restored = await temporaryStore({ folder: alone });
      expect(readLocal(restored.database, 'journal')).toBeUndefined();
    },
    LIMIT_MS,
  );

  it(
    'begins a journal with all that a central had alone',
    async () => {
      const store = await temporaryStore();
      createSyncTables(store.database);
      await createCentralExchange(store, () => new Date());
      for (const name of named(30, 'old ')) await create(store, 'supplier', { name });
      await store.gate.briefly(() => tokenTable(store.database).insert(TOKEN));
      await store.close();
      const database = await newJournal();
      const [one, other] = [processOf(database, { folder: store.database.folder }), processOf(database)];
      await one.start();
      await other.start();
      await other.create('new');
      expect((await expectSame(one, other))?.suppliers).toEqual(['new', ...named(30, 'old ').sort()]);
    },
    LIMIT_MS,
  );

  it.each([
    {
      what: 'an entry',
      alter: "UPDATE entry SET body = replace(body, 'Acme', 'Acne')",
      found: /^The journal's entry \d+ is not what was written/,
    },
    {
      what: 'a row of a small table',
      alter: `UPDATE turn SET facts = replace(facts, '"said"', '"sad"')`,
      found: /^The row \["local","said:x"\] is another one/,
    },
    {
      what: 'a turn that is gone',
      alter: 'DELETE FROM turn WHERE position = 2',
      found: /^The journal has no turn 2/,
    },
  ])(
    'is compared with its journal, and what was changed there is found: $what',
    async ({ alter, found }) => {
      const database = await newJournal();
      const one = processOf(database);
      await one.start();
      await one.create('Acme');
      await one.note('said:x', 'said');
      await one.standing();
      expect(await one.verifyJournal()).toEqual([]);
      await postgres.run(alter, database);
      expect((await one.verifyJournal())[0]).toMatch(found);
    },
    LIMIT_MS,
  );
});
