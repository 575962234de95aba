import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAppProtocol } from '../../electron/app-protocol.ts';
import { PAGE_POLICY } from '../../shared/contract/page-policy.ts';
import { policyFindings } from '../support/policy-findings.ts';

let folder: string;
let answer: (path: string, method?: string) => Promise<Response>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdpoint-protocol-'));
  const screens = join(folder, 'renderer');
  await mkdir(join(screens, 'assets'), { recursive: true });
  await writeFile(join(folder, 'secret.js'), 'secret');
  await writeFile(join(screens, 'index.html'), '<div id="root">');
  await writeFile(join(screens, 'icon.svg'), '<svg/>');
  await writeFile(join(screens, 'notes.txt'), 'not of a build');
  await writeFile(join(screens, 'assets', 'main-1.js'), 'start()');
  await symlink(folder, join(screens, 'up'));
  const handle = createAppProtocol({
    folder: screens,
    api: async request => new Response(`api ${new URL(request.url).pathname}`),
  });
  // Node's Request keeps no host of a scheme that it does not know.
  answer = (path, method = 'GET') =>
    handle({ url: path.startsWith('app:') ? path : `app://bundle${path}`, method } as Request);
});
afterAll(() => rm(folder, { recursive: true }));

it.each([
  ['/', 'text/html; charset=utf-8', 'no-cache', '<div id="root">'],
  ['/app/records/part/7', 'text/html; charset=utf-8', 'no-cache', '<div id="root">'],
  ['/app/unknown.screen/x', 'text/html; charset=utf-8', 'no-cache', '<div id="root">'],
  ['/icon.svg', 'image/svg+xml', 'no-cache', '<svg/>'],
  ['/assets/main-1.js?x', 'text/javascript; charset=utf-8', 'max-age=31536000, immutable', 'start()'],
])('%s is served', async (path, type, caching, body) => {
  const { status, headers, ...rest } = await answer(path);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe(type);
  expect(headers.get('cache-control')).toBe(caching);
  expect(headers.get('content-security-policy')).toBe(PAGE_POLICY);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(rest).toBeDefined();
  expect(await (await answer(path)).text()).toBe(body);
});

it.each([
  '/assets/../../secret.js',
  '/assets/%2e%2e/%2e%2e/secret.js',
  '/assets/..%2f..%2fsecret.js',
  '/assets/..\\..\\secret.js',
  '/assets//secret.js',
  '/assets/missing.js',
  '/assets/',
  '/assets/.hidden.js',
  '/secret.js',
  '/notes.txt',
  '/..%5csecret.js',
  'app://elsewhere/icon.svg',
])('%s is not', async path => {
  const found = await answer(path);
  expect(await found.text()).not.toContain('secret');
  // A path that climbs is a page's address once the browser has resolved it.
  if (found.status === 200) expect(found.headers.get('content-type')).toContain('text/html');
  else expect([found.status, found.headers.get('content-security-policy')]).toEqual([404, PAGE_POLICY]);
});

it('what is below /api/ is the server’s, and nothing else is written to', async () => {
  expect(await (await answer('/api/v2/status')).text()).toBe('api /api/v2/status');
  expect((await answer('/app', 'POST')).status).toBe(405);
});

it('the policy stands before an evaluator', () => {
  expect(policyFindings(PAGE_POLICY)).toEqual([]);
});
