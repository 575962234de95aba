import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { newCode } from '../../../server/enrolment/enrolled.ts';
import { Station } from '../../../support/station.ts';
import { SlowLine, type SlowLineOptions } from '../kit/slow-line.ts';
import { dataOf, faultsOf, syncOf, until, untilInStep } from './installation.ts';

/** 48 kbit/s with two seconds to and fro, lost packets, and a line that is away for a fifth of the time. */
const FAR_AWAY: SlowLineOptions = {
  rate: 6_000,
  delay: 1_000,
  loss: 1,
  stall: 2_000,
  hole: { every: 20_000, dark: 4_000 },
};
const SINGLE = 12;
/** In one commit, which takes longer than central waits for the body of any other request. */
const IN_BULK = 60;

/** A text that does not pack well. */
const note = () => randomBytes(900).toString('base64');

it('over 6 kB a second with losses, delay and times in which nothing passes, all arrives both ways', async () => {
  const lines = [await SlowLine.open(FAR_AWAY), await SlowLine.open({ ...FAR_AWAY, seed: 2 })];
  const hosts = lines.map(({ host }) => host).join();
  const central = new Station({ role: 'central', env: { HOLDPOINT_HOSTS: hosts } });
  const stations = lines.map(() => new Station());
  onTestFinished(async () => {
    for (const one of [...stations, central]) await one.stop();
    for (const line of lines) await line.close();
  });
  for (const one of [central, ...stations]) await one.start();
  for (const [index, station] of stations.entries()) {
    const line = lines[index];
    if (!line) throw new Error();
    line.target = central.origin;
    const code = await newCode(central, `Far ${index}`);
    dataOf(await station.post('/x/sync/enrol', { address: `http://${line.host}`, code }));
  }
  const [from] = stations;
  if (!from) throw new Error();
  for (let count = 0; count < SINGLE; count += 1) {
    dataOf(await from.post('/suppliers', { name: 'S', notes: note() }));
  }
  const rows = Array.from({ length: IN_BULK }, (_, index) => ({
    identification: `P${index}`,
    name: note().slice(0, 1_000),
  }));
  dataOf(await from.post('/parts/bulk', rows));
  const { line } = await until(
    'known to be slow',
    () => syncOf(from),
    state => state.line?.is_slow === true,
  );
  expect(line?.sends).toBeLessThan(12_000);
  await untilInStep(central, stations);
  for (const station of stations) expect(await faultsOf(station)).toEqual([]);
});
