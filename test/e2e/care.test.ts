import { rm } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FilledFolder, filledFolder } from '../support/sample-company.ts';
import { type App, openApp } from './support/app.ts';
import { axeFindings, COLOURS } from './support/axe.ts';
import { faintFocus, faintParts, smallTargets } from './support/care.ts';
import { openMenu } from './support/menu.ts';
import { type Newest, newestOf, openRoute, routes } from './support/sample-pages.ts';

const looks = [
  { colorScheme: 'light', contrast: 'normal' },
  { colorScheme: 'dark', contrast: 'normal' },
  { colorScheme: 'light', contrast: 'high' },
  { colorScheme: 'dark', contrast: 'high' },
] as const;

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

type Found = Record<string, string[]>;

async function findIn(each: (found: Found, look: string) => Promise<void>): Promise<void> {
  const found: Found = {};
  for (const { colorScheme, contrast } of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(value => {
      document.documentElement.dataset.contrast = value;
    }, contrast);
    await page.waitForFunction(
      scheme => document.documentElement.dataset.mantineColorScheme === scheme,
      colorScheme,
    );
    await each(found, `${colorScheme}, ${contrast}`);
  }
  expect(Object.entries(found).filter(([, faults]) => faults.length > 0)).toEqual([]);
}

/** For gloved hands and bad light. */
describe.each(routes)('/app/%s', route => {
  it('can be hit and seen, by day, by night and in high contrast', async () => {
    await openRoute(page, app.station.origin, newest, route);
    await findIn(async (found, look) => {
      found.small ??= await smallTargets(page);
      found[`faint, ${look}`] = await faintParts(page);
      found[`focus, ${look}`] = await faintFocus(page);
    });
  });
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
    open: () => page.getByRole('button', { name: 'Move' }).press('Enter'),
    within: 'main form',
    at: 'main form :focus',
  },
  {
    name: 'the form that locks a lot',
    route: 'stock/:inventory',
    open: () => page.getByRole('button', { name: /^(Lock|Lift the lock|Unlock)/ }).press('Enter'),
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

async function openMenuAtFirst(button: string | RegExp): Promise<void> {
  await openMenu(page.getByRole('button', { name: button }));
  await page.keyboard.press('ArrowDown');
}

describe.each(opened)('$name', ({ route, open, within, at }) => {
  it('can be hit and read, by day, by night and in high contrast', async () => {
    await openRoute(page, app.station.origin, newest, route);
    await open();
    await page.locator(at).first().waitFor();
    await findIn(async (found, look) => {
      found.small ??= await smallTargets(page, within);
      found[`faint, ${look}`] = await faintParts(page, within);
      found[`words, ${look}`] = await axeFindings(page, COLOURS, within);
    });
    await page.locator(at).first().waitFor();
  });
});
