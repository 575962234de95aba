import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {} from '../../renderer/desktop/bridge.ts';
import { type DesktopApp, isOnElectron, launchDesktop } from './desktop-app.ts';

const ON = isOnElectron ? 'Electron' : "Chromium, without Electron's runtime";

describe(`the desktop app on ${ON}`, () => {
  let folder: string;
  let app: DesktopApp;
  let page: DesktopApp['page'];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdpoint-electron-'));
    app = await launchDesktop(folder);
    page = app.page;
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
    const code = new URL(app.addressOf(page)).hash.slice(1);
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
    const killed = await app.inMain(({ app: electron }) => {
      const server = electron.getAppMetrics().find(({ name }) => name === 'Holdpoint server');
      return server !== undefined && process.kill(server.pid, 'SIGKILL');
    });
    expect(killed).toBe(true);
    const log = () => readFile(join(folder, 'data', 'logs', 'holdpoint.log'), 'utf8');
    await expect.poll(log).toContain('The server ended; it starts again');
    await expect.poll(async () => (await call('/api/v2/suppliers')).status).toBe(200);
  });

  it('gives its pages nothing but the web and the bridge', async () => {
    const given = await page.evaluate(() => ({
      node: [typeof Reflect.get(window, 'require'), typeof Reflect.get(window, 'process')],
      bridge: Object.keys(window.holdpoint ?? {}),
    }));
    expect(given).toEqual({
      node: ['undefined', 'undefined'],
      bridge: ['app', 'labels', 'kiosk', 'updates'],
    });
    const preferences = await app.inMain(({ BrowserWindow }) => {
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
    await app.inMain(({ BrowserWindow }) => {
      // Behind the app's own listener.
      BrowserWindow.getAllWindows()[0]?.webContents.once('will-navigate', ({ url, defaultPrevented }) =>
        Object.assign(globalThis, { navigated: { url, defaultPrevented } }),
      );
    });
    await page.evaluate(() => {
      location.href = 'https://example.com/';
    });
    await expect
      .poll(() => app.inMain(() => Reflect.get(globalThis, 'navigated')))
      .toEqual({ url: 'https://example.com/', defaultPrevented: true });
    expect(await page.evaluate(() => location.href)).toBe(before);
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
      app.nextWindow(),
      page.evaluate(() => {
        const link = document.createElement('a');
        link.href = URL.createObjectURL(new Blob(['<p>paper</p>'], { type: 'text/html' }));
        link.target = '_blank';
        link.click();
      }),
    ]);
    await expect.poll(() => app.addressOf(paper)).toMatch(/^blob:app:\/\/bundle\//);
    await paper.getByText('paper').waitFor();
    expect(await paper.evaluate(() => typeof window.holdpoint)).toBe('undefined');
    await paper.close();
  });

  it('copies, and reads nothing that others copied', async () => {
    await page.evaluate(() => navigator.clipboard.writeText('4F-22'));
    expect(await app.inMain(({ clipboard }) => clipboard.readText())).toBe('4F-22');
    expect(await page.evaluate(() => navigator.clipboard.readText().catch(() => 'refused'))).toBe('refused');
  });
});
