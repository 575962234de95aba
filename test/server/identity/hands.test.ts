import { createHmac, hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dataOf, errorOf, PASSWORD } from './browser.ts';
import { ClockedStation } from './clocked-station.ts';
import { Kiosk } from './kiosk.ts';

interface Session {
  user: { id: number; login: string } | null;
  session: string | null;
  is_locked: boolean;
  needs_password: boolean;
  hand: { has_pin: boolean; has_badge: boolean } | null;
  resting: { session: string; user: { login: string }; has_pin: boolean; has_badge: boolean }[];
}

const PIN = '4711';
const BADGE = 'BADGE-000117';

/** PIN and badge: people change at a machine where they signed in by password. */
const at = new ClockedStation();
let kiosk: Kiosk;
beforeAll(async () => {
  await at.start();
  await at.user('boss', ['administrator']);
  await at.user('ann', ['operator']);
  await at.user('bob', ['operator']);
});
afterAll(() => at.end());
beforeEach(() => {
  kiosk = new Kiosk(at.station.origin);
});

const now = async (browser = kiosk) => dataOf<Session>(await browser.get('/x/session'));
const setHand = (body: object) => kiosk.post('/x/session/hand', { password: PASSWORD, ...body });
const resume = (body: object) => kiosk.post('/x/session/resume', body);

/** Ann with her PIN and badge, then Bob with his PIN: Ann rests, Bob works. */
async function annThenBob(): Promise<{ ann: string; bob: string }> {
  dataOf(await kiosk.signIn('ann'));
  const ann = dataOf<Session>(await setHand({ pin: PIN, badge: BADGE })).session ?? '';
  const bob = dataOf<Session>(await kiosk.signIn('bob')).session ?? '';
  dataOf(await setHand({ pin: '2580' }));
  return { ann, bob };
}

describe('a PIN', () => {
  it('resumes the session that was begun there by password, which signs as before', async () => {
    dataOf(await kiosk.signIn('ann'));
    const { session } = dataOf<Session>(await setHand({ pin: PIN }));
    expect(await now()).toMatchObject({ hand: { has_pin: true, has_badge: false }, resting: [] });
    await kiosk.post('/x/session/lock');
    expect((await kiosk.get('/suppliers')).status).toBe(401);
    expect(dataOf<Session>(await resume({ session, code: PIN }))).toMatchObject({
      user: { login: 'ann' },
      session,
      is_locked: false,
    });
    const { id } = dataOf<{ id: number }>(await kiosk.post('/suppliers', { name: 'Harbour' }));
    const [entry] = dataOf<object[]>(await at.call('GET', `/x/history/supplier/${id}`));
    expect(entry).toMatchObject({ user: 'ann', author_proof: 'proved' });
  });

  it('is set with the password only, of 4 to 8 digits, and not one that anybody tries first', async () => {
    dataOf(await kiosk.signIn('ann'));
    const refused = async (body: object) => errorOf(await kiosk.post('/x/session/hand', body));
    expect(await refused({ pin: PIN })).toMatchObject({ status: 422, fields: ['password'] });
    expect(await refused({ password: 'wrong', pin: PIN })).toMatchObject({
      status: 422,
      fields: ['password'],
    });
    for (const pin of ['471', '471147114', '47a1', '0000', '1234', '9876'])
      expect(await refused({ password: PASSWORD, pin }), pin).toMatchObject({ status: 422, fields: ['pin'] });
    expect(await now()).toMatchObject({ hand: { has_pin: false } });
    // Not by a token, nor by a page that is locked.
    expect(errorOf(await at.call('POST', '/x/session/hand', { password: PASSWORD, pin: PIN })).status).toBe(
      401,
    );
    await kiosk.post('/x/session/lock');
    expect(errorOf(await setHand({ pin: PIN })).code).toBe('session_locked');
  });

  it('signs nothing: that takes the password', async () => {
    dataOf(await at.call('PUT', '/x/settings', { is_esignature_required: true }));
    await at.user('quinn', ['quality']);
    dataOf(await kiosk.signIn('quinn'));
    dataOf(await setHand({ pin: PIN }));
    const made = await kiosk.post('/ncrs', { ncr_number: 'N-1', source: 'internal' });
    const { id } = (made.body as { meta: { id: number } }).meta;
    const sign = (password: string) =>
      kiosk.patch(`/ncrs/${id}`, { source: 'customer', esignature_password: password });
    expect(errorOf(await sign(PIN))).toMatchObject({ status: 422, fields: ['esignature_password'] });
    expect((await sign(PASSWORD)).status).toBe(200);
    const boss = await at.signedIn('boss');
    dataOf(await boss.put('/x/settings', { is_esignature_required: false, esignature_password: PASSWORD }));
  });

  it('ends the session with the fifth wrong one, also of many at once, and the trail says so', async () => {
    dataOf(await kiosk.signIn('ann'));
    const { session } = dataOf<Session>(await setHand({ pin: PIN }));
    await kiosk.post('/x/session/lock');
    for (let left = 4; left > 0; left -= 1)
      expect(errorOf(await resume({ session, code: '0815' })).message).toContain(
        left === 1 ? 'One try' : `${left} tries`,
      );
    // The right one begins the count anew.
    dataOf(await resume({ session, code: PIN }));
    await kiosk.post('/x/session/lock');
    const tries = await Promise.all(
      Array.from({ length: 12 }, (_, n) => resume({ session, code: `${3000 + n}` })),
    );
    expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await resume({ session, code: PIN })).status).toBe(401);
    expect(await now()).toMatchObject({ user: null, resting: [] });
    const [event] = dataOf<object[]>(await at.call('GET', '/x/audit?kind=session_ended&order=desc'));
    expect(event).toMatchObject({ details: { session, cause: 'five wrong PINs or badges' } });
  });

  it('five wrong ones count over a restart', async () => {
    dataOf(await kiosk.signIn('ann'));
    const { session } = dataOf<Session>(await setHand({ pin: PIN }));
    for (let n = 0; n < 4; n += 1) await resume({ session, code: '0815' });
    await at.stop();
    await at.start();
    const again = new Kiosk(at.station.origin);
    for (const [name, value] of kiosk.jar) again.jar.set(name, value);
    const fifth = await again.post('/x/session/resume', { session, code: '0815' });
    expect(errorOf(fifth).message).toContain('Five wrong ones');
    expect((await again.post('/x/session/resume', { session, code: PIN })).status).toBe(401);
  });

  it('cannot be guessed by who has the disk: without the cookie nothing of the file says which it is', async () => {
    dataOf(await kiosk.signIn('ann'));
    dataOf(await setHand({ pin: PIN, badge: BADGE }));
    const database = new DatabaseSync(join(at.folder, 'holdpoint.db'), { readOnly: true });
    const rows = database.prepare('SELECT * FROM session_hand').all() as Record<string, unknown>[];
    database.close();
    const stored = rows.flatMap(row => Object.values(row).map(String));
    const keys = stored.flatMap(text => [text, Buffer.from(text, 'base64url')]).filter(key => key.length > 0);
    for (const secret of [PIN, BADGE])
      for (const kind of ['', 'pin:', 'badge:']) {
        const tags = keys.map(key =>
          createHmac('sha256', key).update(`${kind}${secret}`).digest('base64url'),
        );
        const plain = ['hex', 'base64url'].map(form => hash('sha256', `${kind}${secret}`, form as 'hex'));
        for (const tag of [...tags, ...plain, secret]) expect(stored).not.toContain(tag);
      }
    const file = readFileSync(join(at.folder, 'holdpoint.db')).toString('latin1');
    expect(file).not.toContain(BADGE);
    expect(at.log).not.toContain(BADGE);
  });

  it('of one session is nothing to another, whose key it does not open', async () => {
    dataOf(await kiosk.signIn('ann'));
    const first = dataOf<Session>(await setHand({ pin: PIN })).session;
    const other = new Kiosk(at.station.origin);
    dataOf(await other.signIn('ann'));
    expect((await other.post('/x/session/resume', { session: first, code: PIN })).status).toBe(401);
    const own = (await now(other)).session;
    expect(errorOf(await other.post('/x/session/resume', { session: own, code: PIN })).status).toBe(409);
  });
});

describe('people who change', () => {
  it('by PIN, each with the own session, the one before locked', async () => {
    const { ann, bob } = await annThenBob();
    expect(await now()).toMatchObject({
      user: { login: 'bob' },
      resting: [{ session: ann, user: { login: 'ann' }, has_pin: true, has_badge: true }],
    });
    const bobs = kiosk.jar.get('holdpoint_session');
    expect(dataOf<Session>(await resume({ session: ann, code: PIN }))).toMatchObject({
      user: { login: 'ann' },
      is_locked: false,
      resting: [{ session: bob, user: { login: 'bob' } }],
    });
    expect((await kiosk.get('/suppliers')).status).toBe(200);
    const former = at.browser();
    former.cookie = `holdpoint_session=${bobs}`;
    expect(errorOf(await former.get('/suppliers')).code).toBe('session_locked');
    // Ann's PIN is not Bob's.
    expect((await resume({ session: bob, code: PIN })).status).toBe(401);
    expect((await now()).user?.login).toBe('ann');
  });

  it('by badge, without a word of whose it is', async () => {
    const { ann } = await annThenBob();
    await kiosk.post('/x/session/lock');
    expect(dataOf<Session>(await resume({ code: BADGE }))).toMatchObject({
      user: { login: 'ann' },
      session: ann,
    });
    // A PIN is nobody's without a name.
    expect((await resume({ code: '2580' })).status).toBe(401);
  });

  it('goods that are scanned at a locked screen end no session: a name is asked for first', async () => {
    const { ann } = await annThenBob();
    for (let n = 0; n < 7; n += 1) expect((await resume({ code: `400638133393${n}` })).status).toBe(401);
    expect(errorOf(await resume({ code: BADGE })).message).toContain('Choose your name first');
    dataOf(await resume({ code: BADGE, session: ann }));
    await kiosk.post('/x/session/lock');
    dataOf(await resume({ code: BADGE }));
  });

  it('a badge opens one session of a browser: another person cannot take it', async () => {
    await annThenBob();
    expect(errorOf(await setHand({ badge: BADGE }))).toMatchObject({ status: 422, fields: ['badge'] });
  });

  it('who has no PIN is signed out when another signs in, as before', async () => {
    dataOf(await kiosk.signIn('ann'));
    const anns = kiosk.jar.get('holdpoint_session');
    dataOf(await kiosk.signIn('bob'));
    expect(await now()).toMatchObject({ user: { login: 'bob' }, resting: [] });
    const former = at.browser();
    former.cookie = `holdpoint_session=${anns}`;
    expect((await former.get('/suppliers')).status).toBe(401);
  });

  it('who signs in again by password in the same browser keeps the PIN, also once the session has expired', async () => {
    const { ann } = await annThenBob();
    dataOf(await kiosk.signIn('ann'));
    expect(await now()).toMatchObject({ hand: { has_pin: true, has_badge: true }, user: { login: 'ann' } });
    expect((await now()).session).not.toBe(ann);
    at.wait(13 * 60);
    expect(await now()).toMatchObject({ user: null, resting: [] });
    dataOf(await kiosk.signIn('ann'));
    const { session } = await now();
    await kiosk.post('/x/session/lock');
    dataOf(await resume({ session, code: PIN }));
    // Elsewhere there is none.
    const other = new Kiosk(at.station.origin);
    dataOf(await other.signIn('ann'));
    expect(await now(other)).toMatchObject({ hand: { has_pin: false, has_badge: false } });
  });

  it('signing out takes the PIN along, and leaves those who rest', async () => {
    const { ann } = await annThenBob();
    dataOf(await kiosk.post('/x/session/end'));
    expect(await now()).toMatchObject({ user: null, resting: [{ session: ann }] });
    dataOf(await resume({ session: ann, code: PIN }));
    dataOf(await kiosk.post('/x/session/end'));
    expect(await now()).toMatchObject({ user: null, resting: [] });
    dataOf(await kiosk.signIn('ann'));
    expect(await now()).toMatchObject({ hand: { has_pin: false, has_badge: false } });
  });

  it('after the clock was changed the password is needed, once', async () => {
    const { ann } = await annThenBob();
    at.set(60);
    dataOf(await kiosk.get('/x/session'));
    expect(errorOf(await resume({ session: ann, code: PIN })).status).toBe(403);
    expect(await now()).toMatchObject({ is_locked: true });
    const { session } = await now();
    expect(errorOf(await resume({ session, code: '2580' })).status).toBe(403);
    dataOf(await kiosk.post('/x/session/unlock', { password: PASSWORD }));
    await kiosk.post('/x/session/lock');
    dataOf(await resume({ session, code: '2580' }));
  });

  it('whose password was set by somebody else, or who may not sign in any more, is not resumed', async () => {
    const { ann } = await annThenBob();
    const id = dataOf<{ id: number; login: string }[]>(await at.call('GET', '/x/users')).find(
      ({ login }) => login === 'ann',
    )?.id;
    dataOf(await at.call('POST', `/x/users/${id}/password`, { password: 'windmill copper lantern' }));
    expect((await resume({ session: ann, code: PIN })).status).toBe(401);
    expect(await now()).toMatchObject({ user: { login: 'bob' }, resting: [] });
  });
});
