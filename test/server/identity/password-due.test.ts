import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPasswords } from '../../../server/identity/passwords.ts';
import { checksumOfRow } from '../../../server/store/identity-tables.ts';
import { type Browser, dataOf, errorOf, PASSWORD } from './browser.ts';
import { ClockedStation } from './clocked-station.ts';

const at = new ClockedStation();
beforeAll(() => at.start());
afterAll(() => at.end());

const DAY = 24 * 60;
const NEXT = 'nine brown otters';
const dueOf = async (browser: Browser) => dataOf(await browser.get('/x/session')).password_due;

describe('a password that somebody else has set', () => {
  it('is changed first, by every door to a user', async () => {
    const made = await at.call('POST', '/x/users', {
      login: 'una',
      name: 'Una',
      roles: ['operator'],
      password: PASSWORD,
    });
    const { id, is_password_temporary: isTemporary } = dataOf(made);
    expect(isTemporary).toBe(true);
    const una = at.browser();
    expect(dataOf(await una.signIn('una')).password_due).toBe('temporary');
    for (const [method, path] of [
      ['GET', '/suppliers'],
      ['POST', '/suppliers'],
      ['GET', '/x/events'],
      ['GET', '/x/attention'],
      ['POST', `/x/users/${Number(id) + 1}/password`],
    ] as const) {
      const body = method === 'POST' ? { body: { name: 'x' } } : {};
      expect(errorOf(await una.call(method, path, body)), path).toMatchObject({
        status: 403,
        code: 'password_due',
      });
    }
    // Nobody declares it to be the user's own.
    const declared = await at.call('PATCH', `/x/users/${id}`, { is_password_temporary: false });
    expect(errorOf(declared)).toMatchObject({ status: 422, fields: ['is_password_temporary'] });
    const path = `/x/users/${id}/password`;
    const same = await una.post(path, { password: PASSWORD, current_password: PASSWORD });
    expect(errorOf(same)).toMatchObject({ status: 422, fields: ['password'] });
    dataOf(await una.post(path, { password: NEXT, current_password: PASSWORD }));
    expect(await dueOf(una)).toBeNull();
    expect((await una.get('/suppliers')).status).toBe(200);
    // A reset makes it so again.
    dataOf(await at.call('POST', path, { password: 'green herons at the pond' }));
    dataOf(await una.signIn('una', 'green herons at the pond'));
    expect(await dueOf(una)).toBe('temporary');
    expect((await una.get('/suppliers')).status).toBe(403);
  });

  it('may be asked to be changed, which one says of a password that is known to others', async () => {
    const id = await at.user('vera', ['operator']);
    const vera = await at.signedIn('vera');
    expect((await vera.get('/suppliers')).status).toBe(200);
    dataOf(await at.call('PATCH', `/x/users/${id}`, { is_password_temporary: true }));
    expect((await vera.get('/suppliers')).status).toBe(403);
  });
});

describe('a former password', () => {
  it('is not taken again for ten others, whoever sets it, and nothing of them is in an answer', async () => {
    const id = await at.user('wim', ['operator']);
    const path = `/x/users/${id}/password`;
    const set = (password: string) => at.call('POST', path, { password });
    const others = Array.from(
      { length: 10 },
      (_, index) => `green herons at the pond ${'abcdefghij'[index]}`,
    );
    for (const other of others) {
      dataOf(await set(other));
      expect(errorOf(await set(other))).toMatchObject({ status: 422, fields: ['password'] });
      expect(errorOf(await set(PASSWORD))).toMatchObject({ status: 422, fields: ['password'] });
    }
    await at.stop();
    await at.start();
    expect(errorOf(await set(PASSWORD)).status).toBe(422);
    dataOf(await set('yet another heron'));
    dataOf(await set(PASSWORD));
    expect((await at.browser().signIn('wim')).status).toBe(201);
  });

  it('is answered alike when the request is repeated', async () => {
    const id = await at.user('xenia', ['operator']);
    const headers = { authorization: `Bearer ${at.token}`, origin: undefined, 'idempotency-key': 'again' };
    const reset = () =>
      at.browser().call('POST', `/x/users/${id}/password`, { body: { password: NEXT }, headers });
    const [first, second] = [await reset(), await reset()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
  });
});

describe('a password of before', () => {
  /** As version 0.1.0 stored it. */
  const storeOld = async (id: number, password: string) => {
    const { hash } = createPasswords({ cost: { log2N: 10, r: 8, p: 1 } });
    const row = {
      user_id: id,
      hash: await hash(password),
      version: 1,
      changed_at: '2026-01-01T00:00:00.000Z',
    };
    await at.stop();
    const file = new DatabaseSync(join(at.folder, 'holdpoint.db'));
    file.prepare('DELETE FROM former_secret WHERE user_id = ?').run(id);
    file.prepare('DELETE FROM user_key WHERE user_id = ?').run(id);
    file
      .prepare(
        'INSERT OR REPLACE INTO user_secret (user_id, hash, version, changed_at, seal) VALUES (?, ?, 1, ?, ?)',
      )
      .run(id, row.hash, row.changed_at, checksumOfRow('user_secret', row));
    file.close();
    await at.start();
  };

  it.each([
    ['short', 'yara', 'kx7 Qp-21'],
    ['easily guessed', 'yves', 'Sommer2026!!'],
  ])('that is %s works on; its user is told and not kept', async (_what, login, old) => {
    const id = await at.user(login, ['operator']);
    await storeOld(id, old);
    const browser = at.browser();
    dataOf(await browser.signIn(login, old));
    await expect.poll(() => dueOf(browser)).toBe('weak');
    expect((await browser.get('/suppliers')).status).toBe(200);
    const path = `/x/users/${id}/password`;
    const again = await browser.post(path, { password: old, current_password: old });
    expect(errorOf(again)).toMatchObject({ status: 422, fields: ['password'] });
    dataOf(await browser.post(path, { password: NEXT, current_password: old }));
    expect(await dueOf(browser)).toBeNull();
  });
});

describe('the age of passwords', () => {
  it('ends them where the site says so, and never by a clock that nobody believes', async () => {
    await at.user('zoe', ['operator']);
    const zoe = await at.signedIn('zoe');
    at.wait(30 * DAY);
    dataOf(await zoe.signIn('zoe'));
    expect(await dueOf(zoe)).toBeNull();
    for (const odd of [-1, 4_000, 'x'])
      expect((await at.call('PUT', '/x/settings', { password_max_days: odd })).status).toBe(422);
    dataOf(await at.call('PUT', '/x/settings', { password_max_days: 30 }));
    expect(await dueOf(zoe)).toBe('aged');
    expect(errorOf(await zoe.get('/suppliers'))).toMatchObject({ status: 403, code: 'password_due' });
    dataOf(await at.call('PUT', '/x/settings', { password_max_days: 31 }));
    expect((await zoe.get('/suppliers')).status).toBe(200);
    at.set(-400 * DAY);
    dataOf(await zoe.signIn('zoe'));
    at.set(500 * DAY);
    dataOf(await zoe.signIn('zoe'));
    expect(await dueOf(zoe)).toBeNull();
    at.set(-100 * DAY);
    dataOf(await at.call('PUT', '/x/settings', { password_max_days: 0 }));
  });
});
