import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { FIRST_CURSOR, PROTOCOL, SPEAKS } from '../../../../server/sync/protocol/wire.ts';
import type { StationNames } from '../../../../shared/contract/station-names.ts';
import type { historyEntrySchema } from '../../../../shared/operations/extension-schemas.ts';
import { callWith, enrolledStation } from '../../../server/enrolment/enrolled.ts';
import { Browser, PASSWORD } from '../../../server/identity/browser.ts';
import type { Station } from '../../../support/station.ts';
import {
  conflictsOf,
  dataOf,
  faultsOf,
  startCentral,
  startStation,
  syncOf,
  until,
  untilInStep,
  untilPasswords,
} from './installation.ts';

type HistoryEntry = z.infer<typeof historyEntrySchema>;

let central: Station;
let dock: Station;
let lab: Station;
const all = () => [central, dock, lab];
beforeAll(async () => {
  central = await startCentral();
  dock = await startStation(central, 'Dock');
  lab = await startStation(central, 'Lab');
});
afterAll(async () => {
  await Promise.all([dock, lab].map(station => station?.stop()));
  await central?.stop();
});

const historyOf = async (station: Station, record: string) =>
  dataOf<HistoryEntry[]>(await station.get(`/x/history/${record}`));

it('history says on every machine which station wrote it, also while central is away', async () => {
  const { id } = dataOf<{ id: number }>(await dock.post('/suppliers', { name: 'Acme' }));
  await untilInStep(central, [dock, lab]);
  dataOf(await lab.patch(`/suppliers/${id}`, { name: 'Acme Ltd' }));
  dataOf(await central.patch(`/suppliers/${id}`, { primary_name: 'Ann' }));
  await untilInStep(central, [dock, lab]);
  // The name of the station that enrolled last comes with the next answer of central.
  const namesAt = async (station: Station) =>
    (await historyOf(station, `supplier/${id}`)).map(({ station_name: name }) => name).sort();
  for (const each of all()) {
    await until(
      'named',
      () => namesAt(each),
      names => !names.includes(null),
    );
  }
  await central.kill();
  for (const each of [dock, lab]) {
    await each.kill();
    await each.start();
    expect(await namesAt(each)).toEqual(['Central', 'Dock', 'Lab']);
  }
  await central.start();
  for (const each of all()) expect(await namesAt(each)).toEqual(['Central', 'Dock', 'Lab']);
  for (const each of [dock, lab]) {
    const [entry] = (await historyOf(each, `supplier/${id}`)).filter(one => one.station_name === 'Lab');
    // All of them run by the clock of this machine.
    expect(Math.abs(entry?.clock_offset ?? Number.NaN)).toBeLessThan(30_000);
  }
});

it('central tells names only to a station that asks, and only what it lacks', async () => {
  const { key, station } = await enrolledStation(central, 'Gate');
  const pull = {
    kind: 'pull',
    request: randomUUID(),
    station,
    protocol: PROTOCOL.oldest,
    cursor: FIRST_CURSOR,
    limit: 1,
  };
  const about = { version: '1.0.0', speaks: SPEAKS, unsent: 0, clock: new Date().toISOString() };
  const told = async (more: { names?: string }) => {
    const body = { ...pull, about: { ...about, ...more } };
    return dataOf<{ names?: StationNames }>(await callWith(central, key, 'POST', '/x/sync/exchange', body))
      .names;
  };
  // As every station asks whose program knows nothing of names.
  expect(await told({})).toBeUndefined();
  const all = await told({ names: '' });
  expect(all?.stations.map(({ name }) => name)).toEqual(['Dock', 'Lab', 'Gate']);
  expect(await told({ names: all?.stamp ?? '' })).toBeUndefined();
});

it('a scrap that both take back while central is away is given back once, and both are named in the conflict', async () => {
  const supplier = dataOf<{ id: number }>(await central.post('/suppliers', { name: 'Best' }));
  const part = dataOf<{ id: number }>(
    await central.post('/parts', { name: 'Bolt', identification: 'B-1', unit_of_measure: 'units' }),
  );
  dataOf(
    await central.post('/receiving-inspections', {
      supplier_id: supplier.id,
      po_number: 'PO-1',
      items: [{ part_id: part.id, serial_number: 'L-1', quantity_accepted: 100, unit_of_measure: 'EA' }],
    }),
  );
  const [lot] = dataOf<{ id: number }[]>(await central.get('/inventory', { part_id: part.id }));
  const { id } = dataOf<{ id: number }>(
    await central.post('/ncrs', { ncr_number: 'NCR-1', source: 'internal', inventory_id: lot?.id }),
  );
  const scrap = { disposition: 'scrap', disposition_quantity: 40, reason: 'Cracked.' };
  dataOf(await central.patch(`/ncrs/${id}`, scrap));
  await untilInStep(central, [dock, lab]);
  const quantities = () =>
    Promise.all(
      all().map(async each =>
        Number(dataOf<{ quantity: number }>(await each.get(`/inventory/${lot?.id}`)).quantity),
      ),
    );
  expect(await quantities()).toEqual([60, 60, 60]);
  // No integration of a station decides on a report.
  const quinn = {
    login: 'quinn',
    name: 'Quinn',
    roles: ['quality'],
    password: PASSWORD,
    is_password_temporary: false,
  };
  dataOf(await central.post('/x/users', quinn));
  await untilInStep(central, [dock, lab]);
  const people = await Promise.all(
    [dock, lab].map(async each => {
      const browser = new Browser(each.origin);
      await untilPasswords(central, [each]);
      dataOf(await browser.signIn('quinn'));
      return browser;
    }),
  );
  await central.kill();
  for (const each of people) {
    dataOf(await each.patch(`/ncrs/${id}`, { disposition: null, reason: 'Not cracked after all.' }));
  }
  await central.start();
  await untilInStep(central, [dock, lab]);
  expect(await quantities()).toEqual([100, 100, 100]);
  const [first, ...others] = await Promise.all(all().map(each => conflictsOf(each)));
  expect(first).toMatchObject([{ family: 'ncr', record_id: id, path: 'disposition_reversal_id' }]);
  expect(first?.[0]?.values.map(({ station_name: name }) => name).sort()).toEqual(['Dock', 'Lab']);
  expect(others).toEqual([first, first]);
  const standing = first?.[0]?.values[0];
  dataOf(
    await central.post(`/x/conflicts/${first?.[0]?.id}/resolve`, {
      value: standing?.value,
      reason: 'It was taken back once.',
    }),
  );
  await untilInStep(central, [dock, lab]);
  expect(await quantities()).toEqual([100, 100, 100]);
  for (const each of all()) {
    expect(await conflictsOf(each)).toEqual([]);
    expect(await faultsOf(each)).toEqual([]);
  }
  expect(await syncOf(dock)).toMatchObject({ digests_agree: true });
});

it('settings that are changed at central reach all, and a station changes none', async () => {
  expect(await dock.put('/x/settings', { expiry_soon_days: 60 })).toMatchObject({ status: 403 });
  dataOf(await central.put('/x/settings', { expiry_soon_days: 45 }));
  await untilInStep(central, [dock, lab]);
  for (const each of all()) {
    expect(dataOf(await each.get('/x/settings'))).toMatchObject({ expiry_soon_days: 45, time_zone: 'UTC' });
  }
});
