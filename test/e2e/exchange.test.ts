import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Station } from '../support/station.ts';
import {
  dataOf,
  startCentral,
  startStation,
  syncOf,
  until,
  untilInStep,
} from '../system/sync/processes/installation.ts';
import { writeOdd } from '../system/sync/processes/odd-commits.ts';
import { spoil } from '../system/sync/processes/spoilt-record.ts';
import { ADMINISTRATOR, openWindow } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { closeWindows, openBrowser } from './support/browser.ts';
import { goTo } from './support/go-to.ts';
import { tabTo, typeSlowly } from './support/keys.ts';

let central: Station;
let dock: Station;
let browser: Browser;
const faults: string[] = [];
const NAMES = ['Amber Glass', 'Birch Paper', 'Copper Works'] as const;
let suppliers: number[] = [];
/** The page at central, and the one at the station. */
let above: Page;
let below: Page;

beforeAll(async () => {
  central = await startCentral();
  dock = await startStation(central, 'Dock');
  dataOf(
    await central.post('/x/users', {
      is_password_temporary: false,
      ...ADMINISTRATOR,
      roles: ['administrator'],
    }),
  );
  suppliers = await Promise.all(
    NAMES.map(async name => dataOf<{ id: number }>(await dock.post('/suppliers', { name })).id),
  );
  await untilInStep(central, [dock]);
  browser = await openBrowser();
  [above, below] = await Promise.all([opened(central, 'en'), opened(dock, 'en')]);
});
afterAll(async () => {
  await closeWindows();
  for (const each of [dock, central]) await each?.stop();
});

const opened = (station: Station, language: 'en' | 'de') =>
  openWindow(browser, station.origin, faults, { language });

const heldAt = (page: Page, supplier: string) =>
  page
    .getByRole('region', { name: /^Held change/ })
    .filter({ has: page.getByRole('link', { name: supplier, exact: true }) });

async function oddAt(station: Station, index: number): Promise<unknown> {
  const { fields } = dataOf<{ fields: { Odd?: string } }>(
    await station.get(`/x/records/supplier/${suppliers[index]}`),
  );
  return fields.Odd ?? null;
}

it('a change that central holds is shown at central and at its station, with its record, its author and why', async () => {
  await dock.kill();
  await writeOdd(dock.folder, suppliers, 'Odd');
  await dock.start();
  await until(
    'held',
    () => syncOf(dock),
    ({ held }) => held.length === NAMES.length,
  );
  for (const page of [above, below]) {
    await page.goto(`${new URL(page.url()).origin}/app/sync`);
    await page.getByRole('heading', { name: '3 changes are held at central' }).waitFor();
    for (const name of NAMES) {
      const held = heldAt(page, name);
      await held.getByText('Central cannot take what it says.').waitFor();
      await held.getByText('Odd is no path of a record.').waitFor();
      await held.getByText(/^newer program · .* · Dock$/).waitFor();
      await held.getByText('Reason: Written by another version.').waitFor();
    }
    expect(await axeFindings(page)).toEqual([]);
  }
  const stations = above.getByRole('table', { name: 'Stations' });
  await stations.getByText('Changes are held').waitFor();
  await goTo(above, '/app/setup/stations');
  await stations.getByText('Changes are held').waitFor();
  await goTo(above, '/app/sync');
  await above.getByRole('heading', { name: '3 changes are held at central' }).waitFor();
  // Only central lets it in.
  await expect.poll(() => above.getByRole('button', { name: 'Let it in' }).count()).toBe(3);
  expect(await below.getByRole('button', { name: 'Let it in' }).count()).toBe(0);
});

it('is let in at central with a reason, by keyboard; a form that is closed gives the focus back', async () => {
  const held = heldAt(above, NAMES[0]);
  const letIn = held.getByRole('button', { name: 'Let it in' });
  await tabTo(above, letIn);
  await above.keyboard.press('Enter');
  const reason = held.getByRole('textbox', { name: 'Reason' }).and(above.locator(':focus'));
  await reason.waitFor();
  await above.keyboard.press('Escape');
  await letIn.and(above.locator(':focus')).waitFor();
  await above.keyboard.press('Enter');
  // Before its form stands there, a second key would press the button again.
  await reason.waitFor();
  await above.keyboard.press('Enter');
  await held
    .getByText(/Say why/)
    .first()
    .waitFor();
  await typeSlowly(above, 'The new field is wanted.');
  await above.keyboard.press('Enter');
  await held.waitFor({ state: 'detached' });
  await heldAt(below, NAMES[0]).waitFor({ state: 'detached' });
  await until(
    'let in',
    () => oddAt(central, 0),
    odd => odd === 'odd',
  );
});

it('is given up at central, or at the station that wrote it', async () => {
  for (const [page, name] of [
    [above, NAMES[1]],
    [below, NAMES[2]],
  ] as const) {
    const held = heldAt(page, name);
    await tabTo(page, held.getByRole('button', { name: 'Give it up' }));
    await page.keyboard.press('Enter');
    await held.getByRole('textbox', { name: 'Reason' }).and(page.locator(':focus')).waitFor();
    await typeSlowly(page, 'Not wanted.');
    await page.keyboard.press('Enter');
    // On both pages: what goes away under the focus takes it along.
    for (const each of [above, below]) await heldAt(each, name).waitFor({ state: 'detached' });
  }
  for (const page of [above, below])
    await page.getByRole('region', { name: /^Held change/ }).waitFor({ state: 'detached' });
  await untilInStep(central, [dock]);
  await expect
    .poll(() => Promise.all([0, 1, 2].map(index => oddAt(dock, index))))
    .toEqual(['odd', null, null]);
  await below.getByText('This station has all that central has').waitFor();
});

it('records that are not the same at both sides are told in words, in the badge, in both languages, and named', async () => {
  await dock.kill();
  await spoil(dock.folder, suppliers[1] ?? 0);
  await dock.start();
  await until(
    'noticed',
    () => syncOf(dock),
    ({ state }) => state === 'differs',
  );
  await below.getByText("The records are not the same as central's. Compare them below.").waitFor();
  await below.getByText('No, the digests differ').waitFor();
  await below.getByRole('link', { name: 'Differs from central' }).waitFor();
  await tabTo(below, below.getByRole('button', { name: 'Compare now' }));
  await below.keyboard.press('Enter');
  const answer = below.getByRole('status').filter({ hasText: 'Some records differ.' });
  await answer.getByRole('heading', { name: 'Suppliers' }).waitFor();
  await expect.poll(() => answer.getByRole('listitem').allInnerTexts()).toEqual([`${NAMES[1]}: differs`]);
  expect(await axeFindings(below)).toEqual([]);

  const german = await opened(dock, 'de');
  await goTo(german, '/app/sync');
  await german
    .getByText('Die Datensätze sind nicht dieselben wie in der Zentrale. Vergleichen Sie sie unten.')
    .waitFor();
  await german.getByText('Nein, die Prüfsummen weichen ab').waitFor();
  expect(faults).toEqual([]);
});
