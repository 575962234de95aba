import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type App, openApp } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { goTo } from './support/go-to.ts';
import { typeSlowly } from './support/keys.ts';
import { maker } from './support/maker.ts';
import { picture } from './support/picture.ts';

const LINES = 500;
const PARTS = 250;
const made: Record<string, number> = {};
let app: App;
let page: Page;

beforeAll(async () => {
  app = await openApp({
    fill: async station => {
      const parts = Array.from({ length: PARTS }, (_, index) => ({
        name: `Fitting ${index}`,
        identification: `F-${index}`,
        unit_of_measure: 'units',
      }));
      const { body } = await station.post('/parts/bulk', parts);
      const ids = (body as { data: { id: number }[] }).data.map(({ id }) => id);
      const items = Array.from({ length: LINES }, (_, index) => ({
        part_id: ids[index % PARTS],
        serial_number: `LOT-${index}`,
        quantity_accepted: 10,
        unit_of_measure: 'EA',
      }));
      await maker(station, made)('receipt', '/receiving-inspections', { po_number: 'PO-500', items });
    },
  });
  ({ page } = app);
});
afterAll(() => app?.close());

const rows = () => page.getByRole('table', { name: 'Received lines' }).locator('tbody tr');

it('a receipt of 500 lines is looked through page by page, each line with its name, and read once', async () => {
  const asked: string[] = [];
  page.on('request', request => asked.push(new URL(request.url()).pathname));
  await goTo(page, `/app/receiving/${made.receipt}`);
  await page.getByRole('heading', { name: `${LINES} lines received` }).waitFor();
  await expect.poll(() => rows().count()).toBe(50);
  await rows().first().getByText('Fitting 249').waitFor();
  await rows().last().getByText('Fitting 200').waitFor();
  const reads = asked.filter(path => /v2\/(x\/records\/)?receiving-inspections?\/\d+$/.test(path));
  expect(reads).toEqual([`/api/v2/x/records/receiving-inspection/${made.receipt}`]);
  await picture(page, 'long-receipt');
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Page 10', exact: true }).press('Enter');
  await rows().last().getByText('LOT-0', { exact: true }).waitFor();
  await rows().last().getByText('Fitting 0', { exact: true }).waitFor();
});

it('a line of it is found by its lot and corrected by itself', async () => {
  await page.getByLabel('Find by lot number').focus();
  await typeSlowly(page, 'lot-123');
  await expect.poll(() => rows().count()).toBe(1);
  await rows().first().getByRole('button', { name: 'Correct line' }).press('Enter');
  const form = page.getByRole('form', { name: 'Correct: Fitting 123' });
  await form.getByLabel('Accepted').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Control+A');
  await typeSlowly(page, '12');
  await page.keyboard.press('Enter');
  await form.getByRole('textbox', { name: 'Reason' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('1');
  await page.keyboard.press('Enter');
  await form.waitFor({ state: 'detached' });
  await rows().first().getByText('12 EA').waitFor();
});
