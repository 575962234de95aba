import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, openApp } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { goTo } from './support/go-to.ts';
import { typeSlowly } from './support/keys.ts';

/** Another person: drafts are each user's own. */
const BOB = { name: 'Bob Dock', login: 'bob', password: 'quite another battery' };
/** A server that is there, and cannot answer this. */
const REFUSAL = {
  status: 'error',
  message: 'The disk is being looked after.',
  code: 'internal',
  request_id: 'a test',
};
const AWAY = 'The server on this machine does not answer.';

let app: App;
let other: Page;
let id: number;
const supplier = async () => {
  const { body } = await app.station.get(`/suppliers/${id}`);
  return (body as { data: object }).data;
};

beforeAll(async () => {
  app = await openApp({
    fill: async station => {
      const { body } = await station.post('/suppliers', { name: 'Harbour', primary_name: 'Ann' });
      id = (body as { data: { id: number } }).data.id;
      await station.post('/x/users', { is_password_temporary: false, ...BOB, roles: ['operator'] });
    },
  });
  other = await app.open({ user: BOB });
});

afterAll(async () => {
  await app?.close();
});

describe('what others change', () => {
  it('appears in two browsers without a reload when an integration writes it', async () => {
    const address = '/app/records/supplier';
    await Promise.all([goTo(app.page, address), goTo(other, `${address}/${id}`)]);
    await app.page.getByRole('cell', { name: 'Harbour', exact: true }).waitFor();
    await other.getByRole('heading', { level: 1, name: 'Harbour' }).waitFor();
    await app.station.patch(`/suppliers/${id}`, { name: 'Harbour Fasteners' });
    await app.page.getByRole('cell', { name: 'Harbour Fasteners' }).waitFor();
    await other.getByRole('heading', { level: 1, name: 'Harbour Fasteners' }).waitFor();
  });

  it('appears while more and more changes, though each answer takes longer than the next change', async () => {
    const { page, station } = app;
    await goTo(page, '/app/records/supplier');
    await page.getByRole('cell', { name: 'Harbour Fasteners' }).waitFor();
    const isList = (url: URL) => url.pathname.endsWith('/suppliers');
    await page.route(isList, async route => {
      await sleep(1_000);
      await route.continue();
    });
    let isSeen = false;
    const seen = page
      .getByRole('cell', { name: /^Harbour \d+$/ })
      .waitFor()
      .then(() => (isSeen = true));
    let changes = 0;
    for (; changes < 100 && !isSeen; changes += 1) {
      await station.patch(`/suppliers/${id}`, { name: `Harbour ${changes}` });
      await sleep(100);
    }
    await seen;
    expect(changes).toBeLessThan(100);
    await station.patch(`/suppliers/${id}`, { name: 'Harbour Fasteners' });
    await page.getByRole('cell', { name: 'Harbour Fasteners' }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('never overwrites what is being typed; saving shows both versions and loses neither', async () => {
    const { page } = app;
    await edit(page);
    await type(page, 'Name', ' North');
    await goTo(other, `/app/records/supplier/${id}/edit`);
    await type(other, 'Name', ' South');
    await type(other, 'Primary contact: name', 'a');
    await other.keyboard.press('Control+s');
    await other.getByRole('heading', { level: 1, name: 'Harbour Fasteners South' }).waitFor();

    await page.getByText(/has changed this record meanwhile/).waitFor();
    await expect
      .poll(() => page.getByLabel('Name', { exact: true }).inputValue())
      .toBe('Harbour Fasteners North');
    // Until the record is saved, what was typed is a draft; the other's version is the record.
    await type(page, 'Primary contact: telephone', '+44 1');
    await page.keyboard.press('Control+s');
    const notice = page.getByRole('alert');
    await notice.getByText('Both versions stand here side by side.').waitFor();
    await expect
      .poll(() => notice.getByRole('row', { name: /^Name/ }).innerText())
      .toMatch(/South[\s\S]*North/);
    // The other's contact is not disputed: only the name asks for a choice.
    await notice.getByRole('radio').last().focus();
    await page.keyboard.press('Space');
    await notice.getByRole('button', { name: 'Save this way' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Harbour Fasteners North' }).waitFor();
    await expect.poll(supplier).toMatchObject({
      name: 'Harbour Fasteners North',
      primary_name: 'Anna',
      primary_phone: '+44 1',
    });
  });
});

describe('what this window changes itself', () => {
  it('is read once, and what somebody else changes then is read, too', async () => {
    const { page, station } = app;
    await goTo(page, `/app/records/supplier/${id}/edit`);
    await type(page, 'Notes', 'once');
    let reads = 0;
    page.on('request', request => {
      if (request.url().endsWith(`/suppliers/${id}`) && request.method() !== 'GET') reads = 0;
      // It stands on every screen, so that it is read with all that does.
      if (request.url().endsWith('/x/session')) reads += 1;
    });
    await page.keyboard.press('Control+s');
    await page.getByText('once').first().waitFor();
    // Longer than the screen waits before it reads what it was told of.
    await sleep(900);
    const ofOwn = reads;
    await station.patch(`/suppliers/${id}`, { notes: 'twice' });
    await page.getByText('twice').first().waitFor();
    expect([ofOwn, reads - ofOwn]).toEqual([1, 1]);
  });
});

describe('a server that is killed in the middle of an edit', () => {
  it('is said in words; typing goes on, and saving works when it is back', async () => {
    const { page, station } = app;
    await edit(page);
    await type(page, 'Secondary contact: name', 'Ben');
    await station.kill();
    await page.getByText(AWAY).first().waitFor();
    await type(page, 'Secondary contact: position', 'Dock');
    await page.keyboard.press('Control+s');
    await page.getByRole('alert').getByText(AWAY).waitFor();
    await expect.poll(() => page.getByLabel('Secondary contact: position').inputValue()).toBe('Dock');
    await station.restart();
    await page.keyboard.press('Control+s');
    // The form has the same heading, and goes to the record later than the server has what is saved.
    await page.waitForURL(`**/app/records/supplier/${id}`);
    await page.getByRole('heading', { level: 1, name: 'Harbour Fasteners North' }).waitFor();
    await page.getByText(AWAY).waitFor({ state: 'detached' });
    await expect.poll(supplier).toMatchObject({
      secondary_name: 'Ben',
      secondary_position: 'Dock',
    });
  });

  it('keeps what was typed while it was away, over a reload after it is back', async () => {
    const { page, station } = app;
    await edit(page);
    await station.kill();
    await page.getByText(AWAY).first().waitFor();
    await type(page, 'Secondary contact: e-mail', 'ben@harbour.example');
    await page.waitForFunction(() =>
      Object.values(localStorage).some(kept => kept.includes('ben@harbour.example')),
    );
    await station.restart();
    await page.reload();
    await page.getByText('This goes on with what you had typed').waitFor();
    await expect
      .poll(() => page.getByLabel('Secondary contact: e-mail').inputValue())
      .toBe('ben@harbour.example');
    await page.keyboard.press('Control+s');
    await page.getByText('ben@harbour.example').waitFor();
  });
});

describe('a page that is opened while the server is away', () => {
  const offline = () => other.getByRole('heading', { level: 1, name: 'The server does not answer' });

  it('says so in words, comes back to the same address by itself, and the draft is there', async () => {
    const { station } = app;
    await other.goto(`${station.origin}/app/records/supplier/${id}/edit`);
    await other.evaluate(() => navigator.serviceWorker.ready.then(() => caches.match('/offline')));
    await other.waitForFunction(() => caches.match('/offline').then(page => page !== undefined));
    await other.getByLabel('Name', { exact: true }).waitFor();
    await station.kill();
    await type(other, 'Secondary contact: position', ' 7');
    await other.waitForFunction(() => Object.values(localStorage).some(kept => kept.includes(' 7')));
    await other.reload();
    await offline().waitFor();
    await other.getByRole('status').getByText('goes on where you were').waitFor();
    expect(await axeFindings(other)).toEqual([]);
    await other.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFindings(other)).toEqual([]);
    await station.start();
    await other.getByText('This goes on with what you had typed').waitFor();
    expect(new URL(other.url()).pathname).toBe(`/app/records/supplier/${id}/edit`);
    await expect.poll(() => other.getByLabel('Secondary contact: position').inputValue()).toMatch(/ 7$/);
  });

  it('is never an old page: what the server says of a screen is asked of it each time', async () => {
    const kept = await other.evaluate(async () => {
      const names = await caches.keys();
      const caught = await Promise.all(names.map(name => caches.open(name).then(cache => cache.keys())));
      return caught.flat().map(({ url }) => new URL(url).pathname);
    });
    expect(kept).toEqual(['/offline']);
  });

  it('waits for the first answer with words, a heading and a way on', async () => {
    await other.route('**/api/v2/x/session', route => route.abort());
    await other.goto(`${app.station.origin}/app/records/supplier`);
    const main = other.getByRole('main');
    await main.getByRole('alert').getByText(AWAY).waitFor();
    await main.getByRole('heading', { level: 1, name: 'Holdpoint' }).waitFor();
    await main.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await axeFindings(other)).toEqual([]);
    await other.unroute('**/api/v2/x/session');
    await other.getByRole('heading', { level: 1, name: 'Suppliers' }).waitFor();
  });

  it('of records says what cannot be read, and reads it when it is told to', async () => {
    const { origin } = app.station;
    await other.goto(`${origin}/app`);
    await other.getByRole('heading', { level: 1, name: /^Today/ }).waitFor();
    for (const [path, call] of [
      ['records/part', '**/api/v2/parts?*'],
      [`records/supplier/${id}`, `**/api/v2/x/records/supplier/${id}`],
      ['quality', '**/api/v2/x/boards/**'],
      ['charts?view=stock', '**/api/v2/x/figures/stock-value*'],
    ] as const) {
      let isRefused = true;
      await other.route(call, route =>
        isRefused ? route.fulfill({ status: 500, json: REFUSAL }) : route.continue(),
      );
      await goTo(other, `/app/${path}`);
      const failure = other.getByRole('alert').filter({ hasText: 'The disk is being looked after.' });
      const again = failure.first().getByRole('button', { name: 'Try again' });
      await again.focus();
      // What changes elsewhere has it read again, and refused again, under the hands of who is at the button.
      const reread = other.waitForResponse(call);
      await app.station.patch(`/suppliers/${id}`, { notes: `While ${path} cannot be read` });
      await reread;
      await expect.poll(() => again.evaluate(button => button === document.activeElement)).toBe(true);
      isRefused = false;
      await other.keyboard.press('Enter');
      await expect.poll(() => failure.count()).toBe(0);
      await other.unroute(call);
    }
  });
});

it('reported no fault of a script and nothing against the policy', () => {
  expect(app.faults).toEqual([]);
});

async function edit(page: Page): Promise<void> {
  await goTo(page, `/app/records/supplier/${id}/edit`);
  await page.getByLabel('Name', { exact: true }).waitFor();
}

async function type(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).focus();
  await page.keyboard.press('End');
  await typeSlowly(page, text);
}
