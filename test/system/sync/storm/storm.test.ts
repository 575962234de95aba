import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { tell } from '../../faults/expect-sound.ts';
import { checkStorm, type StormEvidence } from './check-storm.ts';
import { drawPlan } from './plan.ts';
import { plantedStormFaults } from './planted-storm-faults.ts';
import { runStorm } from './run-storm.ts';

const SEED = 12;
const SHORT_MS = 12_000;
/** Calmer than in a long one, so that machines have time for what befalls them. */
const PACE_MS = 500;
const PEOPLE = 4;

it('after a short storm all is there, once and everywhere, and each planted fault is found', async () => {
  tell(`npm run storm -- --seed ${SEED} --minutes ${SHORT_MS / 60_000} has the same moves`);
  await runStorm(
    { seed: SEED, durationMs: SHORT_MS, paceMs: PACE_MS, people: PEOPLE },
    async ({ violations, evidence, figures }) => {
      tell(
        Object.entries(figures)
          .map(([what, count]) => `${count} ${what}`)
          .join(', '),
      );
      expect(violations).toEqual([]);
      for (const { name, letters, plant } of plantedStormFaults) {
        const copy = copied(evidence);
        const found = await checkStorm(plant(copy) ?? copy, letters);
        const kinds = [...new Set(found.map(({ letter }) => letter))];
        expect(kinds, name).toEqual(expect.arrayContaining(letters));
      }
    },
  );
}, 600_000);

it('draws the same moves by the same seed, and others by another', () => {
  const plan = JSON.stringify(drawPlan(5, 90_000));
  expect(JSON.stringify(drawPlan(5, 90_000))).toBe(plan);
  expect(JSON.stringify(drawPlan(6, 90_000))).not.toBe(plan);
});

it.each(Array.from({ length: 30 }, (_, seed) => seed))(
  'puts copies of central and of a station back, and clones a station, with the seed %i',
  seed => {
    const moves = drawPlan(seed, SHORT_MS);
    const deeds = (who: RegExp) => new Set(moves.filter(move => who.test(move.who)).map(({ deed }) => deed));
    expect([...deeds(/^Central/)]).toEqual(expect.arrayContaining(['copy', 'put back', 'kill']));
    const line = ['disturb', 'cut', 'black hole', 'throttle'];
    expect([...deeds(/^Station/)]).toEqual(
      expect.arrayContaining(['copy', 'put back', 'clone', 'kill', ...line]),
    );
    const copies = moves.filter(({ deed }) => deed === 'copy');
    expect(moves.filter(({ deed }) => deed === 'put back')).toHaveLength(copies.length);
  },
);

/** Central's database and that of a station, which a fault can be planted in. */
function copied(evidence: StormEvidence): StormEvidence {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-storm-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const two = [...evidence.machines.slice(0, 1), ...evidence.machines.slice(-1)];
  const machines = two.map(machine => {
    const copy = join(folder, machine.name);
    cpSync(machine.folder, copy, { recursive: true });
    return { ...machine, folder: copy };
  });
  return { ...evidence, machines };
}
