import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Station } from '../support/station.ts';
import { axeFindings } from './support/axe.ts';
import { closeWindows, openBrowser } from './support/browser.ts';
import { goTo } from './support/go-to.ts';
import { scan, typeSlowly } from './support/keys.ts';
import { chooseInMenu } from './support/menu.ts';

const ANN = { name: 'Ann Abel', login: 'ann', password: 'correct horse battery', pin: '4711' };
const BOB = { name: 'Bob Berg', login: 'bob', password: 'staple window river', pin: '2580' };
const BADGE = 'BADGE-000117';

/** People change at a machine where they signed in: by keyboard, by scanner, by touch. */
const station = new Station();
const faults: string[] = [];
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  await station.start();
  for (const { name, login, password } of [ANN, BOB]) {
    const roles = [login === 'ann' ? 'administrator' : 'operator'];
    const body = { name, login, password, roles, is_password_temporary: false };
    expect((await station.post('/x/users', body)).status).toBe(201);
  }
  browser = await openBrowser();
  context = await browser.newContext({ locale: 'en', timezoneId: 'UTC', reducedMotion: 'reduce' });
  page = await context.newPage();
  page.on('pageerror', error => faults.push(String(error)));
  await page.goto(`${station.origin}/app`);
});
afterAll(async () => {
  await closeWindows();
  await station.stop();
});

async function signIn({ login, password }: typeof ANN): Promise<void> {
  await page.locator('input[name=login]').waitFor();
  await page.locator('input[name=login]').fill(login);
  await page.locator('input[name=password]').fill(password);
  await page.keyboard.press('Enter');
}

const isIn = ({ name }: typeof ANN) => page.getByRole('button', { name: `Menu of ${name}` }).waitFor();
const isLocked = () => page.getByRole('heading', { level: 1, name: 'Locked' }).waitFor();

async function setHand({ pin, password }: typeof ANN, badge: string): Promise<void> {
  await goTo(page, '/app/setup/me');
  await page.getByRole('button', { name: 'Set PIN or badge' }).press('Enter');
  await page.getByLabel('PIN', { exact: true }).fill(pin);
  await page.getByLabel('Badge', { exact: true }).fill(badge);
  await page.locator('input[autocomplete=current-password]').fill(password);
  await page.keyboard.press('Enter');
  await page.getByText('A PIN is set.').waitFor();
}

it('one sets a PIN and a badge, and comes back by keyboard', async () => {
  await signIn(ANN);
  await isIn(ANN);
  await setHand(ANN, BADGE);
  expect(await axeFindings(page)).toEqual([]);
  await chooseInMenu(page, /^Menu of/, 'Switch user');
  await isLocked();
  expect(await axeFindings(page)).toEqual([]);
  await typeSlowly(page, '0000');
  await page.keyboard.press('Enter');
  await page.getByText('4 tries are left').waitFor();
  await typeSlowly(page, ANN.pin);
  await page.keyboard.press('Enter');
  await isIn(ANN);
});

it('another signs in beside, and both change by badge and by touch', async () => {
  await chooseInMenu(page, /^Menu of/, 'Switch user');
  await page.getByRole('button', { name: 'Somebody else signs in' }).press('Enter');
  await signIn(BOB);
  await isIn(BOB);
  await setHand(BOB, '');
  await chooseInMenu(page, /^Menu of/, 'Switch user');
  await isLocked();
  // Goods are no badge, and end nothing.
  await scan(page, '4006381333931');
  await page.getByText("This is nobody's badge here.").waitFor();
  await scan(page, BADGE);
  await isIn(ANN);
  await chooseInMenu(page, /^Menu of/, 'Switch user');
  await isLocked();
  const keys = page.getByRole('group', { name: 'Number pad' }).getByRole('button');
  const people = page.getByRole('group', { name: 'Who is here' }).getByRole('button');
  for (const button of [...(await keys.all()), ...(await people.all())]) {
    const { width = 0, height = 0 } = (await button.boundingBox()) ?? {};
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(48);
  }
  await page.getByRole('button', { name: BOB.name, exact: true }).click();
  for (const digit of BOB.pin) await page.getByRole('button', { name: digit, exact: true }).click();
  await page.getByRole('button', { name: 'Go on' }).click();
  await isIn(BOB);
  await chooseInMenu(page, /^Menu of/, 'Sign out');
  await page.getByRole('form', { name: 'Sign in' }).waitFor();
  await scan(page, BADGE);
  await isIn(ANN);
});

it("sessions are listed and ended, one's own and as an administrator another's", async () => {
  const elsewhere = await station.call('POST', '/x/session', {
    body: { login: ANN.login, password: ANN.password },
    headers: { authorization: undefined, origin: station.origin, 'user-agent': 'Firefox/143.0 (Windows)' },
  });
  expect(elsewhere.status).toBe(201);
  await page.goto(`${station.origin}/app/setup/me`);
  const table = page.getByRole('table', { name: 'Sessions' });
  await table.getByText('This one').waitFor();
  await table.getByText('Firefox, Windows').waitFor();
  await page.getByRole('button', { name: 'End all others' }).press('Enter');
  await page.getByRole('button', { name: /^End all others: Yes/ }).press('Enter');
  await expect.poll(() => table.getByText('Firefox, Windows').count()).toBe(0);
  await table.getByText('This one').waitFor();
});

it('a token is made with bounds, and the list says them, and that one that administers is a risk', async () => {
  await goTo(page, '/app/setup/tokens');
  await page.getByRole('button', { name: /^New token/ }).press('Enter');
  await page.getByRole('textbox', { name: /^Name/ }).fill('scale 3');
  await page.getByRole('radio', { name: /^Administer/ }).check();
  await page.getByText(/^A risk: whoever gets hold/).waitFor();
  await page.getByRole('radio', { name: 'Read and write' }).check();
  await page.getByLabel('Last day').fill('2099-12-31');
  await page.getByLabel('Only these records').first().click();
  await page.getByRole('option', { name: 'Lab results' }).click();
  await page.getByLabel('Only from these addresses').fill('10.2.0.0/33');
  await page.getByRole('button', { name: 'Create' }).press('Enter');
  await page
    .getByText(/is no address and no network/)
    .first()
    .waitFor();
  await page.getByLabel('Only from these addresses').fill('10.2.0.0/16 127.0.0.1');
  await page.getByRole('button', { name: 'Create' }).press('Enter');
  const row = page.getByRole('row', { name: /scale 3/ });
  await row.getByText(/until Jan 1, 2100.*Lab results, 10\.2\.0\.0\/16, 127\.0\.0\.1/).waitFor();
  await row.getByText(/by ann/).waitFor();
  await row.getByText('not yet').waitFor();
  expect(await axeFindings(page)).toEqual([]);
});

it('no page had a fault', () => {
  expect(faults).toEqual([]);
});
