import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyDependencies } from '../../../server/backup/verify-dependencies.ts';
import { verify } from '../../../server/store/verify/verify.ts';
import { families } from '../../../shared/families/registry.ts';
import type { Browser } from './browser.ts';
import { ClockedStation } from './clocked-station.ts';

const SECRETS = [
  'first brown otter pond',
  'second grey heron pond',
  'third red kite pond',
  'wrong blue tit pond',
];
const [FIRST = '', SECOND = '', THIRD = '', WRONG = ''] = SECRETS;

const at = new ClockedStation();
let browser: Browser;
let answers = '';
beforeAll(async () => {
  await at.start();
  browser = at.browser();
  const say = async (answer: Promise<{ body: unknown }>) => {
    const { body } = await answer;
    answers += JSON.stringify(body);
    return body;
  };
  const { code = '' } = at.station.firstCode ?? {};
  await say(browser.post('/x/first-administrator', { code, name: 'Boss', login: 'boss', password: FIRST }));
  await say(browser.signIn('boss', WRONG));
  await say(browser.signIn('boss', FIRST));
  const headers = { 'idempotency-key': 'one' };
  const body = {
    login: 'una',
    name: 'Una',
    roles: ['quality'],
    password: SECOND,
    is_password_temporary: false,
  };
  await say(browser.call('POST', '/x/users', { body, headers }));
  await say(
    browser.call('POST', '/x/users/1/password', { body: { password: THIRD, current_password: FIRST } }),
  );
  await say(
    browser.post('/x/users', { is_password_temporary: false, login: 'x y', name: 'bad', password: SECOND }),
  );
  await say(browser.post('/x/session', { login: 5, password: [SECOND] }));
  await say(
    browser.put('/x/settings', { is_esignature_required: true, is_esignature_reason_required: true }),
  );
  await say(browser.post('/ncrs', { ncr_number: 'N-1', source: 'internal' }));
  const change = { lot_number: 'L', esignature_password: THIRD, esignature_reason: 'So.' };
  await say(browser.call('PUT', '/ncrs/1', { body: change, headers: { 'idempotency-key': 'two' } }));
  await say(browser.call('PUT', '/ncrs/1', { body: { ...change, esignature_password: WRONG } }));
  for (const family of Object.keys(families)) {
    const token = { authorization: `Bearer ${at.token}` };
    const exported = await fetch(`${at.station.origin}/api/v2/x/exports/${family}`, { headers: token });
    answers += await exported.text();
  }
  await say(browser.get('/x/users'));
  await say(browser.get('/x/records/user/1'));
  await say(browser.get('/x/history/user/1'));
  await say(browser.get('/x/history/ncr/1'));
  await say(browser.post('/x/backups'));
});
afterAll(() => at.end());

it('keeps what it was asked to', () => {
  expect(answers).toContain('"login":"una"');
  expect(answers).toContain('"verified":true');
  expect(answers).toContain('"lot_number":"L"');
  expect(at.log).toContain('/x/session');
});

it('answers and logs no password, hash or cookie', async () => {
  const cookie = browser.cookie.split('=')[1] ?? '';
  expect(cookie).toHaveLength(43);
  for (const text of [answers, at.log]) {
    for (const secret of [...SECRETS, cookie, 'scrypt$']) expect(text).not.toContain(secret);
  }
});

it('writes no password and no cookie into any file, and hashes into two tables only', async () => {
  const cookie = browser.cookie.split('=')[1] ?? '';
  const found: string[] = [];
  for (const path of filesOf(at.folder)) {
    const bytes = readFileSync(path);
    for (const secret of [...SECRETS, cookie]) if (bytes.includes(secret)) found.push(`${path}: ${secret}`);
  }
  expect(found).toEqual([]);
  // Where a plain text would be found, the records' are.
  expect(filesOf(at.folder).some(path => readFileSync(path).includes('"login":"una"'))).toBe(true);
  const { database } = at.station.store;
  const tables = database.reader.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search%'",
  );
  const holding = tables.filter(({ name }) =>
    JSON.stringify(database.reader.all(`SELECT * FROM "${name}"`)).includes('scrypt$'),
  );
  expect(holding.map(({ name }) => name)).toEqual(['user_secret', 'former_secret']);
});

it('is verified with the rest: a flipped bit in a hash, a session or a count is found', async () => {
  expect((await verify(at.folder, verifyDependencies)).findings).toEqual([]);
  const { database, gate } = at.station.store;
  await gate.together(async () => {
    database.run("INSERT OR REPLACE INTO failed_attempts VALUES (1, 3, '2026-06-15T12:15:00.000Z', 5)");
    database.run("UPDATE user_secret SET hash = replace(hash, '$8$', '$9$') WHERE user_id = 1");
    database.run('UPDATE session SET is_locked = 1 - is_locked');
  });
  const { findings } = await verify(at.folder, verifyDependencies);
  expect(new Set(findings.map(({ where }) => where))).toEqual(
    new Set(['user_secret 1', 'failed_attempts 1', 'session']),
  );
  const signedIn = await at.browser().signIn('boss', THIRD);
  expect(signedIn.status).toBe(503);
});

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(path => statSync(path).isFile());
}
