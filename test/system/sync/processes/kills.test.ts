import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Station } from '../../../support/station.ts';
import { seededRandom } from '../../faults/seeded-random.ts';
import {
  conflictsOf,
  dataOf,
  faultsOf,
  startCentral,
  startStation,
  syncOf,
  untilInStep,
} from './installation.ts';

/** `HOLDPOINT_SYNC=full` has more of them. */
const ROUNDS = process.env.HOLDPOINT_SYNC === 'full' ? 12 : 3;
/** So that machines have time for each other, and to begin again. */
const PACE_MS = 40;
const random = seededRandom(20_260_131);
let central: Station;
let dock: Station;
let lab: Station;
beforeAll(async () => {
  central = await startCentral();
  dock = await startStation(central, 'Dock');
  lab = await startStation(central, 'Lab');
});
afterAll(async () => {
  await Promise.all([dock, lab].map(station => station?.stop()));
  await central?.stop();
});

/** Writes until it is told to stop; what is answered with a success must be everywhere at the end. */
async function write(
  at: Station,
  shared: number,
  name: string,
  answered: Set<number>,
  isOver: () => boolean,
) {
  for (let count = 0; !isOver(); count += 1) {
    try {
      const made = await at.post('/suppliers', { name: `${name} ${count}` });
      if (made.status === 201) answered.add(dataOf<{ id: number }>(made).id);
      await at.patch(`/suppliers/${shared}`, {
        name: `${name} ${count}`,
        [count % 2 === 0 ? 'primary_name' : 'secondary_name']: name,
      });
    } catch {
      // Its process is killed just now: nothing was answered.
    }
    await sleep(PACE_MS);
  }
}

async function idsAt(station: Station): Promise<number[]> {
  const ids: number[] = [];
  for (let page = 1; ; page += 1) {
    const rows = dataOf<{ id: number }[]>(await station.get('/suppliers', { per_page: 500, page }));
    ids.push(...rows.map(({ id }) => id));
    if (rows.length < 500) return ids;
  }
}

it('kills of central and stations in the midst of the exchange lose nothing and leave all the same', async () => {
  const { id: shared } = dataOf<{ id: number }>(await dock.post('/suppliers', { name: 'Shared' }));
  await untilInStep(central, [dock, lab]);
  const answered = new Set<number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    let isOver = false;
    const writing = [central, dock, lab].map((each, index) =>
      write(each, shared, `Round ${round} of ${index}`, answered, () => isOver),
    );
    for (const victim of [random.pick([dock, lab]), central]) {
      await sleep(100 + random.below(400));
      await victim.kill();
      await victim.start();
    }
    await sleep(random.below(200));
    isOver = true;
    await Promise.all(writing);
  }
  await untilInStep(central, [dock, lab]);
  expect(answered.size).toBeGreaterThan(20);
  for (const each of [central, dock, lab]) {
    const there = new Set(await idsAt(each));
    expect([...answered].filter(id => !there.has(id))).toEqual([]);
    expect(await faultsOf(each)).toEqual([]);
    expect((await syncOf(each)).held).toEqual([]);
  }
  const [first, ...others] = await Promise.all([central, dock, lab].map(each => conflictsOf(each)));
  for (const list of others) expect(list.map(({ id }) => id)).toEqual(first?.map(({ id }) => id));
  const records = await Promise.all(
    [central, dock, lab].map(each => each.get(`/x/records/supplier/${shared}`)),
  );
  expect(new Set(records.map(answer => dataOf<{ state: string }>(answer).state)).size).toBe(1);
});
