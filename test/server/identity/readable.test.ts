import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { dataOf, errorOf } from './browser.ts';
import { ClockedStation } from './clocked-station.ts';

/** Records of users and settings, by the operations that read any record. */
const at = new ClockedStation();
const ids = { vera: 0, quinn: 0, adam: 0 };
const browsers = new Map<string, Browser>();
let readToken = '';
beforeAll(async () => {
  await at.start();
  ids.vera = await at.user('vera', ['viewer']);
  ids.quinn = await at.user('quinn', ['quality']);
  ids.adam = await at.user('adam', ['administrator']);
  for (const login of Object.keys(ids)) browsers.set(login, await at.signedIn(login));
  dataOf(await at.call('PUT', '/x/settings', { expiry_soon_days: 20 }));
  readToken = String(dataOf(await at.call('POST', '/x/tokens', { name: 'Reader', scopes: ['read'] })).secret);
});
afterAll(() => at.end());

const byToken = (path: string) =>
  at.browser().call('GET', path, { headers: { authorization: `Bearer ${readToken}` } });

/** The status alone: an export is no JSON. */
async function exportStatus(family: string, headers: Record<string, string>): Promise<number> {
  const response = await fetch(`${at.station.origin}/api/v2/x/exports/${family}`, { headers });
  await response.body?.cancel();
  return response.status;
}

const pathsOf = (family: string, id: number) =>
  ['records', 'history', 'references', 'signatures', 'proposals'].map(kind => `/x/${kind}/${family}/${id}`);

it.each(['vera', 'quinn'])('%s reads no user but the own one, and no record of settings', async login => {
  const browser = browsers.get(login);
  if (!browser) throw new Error();
  for (const path of [
    ...pathsOf('user', ids.adam),
    ...pathsOf('users', ids.adam),
    ...pathsOf('setting', 1),
  ]) {
    const refused = errorOf(await browser.get(path));
    expect(refused, path).toMatchObject({ status: 403, code: 'forbidden' });
  }
  const own = login === 'vera' ? ids.vera : ids.quinn;
  for (const path of pathsOf('user', own)) expect((await browser.get(path)).status, path).toBe(200);
  for (const family of ['user', 'users', 'setting']) {
    expect(await exportStatus(family, { cookie: browser.cookie })).toBe(403);
  }
  expect(dataOf(await browser.get('/x/settings'))).toMatchObject({ expiry_soon_days: 20 });
});

it('neither does a token without the scope admin, and whether there is a record is not told', async () => {
  for (const path of [...pathsOf('user', ids.vera), ...pathsOf('user', 999), ...pathsOf('setting', 1)]) {
    expect((await byToken(path)).status, path).toBe(403);
  }
  expect(await exportStatus('user', { authorization: `Bearer ${readToken}` })).toBe(403);
  expect((await byToken('/x/settings')).status).toBe(200);
  expect(await exportStatus('supplier', { authorization: `Bearer ${readToken}` })).toBe(200);
});

it('an administrator does, by role or by scope', async () => {
  for (const path of [...pathsOf('user', ids.vera), ...pathsOf('setting', 1)]) {
    expect((await browsers.get('adam')?.get(path))?.status, path).toBe(200);
    expect((await at.call('GET', path)).status, path).toBe(200);
  }
  expect(await exportStatus('user', { authorization: `Bearer ${at.token}` })).toBe(200);
});
