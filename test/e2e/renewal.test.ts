import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { newCode } from '../server/enrolment/enrolled.ts';
import { fakeClock, HAS_FAKETIME } from '../support/faketime.ts';
import type { Station } from '../support/station.ts';
import { startCentral, startStation, syncOf, until } from '../system/sync/processes/installation.ts';
import { makeAdministrator, signInByCall } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { closeWindows, openBrowser } from './support/browser.ts';

let central: Station;
let browser: Browser;
const stations: Station[] = [];
beforeAll(async () => {
  central = await startCentral({ HOLDPOINT_HOST: '0.0.0.0' });
  await makeAdministrator(central);
  for (const each of ['Dock', 'Lab']) stations.push(await startStation(central, each));
  browser = await openBrowser();
});
afterEach(closeWindows);
afterAll(async () => {
  for (const station of stations) await station.stop();
  await central?.stop();
});

/** A page of a server whose certificate no browser knows, by default Setup, Stations at central. */
async function pageOf(locale: 'en' | 'de', server = central, path = 'setup/stations'): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale,
    timezoneId: 'UTC',
    ignoreHTTPSErrors: true,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await signInByCall(context, server.origin);
  await page.goto(`${server.origin}/app/${path}`);
  return page;
}

it('an administrator renews the certificate, sees who has not heard, and changes the time', async () => {
  await stations[1]?.kill();
  const page = await pageOf('en');
  const section = page.getByRole('region', { name: "Central's certificate" });
  await section.getByText('It is valid until').waitFor();
  await section.getByRole('button', { name: 'Renew the certificate' }).click();
  await page.getByRole('radio', { name: 'Once every station has heard of it' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/form-en.png` });
  await section.getByRole('button', { name: 'Renew the certificate' }).click();
  await section.getByText('Until then both hold').waitFor();
  await section.getByText('Lab').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/announced-en.png` });

  const german = await pageOf('de');
  const bereich = german.getByRole('region', { name: 'Zertifikat der Zentrale' });
  await bereich.getByText('Bis dahin gelten beide').waitFor();
  await bereich.getByRole('button', { name: 'Zu anderer Zeit übergehen' }).click();
  await german.getByRole('radio', { name: 'Zu einer Zeit' }).check();
  await german.getByLabel('Wann').last().fill('2016-01-01T00:00');
  await bereich.getByRole('button', { name: 'Diese Zeit übernehmen' }).click();
  await bereich.getByText('ist an der Zentrale vorbei').first().waitFor();
  if (process.env.PICTURES) await german.screenshot({ path: `${process.env.PICTURES}/form-de.png` });
  await german.getByRole('radio', { name: 'Sofort', exact: true }).check();
  await bereich.getByRole('button', { name: 'Diese Zeit übernehmen' }).click();
  await bereich.getByText('Es gilt bis').waitFor();
  await stations[1]?.start();
  expect(await newCode(central, 'Gate')).toMatch(/^HP1-/);
});

it.skipIf(!HAS_FAKETIME)(
  'a station whose clock is ten years off says so on Today and the page of the exchange',
  async () => {
    const slow = await startStation(central, 'Slow', { env: fakeClock('-10y') });
    stations.push(slow);
    await until(
      'told',
      () => syncOf(slow),
      ({ clock_offset_ms: offset, state }) => offset !== null && state === 'in_step',
    );
    const page = await pageOf('en', slow, 'sync');
    await page.getByText("This machine's clock is 10 years behind central's").waitFor();
    await page.getByText('When central last answered it was').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/clock-en.png` });
    const today = await pageOf('de', slow, '');
    const card = today.getByRole('region', { name: 'Uhr dieses Rechners' });
    await card.getByText('geht gegenüber der Zentrale 10 Jahre nach').waitFor();
    if (process.env.PICTURES) await today.screenshot({ path: `${process.env.PICTURES}/today-de.png` });
    const list = await pageOf('de', central, 'sync');
    await list.getByRole('row', { name: /Slow/ }).getByText('10 Jahre nach').waitFor();
    if (process.env.PICTURES) await list.screenshot({ path: `${process.env.PICTURES}/list-de.png` });
  },
);
