import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Station } from '../support/station.ts';
import { type App, openApp } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { goTo } from './support/go-to.ts';
import { tabTo } from './support/keys.ts';
import { maker } from './support/maker.ts';

/** What real records have and textbooks do not: values that are all the same, and values that are missing. */

let app: App;
let page: Page;
const made: Record<string, number> = {};

const LOTS = 6;
/** Of each lot, two samples; null was not measured. */
const HOLES: readonly (readonly [number | null, number | null])[] = [
  [5.01, 5.03],
  [null, 5.02],
  [null, null],
  [5.0, 5.02],
  [null, null],
  [5.04, 5.06],
];

beforeAll(async () => {
  app = await openApp({ fill });
  page = app.page;
});
afterAll(async () => {
  await app?.close();
});

async function fill(station: Station): Promise<void> {
  const create = maker(station, made);
  await create('part', '/parts', { name: 'Pin', identification: 'PI-5', unit_of_measure: 'units' });
  await create('template', '/x/specifications', {
    name: 'Pin',
    characteristics: [
      { name: 'Length', dimensions: '40 mm', tolerance: '±0.5' },
      { name: 'Hole', dimensions: '5 mm', tolerance: '±0.1' },
      { name: 'Colour', tolerance: 'as the master' },
    ],
  });
  for (let lot = 0; lot < LOTS; lot += 1) {
    await create(`receipt ${lot}`, '/receiving-inspections', {
      items: [{ part_id: made.part, serial_number: `P-${lot + 1}`, quantity_accepted: 50 }],
    });
    const { body: lots } = await station.get('/x/find', { text: `P-${lot + 1}`, family: 'inventory' });
    await create('inspection', '/inspections', {
      entity_id: made.part,
      drawing_id: made.template,
      inventory_id: (lots as { data: { id: number }[] }).data[0]?.id,
      sample_size: 2,
    });
    const { body } = await station.get(`/x/inspections/${made.inspection}`);
    const { samples } = (body as { data: { samples: { id: number; results: { id: number }[] }[] } }).data;
    for (const [at, { id, results }] of samples.entries()) {
      const [length, hole] = results;
      const value = HOLES[lot]?.[at] ?? null;
      const answer = await station.put(`/inspections/${made.inspection}/samples/${id}`, {
        results: [{ id: length?.id, value: 40 }, ...(value === null ? [] : [{ id: hole?.id, value }])],
      });
      expect(answer.status).toBe(200);
    }
  }
  await create('supplier', '/suppliers', { name: 'Harbour Pins' });
  await create('ncr', '/ncrs', { ncr_number: 'N-1', source: 'supplier', part_id: made.part });
  const receipt = async (name: string, month: string) =>
    create(name, '/receiving-inspections', {
      supplier_id: made.supplier,
      items: [
        {
          part_id: made.part,
          serial_number: name,
          quantity_accepted: 10,
          cost: 2,
          expiry_date: `${month}-28`,
        },
      ],
    });
  await receipt('EARLY', '2032-01');
  await receipt('LATE', '2032-04');
}

async function open(query: string): Promise<void> {
  await goTo(page, `/app/charts?${query}`);
  await page.getByRole('heading', { level: 1, name: 'Charts' }).waitFor();
}

const drawing = (name: string) => page.locator(`[data-drawing=${name}]`);

it('values that are all equal: one line, limits on it, no indices, and it says why', async () => {
  await open(`view=characteristic&part=${made.part}&characteristic=Length`);
  await page.getByText('n = 6 lots: of each, the mean of its samples').waitFor();
  await page.getByText('All values are equal: without variation there are no indices.').waitFor();
  expect(await page.locator('[data-index-value]').count()).toBe(0);
  await expect.poll(() => drawing('individuals').locator('.chart-point').count()).toBe(LOTS);
  const heights = await drawing('individuals')
    .locator('.mark')
    .evaluateAll(marks => marks.map(mark => mark.getAttribute('cy') ?? mark.getAttribute('y')));
  expect(new Set(heights).size).toBe(1);
  expect(Number(heights[0])).toBeGreaterThan(0);
  const ticks = await drawing('individuals').locator('.recharts-yAxis-tick-labels text').allTextContents();
  expect(new Set(ticks).size).toBe(ticks.length);
  expect(ticks.length).toBeGreaterThan(1);
  // All moving ranges are 0, which no rule is broken by.
  await page.getByText("None of Nelson's eight rules is broken").waitFor();
  const rows = (await saved('Table (CSV)', 'Length.csv')).toString().trimEnd().split('\r\n');
  expect(rows[6]).toMatch(/^6,P-6,[^,]+,40,2,0,within,$/);
  expect((await saved('Picture (PNG)', 'Length.png')).length).toBeGreaterThan(5_000);
});

it('values that are missing: a point for each lot that has one, of as many samples as were measured', async () => {
  await open(`view=characteristic&part=${made.part}&characteristic=Hole`);
  await page.getByText('n = 4 lots: of each, the mean of its samples').waitFor();
  await expect.poll(() => drawing('individuals').locator('.chart-point').count()).toBe(4);
  await expect.poll(() => drawing('ranges').locator('.chart-point').count()).toBe(3);
  await tabTo(page, page.getByRole('button', { name: 'Show tables' }));
  await page.keyboard.press('Enter');
  const table = page.getByRole('table', { name: /Hole · Pin/ });
  await table.waitFor();
  const told = (await table.getByRole('row').allInnerTexts()).map(row => row.split('\t'));
  expect(told.slice(1).map(([, lot, , value, of, range]) => [lot, value, of, range])).toEqual([
    ['P-1', '5.02', '2', '–'],
    ['P-2', '5.02', '1', '0'],
    ['P-4', '5.01', '2', '0.01'],
    ['P-6', '5.05', '2', '0.04'],
  ]);
  const rows = (await saved('Table (CSV)', 'Hole.csv')).toString().trimEnd().split('\r\n');
  expect(rows.slice(1).map(row => row.split(',')[1])).toEqual(['P-1', 'P-2', 'P-4', 'P-6']);
  expect(await axeFindings(page)).toEqual([]);
});

it('what was never measured with a number is not offered, and says so where the address asks for it', async () => {
  await open(`view=characteristic&part=${made.part}&characteristic=Colour`);
  await page.getByText('No value of “Colour” has been measured yet.').waitFor();
  await tabTo(page, page.locator('input').and(page.getByLabel('Characteristic', { exact: true })));
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option', { name: /^Hole/ }).waitFor();
  expect(await page.getByRole('option', { name: /^Colour/ }).count()).toBe(0);
});

it.each([
  ['stock', 2],
  ['ncrs', 4],
  ['suppliers', 1],
] as const)('every picture of %s can be taken along, and has its table', async (view, count) => {
  await open(`view=${view}`);
  const figures = page.getByRole('figure');
  await expect.poll(() => figures.count()).toBe(count);
  for (const [at, figure] of (await figures.all()).entries()) {
    const csv = (await saved(/CSV/, /\.csv$/, figure)).toString().trimEnd().split('\r\n');
    expect(csv.length).toBeGreaterThan(1);
    // All pictures are drawn by the same code, which one of a view proves.
    if (at === 0) expect((await saved(/PNG/, /\.png$/, figure)).length).toBeGreaterThan(3_000);
    const tables = figure.getByRole('button', { name: /Show tables|Hide tables/ });
    if ((await tables.innerText()) === 'Show tables') await tables.press('Enter');
    await expect.poll(() => figure.getByRole('table').getByRole('row').count()).toBe(csv.length);
  }
  if (view === 'stock') {
    // Months in which nothing expires have their place, so that time is even.
    const figure = page.getByRole('figure', { name: 'Stock value by month of expiry' });
    for (const month of ['Jan 2032', 'Feb 2032', 'Mar 2032', 'Apr 2032'])
      await figure.locator('text', { hasText: month }).first().waitFor();
  }
  expect(app.faults).toEqual([]);
});

async function saved(
  button: string | RegExp,
  name: string | RegExp,
  around: Page | Locator = page,
): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    around.getByRole('button', { name: button }).first().press('Enter'),
  ]);
  expect(download.suggestedFilename()).toMatch(name);
  return readFile(await download.path());
}
