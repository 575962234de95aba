import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callWith, enrolledStation } from '../server/enrolment/enrolled.ts';
import type { Station } from '../support/station.ts';
import { dataOf, startCentral } from '../system/sync/processes/installation.ts';
import { ADMINISTRATOR, openWindow } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { closeWindows, openBrowser } from './support/browser.ts';
import { goTo } from './support/go-to.ts';

const INA = { name: 'Ina Inspector', login: 'ina', password: 'staple window river' };
const NEXT = 'copper lantern meadow';

let central: Station;
const faults: string[] = [];
beforeAll(async () => {
  central = await startCentral();
  for (const [user, role] of [
    [ADMINISTRATOR, 'administrator'],
    [INA, 'inspector'],
  ] as const)
    dataOf(await central.post('/x/users', { ...user, is_password_temporary: false, roles: [role] }));
  const { login, password } = INA;
  for (const name of ['Dock 2', 'Dock 3']) {
    const { key } = await enrolledStation(central, name);
    dataOf(await callWith(central, key, 'POST', '/x/stations/key', { login, password }));
  }
});
afterAll(async () => {
  await closeWindows();
  await central?.stop();
});

const open = async (user = ADMINISTRATOR, language: 'en' | 'de' = 'en'): Promise<Page> =>
  openWindow(await openBrowser(), central.origin, faults, { user, language });

async function show(page: Page, name: string): Promise<void> {
  expect(await axeFindings(page)).toEqual([]);
  if (process.env.PICTURES)
    await page.screenshot({ path: `${process.env.PICTURES}/revocation-${name}.png`, fullPage: true });
}

it('people are assigned to a station and removed from it, by keys, and axe finds nothing', async () => {
  const page = await open();
  await goTo(page, '/app/setup/stations');
  await page.getByRole('button', { name: 'Show who signs in at Dock 3' }).press('Enter');
  const people = page.getByRole('table', { name: 'Who signs in at Dock 3' });
  await people.getByRole('row', { name: /Ina Inspector.*has signed in there/ }).waitFor();
  await page.getByRole('combobox', { name: 'Person' }).fill(ADMINISTRATOR.login);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Assign' }).press('Enter');
  const assigned = people.getByRole('row', { name: new RegExp(`${ADMINISTRATOR.login}.*assigned`) });
  await assigned.waitFor();
  await show(page, 'people-en');
  await assigned.getByRole('button').press('Enter');
  await assigned.getByRole('button').press('Enter');
  await assigned.waitFor({ state: 'detached' });
  const german = await open(ADMINISTRATOR, 'de');
  await goTo(german, '/app/setup/stations');
  await german.getByRole('button', { name: 'Zeigen, wer sich an Dock 3 anmeldet' }).press('Enter');
  await german.getByText('hat sich dort angemeldet').waitFor();
  await show(german, 'people-de');
  expect(faults).toEqual([]);
});

it('people are assigned to the group of a station, and the station leaves it, by keys', async () => {
  const page = await open();
  await goTo(page, '/app/setup/stations');
  await page.getByRole('button', { name: 'Show who signs in at Dock 3' }).press('Enter');
  await page.getByLabel('Group of Dock 3').fill('Plant 1');
  await page.keyboard.press('Enter');
  await page.getByLabel('At all stations of the group Plant 1').press('Space');
  await page.getByRole('combobox', { name: 'Person' }).fill(ADMINISTRATOR.login);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Assign' }).press('Enter');
  const people = page.getByRole('table', { name: 'Who signs in at Dock 3' });
  const row = people.getByRole('row', { name: new RegExp(ADMINISTRATOR.login) });
  await row.getByText('assigned to the group Plant 1').waitFor();
  await show(page, 'group-en');
  const german = await open(ADMINISTRATOR, 'de');
  await goTo(german, '/app/setup/stations');
  await german.getByRole('button', { name: 'Zeigen, wer sich an Dock 3 anmeldet' }).press('Enter');
  await german.getByText('der Gruppe Plant 1 zugeordnet').waitFor();
  await show(german, 'group-de');
  await page.getByLabel('Group of Dock 3').fill('');
  await page.keyboard.press('Enter');
  await row.waitFor({ state: 'detached' });
  await page.getByLabel('Group of Dock 3').fill('Plant 1');
  await page.keyboard.press('Enter');
  await row.getByRole('button').press('Enter');
  await row.getByRole('button', { name: /Remove at all its stations/ }).press('Enter');
  await row.waitFor({ state: 'detached' });
  expect(faults).toEqual([]);
});

it('a station is revoked with the passwords of who signed in there, by keys, and they choose another one', async () => {
  const page = await open();
  await goTo(page, '/app/setup/stations');
  await page.getByRole('button', { name: 'Revoke Dock 2' }).press('Enter');
  await page.getByLabel('Reason').fill('It was stolen.');
  await show(page, 'form-en');
  await page.keyboard.press('Enter');
  await page.getByText('They choose another password here, at their next sign-in: ina').waitFor();
  await show(page, 'done-en');
  await goTo(page, '/app/setup/users');
  await page.getByRole('row', { name: /Ina Inspector .*Password revoked/ }).waitFor();

  const ina = await open(INA, 'de');
  await ina.getByText('Ihr Passwort wurde widerrufen, weil jemand anderes es kennen kann.').waitFor();
  await show(ina, 'due-de');
  await ina.getByLabel('Bisheriges Passwort').fill(INA.password);
  await ina.getByLabel('Neues Passwort').fill(NEXT);
  await ina.keyboard.press('Enter');
  await ina.getByText('Ihr Passwort wurde widerrufen').waitFor({ state: 'detached' });

  await page.getByRole('link', { name: 'Ina Inspector' }).press('Enter');
  await page.getByRole('button', { name: 'Revoke password' }).press('Enter');
  await page.getByText('Where somebody else may know the password').waitFor();
  await show(page, 'user-en');
  await page.getByRole('button', { name: 'Revoke password' }).press('Enter');
  await page.getByText('Password revoked').waitFor();
  expect(faults).toEqual([]);
});
