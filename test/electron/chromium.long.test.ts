import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildBundles } from '../../build/bundles.ts';
import { layServer } from '../support/lay-bundles.ts';
import { TESTED } from '../support/tested-program.ts';
import { type StandIn, startStandIn } from './stand-in-app.ts';

/** `dist/electron/main.js` as it is, with its own server and screens, on a real Chromium (chromium-electron.ts). */
let folder: string;
let app: StandIn;
let code: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdpoint-chromium-'));
  await Promise.all([layServer(folder, TESTED), buildBundles(['electron'], folder)]);
  await symlink(join(import.meta.dirname, '..', '..', 'dist', 'renderer'), join(folder, 'renderer'));
  app = await startStandIn({ bundle: join(folder, 'electron'), env: { STAND_IN_CHROMIUM: '1' } });
  const path = String((await app.next('window')).path);
  expect(path).toMatch(/^app:\/\/bundle\/first#/);
  code = path.split('#')[1] ?? '';
});
afterAll(async () => {
  await app?.quit();
  await rm(folder, { recursive: true });
});

const paper = (address: string) =>
  app.evaluate(
    `{ const link = document.createElement('a'); link.target = '_blank'; link.href = ${address}; link.click(); }`,
  );

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

it('a paper opens with its text, in a window without the bridge', async () => {
  await paper(`URL.createObjectURL(new Blob(['<p>Certificate 7</p>'], { type: 'text/html' }))`);
  expect(await app.next('opened')).toMatchObject({
    url: expect.stringMatching(/^blob:app:\/\/bundle\//),
    action: 'allow',
    text: 'Certificate 7',
    bridge: 'undefined',
  });
});

it('copies', async () => {
  expect(await app.evaluate(`navigator.clipboard.writeText('4F-22').then(() => 'copied')`)).toBe('copied');
  expect(await app.evaluate(`navigator.clipboard.readText().then(() => 'read')`)).not.toBe('read');
});

it('leads nowhere else', async () => {
  await paper(`'http://127.0.0.1:9/'`);
  expect(await app.next('opened')).toMatchObject({ action: 'deny' });
  await app.evaluate(`{ location.href = 'http://127.0.0.1:9/' }`);
  expect(await app.next('prevented')).toMatchObject({ url: 'http://127.0.0.1:9/' });
  expect(await app.evaluate('location.href')).toMatch(/^http:\/\/bundle\.localhost:/);
});

it('comes back when its page dies', async () => {
  app.crash();
  await app.next('reload');
  expect((await app.next('window')).path).toMatch(/^app:\/\/bundle\/first/);
  await expect.poll(() => app.evaluate('document.querySelectorAll("input").length')).toBeGreaterThan(1);
});
