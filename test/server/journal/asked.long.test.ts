import { Client, type QueryConfig } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { JournalDriver } from '../../../server/journal/connection.ts';
import { Journal } from '../../../server/journal/journal.ts';
import { openShared } from '../../../server/journal/open-shared.ts';
import { APPEND, ENTRIES, LOCK_HEAD, PREPARED, READ_HEAD, TELL } from '../../../server/journal/schema.ts';
import { verifyJournal } from '../../../server/journal/verify-journal.ts';
import { createCentralExchange } from '../../../server/sync/central/exchange.ts';
import { POSTGRES, Postgres } from '../../support/postgres.ts';
import { temporaryFolder } from '../store/sqlite/temporary-folder.ts';
import { create, temporaryStore } from '../store/temporary-store.ts';

const LIMIT_MS = 600_000;

describe.skipIf(POSTGRES === undefined)('what a process asks of its journal', () => {
  const postgres = new Postgres();
  let databases = 0;

  beforeAll(() => postgres.start(), LIMIT_MS);
  afterAll(() => postgres.stop());

  async function newJournal(): Promise<string> {
    databases += 1;
    await postgres.createDatabase(`asked_${databases}`);
    return postgres.url(`asked_${databases}`);
  }

  async function openProcess(url: string) {
    const behind: unknown[] = [];
    const asked: QueryConfig[] = [];
    const answered: { text: string; rows: unknown[] }[] = [];
    const folder = temporaryFolder();
    const clock = () => new Date();
    const driver: JournalDriver = config => {
      const client = new Client(config);
      const query = client.query.bind(client);
      return Object.assign(client, {
        query: (statement: QueryConfig) => {
          asked.push(statement);
          const answer = query(statement);
          answer.then(
            ({ rows }) => answered.push({ text: statement.text, rows }),
            () => {},
          );
          return answer;
        },
      });
    };
    const { store, shared, close } = await openShared({
      url,
      driver,
      open: () => temporaryStore({ folder, clock, isShared: true }),
      clock,
      onParted: () => {},
      onBehind: error => behind.push(error),
      onFault: () => {},
    });
    onTestFinished(close);
    await createCentralExchange(store, clock);
    const texts = (from = 0) => asked.slice(from).map(({ text }) => text);
    return { store, shared, close, asked, answered, texts, behind };
  }

  it(
    'is for a create its head, the lock and one turn, each by a statement that is parsed once',
    async () => {
      const { store, shared, asked, texts } = await openProcess(await newJournal());
      await create(store, 'supplier', { name: 'first' });
      const before = asked.length;
      await shared.fresh();
      await create(store, 'supplier', { name: 'second' });
      const own = asked.slice(before);
      for (const text of [READ_HEAD, LOCK_HEAD, APPEND, TELL]) {
        const [statement] = own.filter(each => each.text === text);
        expect([text, statement?.name]).toEqual([text, PREPARED.get(text)]);
      }
      // Besides, a process asks once a second whether there is something new.
      const writing = ['BEGIN', LOCK_HEAD, APPEND, 'COMMIT'];
      expect(texts(before).filter(text => writing.includes(text))).toEqual(writing);
    },
    LIMIT_MS,
  );

  it(
    'is no lock for what it works out for itself in a quiet moment',
    async () => {
      const { store, asked, texts } = await openProcess(await newJournal());
      const waiting = () => store.database.reader.get('SELECT count(*) AS count FROM search_waiting');
      const left: unknown[] = [];
      store.gate.follow(() => left.push(waiting()));
      const before = asked.length;
      await create(store, 'supplier', { name: 'Acme' });
      await expect.poll(waiting).toEqual({ count: 0 });
      expect(left).toEqual([{ count: 1 }]);
      expect(texts(before).filter(text => text === LOCK_HEAD)).toEqual([LOCK_HEAD]);
    },
    LIMIT_MS,
  );

  it(
    'is of what others wrote no entry that it has already',
    async () => {
      const url = await newJournal();
      const one = await openProcess(url);
      const other = await openProcess(url);
      const entries = () => other.answered.flatMap(({ text, rows }) => (text === ENTRIES ? rows : []));
      for (const name of ['first', 'second', 'third']) {
        await create(one.store, 'supplier', { name });
        await other.shared.fresh();
      }
      const sequences = entries().map(row => Number(Object(row).sequence));
      expect(sequences).toEqual([...new Set(sequences)]);
      expect(sequences.at(-1)).toBe(
        other.store.database.reader.get('SELECT max(sequence) AS last FROM log')?.last,
      );
    },
    LIMIT_MS,
  );

  it(
    'is each entry, however many turns a new process has to take over',
    async () => {
      const url = await newJournal();
      const one = await openProcess(url);
      for (let n = 0; n < 60; n += 1) await create(one.store, 'supplier', { name: `S${n}` });
      const { place } = one.shared;
      await one.close();
      const { store, shared, behind } = await openProcess(url);
      // A process that is told that it is behind ends.
      expect(behind).toEqual([]);
      expect(shared.place).toEqual(place);
      expect(store.database.reader.get('SELECT max(sequence) AS last FROM log')).toEqual({ last: 60 });
      const journal = new Journal({ url, onNews: () => {} });
      onTestFinished(() => journal.close());
      expect(await verifyJournal(journal, store.database.reader)).toEqual([]);
    },
    LIMIT_MS,
  );
});
