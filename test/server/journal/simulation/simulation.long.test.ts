import { expect, it } from 'vitest';
import { hostsOf, JournalConnection } from '../../../../server/journal/connection.ts';
import { BEGIN_HEAD, RAISE_FENCE, READ_HEAD } from '../../../../server/journal/schema.ts';
import { PLANTED_FAULTS } from './planted-faults.ts';
import { PostgresModel, URL } from './postgres-model.ts';
import { runSchedule, WHOLE } from './run-schedule.ts';
import { World } from './virtual-time.ts';

/** Seeds that are played: HOLDPOINT_SCHEDULES says how many, and HOLDPOINT_SEED from which one on. */
const COUNT = Number(process.env.HOLDPOINT_SCHEDULES ?? 500);
const FIRST = Number(process.env.HOLDPOINT_SEED ?? 1);
const LIMIT_MS = 600_000 + COUNT * 2_000;

/** Seeds that have found a fault of the product, and what it was. */
const FOUND = [
  { seed: 1, what: 'A server without LISTEN let no process start.' },
  { seed: 9, what: 'A connection that was lost before its first answer ended the process.' },
  { seed: 43, what: 'A row that was noted already could not be written by an upsert.' },
  { seed: 97, what: 'The head of a server that was gone was taken for what its successor has lost.' },
];

it(
  'loses, doubles and divides nothing whatever fails, and comes to be in step after',
  async () => {
    let answered = 0;
    for (let seed = FIRST; seed < FIRST + COUNT; seed += 1) {
      const outcome = await runSchedule(seed);
      expect([seed, outcome.faults]).toEqual([seed, []]);
      answered += outcome.answered;
    }
    expect(answered).toBeGreaterThan(COUNT * 5);
  },
  LIMIT_MS,
);

it.each(FOUND)('stays well where it was not once: $what', async ({ seed }) => {
  expect((await runSchedule(seed, { share: WHOLE })).faults).toEqual([]);
});

it('has a model whose standby takes no writes until it is promoted, and shows all that it has then', async () => {
  const world = new World(1);
  const undo = world.install();
  try {
    const postgres = new PostgresModel(world, true);
    const [writer, early] = [world.actor('writer'), world.actor('early')];
    const pass = async (ms: number) => {
      const until = world.now + ms;
      world.after(ms, '', () => {});
      await world.run(() => world.now >= until);
    };
    const [one, two] = hostsOf(URL);
    const connection = new JournalConnection(
      `${one?.connectionString}`,
      undefined,
      postgres.driverOf(writer),
    );
    const written = world.as(writer, async () => {
      for (const sql of [BEGIN_HEAD, RAISE_FENCE]) await connection.query(sql);
    });
    const client = postgres.driverOf(early)({ ...two });
    const ask = (text: string) => world.as(early, () => client.query({ text }));
    const connected = world.as(early, () => client.connect());
    await pass(2_000);
    await Promise.all([written, connected]);

    postgres.failOver(2_000, 20_000);
    const before = ask('SHOW transaction_read_only');
    await pass(1_000);
    expect((await before).rows).toEqual([{ transaction_read_only: 'on' }]);

    await pass(1_500);
    const [after, head] = [ask('SHOW transaction_read_only'), ask(READ_HEAD)];
    await pass(2_000);
    expect((await after).rows).toEqual([{ transaction_read_only: 'off' }]);
    expect((await head).rows).toMatchObject([{ fence: '1' }]);
  } finally {
    await world.end();
    undo();
  }
});

it('plays the same again by the same seed, and something else by another one', async () => {
  const { trace } = await runSchedule(7);
  expect(trace.length).toBeGreaterThan(20);
  expect((await runSchedule(7)).trace).toEqual(trace);
  expect((await runSchedule(8)).trace).not.toEqual(trace);
});

it.each(PLANTED_FAULTS)(
  'finds it within a few schedules where $what',
  async ({ plant, options, from = 1, within = 60 }) => {
    const undo = plant?.();
    try {
      const found = [];
      for (let seed = from; found.length === 0 && seed < from + within; seed += 1)
        found.push(...(await runSchedule(seed, { share: WHOLE, ...options })).faults);
      expect(found).not.toEqual([]);
    } finally {
      undo?.();
    }
  },
  LIMIT_MS,
);
