import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Station } from '../support/station.ts';
import { axeFindings, COLOURS } from './support/axe.ts';
import { closeWindows, openBrowser } from './support/browser.ts';
import { typeSlowly } from './support/keys.ts';
import { chooseInMenu } from './support/menu.ts';

const ADA = { name: 'Ada Admin', login: 'ada', password: 'correct horse battery' };
const OTTO = { name: 'Otto Operator', login: 'otto', password: 'staple window river' };
const NEW_SUPPLIER = '/app/records/supplier/new';
/** Of ten scrypt hashes, and of loading a company, on a slow machine. */
const LONG_MS = 300_000;

const station = new Station();
const faults: string[] = [];
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  await station.start();
  browser = await openBrowser();
  context = await browser.newContext({ locale: 'en', timezoneId: 'UTC', reducedMotion: 'reduce' });
  page = await newPage();
});
afterAll(async () => {
  await closeWindows();
  await station.stop();
});

async function newPage(): Promise<Page> {
  const made = await context.newPage();
  made.on('pageerror', error => faults.push(String(error)));
  return made;
}

/** Into the form that has the focus in its first field. */
async function signIn({ login, password }: typeof ADA): Promise<void> {
  await page.locator('input[name=login]').waitFor();
  await page.keyboard.type(login);
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
}

async function switchUser(): Promise<void> {
  await chooseInMenu(page, /^Menu of/, 'Switch user');
  await page.getByRole('form', { name: 'Sign in' }).waitFor();
}

const nameField = () => page.getByRole('textbox', { name: 'Name', exact: true });

async function inDark(work: () => Promise<unknown>): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.setAttribute('data-mantine-color-scheme', 'dark');
  });
  await work();
  await page.evaluate(() => {
    document.documentElement.setAttribute('data-mantine-color-scheme', 'light');
  });
}

async function expectNoFindings(): Promise<void> {
  expect(await axeFindings(page)).toEqual([]);
  await inDark(async () => expect(await axeFindings(page, COLOURS)).toEqual([]));
}

describe('from the printed link', () => {
  it('the first administrator is made', async () => {
    const link = /http:\S+\/first#\S+/.exec(station.output)?.[0];
    expect(link).toBeDefined();
    // Without the link the page says where it is.
    await page.goto(`${station.origin}/app`);
    await page.getByRole('heading', { name: 'Nobody can sign in yet' }).waitFor();
    await expectNoFindings();

    await page.goto(link ?? '');
    await page.getByRole('heading', { name: 'The first administrator' }).waitFor();
    await expectNoFindings();
    for (const text of ['Harbour Oils', ADA.name, 'no user name', 'short']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    // Each refusal stands at its field, and nowhere else; the first has the focus.
    await page.getByText(/is no user name/).waitFor();
    await page.locator('input[name=login]:focus').fill(ADA.login);
    await page.keyboard.press('Enter');
    await page.getByText(/at least 12 characters/).waitFor();
    await page.locator('input[name=password]').fill(ADA.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Today, Ada Admin' }).waitFor();
  });

  it('and the sample company loaded, with progress, without the terminal', { timeout: LONG_MS }, async () => {
    await page.getByRole('link', { name: 'Setup' }).press('Enter');
    // The page that is left has the same button.
    await page.getByRole('heading', { level: 1, name: 'Setup' }).waitFor();
    await page.getByRole('button', { name: 'Load the sample company' }).press('Enter');
    await page.getByText(/being loaded: step \d+ of \d+/).waitFor();
    expect((await station.post('/x/sample-company')).status).toBe(409);
    await page.getByText('The sample company is loaded.').waitFor({ timeout: LONG_MS });
    const { body } = await station.get('/suppliers');
    const { meta } = body as { meta: { total: number } };
    expect(meta.total).toBeGreaterThan(5);
    // Its author is who asked for it.
    const first = (body as { data: { id: number }[] }).data[0]?.id;
    const history = await station.get(`/x/history/supplier/${first}`);
    expect((history.body as { data: { user: string }[] }).data[0]?.user).toBe(ADA.login);
    expect((await station.post('/x/sample-company')).status).toBe(409);
  });
});

describe('at a shared station', () => {
  beforeAll(async () => {
    const { name, login, password } = OTTO;
    expect(
      (
        await station.post('/x/users', {
          is_password_temporary: false,
          name,
          login,
          password,
          roles: ['operator'],
        })
      ).status,
    ).toBe(201);
  });

  it('each keeps what was being typed, and sees nothing of the other', async () => {
    await page.goto(station.origin + NEW_SUPPLIER);
    await nameField().focus();
    await typeSlowly(page, 'Of Ada');
    // Within the pace at which drafts are kept: leaving loses no key.
    await switchUser();
    await expect.poll(() => page.title()).toBe('Sign in · Holdpoint');
    await expectNoFindings();
    await signIn(OTTO);
    await nameField().waitFor();
    await expect.poll(() => nameField().inputValue()).toBe('');
    await nameField().focus();
    await typeSlowly(page, 'Of Otto');
    await switchUser();
    // Who was here before is one key away.
    await page.getByRole('button', { name: ADA.name }).press('Enter');
    await page.keyboard.type(ADA.password);
    await page.keyboard.press('Enter');
    await expect.poll(() => nameField().inputValue()).toBe('Of Ada');
    await page.getByText('This goes on with what you had typed').waitFor();
  });

  it('a page that crashes loses nothing', async () => {
    await nameField().focus();
    await page.keyboard.press('End');
    const kept = page.waitForResponse(
      answer =>
        answer.url().includes('/x/drafts/') && (answer.request().postData() ?? '').includes('and sons'),
    );
    await typeSlowly(page, ' and sons');
    await kept;
    await page.close({ runBeforeUnload: false });
    page = await newPage();
    await page.goto(station.origin + NEW_SUPPLIER);
    await expect.poll(() => nameField().inputValue()).toBe('Of Ada and sons');
  });

  it('a server that is killed in the middle of an edit comes back to the same form', async () => {
    await nameField().focus();
    await page.keyboard.press('End');
    await station.kill();
    await typeSlowly(page, ', Ltd');
    await page
      .getByText(/server on this machine does not answer/)
      .first()
      .waitFor();
    await page.keyboard.press('Control+s');
    await page
      .getByRole('alert')
      .getByText(/does not answer/)
      .waitFor();
    await expect.poll(() => nameField().inputValue()).toBe('Of Ada and sons, Ltd');
    await station.start();
    await page
      .getByRole('status')
      .getByText(/does not answer/)
      .waitFor({ state: 'detached' });
    await nameField().focus();
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { level: 1, name: 'Of Ada and sons, Ltd' }).waitFor();
    const { body } = await station.get('/suppliers', { keyword: 'Of Ada and sons, Ltd' });
    expect((body as { meta: { total: number } }).meta.total).toBe(1);
  });
});

describe('signing in', () => {
  it('says what is wrong, and after some wrong passwords how long it will be', {
    timeout: LONG_MS,
  }, async () => {
    await switchUser();
    await page.getByRole('button', { name: OTTO.name }).press('Enter');
    const statuses: number[] = [];
    // Who types slowly has waited long enough, until the waits have grown.
    while (statuses.length < 10 && statuses.at(-1) !== 429) {
      const answered = page.waitForResponse(
        answer => answer.url().endsWith('/x/session') && answer.request().method() === 'POST',
      );
      await page.keyboard.type(`wrong ${statuses.length}`);
      await page.keyboard.press('Enter');
      statuses.push((await answered).status());
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
        .toBe('password');
      if (statuses.at(-1) === 401)
        await page.getByRole('alert').getByText('User name or password is wrong').waitFor();
    }
    expect(statuses.slice(0, 3)).toEqual([401, 401, 401]);
    expect(statuses.at(-1)).toBe(429);
    await page
      .getByRole('alert')
      .getByText(/From here this user can try again/)
      .waitFor();
    await expect.poll(() => page.getByRole('timer').textContent()).toMatch(/Time left: 0:\d\d/);
    await expectNoFindings();
    // Nobody has to end it.
    await page.getByText('The time is over. Try again.').waitFor({ timeout: LONG_MS });
    await page.keyboard.type(OTTO.password);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Menu of/ }).waitFor();
    await switchUser();
  });

  it('rests when nobody touches it, and goes on with the password', async () => {
    expect((await station.put('/x/settings', { idle_lock_minutes: 1 })).status).toBe(200);
    await page.close();
    page = await newPage();
    await page.clock.install();
    await page.goto(station.origin + NEW_SUPPLIER);
    await signIn(ADA);
    await nameField().waitFor();
    await nameField().focus();
    await typeSlowly(page, 'Half a na');
    await page.clock.fastForward(61_000);
    await page.getByRole('heading', { level: 1, name: 'Locked' }).waitFor();
    await expect.poll(() => page.title()).toBe('Locked · Holdpoint');
    expect(await page.getByText('Half a na').count()).toBe(0);
    await expectNoFindings();
    await page.keyboard.type(ADA.password);
    await page.keyboard.press('Enter');
    await expect.poll(() => nameField().inputValue()).toBe('Half a na');
  });

  it("keeps a user's own language, wherever the user signs in", async () => {
    const saved = page.waitForResponse(answer => /\/x\/users\/\d+\/language$/.test(answer.url()));
    await chooseInMenu(page, /^Menu of/, 'Deutsch');
    expect((await saved).status()).toBe(200);
    const elsewhere = await browser.newContext({ locale: 'en', timezoneId: 'UTC' });
    const window = await elsewhere.newPage();
    await window.goto(`${station.origin}/app`);
    await window.locator('input[name=login]').fill(ADA.login);
    await window.locator('input[name=password]').fill(ADA.password);
    await window.keyboard.press('Enter');
    await window.getByRole('heading', { level: 1, name: 'Heute, Ada Admin' }).waitFor();
    await elsewhere.close();
  });

  it('speaks German', async () => {
    await page.evaluate(() => localStorage.setItem('holdpoint.language', 'de'));
    await page.reload();
    await chooseInMenu(page, /^Menü von/, 'Sperren');
    await page.getByRole('heading', { level: 1, name: 'Gesperrt' }).waitFor();
    await page.keyboard.type('falsch');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Benutzername oder Passwort ist falsch').waitFor();
  });

  it('and no page reported a fault', () => expect(faults).toEqual([]));
});
