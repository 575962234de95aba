import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { guidePages } from '../../server/http/openapi/guide-pages.ts';
import { type App, openApp } from './support/app.ts';
import { axeFindings, COLOURS } from './support/axe.ts';

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
  await page.getByLabel('Find an operation or a guide').fill('post suppliers');
  await page.getByText(/^\d+ found$/).waitFor();
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
  await expectSound(page, '1280');
});

/** By day all rules, by night what colours can break. */
async function expectSound(page: Page, window: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const rules = colorScheme === 'light' ? undefined : COLOURS;
    expect(await axeFindings(page, rules), `${window}, ${colorScheme}`).toEqual([]);
  }
}

const WINDOWS = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

it.each(guidePages().map(({ page: name, title }) => ({ name, title })))(
  'the guide $name is found, fits the windows of desks, and has nothing that axe finds',
  async ({ name, title }) => {
    const { page, station } = app;
    await page.goto(`${station.origin}/docs/${name}`);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    for (const size of WINDOWS) {
      await page.setViewportSize(size);
      const isWithin = () => document.documentElement.scrollWidth <= document.documentElement.clientWidth;
      await expect.poll(() => page.evaluate(isWithin), { message: `${size.width}` }).toBe(true);
      await expectSound(page, `${size.width}`);
    }
  },
);

it('guides are found by their words, and Enter opens one where no operation is meant', async () => {
  const { page, station } = app;
  await page.goto(`${station.origin}/docs`);
  await page.getByLabel('Find an operation or a guide').fill('midnight');
  await page.getByText('1 found').waitFor();
  await expect.poll(() => page.locator('nav details:not([hidden])').count()).toBe(0);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Times' }).waitFor();
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
