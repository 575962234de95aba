import { afterAll, beforeAll, expect, it } from 'vitest';
import { childrenOf, idOf, recordOf, recordsOf } from '../../contract/golden/answers.ts';
import { createPart, lotOf, receive } from '../../contract/golden/records.ts';
import type { Fields } from '../../support/expect-shape.ts';
import { Station } from '../../support/station.ts';

const station = new Station({ isHere: true });
beforeAll(() => station.start());
afterAll(() => station.stop());

/** ISO 2859-1:1999, single sampling, normal inspection: lot size, level and AQL, then sample size and acceptance number. */
const published: [lot: number, level: string, aql: string, n: number, ac: number][] = [
  [1_000, 'II', '1', 80, 2],
  [1_500, 'II', '1', 125, 3],
  [5_000, 'II', '1', 200, 5],
  [20_000, 'II', '1', 315, 7],
  [400, 'II', '1', 50, 1],
  [80, 'II', '1', 13, 0],
  // An arrow up, an arrow down, and a sample as large as the lot.
  [120, 'II', '1', 13, 0],
  [200, 'II', '1', 50, 1],
  [10, 'II', '1', 10, 0],
  [100, 'II', '2.5', 20, 1],
  [200, 'II', '2.5', 32, 2],
  [400, 'II', '2.5', 50, 3],
  [1_000, 'II', '2.5', 80, 5],
  [1_500, 'II', '2.5', 125, 7],
  [1_000, 'II', '0.65', 80, 1],
  [1_500, 'II', '0.65', 125, 2],
  [60, 'II', '4', 13, 1],
  [400, 'II', '4', 50, 5],
  [40, 'II', '6.5', 8, 1],
  [1_000, 'II', '6.5', 80, 10],
  [200, 'II', '1.5', 32, 1],
  [1_000, 'I', '1', 50, 1],
  [1_000, 'III', '1', 125, 3],
  [1_000, 'S-4', '1', 13, 0],
];

interface Inspected {
  id: number;
  lot: number;
  sampling: Fields;
  samples: number[];
}

/** A delivery that names no plan, and what was opened for its lot. */
async function arrived(part: number, quantity: number): Promise<Inspected> {
  const { inventory: lot } = await receive(station, { part_id: part, quantity_accepted: quantity });
  const answer = await station.get('/inspections', { inventory_id: lot, as: 'array' });
  const [inspection, ...more] = recordsOf(answer);
  expect(more).toEqual([]);
  const id = Number(inspection?.id);
  const { fields } = recordOf(await station.get(`/x/records/inspection/${id}`)) as {
    fields: { samples: object; sampling: Fields };
  };
  const { samples, sampling } = fields;
  return { id, lot, sampling, samples: Object.keys(samples).map(Number) };
}

/** Measures as many samples as there are verdicts, says that the lot has passed, and reads whether that frees it. */
async function isFreed({ id, lot, samples }: Inspected, characteristic: number, verdicts: boolean[]) {
  const entered = verdicts.map((isGood, place) => ({
    id: samples[place],
    results: [{ id: characteristic, value: isGood ? 10 : 20 }],
  }));
  recordOf(await station.put(`/inspections/${id}`, { samples: entered }));
  recordOf(await station.put(`/inspections/${id}`, { passed: true }));
  const { is_locked: isLocked } = await lotOf(station, lot);
  return isLocked !== true;
}

const good = (count: number) => Array.from({ length: count }, () => true);
const bad = (count: number) => Array.from({ length: count }, () => false);

it.each(published)(
  'a delivery of %i at level %s and AQL %s has %i samples opened, of which %i may fail',
  async (quantity, level, aql, n, ac) => {
    const part = await createPart(station, { sampling_level: level, sampling_aql: aql });
    const template = recordOf(
      await station.post('/x/specifications', {
        name: 'Jar',
        is_approved: true,
        characteristics: [{ name: 'Height', dimensions: '10', tolerance: '±1' }],
      }),
    );
    const characteristic = Number(childrenOf(template, 'characteristics')[0]?.id);
    const plan = idOf(
      await station.post('/x/inspection-plans', {
        name: 'Jars',
        part_id: part,
        specification_id: Number(template.id),
      }),
    );
    // Before any verdict: each of them is the next lot of normal inspection.
    const within = await arrived(part, quantity);
    const beyond = await arrived(part, quantity);
    const fewer = await arrived(part, quantity);
    const sampling = { plan_id: plan, lot_size: quantity, level, aql: Number(aql), severity: 'normal' };
    for (const each of [within, beyond, fewer]) {
      expect(each.sampling).toEqual({ ...sampling, n, ac, re: ac + 1 });
      expect(each.samples).toHaveLength(n);
      expect((await lotOf(station, each.lot)).is_locked).toBe(true);
    }
    expect(await isFreed(within, characteristic, [...bad(ac), ...good(n - ac)])).toBe(true);
    expect(await isFreed(beyond, characteristic, [...bad(ac + 1), ...good(n - ac - 1)])).toBe(false);
    expect(await isFreed(fewer, characteristic, good(n - 1))).toBe(false);
    // The ledger behind the switching rules says what was measured.
    const { history } = recordOf(await station.get('/x/sampling', { part_id: part, lot_size: quantity }));
    expect(history).toMatchObject([
      { id: within.id, n, ac, measured: n },
      { id: beyond.id, n, ac, measured: n },
      { id: fewer.id, n, ac, measured: n - 1 },
    ]);
  },
);
