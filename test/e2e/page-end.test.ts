import { rm } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { filledFolder } from '../support/sample-company.ts';
import { type App, openApp } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { goToRoute, type Newest, newestOf } from './support/sample-pages.ts';

let app: App;
let page: Page;
let folder: string;
let newest: Newest;

beforeAll(async () => {
  const company = await filledFolder();
  ({ folder } = company);
  app = await openApp({ folder });
  ({ page } = app);
  newest = await newestOf(app.station, Object.keys(company.counts));
  await takeReasons(`/x/stock-counts/${newest.get('stock-count')}`);
});
afterAll(async () => {
  await app?.close();
  await rm(folder, { recursive: true });
});

/** As it stands before anybody has said why what was counted differs: then the page asks for it. */
async function takeReasons(count: string): Promise<void> {
  const { body } = await app.station.get(count);
  const { items } = (body as { data: { items: { id: number; reason: string | null }[] } }).data;
  const given = items.filter(({ reason }) => reason !== null).map(({ id }) => ({ id, reason: null }));
  expect(given.length).toBeGreaterThan(0);
  expect((await app.station.patch(count, { items: given })).status).toBe(200);
}

/** Whether a person sees the button, and nothing over it. */
const isSeen = (name: string) =>
  page.getByRole('button', { name }).evaluate(button => {
    const { left, top, width, height } = button.getBoundingClientRect();
    const there = document.elementFromPoint(left + width / 2, top + height / 2);
    return there !== null && button.contains(there);
  });

it.each([
  ['shipping/:shipment', 'Ship it'],
  ['counts/:stock-count', 'Correct the stock'],
  ['records/order/:order/edit', 'Save'],
  ['records/order/new', 'Save'],
  ['setup/site', 'Save'],
])(
  'what ends the work of %s is on the screen at 1280 by 800, wherever it is scrolled to',
  async (route, name) => {
    await goToRoute(page, newest, route);
    await page.getByRole('button', { name }).waitFor();
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(() => isSeen(name)).toBe(true);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect.poll(() => isSeen(name)).toBe(true);
    if (name === 'Ship it') {
      await page.locator('main#main').focus();
      await page.keyboard.press('s');
      await expect.poll(() => isSeen('Take the lots and ship')).toBe(true);
    }
    expect(await axeFindings(page)).toEqual([]);
  },
);

/** What lies behind the page's end, of all that the keyboard comes to before it. */
async function coveredOn(window: Page): Promise<string[]> {
  await window.locator('.page-end').waitFor();
  // Names come after numbers, and rows grow with them.
  await expect.poll(() => window.locator('tbody a').filter({ hasText: /^\d+$/ }).count()).toBe(0);
  await window.evaluate(() => scrollTo(0, 0));
  const covered: string[] = [];
  for (let key = 0; key < 100; key++) {
    await window.keyboard.press('Tab');
    const found = await window.evaluate(() => {
      const own = document.activeElement;
      const bar = document.querySelector('.page-end');
      if (!own || !bar || bar.contains(own)) return null;
      const [one, other] = [own.getBoundingClientRect(), bar.getBoundingClientRect()];
      const isBeside = one.right <= other.left || one.left >= other.right;
      return isBeside || one.bottom <= other.top ? '' : own.outerHTML.slice(0, 100);
    });
    if (found === null) return covered;
    if (found !== '') covered.push(found);
  }
  throw new Error('The keyboard does not come to the end of the page.');
}

it.each([
  ['records/order/new', 'en', 1280, 800],
  ['counts/:stock-count', 'en', 1024, 768],
  ['counts/:stock-count', 'de', 1024, 768],
  // As at 1280 by 800 and 200 percent.
  ['counts/:stock-count', 'de', 640, 400],
] as const)(
  'nothing that the keyboard comes to on %s is behind it (%s, %i by %i)',
  async (route, language, width, height) => {
    const window = await app.open({ language, width, height });
    await goToRoute(window, newest, route);
    expect(await coveredOn(window)).toEqual([]);
    await window.context().close();
  },
);

it('a shipment with lines opens with them, and in no field; the list says whose each is', async () => {
  await goToRoute(page, newest, 'shipping/:shipment');
  const form = page.getByRole('form', { name: 'Add to the shipment' });
  await form.waitFor();
  expect(await form.locator(':focus').count()).toBe(0);
  const tops = await page.evaluate(() =>
    ['section[aria-label="What goes"]', 'form[aria-label="Add to the shipment"]'].map(
      each => document.querySelector(each)?.getBoundingClientRect().top ?? 0,
    ),
  );
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  await goToRoute(page, newest, 'shipping');
  await page.getByRole('columnheader', { name: 'Customer' }).waitFor();
  await page
    .getByRole('row')
    .filter({ hasText: 'SH-0-000062' })
    .getByText('Upper Vale Community Shop')
    .waitFor();
});
