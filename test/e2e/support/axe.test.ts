import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeFindings, COLOURS } from './axe.ts';
import { closeWindows, openBrowser } from './browser.ts';

const FAINT = 'style="color: #ccc"';
/** Of the list's faint entries, the third is drawn like the first. */
const PLANTED = `<html lang="en"><title>Planted</title><main><h1>Faults</h1>
  <p>A text of some length with <a href="#" style="text-decoration: none; color: #111">a link</a> in it.</p>
  <input>
  <ul><li><span ${FAINT}>one</span></li><li>two</li><li><span ${FAINT}>three</span></li><li><b ${FAINT}>four</b></li></ul>
</main></html>`;

let page: Page;

beforeAll(async () => {
  page = await (await openBrowser()).newPage();
  await page.setContent(PLANTED);
});
afterAll(closeWindows);

const found = async (rules?: readonly string[], within?: string) =>
  (await axeFindings(page, rules, within)).map(finding => finding.split(' Fix')[0]).toSorted();

it('finds what is planted, of entries that are drawn alike one', async () => {
  const colours = ['color-contrast: b', 'color-contrast: li:nth-child(1) > span', 'link-in-text-block: a'];
  expect(await found()).toEqual([...colours, 'label: input'].toSorted());
  expect(await found(COLOURS)).toEqual(colours);
  expect(await found(undefined, 'ul')).toEqual(colours.slice(0, 2));
});

it('leaves the page as it was', async () => {
  expect(await page.locator('[data-drawn-alike]').count()).toBe(0);
});
