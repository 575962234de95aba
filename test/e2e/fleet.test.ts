import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { PROGRAM_VERSION } from '../../server/store/program-version.ts';
import type { stationSchema } from '../../shared/operations/sync-operations.ts';
import { enrol, newCode } from '../server/enrolment/enrolled.ts';
import { writeRelease } from '../server/updates/release.ts';
import { STRANGER } from '../support/publisher.ts';
import type { Station } from '../support/station.ts';
import { dataOf, startCentral, startStation, syncOf, until } from '../system/sync/processes/installation.ts';
import { makeAdministrator, signedInPage } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { closeWindows, openBrowser } from './support/browser.ts';

type Told = z.infer<typeof stationSchema>;

let central: Station;
let dock: Station;
let pilot: Station;
let folder: string;
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
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-rings-'));
  const policy = join(folder, 'policy.json');
  writeFileSync(policy, JSON.stringify({ update_ring: 'pilot', update_window: '22:00-05:00' }));
  pilot = await startStation(central, 'Pilot', { env: { HOLDPOINT_POLICY: policy } });
  // A station of a former version, which says nothing of its machine.
  const former = await enrol(central, { code: await newCode(central, 'Yard'), version: '0.1.0' });
  expect(former.status).toBe(201);
  browser = await openBrowser();
});
afterEach(closeWindows);
afterAll(async () => {
  await pilot?.stop();
  await dock?.stop();
  await central?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const stationsNow = async () => dataOf<Told[]>(await central.get('/x/stations'));

it('central is told of the machine of each station', async () => {
  const stations = await until('told', stationsNow, all =>
    ['Dock', 'Pilot'].every(told => all.some(({ name, machine }) => name === told && machine !== null)),
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
  await rows.nth(3).waitFor();
  // By their ids the dock was first.
  expect((await stationsNow()).map(({ name }) => name)).toEqual(['Dock', 'Pilot', 'Yard']);
  await expect
    .poll(() => rows.nth(1).textContent())
    .toMatch(/^Yard.*Another program version than central.*Not told/);
  await expect
    .poll(() => rows.nth(2).textContent())
    .toMatch(/^DockIn step.*never.*[\d.]+\s[kMGT]B of [\d.]+\s[kMGT]B free/);
  expect(await axeFindings(page)).toEqual([]);

  const german = await signedInPage(browser, central, 'de', 'sync');
  const zeilen = german.getByRole('table', { name: 'Stationen' }).getByRole('row');
  await zeilen.nth(2).waitFor();
  await expect.poll(() => zeilen.nth(1).textContent()).toContain('Andere Programmversion als die Zentrale');
  await expect.poll(() => zeilen.nth(2).textContent()).toMatch(/[\d,]+\s[kMGT]B von [\d,]+\s[kMGT]B frei/);
  expect(await axeFindings(german)).toEqual([]);
});

/** Only root can make a policy that is in force. */
it.skipIf(process.getuid?.() !== 0)(
  'what each ring offers, who follows it and who is behind is seen at a glance',
  async () => {
    const bytes = Buffer.from('an installer');
    const releases = join(central.folder, 'updates');
    await writeRelease(releases, { version: PROGRAM_VERSION, bytes });
    await writeRelease(join(releases, 'pilot'), { version: '9.1.0', bytes, signed: { ring: 'pilot' } });
    const stations = await stationsNow();
    const named = (name: string) => stations.find(station => station.name === name);
    expect(named('Dock')).toMatchObject({
      machine: { updates: 'on', update_ring: 'stable', update_window: null },
      offered_version: PROGRAM_VERSION,
      needs: [],
    });
    expect(named('Pilot')).toMatchObject({
      machine: { updates: 'on', update_ring: 'pilot', update_window: '22:00-05:00' },
      offered_version: '9.1.0',
      needs: ['update'],
    });
    expect(named('Yard')).toMatchObject({ offered_version: null, needs: ['version'] });

    for (const [language, words] of [
      ['en', { rings: 'Rings of the updates', stations: 'Stations', offered: 'offered', only: 'at 22:00' }],
      ['de', { rings: 'Ringe der Updates', stations: 'Stationen', offered: 'angeboten', only: 'nur 22:00' }],
    ] as const) {
      const page = await signedInPage(browser, central, language, 'sync');
      const rings = page.getByRole('table', { name: words.rings }).getByRole('row');
      await rings.nth(2).waitFor();
      await expect.poll(() => rings.nth(1).getByRole('cell').allTextContents()).toEqual(['9.1.0', '1', '1']);
      await expect
        .poll(() => rings.nth(2).getByRole('cell').allTextContents())
        .toEqual([PROGRAM_VERSION, '1', '0']);
      const rows = page.getByRole('table', { name: words.stations, exact: true }).getByRole('row');
      const row = rows.filter({ hasText: 'Pilot' });
      await expect.poll(() => row.textContent()).toContain(`pilot${words.only}-05:00`);
      await expect.poll(() => row.textContent()).toContain(`${words.offered}: 9.1.0`);
      expect(await axeFindings(page)).toEqual([]);
    }

    // What a stranger has signed is offered to nobody: no station would take it.
    const signed = { ring: 'pilot', by: STRANGER };
    await writeRelease(join(releases, 'pilot'), { version: '9.2.0', bytes, signed });
    expect((await stationsNow()).find(({ name }) => name === 'Pilot')).toMatchObject({
      offered_version: null,
      needs: [],
    });
  },
);
