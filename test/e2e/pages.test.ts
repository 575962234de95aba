import { globSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FilledFolder, filledFolder } from '../support/sample-company.ts';
import { type App, openApp } from './support/app.ts';
import { axeFindings, COLOURS, OWN_PART } from './support/axe.ts';
import { faintFocus, faintParts, faultsByLook, smallTargets } from './support/care.ts';
import { openMenu } from './support/menu.ts';
import { goToRoute, type Newest, newestOf, routes } from './support/sample-pages.ts';

/** Of filling the sample company on a slow machine. */
const LONG_MS = 300_000;
const windows = { en: 'light', de: 'dark' } as const;
/** What other words and another look of the same page can break. */
const OF_WORDS = [
  ...COLOURS,
  'button-name',
  'empty-heading',
  'label',
  'landmark-unique',
  'link-name',
  'page-has-heading-one',
  'region',
  'scrollable-region-focusable',
  'target-size',
  'valid-lang',
];

let company: FilledFolder;
let app: App;
let newest: Newest;
const pages = new Map<string, Page>();

beforeAll(async () => {
  company = await filledFolder();
  app = await openApp({ folder: company.folder });
  newest = await newestOf(app.station, Object.keys(company.counts));
  pages.set('en', app.page).set('de', await app.open({ language: 'de' }));
  // Figures are judged with their tables.
  for (const page of pages.values())
    await page.evaluate(() => localStorage.setItem('holdpoint.charts.table', 'true'));
}, LONG_MS);

afterAll(async () => {
  await app?.close();
  await rm(company.folder, { recursive: true });
});

/** One visit of each page in each language; what differs between looks is judged in place. */
describe.each(['en', 'de'] as const)('in %s', language => {
  it.each(routes)(
    '/app/%s is whole, axe finds nothing, and it can be hit and seen in all looks',
    async route => {
      const page = windowIn(language);
      const before = app.faults.length;
      await page.emulateMedia({ colorScheme: windows[language], reducedMotion: 'reduce' });
      await page.evaluate(() => document.documentElement.setAttribute('data-contrast', 'normal'));
      await goTo(page, route);
      await expect.poll(() => page.locator('h1').count()).toBe(1);
      await expect.poll(() => page.title()).toMatch(/\S+ · Holdpoint$/);
      expect(rawKeys(await page.locator('body').innerText())).toEqual([]);
      expect(await axeFindings(page, language === 'en' ? undefined : OF_WORDS)).toEqual([]);
      // What stands around all pages is looked at with the first.
      const within = route === routes[0] ? 'html' : OWN_PART;
      // Of high contrast, only the colours are different.
      const colours = () => axeFindings(page, COLOURS, within);
      if (language === 'de') {
        await page.evaluate(() => document.documentElement.setAttribute('data-contrast', 'high'));
        expect(await colours(), 'high contrast').toEqual([]);
      } else {
        // For gloved hands and bad light. Sizes are the same in all looks.
        expect(await smallTargets(page)).toEqual([]);
        const faint = await faultsByLook(page, async ({ colorScheme, contrast }) => ({
          faint: await faintParts(page, within),
          focus: await faintFocus(page, within),
          colours: colorScheme === 'light' && contrast === 'high' ? await colours() : [],
        }));
        expect(faint).toEqual({});
      }
      expect(app.faults.slice(before)).toEqual([]);
    },
  );
});

describe('a small window', () => {
  /** 1280 wide with text at 200 % is 640; 1024 is the smallest tablet. */
  it.each([1024, 640])('%i wide cuts nothing off', async width => {
    const page = await resized('en', width);
    const cut: string[] = [];
    for (const route of [
      '',
      'receiving',
      'stock/:inventory',
      'records/part',
      'records/order/new',
      'records/specification/:specification',
    ]) {
      await goTo(page, route);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (over > 0) cut.push(`${route}: ${over} px`);
    }
    expect(cut).toEqual([]);
  });
});

describe('lists on a tablet', () => {
  const lists = [
    'receiving',
    'stock',
    'shipping',
    'inspection',
    'lab',
    'records/part',
    'records/order',
    'records/complaint',
    'records/ncr',
    'records/customer',
  ];

  it.each(['de', 'en'] as const)('show their columns without sideways scrolling, in %s', async language => {
    const page = await resized(language, 1024);
    const over: string[] = [];
    for (const route of lists) {
      await goTo(page, route);
      await page.locator('tbody tr').first().waitFor();
      const wider = await page.evaluate(() =>
        [...document.querySelectorAll('main [class*="ScrollArea-viewport"]')].map(
          each => each.scrollWidth - each.clientWidth,
        ),
      );
      if (wider.some(by => by > 0)) over.push(`${route}: ${wider} px`);
    }
    expect(over).toEqual([]);
  });
});

describe('a lot and a part', () => {
  it('lead to their recall, and the lot to its inspections', async () => {
    const page = await resized('en', 1280);
    await goTo(page, 'records/part/:part');
    await page.getByRole('link', { name: 'Recall' }).press('Enter');
    await page.waitForURL('**/app/recall/part/*');
    await goTo(page, 'stock/:inventory');
    await openMenu(page.getByRole('button', { name: 'More' }));
    await page.getByRole('menuitem', { name: 'Inspections' }).press('Enter');
    await page.waitForURL(`**/app/inspection?inventory_id=${newest.get('inventory')}`);
    await page.getByRole('heading', { level: 1, name: 'Inspection' }).waitFor();
  });
});

describe('the first load', () => {
  it('is what is shipped: nothing in it is of React for development', () => {
    const scripts = globSync('dist/renderer/assets/*.js');
    const isForDevelopment = (path: string) =>
      readFileSync(path, 'utf8').includes('should have a unique "key" prop');
    expect(scripts.length).toBeGreaterThan(10);
    expect(scripts.filter(isForDevelopment)).toEqual([]);
  });

  it('is less than 500 kB of script, compressed', () => {
    const root = 'dist/renderer';
    const html = readFileSync(`${root}/index.html`, 'utf8');
    const first = new Set([...html.matchAll(/(?:src|href)="\/?([^"]+\.js)"/g)].map(match => match[1] ?? ''));
    // The start page and what its script asks for at once come with it.
    for (const path of globSync(`${root}/assets/home-page-*.js`)) first.add(path.slice(root.length + 1));
    for (const path of first) {
      for (const [, name] of readFileSync(`${root}/${path}`, 'utf8').matchAll(
        /from\s*"\.\/([\w.-]+\.js)"/g,
      )) {
        first.add(`assets/${name}`);
      }
    }
    const sizes = [...first].map(path => gzipSync(readFileSync(`${root}/${path}`)).length);
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(500_000);
  });
});

function goTo(page: Page, route: string): Promise<void> {
  return goToRoute(page, newest, route);
}

/** The window in this language, so wide, and light. */
async function resized(language: 'en' | 'de', width: number): Promise<Page> {
  const page = windowIn(language);
  await page.setViewportSize({ width, height: 768 });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.evaluate(() => document.documentElement.setAttribute('data-contrast', 'normal'));
  return page;
}

function windowIn(language: 'en' | 'de'): Page {
  const page = pages.get(language);
  if (!page) throw new Error(`There is no window in ${language}.`);
  return page;
}

/** Keys of catalogues that stand on the screen in place of their text: `record:empty`, `kind.receipts_open`. */
function rawKeys(text: string): string[] {
  const words = text.match(/(?<![\w./@:-])[a-z]+(?:[.:][a-z][\w-]*)+(?![\w./@:-])/g) ?? [];
  return words.filter(word => !/\.(example|invalid|test|db|csv|json|key|local)$/.test(word));
}
