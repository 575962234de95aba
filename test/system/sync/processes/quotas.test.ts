import { afterAll, beforeAll, expect, it } from 'vitest';
import { environmentOf, holdpoint } from '../../../server/transfer/holdpoint.ts';
import type { Station } from '../../../support/station.ts';
import {
  dataOf,
  startCentral,
  startStation,
  stationsOf,
  syncOf,
  until,
  untilInStep,
} from './installation.ts';

let central: Station;
let dock: Station;
let lab: Station;
beforeAll(async () => {
  central = await startCentral({ HOLDPOINT_STATION_DAY_MB: '16' });
  dock = await startStation(central, 'Dock');
  lab = await startStation(central, 'Lab');
});
afterAll(async () => {
  await lab?.stop();
  await dock?.stop();
  await central?.stop();
});

/** Ten thousand characters each. */
async function writeMegabytes(station: Station, megabytes: number): Promise<void> {
  for (let n = 0; n < megabytes; n += 1) {
    const parts = Array.from({ length: 100 }, (_, index) => ({
      name: `Part ${n}.${index}`,
      identification: `P-${n}-${index}`,
      batch_ids: [String(index).padEnd(10_000, 'x')],
    }));
    dataOf(await station.post('/parts/bulk', parts));
  }
}

it('a station that has sent its megabytes of the day waits, both sides say so, and another one goes on', async () => {
  await writeMegabytes(dock, 20);
  const state = await until(
    'slowed',
    () => syncOf(dock),
    ({ state }) => state === 'slowed',
  );
  expect(state.says).toContain('Central takes 16 MB a day from one station');
  expect(state.unsent).toBeGreaterThan(0);
  expect(Date.parse(state.slowed_until ?? '')).toBeGreaterThan(Date.now());
  expect(await stationsOf(central)).toMatchObject([
    { name: 'Dock', quota: { of: 'bytes', until: expect.any(String) } },
    { name: 'Lab', quota: null },
  ]);
  expect((await holdpoint(environmentOf(central), 'station', 'list')).output).toContain(
    'waits: has used up its bytes',
  );

  dataOf(await lab.post('/suppliers', { name: 'Of the lab' }));
  dataOf(await central.post('/suppliers', { name: 'Of central' }));
  await untilInStep(central, [lab]);
  await until(
    'read on',
    async () => dataOf<{ name: string }[]>(await dock.get('/suppliers')).map(({ name }) => name),
    names => names.length === 2,
  );
  const waiting = await syncOf(dock);
  expect(waiting.unsent).toBe(state.unsent);
  expect(waiting.slowed_until).toBe(state.slowed_until);
});
