import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type App, openApp, openWindow } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { startWholeBrowser, wholeBrowser } from './support/browser.ts';
import { writeFilm } from './support/camera-film.ts';
import { smallTargets } from './support/care.ts';
import { goTo } from './support/go-to.ts';
import { maker } from './support/maker.ts';

const GTIN = '09506000134352';
const made: Record<string, number> = {};
const folder = mkdtempSync(join(tmpdir(), 'holdpoint-camera-'));

let app: App;
let browser: Browser | undefined;
let page: Page;

/** The camera as a scanner: a browser whose camera shows a label, one that may not use it, one without any. */
beforeAll(async () => {
  const film = join(folder, 'label.y4m');
  writeFilm(film, { symbol: 'datamatrix', data: `01${GTIN}1731010010LOT-7`, isGs1: true });
  app = await openApp({
    fill: async station => {
      const create = maker(station, made);
      await create('bolt', '/parts', { name: 'Hex bolt M8', unit_of_measure: 'units', barcodes: [GTIN] });
    },
  });
  if (!wholeBrowser()) return;
  browser = await startWholeBrowser([
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${film}`,
  ]);
  page = await openWindow(browser, app.station.origin, app.faults);
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  rmSync(folder, { recursive: true });
});

/** Its own for each test, and for each further try of one. */
async function atNewReceipt(): Promise<void> {
  const { body } = await app.station.post('/receiving-inspections', { po_number: 'PO-1' });
  await goTo(page, `/app/receiving/${(body as { data: { id: number } }).data.id}`);
}

const fact = (name: string) => page.locator(`[data-fact=${name}] dd`).innerText();

it.skipIf(!wholeBrowser())('that may not be used says so, and what to do', async () => {
  await atNewReceipt();
  const asked: string[] = [];
  page.on('request', request => asked.push(request.url()));
  // Of what a page loads, nothing is there already.
  await page.reload();
  await page.getByRole('button', { name: 'Scan with the camera' }).waitFor();
  expect(asked.filter(url => /camera/.test(url))).toEqual([]);
  await page.getByRole('button', { name: 'Scan with the camera' }).press('Enter');
  await page.getByRole('alert').getByText('This page may not use the camera').waitFor();
  // What the camera needs is loaded with it, and not before.
  expect(asked.filter(url => /camera/.test(url)).length).toBeGreaterThan(0);
  expect(await axeFindings(page)).toEqual([]);
  expect(await smallTargets(page, '.scan-panel')).toEqual([]);
});

it.skipIf(!wholeBrowser())(
  'reads a label as a scanner does, once for as long as it is held there',
  async () => {
    await page.context().clearPermissions();
    await atNewReceipt();
    await page.getByRole('button', { name: 'Scan with the camera' }).press('Enter');
    await page.getByRole('alert').getByText('This page may not use the camera').waitFor();
    await page.context().grantPermissions(['camera'], { origin: app.station.origin });
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await expect.poll(() => fact('lot')).toBe('LOT-7');
    await expect.poll(() => fact('accepted')).toBe('1 EA');
    // A name comes later than what the code itself says.
    await expect.poll(() => fact('part')).toBe('Hex bolt M8');
    await expect.poll(() => page.locator('.scan-panel').getAttribute('data-outcome')).toBe('taken');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Switch the camera off' }).press('Enter');
    await expect.poll(() => page.locator('video').count()).toBe(0);
    await expect.poll(() => fact('accepted')).toBe('1 EA');
  },
);

it('that is not there is told in German, on every screen that scans', async () => {
  const window = await app.open({ language: 'de' });
  await window.context().grantPermissions(['camera'], { origin: app.station.origin });
  await goTo(window, '/app/stock/putaway');
  await window.getByRole('button', { name: 'Mit der Kamera scannen' }).press('Enter');
  await window.getByRole('alert').getByText('wurde keine Kamera gefunden').waitFor();
  expect(app.faults).toEqual([]);
});
