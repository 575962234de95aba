import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Station } from '../../support/station.ts';
import { callWith, enrolledStation } from '../enrolment/enrolled.ts';
import { Browser, dataOf, errorOf, PASSWORD } from './browser.ts';

const NEXT = 'nine brown otters';
const central = new Station({ role: 'central' });
const users: Record<string, number> = {};

beforeAll(async () => {
  await central.start();
  for (const [login, role] of [
    ['root', 'administrator'],
    ['olga', 'operator'],
    ['ian', 'inspector'],
    ['vera', 'viewer'],
  ]) {
    const user = { login, name: `Name of ${login}`, roles: [role], password: PASSWORD };
    const made = await central.post('/x/users', { ...user, is_password_temporary: false });
    users[String(login)] = dataOf<{ id: number }>(made).id;
  }
});
afterAll(() => central.stop());

async function signedIn(login: string, password = PASSWORD): Promise<Browser> {
  const browser = new Browser(central.origin);
  dataOf(await browser.signIn(login, password));
  return browser;
}
const userAt = async (login: string) =>
  dataOf<{ public_key: string | null; password_revoked_at: string | null }>(
    await central.get(`/x/users/${users[login]}`),
  );
const dueOf = async (browser: Browser) =>
  dataOf<{ password_due: string | null }>(await browser.get('/x/session')).password_due;
/** As a station asks for the key of who signed in there. */
const ask = (key: string, login: string, password = PASSWORD) =>
  callWith(central, key, 'POST', '/x/stations/key', { login, password });

describe('a password that is revoked', () => {
  it('ends sessions and key, and does nothing but choose another one, which makes another key', async () => {
    const { key } = await enrolledStation(central, 'Dock');
    const open = await signedIn('olga');
    const before = await userAt('olga');
    const root = await signedIn('root');
    const reason = 'She wrote it on a card.';
    dataOf(await root.post(`/x/users/${users.olga}/revoke`, { reason }));
    expect((await open.get('/suppliers')).status).toBe(401);
    expect(await userAt('olga')).toMatchObject({
      public_key: null,
      password_revoked_at: expect.any(String),
    });

    const due = await signedIn('olga');
    expect(await dueOf(due)).toBe('revoked');
    expect(errorOf(await due.post('/suppliers', { name: 'Acme' }))).toMatchObject({
      status: 403,
      code: 'password_due',
    });
    // Neither signing in nor a station makes a key by that password.
    expect(dataOf(await ask(key, 'olga'))).toBeNull();
    expect((await userAt('olga')).public_key).toBeNull();
    const again = { password: PASSWORD, current_password: PASSWORD };
    expect(errorOf(await due.post(`/x/users/${users.olga}/password`, again))).toMatchObject({ status: 422 });

    const chosen = { password: NEXT, current_password: PASSWORD };
    dataOf(await due.post(`/x/users/${users.olga}/password`, chosen));
    const after = await userAt('olga');
    expect(after.password_revoked_at).toBeNull();
    expect(after.public_key).toMatch(/^[\w-]{43}$/);
    expect(after.public_key).not.toBe(before.public_key);
    expect(await dueOf(due)).toBeNull();
    const { id } = dataOf<{ id: number }>(await due.post('/suppliers', { name: 'Acme' }));
    expect(dataOf(await due.get(`/x/history/supplier/${id}`))).toMatchObject([{ author_proof: 'proved' }]);
    expect(dataOf(await ask(key, 'olga', NEXT))).toMatchObject({ public_key: after.public_key });

    const events = dataOf<{ kind: string; details: object }[]>(
      await central.get('/x/audit', { subject: `user:${users.olga}` }),
    );
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'user_changed', details: { login: 'olga', password: 'revoked' } }),
    );
  });

  it('is for administrators and ends by nothing else than another password', async () => {
    const ian = await signedIn('ian');
    const path = `/x/users/${users.vera}/revoke`;
    expect((await ian.post(path)).status).toBe(403);
    expect((await new Browser(central.origin).post(path)).status).toBe(401);
    expect((await central.post('/x/users/999999/revoke')).status).toBe(404);
    expect(errorOf(await central.post(path, { reason: 'x'.repeat(1_001) })).fields).toEqual(['reason']);
    dataOf(await central.post(path));
    const { password_revoked_at: at } = await userAt('vera');
    for (const method of ['PATCH', 'PUT'] as const)
      await central.call(method, `/x/users/${users.vera}`, {
        body: { name: 'Vera', login: 'vera', roles: ['viewer'], password_revoked_at: null, public_key: 'x' },
      });
    expect(await userAt('vera')).toMatchObject({ password_revoked_at: at, public_key: null });
    // Who sets one for her makes a key with it.
    dataOf(await central.post(`/x/users/${users.vera}/password`, { password: NEXT }));
    expect(await userAt('vera')).toMatchObject({
      password_revoked_at: null,
      public_key: expect.any(String),
    });
  });
});

describe('a station that is revoked', () => {
  it('takes with it the passwords of those who signed in there, and of nobody else', async () => {
    const { key, station } = await enrolledStation(central, 'Lab');
    dataOf(await ask(key, 'ian'));
    dataOf(await ask(key, 'ian'));
    expect((await ask(key, 'root', 'not it at all')).status).toBe(403);
    const given = dataOf<object[]>(await central.get('/x/audit', { kind: 'key_given' }));
    const ofIan = given.filter(one => JSON.stringify(one).includes(station));
    expect(ofIan).toMatchObject([{ subject: `user:${users.ian}`, details: { name: 'Lab', station } }]);
    const stations = dataOf<{ id: number; station: string }[]>(await central.get('/x/stations'));
    const id = stations.find(one => one.station === station)?.id;
    const root = await signedIn('root');
    const refused = await root.post(`/x/stations/${id}/revoke`, { keeps_passwords: 'no' });
    expect(errorOf(refused).fields).toEqual(['keeps_passwords']);
    const kept = dataOf(await root.post(`/x/stations/${id}/revoke`, { keeps_passwords: true }));
    expect(kept).toMatchObject({ revoked_at: expect.any(String), people: [] });
    expect((await userAt('ian')).password_revoked_at).toBeNull();
    // Somebody finds out later that the disk was not erased.
    const reason = 'The disk was sold.';
    expect(dataOf(await root.post(`/x/stations/${id}/revoke`, { reason }))).toMatchObject({
      people: ['ian'],
    });
    expect((await userAt('ian')).password_revoked_at).not.toBeNull();
    expect((await userAt('root')).password_revoked_at).toBeNull();
    const due = await signedIn('ian');
    dataOf(await due.post(`/x/users/${users.ian}/password`, { password: NEXT, current_password: PASSWORD }));
    // Again it is about nobody: what he has now is of after.
    expect(dataOf(await root.post(`/x/stations/${id}/revoke`))).toMatchObject({ people: [] });
    expect((await userAt('ian')).password_revoked_at).toBeNull();
    const revoked = dataOf<object[]>(await central.get('/x/audit', { kind: 'station_revoked' }));
    expect(revoked).toMatchObject([
      { author: 'root', details: { people: [] } },
      { author: 'root', details: { people: ['ian'] } },
    ]);
  });
});
