import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { historyEntrySchema } from '../../../../shared/operations/extension-schemas.ts';
import type { Attention } from '../../../../shared/operations/overview-operations.ts';
import { environmentOf, holdpoint } from '../../../server/transfer/holdpoint.ts';
import { fakeClock, HAS_FAKETIME } from '../../../support/faketime.ts';
import type { Station } from '../../../support/station.ts';
import {
  dataOf,
  faultsOf,
  startCentral,
  startStation,
  stationsOf,
  supplierAt,
  syncOf,
  until,
  untilInStep,
} from './installation.ts';

type HistoryEntry = z.infer<typeof historyEntrySchema>;

const BEYOND = { HOLDPOINT_HOST: '0.0.0.0' };
const YEAR = 365 * 86_400_000;
/** Central's certificate is valid from a day before it was made, for ten years. */
const CLOCKS = [
  { name: 'Slow', fake: '-10y', offset: -10 * YEAR, words: '10 years behind' },
  { name: 'Fast', fake: '+11y', offset: 11 * YEAR, words: '11 years ahead of' },
  // As of a machine whose battery is empty.
  { name: 'Empty', fake: '-56y', offset: -56 * YEAR, words: '56 years behind' },
];

it('libfaketime is there where tests must not be skipped', () => {
  if (process.env.CI === 'true') expect(HAS_FAKETIME).toBe(true);
});

describe.skipIf(!HAS_FAKETIME)('by TLS, with clocks beyond the dates of the certificate', () => {
  let central: Station;
  const stations: Station[] = [];
  beforeAll(async () => {
    central = await startCentral(BEYOND);
    for (const { name, fake } of CLOCKS) {
      stations.push(await startStation(central, name, { env: fakeClock(fake) }));
    }
    await untilInStep(central, stations);
  });
  afterAll(async () => {
    for (const station of stations) await station.stop();
    await central?.stop();
  });

  it('stations get through, are told at both ends, and follow renewals', async () => {
    for (const [index, { words, offset }] of CLOCKS.entries()) {
      const station = stations[index] as Station;
      const {
        says,
        clock_offset_ms: told,
        state,
      } = await until(
        'told',
        () => syncOf(station),
        sync => sync.clock_offset_ms !== null,
      );
      expect([state, says]).toEqual(['in_step', expect.stringContaining(`clock is ${words} central's`)]);
      expect(Math.abs((told ?? 0) - offset)).toBeLessThan(15 * 86_400_000);
      const today = dataOf<Attention>(await station.get('/x/attention'));
      expect(today.find(({ kind }) => kind === 'clock')?.says).toContain(words);
    }
    const list = await holdpoint({ ...environmentOf(central), ...BEYOND }, 'station', 'list');
    expect(list.output).toMatch(/Slow .*10 years behind/);
    expect(list.output).toMatch(/Fast .*11 years ahead/);
    expect(
      dataOf<Attention>(await central.get('/x/attention')).find(({ kind }) => kind === 'clock')?.total,
    ).toBe(0);

    await central.post('/x/central-certificate/renew', {});
    await until(
      'gone over',
      () => stationsOf(central),
      rows => rows.every(row => row.has_heard === null),
    );
    await stations[0]?.kill();
    await central.post('/x/central-certificate/renew', { now: true });
    await stations[0]?.start();
    await supplierAt(stations[0] as Station, 'Over the renewals');
    await untilInStep(central, stations);
  });

  it('nothing goes into the shared history unmarked, what was written before central was reached included', async () => {
    await central.kill();
    const ids: number[] = [];
    for (const station of stations) {
      await station.restart();
      ids.push(await supplierAt(station, 'Written without central'));
    }
    await central.start();
    await untilInStep(central, stations);
    for (const [index, id] of ids.entries()) {
      for (const each of [central, ...stations]) {
        const history = dataOf<HistoryEntry[]>(await each.get(`/x/history/supplier/${id}`));
        const offset = history[0]?.clock_offset ?? Number.NaN;
        expect(Math.abs(offset - (CLOCKS[index]?.offset ?? 0))).toBeLessThan(15 * 86_400_000);
      }
    }
    for (const each of [central, ...stations]) expect(await faultsOf(each)).toEqual([]);
  });
});
