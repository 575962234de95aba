import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, openApp, signIn } from './support/app.ts';
import { typeSlowly } from './support/keys.ts';

/** Another person: drafts are each user's own. */
const BOB = { name: 'Bob Dock', login: 'bob', password: 'quite another battery' };
const AWAY = 'The server on this machine does not answer.';

let app: App;
let other: Page;
let id: number;

beforeAll(async () => {
  app = await openApp({
    fill: async station => {
      const { body } = await station.post('/suppliers', { name: 'Harbour', primary_name: 'Ann' });
      id = (body as { data: { id: number } }).data.id;
      await station.post('/x/users', { ...BOB, roles: ['operator'] });
    },
  });
  const context = await app.browser.newContext({ locale: 'en', reducedMotion: 'reduce' });
  other = await context.newPage();
  await signIn(other, app.station.origin, BOB);
}, 60_000);

afterAll(async () => {
  await app?.close();
});

describe('what others change', () => {
  it('appears in two browsers without a reload when an integration writes it', async () => {
    const address = `${app.station.origin}/app/records/supplier`;
    await Promise.all([app.page.goto(address), other.goto(`${address}/${id}`)]);
    await app.page.getByRole('cell', { name: 'Harbour', exact: true }).waitFor();
    await other.getByRole('heading', { level: 1, name: 'Harbour' }).waitFor();
    await app.station.patch(`/suppliers/${id}`, { name: 'Harbour Fasteners' });
    await app.page.getByRole('cell', { name: 'Harbour Fasteners' }).waitFor();
    await other.getByRole('heading', { level: 1, name: 'Harbour Fasteners' }).waitFor();
  });

  it('never overwrites what is being typed; saving shows both versions and loses neither', async () => {
    const { page, station } = app;
    await edit(page);
    await type(page, 'Name', ' North');
    await other.goto(`${station.origin}/app/records/supplier/${id}/edit`);
    await type(other, 'Name', ' South');
    await type(other, 'Primary contact: name', 'a');
    await other.keyboard.press('Control+s');
    await other.getByRole('heading', { level: 1, name: 'Harbour Fasteners South' }).waitFor();

    await page.getByText(/has changed this record meanwhile/).waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Harbour Fasteners North');
    // Until the record is saved, what was typed is a draft; the other's version is the record.
    await type(page, 'Primary contact: telephone', '+44 1');
    await page.keyboard.press('Control+s');
    const notice = page.getByRole('alert');
    await notice.getByText('Both versions stand here side by side.').waitFor();
    expect(await notice.getByRole('row', { name: /^Name/ }).innerText()).toMatch(/South[\s\S]*North/);
    // The other's contact is not disputed: only the name asks for a choice.
    await notice.getByRole('radio').last().focus();
    await page.keyboard.press('Space');
    await notice.getByRole('button', { name: 'Save this way' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Harbour Fasteners North' }).waitFor();
    const { body } = await station.get(`/suppliers/${id}`);
    expect((body as { data: object }).data).toMatchObject({
      name: 'Harbour Fasteners North',
      primary_name: 'Anna',
      primary_phone: '+44 1',
    });
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
    expect(await page.getByLabel('Secondary contact: position').inputValue()).toBe('Dock');
    await station.restart();
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { level: 1, name: 'Harbour Fasteners North' }).waitFor();
    await page.getByText(AWAY).waitFor({ state: 'detached' });
    const { body } = await station.get(`/suppliers/${id}`);
    expect((body as { data: object }).data).toMatchObject({
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
    expect(await page.getByLabel('Secondary contact: e-mail').inputValue()).toBe('ben@harbour.example');
    await page.keyboard.press('Control+s');
    await page.getByText('ben@harbour.example').waitFor();
  });
});

it('reported no fault of a script and nothing against the policy', () => {
  expect(app.faults).toEqual([]);
});

async function edit(page: Page): Promise<void> {
  await page.goto(`${app.station.origin}/app/records/supplier/${id}/edit`);
  await page.getByLabel('Name', { exact: true }).waitFor();
}

async function type(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).focus();
  await page.keyboard.press('End');
  await typeSlowly(page, text);
}
