import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { ConflictAnswer } from '../../../../shared/operations/exchange-operations.ts';
import type { historyEntrySchema } from '../../../../shared/operations/extension-schemas.ts';
import { fakeClock, HAS_FAKETIME } from '../../../support/faketime.ts';
import type { Station } from '../../../support/station.ts';
import {
  conflictsOf,
  dataOf,
  faultsOf,
  startCentral,
  startStation,
  stationsOf,
  syncOf,
  until,
  untilInStep,
} from './installation.ts';

type HistoryEntry = z.infer<typeof historyEntrySchema>;

const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;
const CLOCKS = [
  { name: 'two hours slow', fake: '-2h', offset: -2 * HOUR },
  { name: 'ten years slow', fake: '-10y', offset: -10 * YEAR },
  { name: 'a year fast', fake: '+1y', offset: YEAR },
];

function winnerIn({ value, commit, is_standing }: ConflictAnswer['values'][number]) {
  return { value, commit, is_standing };
}

describe.skipIf(!HAS_FAKETIME)('with clocks that are wrong', () => {
  let central: Station;
  const stations: Station[] = [];
  beforeAll(async () => {
    central = await startCentral();
    for (const { name, fake } of CLOCKS) {
      stations.push(await startStation(central, name, { env: fakeClock(fake) }));
    }
  });
  afterAll(async () => {
    for (const station of stations) await station.stop();
    await central?.stop();
  });

  it('the last to be taken stands, whatever time it bears, and each station is shown with its offset', async () => {
    const { id } = dataOf<{ id: number }>(await central.post('/suppliers', { name: 'Acme' }));
    await untilInStep(central, stations);
    for (const index of [2, 0, 1]) {
      const station = stations[index];
      if (!station) throw new Error();
      dataOf(await station.patch(`/suppliers/${id}`, { name: `Of ${CLOCKS[index]?.name}` }));
      await untilInStep(central, stations);
    }
    for (const each of [central, ...stations]) {
      expect(dataOf(await each.get(`/suppliers/${id}`))).toMatchObject({ name: 'Of ten years slow' });
      expect(await conflictsOf(each)).toEqual([]);
    }
    const rows = await stationsOf(central);
    for (const { name, offset } of CLOCKS) {
      const shown = rows.find(row => row.name === name)?.clock_offset_ms ?? 0;
      // Years are of 365 days, or have a day more.
      expect(Math.abs(shown - offset)).toBeLessThan(4 * 24 * HOUR);
      expect(Math.sign(shown)).toBe(Math.sign(offset));
    }
    // What was written says so itself, on every machine.
    for (const each of [central, ...stations]) {
      const history = dataOf<HistoryEntry[]>(await each.get(`/x/history/supplier/${id}`));
      for (const { name, offset } of CLOCKS) {
        const written = history.find(entry => entry.station_name === name)?.clock_offset ?? Number.NaN;
        expect(Math.abs(written - offset)).toBeLessThan(4 * 24 * HOUR);
        expect(Math.sign(written)).toBe(Math.sign(offset));
      }
    }
  });

  it('what two wrote without having seen each other gives one conflict, with the same winner everywhere', async () => {
    const { id } = dataOf<{ id: number }>(await central.post('/suppliers', { name: 'Best' }));
    await untilInStep(central, stations);
    await central.kill();
    for (const [index, station] of stations.entries()) {
      dataOf(await station.patch(`/suppliers/${id}`, { name: `Of ${CLOCKS[index]?.name}` }));
    }
    await central.start();
    await untilInStep(central, stations);
    const open = await until(
      'in conflict',
      () => conflictsOf(central),
      conflicts => conflicts.length === 1,
    );
    for (const station of stations) {
      const [conflict] = await conflictsOf(station);
      expect([conflict?.id, conflict?.values.map(winnerIn)]).toEqual([
        open[0]?.id,
        open[0]?.values.map(winnerIn),
      ]);
      expect(await syncOf(station)).toMatchObject({ digests_agree: true });
      expect(await faultsOf(station)).toEqual([]);
    }
  });

  it('what is written by a clock that stands at the year of its making is taken, as by any other', async () => {
    const station = await startStation(central, 'Dead battery', { env: fakeClock('-30y') });
    stations.push(station);
    // From its second message on it knows how far its clock is off.
    await untilInStep(central, stations);
    const { id } = dataOf<{ id: number }>(await station.post('/suppliers', { name: 'By a dead battery' }));
    await untilInStep(central, stations);
    expect((await syncOf(central)).held).toEqual([]);
    expect(dataOf(await central.get(`/suppliers/${id}`))).toMatchObject({ name: 'By a dead battery' });
    const history = dataOf<HistoryEntry[]>(await central.get(`/x/history/supplier/${id}`));
    // Years are of 365 days, or have a day more.
    expect(Math.abs((history[0]?.clock_offset ?? 0) + 30 * YEAR)).toBeLessThan(10 * 24 * HOUR);
  });
});
