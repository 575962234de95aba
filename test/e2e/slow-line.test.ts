import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newCode } from '../server/enrolment/enrolled.ts';
import { Station } from '../support/station.ts';
import { SlowLine } from '../system/sync/kit/slow-line.ts';
import { dataOf, syncOf, until, untilInStep } from '../system/sync/processes/installation.ts';
import { ADMINISTRATOR, openWindow } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { closeWindows, openBrowser } from './support/browser.ts';
import { goTo } from './support/go-to.ts';

/** Bytes a second. */
const RATE = 8_000;

let line: SlowLine;
let central: Station;
let dock: Station;
const faults: string[] = [];

beforeAll(async () => {
  line = await SlowLine.open({ rate: RATE });
  central = new Station({ role: 'central', env: { HOLDPOINT_HOSTS: line.host } });
  dock = new Station();
  for (const each of [central, dock]) await each.start();
  line.target = central.origin;
  dataOf(
    await central.post('/x/users', {
      is_password_temporary: false,
      ...ADMINISTRATOR,
      roles: ['administrator'],
    }),
  );
  const code = await newCode(central, 'Dock');
  dataOf(await dock.post('/x/sync/enrol', { address: `http://${line.host}`, code }));
  await untilInStep(central, [dock]);
});
afterAll(async () => {
  await closeWindows();
  for (const each of [dock, central]) await each?.stop();
  await line?.close();
});

/** About a kilobyte each on the line. */
async function write(count: number): Promise<void> {
  const body = () => ({ name: 'S', notes: randomBytes(1_000).toString('base64') });
  for (const answer of await Promise.all(
    Array.from({ length: count }, () => dock.post('/suppliers', body())),
  )) {
    dataOf(answer);
  }
}

/** What the page says beside a name of its list of facts. */
const fact = (page: Page, name: string) => page.locator('dt', { hasText: name }).locator('xpath=../dd');

it('the page and the badge say in both languages since when the line is slow, its rate, and what is left', async () => {
  await write(20);
  await until(
    'known to be slow',
    () => syncOf(dock),
    state => state.line?.is_slow === true && state.unsent === 0,
  );
  const browser = await openBrowser();
  const english = await openWindow(browser, dock.origin, faults, { language: 'en' });
  const german = await openWindow(browser, dock.origin, faults, { language: 'de' });
  // For much longer than the pages are looked at.
  await write(300);
  for (const page of [english, german]) await goTo(page, '/app/sync');
  await english.getByText(/^The line is slow, since .*\d:\d\d/).waitFor();
  await english.getByRole('link', { name: /^Saved here, \d+ on a slow line$/ }).waitFor();
  await expect.poll(() => fact(english, 'Line to central').innerText()).toMatch(/^Slow since .*\d:\d\d/);
  await expect.poll(() => fact(english, 'Sent at').innerText()).toMatch(/^[\d.]+ kB\/s$/);
  await expect.poll(() => fact(english, 'Left to send and to read').innerText()).toMatch(/^about [\d.]+ kB$/);
  expect(await axeFindings(english)).toEqual([]);
  await german.getByText(/^Die Leitung ist langsam, seit .*\d:\d\d/).waitFor();
  await german.getByRole('link', { name: /^Hier gespeichert, \d+ langsam unterwegs$/ }).waitFor();
  await expect.poll(() => fact(german, 'Gesendet mit').innerText()).toMatch(/^[\d,]+ kB\/s$/);
  await expect
    .poll(() => fact(german, 'Noch zu senden und zu lesen').innerText())
    .toMatch(/^etwa [\d,]+ kB$/);
  expect(faults).toEqual([]);
});
