import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type App, addClerk, CLERK, openApp } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { goTo } from './support/go-to.ts';
import { pickOption, typeSlowly } from './support/keys.ts';

let app: App;
let page: Page;

beforeAll(async () => {
  app = await openApp({
    window: { user: CLERK },
    fill: async station => {
      await station.post('/suppliers', { name: 'Harbour Fasteners' });
      await addClerk(station);
    },
  });
  ({ page } = app);
});
afterAll(() => app?.close());

it('a supplier that nobody knows is not dropped in silence: it is told, and made with one key', async () => {
  await goTo(page, '/app/receiving');
  await page.keyboard.press('n');
  await page.getByRole('form', { name: 'New receipt' }).waitFor();
  await typeSlowly(page, 'Newcomer Ltd');
  await page.getByRole('option', { name: 'Create “Newcomer Ltd”' }).waitFor();
  await page.keyboard.press('Tab');
  await page.getByText('Nothing is called “Newcomer Ltd”').first().waitFor();
  await page.getByRole('button', { name: 'Begin receiving' }).press('Enter');
  await page.getByText('Nothing is called “Newcomer Ltd”').first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/app/receiving');
  expect(await axeFindings(page)).toEqual([]);
  const field = page.getByRole('textbox', { name: 'Supplier' }).first();
  await field.focus();
  await field.press('End');
  await page.keyboard.press('ArrowDown');
  // Who goes on before it is made is not told that nobody is called so.
  await page.route('**/suppliers', async route => {
    if (route.request().method() === 'POST') await new Promise(resolve => setTimeout(resolve, 500));
    await route.continue();
  });
  await pickOption(page, 'Create “Newcomer Ltd”');
  await page.getByRole('button', { name: 'Begin receiving' }).press('Enter');
  // The receipt is there: its supplier was made before it.
  await page.waitForURL(/\/receiving\/\d+/);
  const { body } = await app.station.get('/suppliers', { keyword: 'Newcomer' });
  expect(body).toMatchObject({ data: [{ name: 'Newcomer Ltd' }] });
  expect(app.faults).toEqual([]);
});
