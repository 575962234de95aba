import { afterAll, beforeAll, expect, it } from 'vitest';
import { type App, openApp } from './support/app.ts';
import { axeFindings } from './support/axe.ts';

let app: App;
beforeAll(async () => {
  app = await openApp();
});
afterAll(async () => {
  await app?.close();
});

it('is found, read and tried by whoever has a token, and sends nothing with the session of the screens', async () => {
  const { page, station } = app;
  await page.goto(`${station.origin}/docs`);
  await page.getByLabel('Find an operation').fill('post suppliers');
  await page.getByText('1 found').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Suppliers' }).waitFor();
  const article = page.locator('article[id="suppliers.create"]');
  await article.getByRole('button', { name: 'Try it: Create a supplier' }).press('Enter');
  const answer = article.locator('output');
  const send = article.getByRole('button', { name: 'Send POST' });
  await article.getByLabel('Body').fill('{"name": "From the documentation"}');
  // Somebody is signed in here.
  await send.press('Enter');
  await answer.getByText('401 Unauthorized').waitFor();
  await article.getByLabel('Token').fill(station.token);
  await send.press('Enter');
  await answer.getByText('201 Created').waitFor();
  expect(await answer.innerText()).toContain('"name": "From the documentation"');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeFindings(page), colorScheme).toEqual([]);
  }
});

it('leads on from an address of the time when it was one page, and listens to a stream for a while', async () => {
  const { page, station } = app;
  await page.goto(`${station.origin}/docs#x.events`);
  const article = page.locator('article[id="x.events"]');
  await article.getByRole('button', { name: /^Try it/ }).press('Enter');
  await article.getByLabel('Token').fill(station.token);
  await article.getByRole('button', { name: 'Send GET' }).press('Enter');
  await article.locator('output').getByText('heard for 5 seconds').waitFor();
  expect(app.faults).toEqual([]);
});
