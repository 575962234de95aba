import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { PROGRAM_VERSION } from '../../server/store/program-version.ts';
import type { stationSchema } from '../../shared/operations/sync-operations.ts';
import { enrol, newCode } from '../server/enrolment/enrolled.ts';
import type { Station } from '../support/station.ts';
import { dataOf, startCentral, startStation, syncOf, until } from '../system/sync/processes/installation.ts';
import { makeAdministrator, signedInPage } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { closeWindows, openBrowser } from './support/browser.ts';

type Told = z.infer<typeof stationSchema>;

let central: Station;
let dock: Station;
let browser: Browser;
beforeAll(async () => {
  central = await startCentral({ HOLDPOINT_HOST: '0.0.0.0' });
  await makeAdministrator(central);
  dock = await startStation(central, 'Dock');
  await until(
    'in step',
    () => syncOf(dock),
    ({ state }) => state === 'in_step',
  );
  // A station of a former version, which says nothing of its machine.
  const former = await enrol(central, { code: await newCode(central, 'Yard'), version: '0.1.0' });
  expect(former.status).toBe(201);
  browser = await openBrowser();
});
afterEach(closeWindows);
afterAll(async () => {
  await dock?.stop();
  await central?.stop();
});

const stationsNow = async () => dataOf<Told[]>(await central.get('/x/stations'));

it('central is told of the machine of each station', async () => {
  const stations = await until('told', stationsNow, all =>
    all.some(({ name, machine }) => name === 'Dock' && machine !== null),
  );
  const named = (name: string) => stations.find(station => station.name === name);
  const { machine } = named('Dock') ?? {};
  expect(machine).toMatchObject({ backup_at: null, is_backup_well: true, practised_at: null });
  expect(machine?.disk_size).toBeGreaterThan(machine?.disk_free ?? Number.POSITIVE_INFINITY);
  expect(named('Dock')).toMatchObject({ version: PROGRAM_VERSION, needs: [] });
  expect(named('Yard')).toMatchObject({ machine: null, needs: ['version'] });
});

it('who must be looked after comes first, in words, in both languages', async () => {
  const page = await signedInPage(browser, central, 'en', 'sync');
  const rows = page.getByRole('table', { name: 'Stations' }).getByRole('row');
  await rows.nth(2).waitFor();
  // By their ids the dock was first.
  expect((await stationsNow()).map(({ name }) => name)).toEqual(['Dock', 'Yard']);
  expect(await rows.nth(1).textContent()).toMatch(/^Yard.*Another program version than central.*Not told/);
  expect(await rows.nth(2).textContent()).toMatch(
    /^DockIn step.*never.*[\d.]+\s[kMGT]B of [\d.]+\s[kMGT]B free/,
  );
  expect(await axeFindings(page)).toEqual([]);

  const german = await signedInPage(browser, central, 'de', 'sync');
  const zeilen = german.getByRole('table', { name: 'Stationen' }).getByRole('row');
  await zeilen.nth(2).waitFor();
  expect(await zeilen.nth(1).textContent()).toContain('Andere Programmversion als die Zentrale');
  expect(await zeilen.nth(2).textContent()).toMatch(/[\d,]+\s[kMGT]B von [\d,]+\s[kMGT]B frei/);
  expect(await axeFindings(german)).toEqual([]);
});
