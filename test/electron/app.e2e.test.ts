import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { electronProgram } from '../../build/electron-runtime.ts';
import type {} from '../../renderer/desktop/bridge.ts';

const INSTALLERS = join(import.meta.dirname, '..', '..', 'dist', 'installers');

/**
 * The app as it is shipped, driven by Playwright: it needs Electron's runtime, and what `npm run dist -- --dir` packs
 * with it. The fuses leave Playwright no way into the main process of the packed program, so that what is packed is run
 * by the runtime itself.
 */
const runtime = electronProgram();
const asar = packedAsar();
const why =
  runtime === undefined ? "Electron's runtime is not here" : 'nothing is packed (npm run dist -- --dir)';
const canRun = runtime !== undefined && asar !== undefined;
if (!canRun) process.stdout.write(`\nSKIPPED: the end-to-end tests of the desktop app, because ${why}.\n`);

function packedAsar(): string | undefined {
  if (!existsSync(INSTALLERS)) return undefined;
  return readdirSync(INSTALLERS, { recursive: true, encoding: 'utf8' })
    .filter(name => /(^|[\\/])app\.asar$/.test(name))
    .map(name => join(INSTALLERS, name))[0];
}

describe.skipIf(!canRun)('the desktop app on Electron', () => {
  let folder: string;
  let app: ElectronApplication;
  let page: Page;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdpoint-electron-'));
    app = await _electron.launch({
      executablePath: String(runtime),
      // Containers have no user namespaces for the sandbox; everywhere else it is on.
      args: [String(asar), ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
      env: {
        ...Object.fromEntries(
          Object.entries(process.env).flatMap(([key, value]) => (value ? [[key, value]] : [])),
        ),
        HOLDPOINT_DATA: join(folder, 'data'),
        HOLDPOINT_PORT: '0',
        XDG_DATA_HOME: join(folder, 'share'),
        LOCALAPPDATA: join(folder, 'local'),
      },
    });
    page = await app.firstWindow();
    await page.waitForURL(/^app:\/\/bundle\/first/);
  });
  afterAll(async () => {
    await app?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const call = (path: string, method = 'GET', body?: unknown) =>
    page.evaluate(
      async ([to, how, what]) => {
        const answer = await fetch(String(to), {
          method: String(how),
          ...(what === undefined
            ? {}
            : { body: JSON.stringify(what), headers: { 'Content-Type': 'application/json' } }),
        });
        return { status: answer.status, body: await answer.json() };
      },
      [path, method, body] as const,
    );

  it('makes the first administrator and a record', async () => {
    const code = new URL(page.url()).hash.slice(1);
    const password = 'correct horse battery staple';
    const made = await call('/api/v2/x/first-administrator', 'POST', {
      code,
      name: 'Ann',
      login: 'ann',
      password,
    });
    expect(made.status).toBe(201);
    expect((await call('/api/v2/suppliers', 'POST', { name: 'From the desktop' })).status).toBe(201);
    expect(await page.evaluate(() => document.cookie)).toBe('');
  });

  it('has search and everything else of SQLite that the store needs', async () => {
    const found = await call('/api/v2/suppliers?keyword=desktop');
    expect(found.body).toMatchObject({ data: [{ name: 'From the desktop' }] });
  });

  it('sees its server come back after it was killed', async () => {
    await app.evaluate(({ app: electron }) => {
      const server = electron.getAppMetrics().find(({ name }) => name === 'Holdpoint server');
      if (server) process.kill(server.pid, 'SIGKILL');
    });
    await expect.poll(async () => (await call('/api/v2/suppliers')).status).toBe(200);
    const log = await readFile(join(folder, 'data', 'logs', 'holdpoint.log'), 'utf8');
    expect(log).toContain('The server ended; it starts again');
  });

  it('gives its pages nothing but the web and the bridge', async () => {
    const given = await page.evaluate(() => ({
      node: [typeof Reflect.get(window, 'require'), typeof Reflect.get(window, 'process')],
      bridge: Object.keys(window.holdpoint ?? {}),
    }));
    expect(given).toEqual({ node: ['undefined', 'undefined'], bridge: ['app', 'labels', 'updates'] });
    const preferences = await app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      // Not in the types: Electron's own tests read it so.
      const read = contents && Reflect.get(contents, 'getLastWebPreferences');
      const { sandbox, contextIsolation, nodeIntegration, webSecurity } = read.call(contents);
      return { sandbox, contextIsolation, nodeIntegration, webSecurity };
    });
    expect(preferences).toEqual({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
    });
  });

  it('leads nowhere else', async () => {
    const before = page.url();
    await page.evaluate(() => {
      location.href = 'https://example.com/';
    });
    await expect.poll(() => page.url()).toBe(before);
    const opened = await page.evaluate(() => window.open('file:///etc/passwd') === null);
    expect([opened, app.windows().length]).toEqual([true, 1]);
  });

  it('grants no permission', async () => {
    const states = await page.evaluate(() =>
      Promise.all(
        (['geolocation', 'notifications', 'camera'] as PermissionName[]).map(
          async name => (await navigator.permissions.query({ name })).state,
        ),
      ),
    );
    expect(states).toEqual(['denied', 'denied', 'denied']);
  });

  it('shows a paper in a window that knows no bridge', async () => {
    const [paper] = await Promise.all([
      app.waitForEvent('window'),
      page.evaluate(() => {
        const link = document.createElement('a');
        link.href = URL.createObjectURL(new Blob(['<p>paper</p>'], { type: 'text/html' }));
        link.target = '_blank';
        link.click();
      }),
    ]);
    await expect.poll(() => paper.url()).toMatch(/^blob:app:\/\/bundle\//);
    await paper.getByText('paper').waitFor();
    expect(await paper.evaluate(() => typeof window.holdpoint)).toBe('undefined');
    await paper.close();
  });

  it('copies, and reads nothing that others copied', async () => {
    await page.evaluate(() => navigator.clipboard.writeText('4F-22'));
    expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe('4F-22');
    expect(await page.evaluate(() => navigator.clipboard.readText().catch(() => 'refused'))).toBe('refused');
  });
});
