import { expect, it } from 'vitest';
import { POSTGRES } from '../../../../support/postgres.ts';
import { tell } from '../../../faults/expect-sound.ts';
import { runStorm } from '../run-storm.ts';
import { journalStorm } from './journal-storm.ts';
import { drawJournalPlan } from './plan.ts';

const SEED = 1;
const SHORT_MS = 10_000;
/** Calmer than in a long one, so that processes have time for what befalls them. */
const PACE_MS = 500;
const PEOPLE = 5;

it.skipIf(POSTGRES === undefined)(
  'after a short storm over a journal all is there, once and at every process',
  async () => {
    tell(`npm run storm -- --journal --seed ${SEED} --minutes ${SHORT_MS / 60_000} has the same moves`);
    const storm = { seed: SEED, durationMs: SHORT_MS, paceMs: PACE_MS, people: PEOPLE, kind: journalStorm() };
    await runStorm(storm, ({ violations, figures }) => {
      tell(
        Object.entries(figures)
          .map(([what, count]) => `${count} ${what}`)
          .join(', '),
      );
      expect(violations).toEqual([]);
      expect(figures['lossy failover']).toBe(1);
    });
  },
  600_000,
);

it.each(Array.from({ length: 10 }, (_, seed) => seed))(
  'ends processes at every point within two minutes, and the database loses its end, with the seed %i',
  seed => {
    const moves = drawJournalPlan(seed, 120_000);
    expect(drawJournalPlan(seed, 120_000)).toEqual(moves);
    expect(moves.filter(({ deed }) => deed === 'lossy failover')).toHaveLength(3);
    expect(
      new Set(moves.filter(({ deed }) => deed === 'die').map(({ detail }) => detail)).size,
    ).toBeGreaterThan(6);
  },
);
