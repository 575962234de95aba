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
  const { key } = await enrolledStation(central, 'Dock 2');
  const { login, password } = INA;
  dataOf(await callWith(central, key, 'POST', '/x/stations/key', { login, password }));
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
