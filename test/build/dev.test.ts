import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeWindows, openBrowser } from '../e2e/support/browser.ts';
import { goToRoute, newestOf, routes } from '../e2e/support/sample-pages.ts';
import { type FilledFolder, filledFolder } from '../support/sample-company.ts';
import { Station } from '../support/station.ts';
import { copySource } from './copied-source.ts';

/** `npm run dev` as a person has it: one page after another, of which each test takes up where the last one left it. */
let company: FilledFolder;
let station: Station;
const foreign: string[] = [];
const faults: string[] = [];
let folder = '';
let origin = '';
let screens: ChildProcessByStdio<null, Readable, null>;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  company = await filledFolder();
  station = new Station({ folder: company.folder });
  [folder] = await Promise.all([copySource(), station.start()]);
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  screens = startScreens(port, new URL(station.origin).port);
  await written(screens, /The screens are at/);
  browser = await openBrowser();
  page = await browser.newPage({ locale: 'en' });
  // The first page waits until the packages are bundled.
  page.setDefaultTimeout(120_000);
  page.on('pageerror', error => faults.push(String(error)));
  page.on('console', message => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      faults.push(message.text());
  });
  page.on('request', request => {
    const { protocol, origin: asked } = new URL(request.url());
    if (protocol.startsWith('http') && asked !== origin) foreign.push(request.url());
  });
});
afterAll(async () => {
  await closeWindows();
  if (screens?.exitCode === null) screens.kill('SIGKILL');
  await station?.stop();
  for (const each of [folder, company?.folder ?? '']) await rm(each, { recursive: true, force: true });
});

it('opens the link of the first sign-in', async () => {
  const code = /\/first(#\S+)/.exec(station.output)?.[1];
  await page.goto(`${origin}/first${code}`);
  await page.getByRole('heading', { name: 'The first administrator' }).waitFor();
});

it('shows what is saved in a file, with what was typed in the page', async () => {
  const name = page.locator('input[name=name]');
  await name.fill('Ada Admin');
  const file = join(folder, 'renderer/screens/session/first-administrator.tsx');
  const source = await readFile(file, 'utf8');
  const changed = source.replace("{t('first.text')}", 'Another text');
  expect(changed).not.toBe(source);
  // As editors save: a file written in place is empty for a moment, and Vite may keep that for the page.
  const draft = join(folder, 'first-administrator.draft');
  await writeFile(draft, changed);
  await rename(draft, file);
  await page.getByText('Another text').waitFor();
  expect(await name.inputValue()).toBe('Ada Admin');
});

it('signs in, and hears of a record that somebody else writes', async () => {
  await page.locator('input[name=login]').fill('ada');
  await page.locator('input[name=password]').fill('correct horse battery');
  await page.keyboard.press('Enter');
  await page.locator('main#main').waitFor();
  const stream = page.waitForResponse(answer => answer.url().endsWith('/x/events'));
  await page.goto(`${origin}/app/records/supplier`);
  expect((await stream).status()).toBe(200);
  expect((await station.post('/suppliers', { name: 'Glassworks' })).status).toBe(201);
  await page.getByText('Glassworks', { exact: true }).waitFor();
  expect(foreign).toEqual([]);
});

// React says more of what is wrong with a page here than in what is shipped, which the tests of the browser use.
it('reports no fault on any page of the sample company', async () => {
  const newest = await newestOf(station, Object.keys(company.counts));
  for (const route of routes) {
    const before = faults.length;
    await goToRoute(page, newest, route);
    expect(faults.slice(before), route).toEqual([]);
  }
});

it("is refused for another origin's page, as at the station", async () => {
  const headers = { origin: 'http://127.0.0.1:1' };
  const { status } = await fetch(`${origin}/api/v2/status`, { headers });
  expect(status).toBe(403);
});

it('ends with a signal, and leaves the station that it found', async () => {
  const ended = once(screens, 'exit');
  screens.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
  expect((await station.get('/status')).status).toBe(200);
});

it('starts a station where none answers, and ends it', async () => {
  const [port, stationPort] = [await freePort(), await freePort()];
  const alone = startScreens(port, String(stationPort), join(folder, 'data'));
  const ended = once(alone, 'exit');
  try {
    const output = await written(alone, /First sign-in/);
    expect(output).toMatch(new RegExp(`First sign-in +http://127\\.0\\.0\\.1:${port}/first#`));
    expect((await fetch(`http://127.0.0.1:${port}/api/v2/status`)).status).toBe(200);
  } finally {
    alone.kill('SIGINT');
    await ended;
  }
  await expect(fetch(`http://127.0.0.1:${stationPort}/api/v2/status`)).rejects.toThrow();
});

function startScreens(port: number, stationPort: string, data = station.folder): typeof screens {
  return spawn(process.execPath, [join(folder, 'build', 'dev.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: undefined,
      HOLDPOINT_DATA: data,
      HOLDPOINT_HOST: '127.0.0.1',
      HOLDPOINT_PORT: stationPort,
      HOLDPOINT_DEV_PORT: String(port),
      HOLDPOINT_LOG: 'warn',
    },
  });
}

/** All that was written until it says so; throws when it ends before. */
async function written(child: typeof screens, sought: RegExp): Promise<string> {
  let output = '';
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += String(text);
    if (sought.test(output)) return output;
  }
  throw new Error(`It ended before it said ${sought}.\n${output}`);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port.');
  return address.port;
}
