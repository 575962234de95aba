import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { newBackupKey } from '../../server/backup/backup-key.ts';
import type { Station } from '../support/station.ts';
import {
  dataOf,
  startCentral,
  startStation,
  stationsOf,
  until,
} from '../system/sync/processes/installation.ts';
import { makeAdministrator, signedInPage } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { closeWindows, openBrowser } from './support/browser.ts';

let central: Station;
let dock: Station;
let browser: Browser;
beforeAll(async () => {
  central = await startCentral({ HOLDPOINT_HOST: '0.0.0.0' });
  await makeAdministrator(central);
  dock = await startStation(central, 'Dock');
  const { recipient } = await newBackupKey();
  expect((await dock.put('/x/backup-key', { recipient })).status).toBe(200);
  dataOf(await dock.post('/x/backups'));
  browser = await openBrowser();
});
afterEach(closeWindows);
afterAll(async () => {
  await dock?.stop();
  await central?.stop();
});

it('an administrator lets a station send its backups, and sees that central has the last one', async () => {
  const page = await signedInPage(browser, dock, 'en', 'setup/backup');
  await page.getByRole('heading', { name: 'Backups at central' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Send them to central' }).click();
  await page.getByRole('button', { name: 'Send no more' }).waitFor();
  await until(
    'kept',
    async () => (await stationsOf(central))[0]?.kept_backup,
    kept => kept != null,
  );
  const german = await signedInPage(browser, dock, 'de', 'setup/backup');
  await german
    .getByText(/Die letzte hat die Zentrale seit .+ kB|Die letzte hat die Zentrale seit .+ MB/)
    .waitFor();
  expect(await axeFindings(german)).toEqual([]);
});

it('central shows of when and how large it is, and an administrator fetches it, which the list says', async () => {
  const fleet = await signedInPage(browser, central, 'en', 'sync');
  await fleet
    .getByRole('table', { name: 'Stations' })
    .getByText(/At central: .+B$/)
    .waitFor();

  const page = await signedInPage(browser, central, 'en', 'setup/stations');
  await page.getByRole('button', { name: 'Backups of Dock' }).click();
  const table = page.getByRole('table', { name: 'Backups of Dock' });
  const link = table.getByRole('link', { name: /^holdpoint-.+\.db\.age$/ });
  await link.waitFor();
  expect(await axeFindings(page)).toEqual([]);
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  const fetched = await readFile(await download.path());
  expect(fetched.toString('latin1', 0, 21)).toBe('age-encryption.org/v1');
  expect(fetched.length).toBe((await stationsOf(central))[0]?.kept_backup?.bytes);

  const german = await signedInPage(browser, central, 'de', 'setup/stations');
  await german.getByRole('button', { name: 'Sicherungen von Dock' }).click();
  const zeile = german.getByRole('table', { name: 'Sicherungen von Dock' }).getByRole('row').nth(1);
  await zeile
    .getByText(/, \S+$/)
    .first()
    .waitFor();
  expect(await axeFindings(german)).toEqual([]);
  const aufbewahrung = await signedInPage(browser, central, 'de', 'setup/backup');
  await aufbewahrung.getByText(/bleiben die letzten 3, 90 Tage lang/).waitFor();
});
