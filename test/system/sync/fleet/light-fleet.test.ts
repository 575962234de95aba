import { afterAll, beforeAll, expect, it } from 'vitest';
import { newCode } from '../../../server/enrolment/enrolled.ts';
import { Station } from '../../../support/station.ts';
import { dataOf, faultsOf, startStation, syncOf, until, untilInStep } from '../processes/installation.ts';
import { LightFleet } from './light-fleet.ts';

let central: Station;
let station: Station;
let fleet: LightFleet;
beforeAll(async () => {
  central = new Station({ role: 'central' });
  await central.start();
  station = await startStation(central, 'Real');
  fleet = await LightFleet.open({
    stations: 4,
    seed: 7,
    addressOf: () => central.origin,
    newCode: name => newCode(central, name),
  });
});
afterAll(async () => {
  await fleet?.close();
  await station?.stop();
  await central?.stop();
});

it('light stations and a real one exchange what they write: nothing is held, and all have one log', async () => {
  await station.post('/suppliers', { name: 'Of the real one' });
  await fleet.write(300, 2_000);
  await fleet.storm(5);
  const { written, entries, failures, arrivals } = fleet.takeFigures();
  expect(written).toBeGreaterThan(20);
  // Each of the four gets all that was written, its own among it.
  expect(entries).toBeGreaterThanOrEqual(written * 4);
  expect(failures).toBe(0);
  expect(arrivals.length).toBeGreaterThan(0);
  await untilInStep(central, [station]);
  const { sequence, held } = await syncOf(central);
  await until(
    'at the end of the log',
    async () => fleet.stations,
    all => all.every(({ cursor }) => cursor.sequence === sequence),
  );
  expect(held).toEqual([]);
  const { meta } = (await central.get('/suppliers')).body as { meta: { total: number } };
  expect(meta.total).toBeGreaterThan(1);
  for (const each of [central, station]) expect(await faultsOf(each)).toEqual([]);
  expect(dataOf<unknown[]>(await central.get('/x/stations'))).toHaveLength(5);
});
