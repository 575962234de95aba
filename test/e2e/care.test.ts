import { rm } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FilledFolder, filledFolder } from '../support/sample-company.ts';
import { type App, openApp } from './support/app.ts';
import { axeFindings, COLOURS } from './support/axe.ts';
import { faintParts, faultsByLook, smallTargets } from './support/care.ts';
import { openMenu } from './support/menu.ts';
import { type Newest, newestOf, openRoute } from './support/sample-pages.ts';

let company: FilledFolder;
let app: App;
let page: Page;
let newest: Newest;

beforeAll(async () => {
  company = await filledFolder();
  app = await openApp({ folder: company.folder });
  newest = await newestOf(app.station, Object.keys(company.counts));
  page = app.page;
}, 300_000);

afterAll(async () => {
  await app?.close();
  await rm(company.folder, { recursive: true });
});

/** What a key opens over the page or in it, and where the keyboard is then. */
const opened: { name: string; route: string; open: () => Promise<unknown>; within: string; at: string }[] = [
  {
    name: 'the palette with what it finds',
    route: '',
    open: async () => {
      await page.keyboard.press('Control+k');
      await page.locator('[role=dialog] input:focus').fill('oil');
    },
    within: '[role=dialog]',
    at: '[role=dialog] [role=option][data-combobox-selected]',
  },
  {
    name: 'the menu of columns',
    route: 'records/part',
    open: () => openMenuAtFirst('Columns'),
    within: '[role=menu]',
    at: '[role=menuitemcheckbox]:focus',
  },
  {
    name: "the user's menu",
    route: '',
    open: () => openMenuAtFirst(/Ada Admin/),
    within: '[role=menu]',
    at: '[role=menuitem]:focus',
  },
  {
    name: 'the menu of what to print',
    route: 'stock/:inventory',
    open: () => openMenuAtFirst('Print'),
    within: '[role=menu]',
    at: '[role=menuitem]:focus',
  },
  {
    name: 'a list of choices',
    route: 'records/ncr/new',
    open: () => page.getByRole('combobox', { name: 'Source' }).press('ArrowDown'),
    within: '[role=listbox]',
    at: '[role=option][data-combobox-selected]',
  },
  {
    name: 'a list of records with what tells them apart',
    route: 'records/ncr/new',
    open: async () => {
      await page.getByRole('textbox', { name: 'Part', exact: true }).click();
      await page.getByRole('option').nth(1).waitFor();
      await page.keyboard.press('ArrowDown');
    },
    within: '[role=listbox]',
    at: '[role=option][data-combobox-selected] p + p',
  },
  {
    name: 'the form that moves a lot',
    route: 'stock/:inventory',
    open: () => chooseMore('Move'),
    within: 'main form',
    at: 'main form :focus',
  },
  {
    name: 'the form that locks a lot',
    route: 'stock/:inventory',
    open: () => chooseMore('Lock'),
    within: 'main form',
    at: 'main form :focus',
  },
  {
    name: 'the form that decides on a report',
    route: 'ncr/:ncr',
    open: () => page.keyboard.press('d'),
    within: 'main form',
    at: 'main form :focus',
  },
  {
    name: 'the form of a new inspection',
    route: 'inspection',
    open: () => page.keyboard.press('n'),
    within: 'main form',
    at: 'main form :focus',
  },
];

async function chooseMore(item: string): Promise<void> {
  await openMenu(page.getByRole('button', { name: 'More' }));
  await page.getByRole('menuitem', { name: item }).press('Enter');
}

async function openMenuAtFirst(button: string | RegExp): Promise<void> {
  await openMenu(page.getByRole('button', { name: button }));
  await page.keyboard.press('ArrowDown');
}

describe.each(opened)('$name', ({ route, open, within, at }) => {
  it('can be hit and read, by day, by night and in high contrast', async () => {
    await openRoute(page, app.station.origin, newest, route);
    await open();
    await page.locator(at).first().waitFor();
    const faults = await faultsByLook(page, async ({ colorScheme, contrast }) => ({
      // Sizes are the same in all looks.
      small: colorScheme === 'light' && contrast === 'normal' ? await smallTargets(page, within) : [],
      faint: await faintParts(page, within),
      words: await axeFindings(page, COLOURS, within),
    }));
    expect(faults).toEqual({});
    await page.locator(at).first().waitFor();
  });
});
