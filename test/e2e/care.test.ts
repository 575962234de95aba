import { rm } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FilledFolder, filledFolder } from '../support/sample-company.ts';
import { type App, openApp } from './support/app.ts';
import { faintFocus, faintParts, smallTargets } from './support/care.ts';
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

/** For gloved hands and bad light. */
describe.each(routes)('/app/%s', route => {
  it('can be hit and seen, by day, by night and in high contrast', async () => {
    await openRoute(page, app.station.origin, newest, route);
    const found: Record<string, string[]> = { small: await smallTargets(page) };
    for (const { colorScheme, contrast } of looks) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate(value => {
        document.documentElement.dataset.contrast = value;
      }, contrast);
      await page.waitForFunction(
        scheme => document.documentElement.dataset.mantineColorScheme === scheme,
        colorScheme,
      );
      found[`faint, ${colorScheme}, ${contrast}`] = await faintParts(page);
      found[`focus, ${colorScheme}, ${contrast}`] = await faintFocus(page);
    }
    expect(Object.entries(found).filter(([, each]) => each.length > 0)).toEqual([]);
  });
});
