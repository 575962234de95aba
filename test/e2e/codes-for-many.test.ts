import { afterAll, beforeAll, expect, it } from 'vitest';
import { enrol } from '../server/enrolment/enrolled.ts';
import type { Station } from '../support/station.ts';
import { dataOf, startCentral } from '../system/sync/processes/installation.ts';
import { ADMINISTRATOR, openWindow } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { closeWindows, openBrowser } from './support/browser.ts';
import { goTo } from './support/go-to.ts';

let central: Station;
const faults: string[] = [];
beforeAll(async () => {
  central = await startCentral();
  const administrator = { ...ADMINISTRATOR, is_password_temporary: false, roles: ['administrator'] };
  dataOf(await central.post('/x/users', administrator));
});
afterAll(async () => {
  await closeWindows();
  await central?.stop();
});

it('a code for several stations is made by keys, counts what it lets in, and is ended', async () => {
  const window = { user: ADMINISTRATOR, language: 'en' } as const;
  const page = await openWindow(await openBrowser(), central.origin, faults, window);
  await goTo(page, '/app/setup/stations');
  await page.getByRole('button', { name: 'Code for a station' }).press('Enter');
  await page.getByRole('textbox', { name: 'Name' }).fill('Hall 3');
  await page.getByRole('checkbox', { name: 'It may bring along what it recorded so far' }).press('Space');
  await page.getByLabel('For so many stations').fill('50');
  await expect.poll(() => page.getByRole('checkbox', { name: 'It may bring along' }).isDisabled()).toBe(true);
  await page.getByLabel('Valid for so many hours').fill('9000');
  await page.getByLabel('Group').fill('Plant Wels');
  expect(await axeFindings(page)).toEqual([]);
  await page.getByLabel('Group').press('Enter');
  await page.getByText('for several stations to 8760').first().waitFor();
  await page.getByLabel('Valid for so many hours').fill('2000');
  await page.getByLabel('Group').press('Enter');
  await page.getByText('lets 50 new stations in').waitFor();
  const code = await page.getByText(/^HP1-/).innerText();
  const let_in = await enrol(central, { code: code.trim(), name: 'Dock PC' });
  expect(let_in.status).toBe(201);
  await page.reload();
  const row = page.getByRole('row', { name: /Hall 3 .*1 of 50.*Plant Wels/ });
  await row.waitFor();
  await page.getByRole('row', { name: /Dock PC Plant Wels/ }).waitFor();
  expect(await axeFindings(page)).toEqual([]);

  const german = await openWindow(await openBrowser(), central.origin, faults, { ...window, language: 'de' });
  await goTo(german, '/app/setup/stations');
  await german.getByRole('row', { name: /Hall 3 .*1 von 50.*Plant Wels/ }).waitFor();

  await row.getByRole('button').press('Enter');
  await row.getByRole('button').press('Enter');
  await row.waitFor({ state: 'detached' });
  expect((await enrol(central, { code: code.trim() })).status).toBe(403);
  expect(faults).toEqual([]);
});
