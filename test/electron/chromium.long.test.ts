import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildBundles } from '../../build/bundles.ts';
import { type StandIn, startStandIn } from './stand-in-app.ts';

/** `dist/electron/main.js` as it is, with its own server and screens, on a real Chromium (chromium-electron.ts). */
let folder: string;
let app: StandIn;
let code: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdpoint-chromium-'));
  await buildBundles(['server', 'electron'], folder);
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
  expect(await app.evaluate('Object.keys(window.holdpoint).join()')).toBe('app,labels,updates');
  expect(await app.evaluate('window.holdpoint.app.version()')).toBe('0.0.0');
  expect(await app.evaluate('typeof require + typeof process')).toBe('undefinedundefined');
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
