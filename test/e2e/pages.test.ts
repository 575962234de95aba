import { globSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillSampleCompany, type SampleCompany } from '../../server/sample-company/fill-sample-company.ts';
import { createClient } from '../../shared/client.ts';
import type { FamilyName } from '../../shared/families/registry.ts';
import type { Station } from '../support/station.ts';
import { type App, openApp } from './support/app.ts';
import { axeFindings } from './support/axe.ts';

const looks = {
  light: { colorScheme: 'light', contrast: 'normal' },
  dark: { colorScheme: 'dark', contrast: 'normal' },
  'high contrast': { colorScheme: 'light', contrast: 'high' },
} as const;

/** Every route of `renderer/app/routes.tsx`; `:family` stands for the newest record of that family. */
const routes = [
  '',
  'receiving',
  'receiving/:receiving-inspection',
  'stock',
  'stock/:inventory',
  'shipping',
  'shipping/:shipment',
  'inspection',
  'inspection/:inspection',
  'lab',
  'lab/:lab-result',
  'quality',
  'ncr/:ncr',
  'recall/inventory/:inventory',
  'recall/part/:part',
  'charts',
  'conflicts',
  'sync',
  'setup',
  'setup/users',
  'setup/tokens',
  'setup/site',
  'setup/backup',
  'setup/stations',
  'setup/import',
  'setup/export',
  'records',
  'records/part',
  'records/inventory',
  'records/order/new',
  'records/specification/:specification',
  'records/specification/:specification/edit',
  'records/complaint/:complaint',
  'records/order/:order/edit',
  'no-such-page',
];

let app: App;
const newest = new Map<string, number>();
const pages = new Map<string, Page>();

beforeAll(async () => {
  app = await openApp({ fill });
  for (const [look, { colorScheme, contrast }] of Object.entries(looks)) {
    const page = await app.open({ language: look === 'dark' ? 'de' : 'en' });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(value => localStorage.setItem('holdpoint.contrast', JSON.stringify(value)), contrast);
    pages.set(look, page);
  }
}, 240_000);

afterAll(async () => {
  await app?.close();
});

describe.each(Object.keys(looks))('in %s', look => {
  it.each(routes)('/app/%s is whole and axe finds nothing', async route => {
    const page = pages.get(look);
    if (!page) throw new Error(`There is no window in ${look}.`);
    const before = app.faults.length;
    await open(page, route);
    expect(await page.locator('h1').count()).toBe(1);
    expect(await page.title()).toMatch(/\S+ · Holdpoint$/);
    expect(rawKeys(await page.locator('body').innerText())).toEqual([]);
    expect(await axeFindings(page)).toEqual([]);
    expect(app.faults.slice(before)).toEqual([]);
  });
});

describe('a small window', () => {
  /** 1280 wide with text at 200 % is 640; 1024 is the smallest tablet. */
  it.each([1024, 640])('%i wide cuts nothing off', async width => {
    const page = await app.open({ width, height: 768 });
    const cut: string[] = [];
    for (const route of [
      '',
      'receiving',
      'stock/:inventory',
      'records/part',
      'records/order/new',
      'records/specification/:specification',
    ]) {
      await open(page, route);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (over > 0) cut.push(`${route}: ${over} px`);
    }
    await page.context().close();
    expect(cut).toEqual([]);
  });
});

describe('the first load', () => {
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

async function open(page: Page, route: string): Promise<void> {
  const path = route.replace(/:([\w-]+)/g, (_, family) => String(newest.get(family)));
  await page.goto(`${app.station.origin}/app/${path}`);
  await page.locator('main h1').waitFor();
  // Everything that the page asks for has been answered and drawn: only the stream of events stays open.
  await page.waitForFunction(
    () => !/(Reading|Opening|Wird gelesen|Wird geöffnet) …/.test(document.body.innerText),
  );
}

/** Keys of catalogues that stand on the screen in place of their text: `record:empty`, `kind.receipts_open`. */
function rawKeys(text: string): string[] {
  const words = text.match(/(?<![\w./@:-])[a-z]+(?:[.:][a-z][\w-]*)+(?![\w./@:-])/g) ?? [];
  return words.filter(word => !/\.(example|invalid|test|db|csv|json|local)$/.test(word));
}

async function fill(station: Station): Promise<void> {
  const client = createClient({ baseUrl: station.origin, token: station.token });
  const today = new Date().toISOString().slice(0, 10);
  const { counts }: SampleCompany = await fillSampleCompany(client, { today });
  for (const family of Object.keys(counts)) {
    const { data } = await client.list(family as FamilyName, { per_page: 1, order: 'desc' });
    const [first] = Array.isArray(data) ? data : [data];
    const id = (first as { id?: number | string } | undefined)?.id;
    if (id !== undefined) newest.set(family, Number(id));
  }
}
