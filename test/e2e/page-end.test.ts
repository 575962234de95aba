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
});
afterAll(async () => {
  await app?.close();
  await rm(folder, { recursive: true });
});

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
])(
  'what ends the work of %s is on the screen at 1280 by 800, wherever it is scrolled to',
  async (route, name) => {
    await goToRoute(page, newest, route);
    await page.getByRole('button', { name }).waitFor();
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(() => isSeen(name)).toBe(true);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect.poll(() => isSeen(name)).toBe(true);
    expect(await axeFindings(page)).toEqual([]);
  },
);

it('a field that the keyboard comes to is not behind it', async () => {
  await goToRoute(page, newest, 'records/order/new');
  const end = page.locator('.page-end');
  await end.waitFor();
  await page.evaluate(() => scrollTo(0, 0));
  const covered: string[] = [];
  for (let key = 0; key < 16; key++) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate(() => {
      const own = document.activeElement;
      const bar = document.querySelector('.page-end');
      if (!own || !bar || bar.contains(own)) return null;
      const isOver = own.getBoundingClientRect().bottom > bar.getBoundingClientRect().top;
      return isOver ? own.outerHTML.slice(0, 100) : null;
    });
    if (name !== null) covered.push(name);
  }
  expect(covered).toEqual([]);
});

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
