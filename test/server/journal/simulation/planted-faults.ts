import type { QueryConfig } from 'pg';
import { JournalConnection } from '../../../../server/journal/connection.ts';
import { Journal } from '../../../../server/journal/journal.ts';
import { Outbox } from '../../../../server/journal/outbox.ts';
import { APPEND, LOCK_HEAD, RAISE_FENCE, READ_HEAD, SETTLE } from '../../../../server/journal/schema.ts';
import { SharedStore } from '../../../../server/journal/shared-store.ts';
import { ModelClient } from './model-client.ts';
import type { ScheduleOptions } from './run-schedule.ts';

export interface PlantedFault {
  what: string;
  /** The first seed that is played, and how many are at most. */
  from?: number;
  within?: number;
  /** Changes the journal, and answers how to change it back. */
  plant?: () => () => void;
  options?: ScheduleOptions;
}

type Query = typeof JournalConnection.prototype.query;

/** Each a mistake that the journal or the gate might have. */
export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    what: 'the key of a request is not looked up inside the gate',
    options: { isChecking: false },
  },
  { what: 'a process that lags begins an epoch', options: { isLaggard: true } },
  {
    what: 'positions are compared without their turns',
    from: 25,
    options: { isSynchronous: false },
    plant: comparePositions,
  },
  {
    what: 'nobody waits for what is new',
    plant: () => {
      const { fresh } = SharedStore.prototype;
      return replaced(SharedStore.prototype, 'fresh', async function (this: SharedStore) {
        void fresh.call(this).catch(() => {});
      });
    },
  },
  {
    what: 'a lost answer is taken for a good one',
    plant: () =>
      asking(async (sql, go) => {
        const result = await go(sql);
        return sql.startsWith('SELECT 1 FROM turn') ? { ...result, rowCount: 1 } : result;
      }),
  },
  {
    what: 'a lost answer is settled by reading',
    from: 9,
    options: { isSynchronous: true },
    plant: () => asking((sql, go) => go(sql === RAISE_FENCE ? READ_HEAD : sql)),
  },
  {
    what: 'what a server shows after its restart is believed',
    options: { isSynchronous: true },
    plant: () => {
      const { query } = ModelClient.prototype;
      return replaced(ModelClient.prototype, 'query', function (this: ModelClient, statement: QueryConfig) {
        const text = statement.text === SETTLE ? READ_HEAD : statement.text;
        return query.call(this, { ...statement, text });
      });
    },
  },
  {
    what: 'the lock is not taken',
    plant: () => asking((sql, go) => go(sql === LOCK_HEAD ? READ_HEAD : sql)),
  },
  {
    what: 'NOTIFY is trusted alone',
    plant: () => {
      const { listen } = Journal.prototype;
      const heard = new WeakSet<Journal>();
      return replaced(Journal.prototype, 'listen', async function (this: Journal) {
        if (heard.has(this)) throw new Error('It listens already.');
        heard.add(this);
        await listen.call(this);
      });
    },
  },
  {
    what: 'rows of small tables are not taken over',
    plant: () => replaced(Outbox.prototype, 'apply', () => {}),
  },
  {
    what: 'what was sent is answered before it stands',
    plant: () => {
      const { appendLast } = Journal.prototype;
      return replaced(
        Journal.prototype,
        'appendLast',
        async function (this: Journal, ...given: Parameters<typeof appendLast>) {
          void appendLast.apply(this, given).catch(() => {});
        },
      );
    },
  },
];

/** What this process has at a position is taken for what the journal has there. */
function comparePositions(): () => void {
  const shares = new WeakMap<Journal, SharedStore>();
  const { join } = SharedStore;
  const { head, lock, after } = Journal.prototype;
  const asHere = <Place extends { position: number; turn: string }>(
    journal: Journal,
    place: Place,
  ): Place => {
    const here = shares.get(journal)?.place;
    return here?.position === place.position ? { ...place, turn: here.turn } : place;
  };
  const undo = [
    replaced(SharedStore, 'join', async (...given: Parameters<typeof join>) => {
      const shared = await join.apply(SharedStore, given);
      shares.set(given[0].journal, shared);
      return shared;
    }),
    replaced(Journal.prototype, 'head', async function (this: Journal) {
      return asHere(this, await head.call(this));
    }),
    replaced(Journal.prototype, 'lock', async function (this: Journal) {
      return asHere(this, await lock.call(this));
    }),
    replaced(Journal.prototype, 'after', async function (this: Journal, ...given: Parameters<typeof after>) {
      const { at, turns } = await after.apply(this, given);
      return { at: asHere(this, at), turns };
    }),
    asking((sql, go) => go(sql === APPEND ? sql.replace(' AND turn = $3', '') : sql)),
  ];
  return () => {
    for (const each of undo.reverse()) each();
  };
}

/** Between the journal and its connections. */
function asking(
  ask: (sql: string, go: (sql: string) => ReturnType<Query>) => ReturnType<Query> | Promise<object>,
): () => void {
  const { query } = JournalConnection.prototype;
  return replaced(
    JournalConnection.prototype,
    'query',
    function (this: JournalConnection, sql: string, ...given: unknown[]) {
      return ask(sql, asked => query.call(this, asked, ...(given as [])));
    },
  );
}

function replaced(owner: object, name: string, value: unknown): () => void {
  const before = Reflect.get(owner, name);
  Reflect.set(owner, name, value);
  return () => void Reflect.set(owner, name, before);
}
