import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchOnChromium } from './desktop-app.ts';
import type { StandIn } from './stand-in-app.ts';

/** What `app.e2e.long.test.ts` does not show of `dist/electron/main.js` on a real Chromium (chromium-electron.ts): the bridge's two worlds, a page that dies. */
let folder: string;
let desktop: Awaited<ReturnType<typeof launchOnChromium>>;
let app: StandIn;
let code: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdpoint-chromium-'));
  desktop = await launchOnChromium(folder);
  app = desktop.standIn;
  code = new URL(desktop.page.url()).hash.slice(1);
});
afterAll(async () => {
  await desktop?.close();
  await rm(folder, { recursive: true });
});

it('shows its screens, with the bridge of the preload and nothing of Node', async () => {
  await expect.poll(() => app.evaluate('document.querySelectorAll("input").length')).toBeGreaterThan(1);
  expect(await app.evaluate('Object.keys(window.holdpoint).join()')).toBe('app,labels,kiosk,updates');
  expect(await app.evaluate('window.holdpoint.app.version()')).toBe('0.0.0');
  expect(await app.evaluate('typeof require + typeof process')).toBe('undefinedundefined');
});

it('keeps what the preload has from the page, whatever the page changes', async () => {
  const inPage = (text: string) => app.evaluate(`(() => { ${text} })()`);
  // By any function of the bridge a page comes to its own world alone.
  const constructed = `return window.holdpoint.app.version.constructor(
    'return [typeof require, typeof process, typeof ipcRenderer, typeof invokeOfTheStandIn].join()')()`;
  expect(await inPage(constructed)).toBe('undefined,undefined,undefined,undefined');
  expect(
    await inPage(`
      const { writable, configurable } = Object.getOwnPropertyDescriptor(window, 'holdpoint');
      return [writable, configurable, Object.isFrozen(window.holdpoint), Object.isFrozen(window.holdpoint.labels)].join()`),
  ).toBe('false,false,true,true');
  await inPage(`
    window.kept = [JSON.stringify, Promise.prototype.then, Array.prototype.map, Map.prototype.get];
    JSON.stringify = () => '{"id":1,"channel":"labels.print","args":[]}';
    Map.prototype.get = () => () => 'the page is here';
    Array.prototype.map = () => ['the page is here'];`);
  const version = await app.evaluate('window.holdpoint.app.version()');
  await inPage(
    '[JSON.stringify, , Array.prototype.map, Map.prototype.get] = window.kept; delete window.kept;',
  );
  expect(version).toBe('0.0.0');
});

it('hands errors over as text, no functions, and gives frames within a page nothing', async () => {
  const told = (call: string) =>
    app.evaluate(`${call}.then(() => 'done', error => [error.constructor === Error, error.message].join())`);
  expect(await told('window.holdpoint.labels.print({})')).toMatch(
    /^true,Error invoking remote method '[\w:.-]+': Error: This was not understood/,
  );
  expect(await told('window.holdpoint.labels.print(() => 1)')).toBe('true,An object could not be cloned.');
  const framed = `(() => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const seen = typeof frame.contentWindow.holdpoint;
    frame.remove();
    return seen;
  })()`;
  expect(await app.evaluate(framed)).toBe('undefined');
});

it('has the session of who signs in, which no page sees, and streams', async () => {
  const body = JSON.stringify({ code, name: 'Ann', login: 'ann', password: 'correct horse battery staple' });
  const made = `fetch('/api/v2/x/first-administrator', {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: ${JSON.stringify(body)},
  }).then(answer => answer.status)`;
  expect(await app.evaluate(made)).toBe(201);
  expect(await app.evaluate('document.cookie')).toBe('');
  // The answer stays open; what is sent comes all the same.
  const first = `fetch('/api/v2/x/events').then(async ({ body }) => {
    const reader = body.getReader();
    const { value } = await reader.read();
    await reader.cancel();
    return new TextDecoder().decode(value);
  })`;
  expect(await app.evaluate(first)).toContain('retry:');
});

it('opens no link that leads elsewhere', async () => {
  await app.evaluate(
    `{ const link = document.createElement('a'); link.target = '_blank'; link.href = 'http://127.0.0.1:9/'; link.click(); }`,
  );
  expect(await app.next('opened')).toMatchObject({ action: 'deny' });
});

describe('an import', () => {
  const LARGE = 32 * 2 ** 20;
  const check = () => desktop.page.getByRole('button', { name: 'Check every row' });
  const sayParts = async () => {
    const { page } = desktop;
    await page.getByRole('combobox', { name: 'The rows are' }).click();
    await page.getByRole('option', { name: /^Parts$/ }).click();
    await check().waitFor();
  };
  beforeAll(() => app.evaluate(`{ location.href = '/app/setup/import' }`));

  it('goes through the main process piece by piece, whatever its size', async () => {
    const { page } = desktop;
    const input = page.locator('input[type=file]');
    await input.waitFor({ state: 'attached' });
    await input.evaluate((element, size) => {
      const chosen = new DataTransfer();
      chosen.items.add(new File(['Name\nHex bolt\n', new Uint8Array(size).fill(10)], 'parts.csv'));
      Object.assign(element, { files: chosen.files });
      element.dispatchEvent(new Event('change', { bubbles: true }));
    }, LARGE);
    await sayParts();
    await check().click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('The import was cancelled').waitFor();
    const [sent] = app.told('body').filter(({ path }) => String(path).endsWith('/files/parts.csv'));
    // A frame of HTTP/2 here; a pipe of Chromium's in Electron.
    expect(Number(sent?.largest)).toBeLessThan(LARGE / 16);
  });

  it('of a file that is gone by then says so, and another one can be chosen', async () => {
    const { page } = desktop;
    const [gone, there] = ['gone.csv', 'there.csv'].map(name => join(folder, name));
    for (const path of [gone, there]) await writeFile(String(path), 'Name\nHex nut\n');
    // Playwright itself would hand over a copy.
    const choose = async (path: string) => {
      const session = await page.context().newCDPSession(page);
      const { root } = await session.send('DOM.getDocument');
      const selector = 'input[type=file]';
      const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector });
      await session.send('DOM.setFileInputFiles', { files: [path], nodeId });
      await page.getByText(basename(path)).waitFor();
    };
    await choose(String(gone));
    await sayParts();
    await rm(String(gone));
    await check().click();
    await page.getByText('gone.csv cannot be read any more').waitFor();
    await expect.poll(() => check().isEnabled()).toBe(true);
    await choose(String(there));
    await sayParts();
    await check().click();
    await page.getByText('1 record is new').waitFor();
  });
});

it('comes back when its page dies', async () => {
  app.crash();
  await app.next('reload');
  expect((await app.next('window')).path).toBe('app://bundle/app/setup/import');
  await expect.poll(() => app.evaluate('document.querySelectorAll("input").length')).toBe(1);
});
