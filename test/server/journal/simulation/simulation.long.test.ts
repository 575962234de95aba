import { expect, it } from 'vitest';
import { PLANTED_FAULTS } from './planted-faults.ts';
import { runSchedule } from './run-schedule.ts';

/** Seeds that are played: HOLDPOINT_SCHEDULES says how many, and HOLDPOINT_SEED from which one on. */
const COUNT = Number(process.env.HOLDPOINT_SCHEDULES ?? 100);
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
  expect((await runSchedule(seed)).faults).toEqual([]);
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
        found.push(...(await runSchedule(seed, options)).faults);
      expect(found).not.toEqual([]);
    } finally {
      undo?.();
    }
  },
  LIMIT_MS,
);
