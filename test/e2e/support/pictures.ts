import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { filledFolder } from '../../support/sample-company.ts';
import { BUILT, copyTestedProgram } from '../../support/tested-program.ts';
import { openApp } from './app.ts';
import { newestOf, openRoute, routes } from './sample-pages.ts';

const widths = { 1280: 800, 1920: 1080 } as const;
const looks = {
  light: { colorScheme: 'light', contrast: 'normal', language: 'en' },
  dark: { colorScheme: 'dark', contrast: 'normal', language: 'en' },
  high: { colorScheme: 'light', contrast: 'high', language: 'en' },
  'high-dark': { colorScheme: 'dark', contrast: 'high', language: 'en' },
  german: { colorScheme: 'light', contrast: 'normal', language: 'de' },
} as const;

/**
 * `node test/e2e/support/pictures.ts <folder> [look:width …] [/route …]`: pictures of every page with the sample company,
 * to be looked at. Light at both widths unless looks are named, all routes unless some are.
 */
const [folder = 'dist/pictures', ...words] = process.argv.slice(2);
const asked = words.filter(word => word.includes(':') && !word.startsWith('/'));
const named = words.filter(word => word.startsWith('/')).map(word => word.slice(1));

// As before all tests: outside of them nobody else has done it.
if (existsSync(BUILT)) copyTestedProgram();
const { folder: data, counts } = await filledFolder();
const app = await openApp({ folder: data });
const newest = await newestOf(app.station, Object.keys(counts));
try {
  mkdirSync(folder, { recursive: true });
  for (const word of asked.length > 0 ? asked : ['light:1280', 'light:1920']) {
    const [look = 'light', width = '1280'] = word.split(':');
    const { colorScheme, contrast, language } = looks[look as keyof typeof looks];
    const height = widths[Number(width) as keyof typeof widths];
    const page = await app.open({ width: Number(width), height, language });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(value => localStorage.setItem('holdpoint.contrast', JSON.stringify(value)), contrast);
    for (const route of named.length > 0 ? named : routes) {
      await openRoute(page, app.station.origin, newest, route);
      const name = route === '' ? 'home' : route.replaceAll('/', '-').replaceAll(':', '');
      await page.screenshot({ path: join(folder, `${name}-${look}-${width}.png`) });
    }
    await page.context().close();
  }
} finally {
  await app.close();
  await app.browser.close();
  rmSync(data, { recursive: true });
}
