import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Browser, dataOf, PASSWORD } from '../../server/identity/browser.ts';
import { runCase } from './attack-case.ts';
import { AttackedStation } from './attacked-station.ts';
import { requestBytes } from './raw-http.ts';

/** What a page elsewhere, or whoever has an old cookie, tries with a session. */
let target: AttackedStation;
let browser: Browser;
const ends = { locked: '', ended: '', deactivated: '' };
beforeAll(async () => {
  target = await AttackedStation.start();
  const { station } = target;
  const user = { login: 'ann', name: 'Ann', roles: ['administrator'], password: PASSWORD };
  for (const login of ['ann', 'bert'])
    dataOf(await station.post('/x/users', { is_password_temporary: false, ...user, login }));
  const signedIn = async (login: string) => {
    const one = new Browser(station.origin);
    dataOf(await one.signIn(login));
    return one;
  };
  browser = await signedIn('ann');
  const [locked, ended, deactivated] = [await signedIn('ann'), await signedIn('ann'), await signedIn('bert')];
  Object.assign(ends, { locked: locked.cookie, ended: ended.cookie, deactivated: deactivated.cookie });
  dataOf(await locked.post('/x/session/lock'));
  dataOf(await ended.post('/x/session/end'));
  dataOf(await station.patch('/x/users/2', { is_active: false }));
  // The sessions end in a transaction of their own, behind the answer.
  await vi.waitFor(
    async () => expect(await target.stored()).not.toContain('"user_id":2,"created_at"'),
    120_000,
  );
});
afterAll(() => target.stop());

const WRITE = 'POST /api/v2/suppliers';
const BODY = '{"name":"x"}';
const own = () => ({ Origin: `http://127.0.0.1:${target.port}` });

describe('a cookie', () => {
  const writes: [name: string, headers: () => Record<string, string>, statuses: number[]][] = [
    ['without an origin', () => ({}), [403]],
    ['from a foreign origin', () => ({ Origin: 'http://evil' }), [403]],
    ['from no origin', () => ({ Origin: 'null' }), [403]],
    ['from another site', () => ({ 'Sec-Fetch-Site': 'cross-site' }), [403]],
    ['from an address that was typed', () => ({ 'Sec-Fetch-Site': 'none' }), [403]],
    ['with a token that is none beside it', () => ({ ...own(), Authorization: 'Bearer nonsense' }), [401]],
  ];
  it.each(writes)('%s writes nothing', async (_name, headers, statuses) => {
    for (const line of [WRITE, 'POST /api/v2/x/session/end', 'POST /api/v2/x/session/lock']) {
      await runCase(target, {
        name: line,
        bytes: to =>
          requestBytes(
            to,
            line,
            { Authorization: null, Cookie: browser.cookie, ...headers() },
            line === WRITE ? BODY : '{}',
          ),
        statuses,
      });
    }
    expect(dataOf(await browser.get('/x/session'))).toMatchObject({
      user: { login: 'ann' },
      is_locked: false,
    });
  });

  const dead: [name: string, cookie: () => string][] = [
    ['of a locked session', () => ends.locked],
    ['of a session that has ended', () => ends.ended],
    ['of a user who is deactivated', () => ends.deactivated],
    ['that the attacker has set', () => `holdpoint_session=${'A'.repeat(43)}`],
    ['with one character off', () => browser.cookie.replace(/.$/, last => (last === 'A' ? 'B' : 'A'))],
    ['beside another one of the name', () => `${browser.cookie}; holdpoint_session=${'A'.repeat(43)}`],
    ['of another name', () => browser.cookie.replace('holdpoint_session', 'session')],
    ['that is empty', () => 'holdpoint_session='],
    ['of 8 kB', () => `holdpoint_session=${'A'.repeat(8_000)}`],
    ['of a prototype', () => '__proto__=1; constructor=2'],
  ];
  it.each(dead)('%s opens nothing', async (name, cookie) => {
    for (const line of ['GET /api/v2/suppliers', 'GET /api/v2/x/events', WRITE, 'GET /api/v2/nowhere']) {
      await runCase(target, {
        name,
        bytes: to =>
          requestBytes(
            to,
            line,
            { Authorization: null, Cookie: cookie(), ...own() },
            line === WRITE ? BODY : '',
          ),
        statuses: [401],
      });
    }
  });

  it('is in no address', async () => {
    const secret = browser.cookie.split('=')[1];
    await runCase(target, {
      name: 'address',
      bytes: to =>
        requestBytes(to, `GET /api/v2/suppliers?holdpoint_session=${secret}`, { Authorization: null }),
      statuses: [401],
    });
    expect(target.station.output).not.toContain(secret);
  });
});

it('signing in takes no hostile value for a login or a password', async () => {
  const values = [null, 1, [], {}, { $gt: '' }, '', 'x'.repeat(2_000)];
  for (const login of values) {
    await runCase(target, {
      name: String(login),
      bytes: to =>
        requestBytes(
          to,
          'POST /api/v2/x/session',
          { Authorization: null },
          JSON.stringify({ login, password: PASSWORD }),
        ),
      statuses: [422],
    });
  }
  for (const password of [null, 1, [], {}, '', 'x'.repeat(2_000)]) {
    await runCase(target, {
      name: String(password),
      bytes: to =>
        requestBytes(
          to,
          'POST /api/v2/x/session',
          { Authorization: null },
          JSON.stringify({ login: 'ann', password }),
        ),
      statuses: [422],
    });
  }
});

it('the first administrator is nobody once there is a user, however often one asks', async () => {
  const body = { code: 'A'.repeat(26), name: 'Evil', login: 'evil', password: PASSWORD };
  for (let time = 0; time < 3; time += 1) {
    await runCase(target, {
      name: 'first',
      bytes: to =>
        requestBytes(to, 'POST /api/v2/x/first-administrator', { Authorization: null }, JSON.stringify(body)),
      statuses: [409],
    });
  }
});
