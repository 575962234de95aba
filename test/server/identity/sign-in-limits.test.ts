import { request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataOf, errorOf, PASSWORD } from './browser.ts';
import { ClockedStation } from './clocked-station.ts';

const at = new ClockedStation();
const ids: Record<string, number> = {};
beforeAll(async () => {
  await at.start();
  ids.ann = await at.user('ann', ['quality']);
});
afterAll(() => at.end());

const SECOND = 1 / 60;
/** Seconds to wait after each wrong password of one place for one login. */
const WAITS = [0, 0, 1, 2, 4, 8, 16, 32, 64, 900];

const said = (answer: Awaited<ReturnType<typeof at.call>>) =>
  answer.status === 429 ? `429 ${answer.headers.get('retry-after')}` : String(answer.status);
const tryWrong = async (login: string) => said(await at.browser().signIn(login, 'wrong one'));
/** Ten wrong passwords, each as soon as it is looked at. */
const tryTen = async (login: string) => {
  for (const seconds of WAITS) {
    expect(await tryWrong(login)).toBe('401');
    if (seconds < 900) at.wait(seconds * SECOND);
  }
};
/** Signs in from another address of the loopback network. */
const signInFrom = (localAddress: string, login: string, password: string, cookie = '') =>
  new Promise<number | undefined>((resolve, reject) => {
    const { origin } = at.station;
    const headers = { origin, 'content-type': 'application/json', cookie };
    const call = request(`${origin}/api/v2/x/session`, { method: 'POST', localAddress, headers }, answer => {
      answer.resume();
      resolve(answer.statusCode);
    });
    call.on('error', reject).end(JSON.stringify({ login, password }));
  });
const HAS_ADDRESSES = process.platform === 'linux';

describe('wrong passwords', () => {
  it('make whoever gives them wait longer each time, the same for a login that nobody has', async () => {
    ids.bea = await at.user('bea', ['viewer']);
    for (const [index, seconds] of WAITS.slice(0, 6).entries()) {
      const [known, nobody] = [await tryWrong('bea'), await tryWrong('nobody')];
      expect([known, nobody], `attempt ${index + 1}`).toEqual(['401', '401']);
      if (seconds === 0) continue;
      expect([await tryWrong('bea'), await tryWrong('nobody')]).toEqual([`429 ${seconds}`, `429 ${seconds}`]);
      at.wait(seconds * SECOND);
    }
    // The right one ends it.
    expect((await at.browser().signIn('bea')).status).toBe(201);
    expect(await tryWrong('bea')).toBe('401');
    expect(await tryWrong('bea')).toBe('401');
  });

  it('count their wait from the answer on, so that no wait tells whether somebody has the login', async () => {
    // So dear that an answer is held for long enough to set the clock on meanwhile.
    const dear = new ClockedStation({ passwords: 15 });
    await dear.start();
    try {
      await dear.user('carl', ['viewer']);
      for (const login of ['carl', 'nobody']) {
        for (let tries = 0; tries < 2; tries += 1) await dear.browser().signIn(login, 'wrong one');
        const third = dear.browser().signIn(login, 'wrong one');
        await setTimeout(20);
        dear.wait(10 * SECOND);
        expect((await third).status, login).toBe(401);
        const { status, headers } = await dear.browser().signIn(login, 'wrong one');
        expect([status, headers.get('retry-after')], login).toEqual([429, '1']);
      }
    } finally {
      await dear.end();
    }
  });

  it('are looked at no oftener when they come at once', async () => {
    await at.user('ines', ['viewer']);
    const many = Array.from({ length: 15 }, () => tryWrong('ines'));
    expect((await Promise.all(many)).filter(each => each === '401')).toHaveLength(3);
  });

  it('close the place for 15 minutes after ten, across a restart, in history and trail; nobody else', async () => {
    const id = await at.user('gina', ['viewer']);
    const before = at.browser();
    const known = await before.signIn('gina');
    const device = known.headers.getSetCookie().find(line => line.startsWith('holdpoint_device='));
    expect(device).toMatch(/; HttpOnly; SameSite=Strict; Max-Age=31536000$/);
    await tryTen('gina');
    const out = await at.browser().signIn('gina');
    expect(errorOf(out)).toMatchObject({ status: 429, code: 'too_many_requests' });
    expect(out.headers.get('retry-after')).toBe('900');
    await expect
      .poll(async () => dataOf(await at.call('GET', `/x/users/${id}`)).locked_out_at)
      .toMatch(/^2026-/);
    const [event] = dataOf<object[]>(await at.call('GET', '/x/audit?kind=locked_out'));
    expect(event).toMatchObject({ author: 'gina', address: '127.0.0.1', details: { door: 'sign-in' } });
    await at.stop();
    await at.start();
    expect((await at.browser().signIn('gina')).status).toBe(429);
    expect((await at.browser().signIn('ann')).status).toBe(201);
    // Whoever is in stays in, and where gina signed in before she can do so again.
    const browser = at.browser();
    browser.cookie = before.cookie;
    expect((await browser.get('/suppliers')).status).toBe(200);
    const cookie = String(device?.split(';')[0]);
    const body = { login: 'gina', password: PASSWORD };
    const again = at.browser().call('POST', '/x/session', { body, headers: { cookie } });
    expect((await again).status).toBe(201);
    // A browser in which somebody else signed in is a stranger's.
    const forged = cookie.replace(/\.(\d+)-/, `.${ids.ann}-`);
    const other = at.browser().call('POST', '/x/session', { body, headers: { cookie: forged } });
    expect((await other).status).toBe(429);
    at.wait(15);
    expect((await at.browser().signIn('gina')).status).toBe(201);
  });

  it.skipIf(!HAS_ADDRESSES)('elsewhere close nothing here', async () => {
    await at.user('finn', ['viewer']);
    for (let time = 0; time < 4; time += 1) await signInFrom('127.0.0.2', 'finn', 'wrong one');
    expect(await signInFrom('127.0.0.2', 'finn', PASSWORD)).toBe(429);
    expect((await at.browser().signIn('finn')).status).toBe(201);
  });

  it('end with the password that an administrator sets, after a restart as well', async () => {
    const id = await at.user('hanna', ['viewer']);
    await tryTen('hanna');
    await at.stop();
    await at.start();
    expect((await at.browser().signIn('hanna')).status).toBe(429);
    dataOf(await at.call('POST', `/x/users/${id}/password`, { password: 'nine brown otters' }));
    expect((await at.browser().signIn('hanna', 'nine brown otters')).status).toBe(201);
    expect(dataOf(await at.call('GET', `/x/users/${id}`)).locked_out_at).toBeNull();
  });

  it('at the lock of a session, at a signature and at the sign-in say nothing of each other', async () => {
    await at.user('jan', ['quality']);
    const [here, there] = [await at.signedIn('jan'), await at.signedIn('jan')];
    for (const browser of [here, there]) dataOf(await browser.post('/x/session/lock'));
    const unlock = async (browser: typeof here, password: string) =>
      said(await browser.post('/x/session/unlock', { password }));
    for (const seconds of WAITS) {
      expect(await unlock(here, 'wrong one')).toBe('401');
      if (seconds < 900) at.wait(seconds * SECOND);
    }
    expect(await unlock(here, PASSWORD)).toBe('429 900');
    // The session is not ended, the same user's other one opens, and so does the sign-in.
    expect(dataOf(await here.get('/x/session')).is_locked).toBe(true);
    expect(await unlock(there, PASSWORD)).toBe('200');
    expect((await at.browser().signIn('jan')).status).toBe(201);
    dataOf(await at.call('PUT', '/x/settings', { is_esignature_required: true }));
    const made = await there.post('/ncrs', { ncr_number: 'N-1', source: 'internal' });
    const path = `/ncrs/${(made.body as { meta: { id: number } }).meta.id}`;
    const sign = async (password: string) =>
      said(await there.put(path, { lot_number: 'L', esignature_password: password }));
    expect([await sign('wrong'), await sign('wrong'), await sign('wrong')]).toEqual(['422', '422', '422']);
    expect(await sign(PASSWORD)).toBe('429 1');
    expect((await at.browser().signIn('jan')).status).toBe(201);
    dataOf(await at.call('PUT', '/x/settings', { is_esignature_required: false }));
    at.wait(15);
    expect(await unlock(here, PASSWORD)).toBe('200');
  });

  it.skipIf(!HAS_ADDRESSES)('of one user from many places are told to administrators, once', async () => {
    await at.user('kim', ['viewer']);
    await at.user('boss', ['administrator']);
    const kinds = async (login: string) => {
      const browser = await at.signedIn(login);
      return dataOf<{ kind: string; total: number; says: string | null }[]>(
        await browser.get('/x/attention'),
      ).filter(({ kind, total }) => kind === 'sign_in_attacked' && total > 0);
    };
    for (const host of [2, 3, 4, 5, 6])
      for (let time = 0; time < 3; time += 1)
        expect(await signInFrom(`127.0.0.${host}`, 'kim', 'wrong one')).toBe(401);
    const events = async () => dataOf<object[]>(await at.call('GET', '/x/audit?kind=sign_in_attacked'));
    await expect.poll(async () => (await events()).length).toBe(1);
    expect((await events())[0]).toMatchObject({ count: 10, details: { login: 'kim' } });
    expect(await kinds('boss')).toMatchObject([{ says: expect.stringContaining('"kim"') }]);
    expect(await kinds('kim')).toEqual([]);
    at.wait(8 * 24 * 60);
    expect(await kinds('boss')).toEqual([]);
  });

  it('make nobody wait longer because the clock is set back', async () => {
    await at.user('dora', ['viewer']);
    // What was wrong before is forgotten.
    at.wait(60);
    for (let tries = 0; tries < 3; tries += 1) expect(await tryWrong('dora')).toBe('401');
    expect(await tryWrong('dora')).toBe('429 1');
    at.set(-120);
    expect(await tryWrong('dora')).toBe('429 1');
    at.wait(SECOND);
    expect((await at.browser().signIn('dora')).status).toBe(201);
  });
});
