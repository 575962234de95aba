import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Station } from '../support/station.ts';
import {
  conflictsOf,
  dataOf,
  startCentral,
  startStation,
  until,
  untilInStep,
} from '../system/sync/processes/installation.ts';
import { ADMINISTRATOR, openWindow } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { closeWindows, openBrowser } from './support/browser.ts';
import { goTo } from './support/go-to.ts';
import { tabTo, typeSlowly } from './support/keys.ts';

let central: Station;
let dock: Station;
let lab: Station;
let browser: Browser;
let page: Page;
const faults: string[] = [];
const order = { id: 0, item: 0 };
const INA = { name: 'Ina Quality', login: 'ina', password: 'staple window river' };
/** A report of which both stations changed the same field as well; and two reports of one number. */
const both = { ncr: 0, atDock: 0, atLab: 0 };

/** An order that both stations changed while central was away: the same quantity, and each a field of its own. */
beforeAll(async () => {
  central = await startCentral();
  dock = await startStation(central, 'Dock');
  lab = await startStation(central, 'Lab');
  dataOf(
    await central.post('/x/users', {
      is_password_temporary: false,
      ...ADMINISTRATOR,
      roles: ['administrator'],
    }),
  );
  const part = dataOf<{ id: number }>(await dock.post('/parts', { name: 'Jar', identification: 'J-1' }));
  const made = dataOf<{ id: number; items: { id: number }[] }>(
    await dock.post('/orders', {
      order_number: 'OR-7',
      po_number: 'PO-1',
      items: [{ part_id: part.id, quantity: 10 }],
    }),
  );
  Object.assign(order, { id: made.id, item: made.items[0]?.id });
  const report = { ncr_number: 'N-1', source: 'internal', description: 'Dent' };
  both.ncr = dataOf<{ id: number }>(await dock.post('/ncrs', report)).id;
  dataOf(await central.post('/x/users', { is_password_temporary: false, ...INA, roles: ['quality'] }));
  await untilInStep(central, [dock, lab]);
  await central.kill();
  for (const [station, where] of [
    [dock, 'dock'],
    [lab, 'lab'],
  ] as const) {
    dataOf(await station.patch(`/ncrs/${both.ncr}`, { description: `Dent, ${where}` }));
  }
  const reportedAt = async (station: Station) =>
    dataOf<{ id: number }>(await station.post('/ncrs', { ncr_number: 'N-2', source: 'internal' })).id;
  both.atDock = await reportedAt(dock);
  both.atLab = await reportedAt(lab);
  dataOf(
    await dock.patch(`/orders/${order.id}`, { items: [{ id: order.item, quantity: 12 }], notes: 'Dock' }),
  );
  dataOf(
    await lab.patch(`/orders/${order.id}`, {
      items: [{ id: order.item, quantity: 15 }],
      reason: 'By phone.',
    }),
  );
  await central.start();
  await untilInStep(central, [dock, lab]);
  browser = await openBrowser();
  page = await opened(dock, 'en');
});
afterAll(async () => {
  await closeWindows();
  for (const each of [dock, lab, central]) await each?.stop();
});

const opened = (station: Station, language: 'en' | 'de', user = ADMINISTRATOR) =>
  openWindow(browser, station.origin, faults, { language, user });

const regionOf = () => page.getByRole('region', { name: new RegExp(`${order.item}: Quantity$`) });

async function quantityAt(station: Station): Promise<unknown> {
  const { fields } = dataOf<{ fields: { items: Record<number, { quantity: number }> } }>(
    await station.get(`/x/records/order/${order.id}`),
  );
  return fields.items[order.item]?.quantity;
}

it('shows both values with who, where, when, why and over what, and nothing that axe finds', async () => {
  await goTo(page, '/app/conflicts');
  const conflict = regionOf();
  await conflict.waitFor();
  const values = await conflict.getByRole('radio').allTextContents();
  expect(values).toHaveLength(3);
  const [mine = '', theirs = ''] = values.toSorted();
  expect(mine).toMatch(/^12.*Written here \(Dock\).*Before it: 10/);
  expect(theirs).toMatch(/^15.*Written at (another station|Lab).*Reason: By phone\..*Before it: 10/);
  expect(values.filter(text => text.includes('Stands meanwhile'))).toHaveLength(1);
  expect(await axeFindings(page)).toEqual([]);
});

it('is signed where the settings ask for it, in the language of the reader', async () => {
  dataOf(await central.put('/x/settings', { is_esignature_required: true }));
  await untilInStep(central, [dock, lab]);
  const german = await opened(dock, 'de', INA);
  await goTo(german, '/app/conflicts');
  const conflict = german.getByRole('region', { name: 'Beschreibung' });
  const decide = conflict.getByRole('button', { name: 'Entscheiden' });
  await decide.press('Enter');
  await conflict
    .getByText('Wählen Sie einen der Werte, oder geben Sie einen anderen ein.', { exact: true })
    .first()
    .waitFor();
  await conflict.getByRole('radio', { name: 'Dent, lab' }).press('Space');
  await conflict.getByRole('textbox', { name: 'Grund' }).fill('Im Labor nachgesehen.');
  await decide.press('Enter');
  await conflict
    .getByText(/Passwort fehlt/)
    .first()
    .waitFor();
  expect(await axeFindings(german)).toEqual([]);
  const password = conflict.getByRole('textbox', { name: 'Passwort' });
  await password.fill('not the password');
  await password.press('Enter');
  await conflict
    .getByText(/Das Passwort ist falsch/)
    .first()
    .waitFor();
  expect(await conflict.getByText('Meldung des Servers').count()).toBe(0);
  await password.fill(INA.password);
  await password.press('Enter');
  await conflict.waitFor({ state: 'detached' });
  const signatures = dataOf<{ reason: string }[]>(await dock.get(`/x/signatures/ncr/${both.ncr}`));
  expect(signatures.map(({ reason }) => reason)).toEqual(['Im Labor nachgesehen.']);
  dataOf(await central.put('/x/settings', { is_esignature_required: false }));
  await untilInStep(central, [dock, lab]);

  await german.context().close();
});

it('is decided by keyboard, with a reason, and seen at the other station', async () => {
  const conflict = regionOf();
  const standing = conflict.getByRole('radio', { name: 'Stands meanwhile' });
  const [first] = (await conflict.getByRole('radio').allTextContents()).map(text => text.slice(0, 2));
  await standing.focus();
  await page.keyboard.press('Space');
  const reason = conflict.getByRole('textbox', { name: 'Reason' });
  await reason.focus();
  await page.keyboard.press('Enter');
  await conflict
    .getByText(/Give the reason/)
    .first()
    .waitFor();
  await typeSlowly(page, 'Asked the customer.');
  await page.keyboard.press('Enter');
  await page.getByText('No conflict waits for you.').waitFor();
  await untilInStep(central, [dock, lab]);
  await expect.poll(() => quantityAt(lab)).toBe(Number(first));
  await expect.poll(() => conflictsOf(lab)).toEqual([]);
});

it('is decided anew: a further change, which the other station gets too', async () => {
  await page.getByRole('tab', { name: 'Decided' }).focus();
  await page.keyboard.press('Enter');
  const conflict = regionOf();
  await conflict.getByText('Asked the customer.').waitFor();
  await conflict.getByRole('button', { name: 'Decide anew' }).press('Enter');
  const form = conflict.getByRole('form', { name: 'Decide anew' });
  await form.getByRole('radio', { name: 'Another value' }).focus();
  await page.keyboard.press('Space');
  await form.getByRole('textbox', { name: 'Quantity' }).fill('13');
  await form.getByRole('textbox', { name: 'Reason' }).focus();
  await typeSlowly(page, 'They called again.');
  await page.keyboard.press('Enter');
  await conflict.getByText('The record has now: 13').waitFor();
  await until(
    '13 at the lab',
    () => quantityAt(lab),
    quantity => quantity === 13,
  );
});

it('a number that was typed at two stations is kept twice and shown, until one of them has another', async () => {
  await goTo(page, '/app/conflicts');
  const twice = page.getByRole('region', { name: /N-2$/ });
  await page.getByRole('heading', { name: 'Numbers typed twice' }).waitFor();
  const links = twice.getByRole('link');
  await expect.poll(() => links.count()).toBe(2);
  const own = twice.getByRole('link', { name: `#${both.atDock}` });
  await twice.getByRole('link', { name: `#${both.atLab}` }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await tabTo(page, own);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/app/ncr/${both.atDock}`);
  dataOf(await lab.patch(`/ncrs/${both.atLab}`, { ncr_number: 'N-3' }));
  await page.goBack();
  await page.getByText('No conflict waits for you.').waitFor();
  await twice.waitFor({ state: 'detached' });
});

it('says how the exchange stands, and that all records are the same, at the station and at central', async () => {
  await untilInStep(central, [dock, lab]);
  await goTo(page, '/app/sync');
  await page.getByText('This station has all that central has').waitFor();
  const badge = page.getByRole('banner').getByRole('link', { name: /central|sent/ });
  await expect.poll(() => badge.innerText()).toBe('Saved and sent');
  // No record changes with it, and nobody reloads the page.
  await central.kill();
  await expect.poll(() => badge.innerText()).toBe('Saved here, central is away');
  await page.getByText('Central cannot be reached.').waitFor();
  await central.start();
  await expect.poll(() => badge.innerText()).toBe('Saved and sent');
  await untilInStep(central, [dock, lab]);
  await page.getByRole('button', { name: 'Compare now' }).press('Enter');
  await page.getByText('All records are the same.').waitFor();
  expect(await axeFindings(page)).toEqual([]);

  const there = await opened(central, 'de');
  await goTo(there, '/app/sync');
  const stations = there.getByRole('table', { name: 'Stationen' });
  await stations.getByRole('rowheader', { name: 'Dock' }).waitFor();
  await stations.getByRole('rowheader', { name: 'Lab' }).waitFor();
  await there.emulateMedia({ colorScheme: 'dark' });
  expect(await axeFindings(there)).toEqual([]);
  expect(faults).toEqual([]);
});
