import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataOf, errorOf, PASSWORD } from './browser.ts';
import { ClockedStation } from './clocked-station.ts';

interface Session {
  user: { id: number; login: string; roles: string[] } | null;
  is_locked: boolean;
  is_first_administrator_missing: boolean;
  expires_at: string | null;
  token?: { name: string };
  station: { name: string; role: string };
}

const at = new ClockedStation();
beforeAll(() => at.start());
afterAll(() => at.end());

const sessionOf = async (browser: { get: (path: string) => ReturnType<typeof at.call> }) =>
  dataOf<Session>(await browser.get('/x/session'));

describe('the first administrator', () => {
  it('is made with the code of the start, once', async () => {
    const browser = at.browser();
    expect(await sessionOf(browser)).toMatchObject({
      user: null,
      is_first_administrator_missing: true,
      station: { name: 'My company', role: 'stand-alone' },
    });
    const { code } = at.station.firstCode ?? { code: '' };
    expect(code).toMatch(/^[A-Z2-7]{26}$/);
    const body = { code, name: 'Boss', login: 'Boss', password: PASSWORD, company_name: 'Nord AG' };
    const wrong = await browser.post('/x/first-administrator', { ...body, code: code.replace(/.$/, '7') });
    expect(errorOf(wrong)).toMatchObject({ status: 422, fields: ['code'] });
    const weak = await browser.post('/x/first-administrator', { ...body, password: 'boss' });
    expect(errorOf(weak)).toMatchObject({ status: 422, fields: ['password'] });

    // At once, so that only one of them can be first.
    const both = await Promise.all(
      ['Boss', 'Other'].map(login => at.browser().post('/x/first-administrator', { ...body, login })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 422]);
    const made = both.find(({ status }) => status === 201);
    expect(made?.headers.getSetCookie().at(-1)).toMatch(
      /^holdpoint_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(await sessionOf(browser)).toMatchObject({
      is_first_administrator_missing: false,
      station: { name: 'Nord AG' },
    });
    expect((await browser.post('/x/first-administrator', body)).status).toBe(409);
    expect((await at.call('POST', '/x/first-administrator/link', {})).status).toBe(409);
  });

  it("is nobody's after a day", async () => {
    const other = new ClockedStation();
    await at.stop();
    await other.start();
    const { code } = other.station.firstCode ?? { code: '' };
    other.wait(24 * 60);
    const body = { name: 'Boss', login: 'boss', password: PASSWORD };
    expect((await other.browser().post('/x/first-administrator', { ...body, code })).status).toBe(422);
    const { link } = dataOf<{ link: string }>(await other.call('POST', '/x/first-administrator/link', {}));
    expect(link).toMatch(new RegExp(`^${other.station.origin}/first#[A-Z2-7]{26}$`));
    const fresh = await other.browser().post('/x/first-administrator', { ...body, code: link.split('#')[1] });
    expect(fresh.status).toBe(201);
    await other.end();
    await at.start();
    expect(at.station.firstCode).toBeNull();
  });
});

describe('a session', () => {
  beforeAll(async () => {
    await at.user('Ann', ['operator']);
  });

  it('begins with the password, in any case of the login, and is new each time', async () => {
    const browser = at.browser();
    const given = `holdpoint_session=${'x'.repeat(43)}`;
    browser.cookie = given;
    const signedIn = await browser.signIn('ANN');
    expect(signedIn.status).toBe(201);
    expect(browser.cookie).not.toBe(given);
    const first = browser.cookie;
    expect(dataOf<Session>(signedIn).user).toMatchObject({ login: 'ann', roles: ['operator'] });
    await browser.signIn('ann');
    expect(browser.cookie).not.toBe(first);
    // The same browser's former session is over.
    browser.cookie = first;
    expect(await sessionOf(browser)).toMatchObject({ user: null });
    expect((await browser.get('/suppliers')).status).toBe(401);
  });

  it('is the author in history, by login and name', async () => {
    const ann = await at.signedIn('ann');
    const { id } = dataOf(await ann.post('/suppliers', { name: 'Harbour' }));
    const [entry] = dataOf<Record<string, unknown>[]>(await ann.get(`/x/history/supplier/${id}`));
    expect(entry).toMatchObject({ user: 'ann', user_name: 'Name of Ann', author_proof: 'proved' });
    const boss = dataOf<{ id: number }[]>(await at.call('GET', '/x/users'))[0]?.id;
    const [made] = dataOf<Record<string, unknown>[]>(await at.call('GET', `/x/history/user/${boss}`));
    expect(made).toMatchObject({
      ...{ user: 'first-administrator', user_name: null },
      author_proof: 'program',
    });
  });

  it('fills in who initiated, investigated and closed a complaint, opened a CAR and approved a template', async () => {
    const id = await at.user('quentin', ['quality']);
    const quentin = await at.signedIn('quentin');
    const complaint = { complaint_number: 'C-1', complaint_date: '2026-06-01', is_investigated: true };
    const made = dataOf(await quentin.post('/complaints', complaint));
    expect(made).toMatchObject({ initiator_user_id: id, investigator_user_id: id, closed_user_id: null });
    const closed = await quentin.put(`/complaints/${made.id}`, { ...complaint, is_closed: true });
    expect(dataOf(closed)).toMatchObject({ closed_user_id: id });
    expect(dataOf(await quentin.post('/cars', { car_number: 'CAR-1' }))).toMatchObject({
      initiator_name: 'Name of quentin',
    });
    const template = { name: 'T', identification: 'T-1', is_approved: true };
    expect(dataOf(await quentin.post('/x/specifications', template))).toMatchObject({ approved_by: id });
    const byProgram = dataOf(
      await at.call('POST', '/x/specifications', { ...template, identification: 'T-2' }),
    );
    expect(byProgram).toMatchObject({ approved_by: null });
  });

  const proofsOf = async (id: number) =>
    dataOf<{ author_proof: string }[]>(await at.call('GET', `/x/history/supplier/${id}`)).map(
      ({ author_proof: proof }) => proof,
    );

  it('signs also after a restart, by what its cookie holds', async () => {
    const ann = await at.signedIn('ann');
    const { id } = dataOf<{ id: number }>(await ann.post('/suppliers', { name: 'Quay' }));
    await at.stop();
    await at.start();
    const again = at.browser();
    again.cookie = ann.cookie;
    dataOf(await again.patch(`/suppliers/${id}`, { name: 'Quayside' }));
    dataOf(await at.call('PATCH', `/suppliers/${id}`, { name: 'Quays' }));
    expect(await proofsOf(id)).toEqual(['proved', 'proved', 'program']);
  });

  it('that has no key, as one of before an update, is locked once: the password lets it sign', async () => {
    const ann = await at.signedIn('ann');
    await at.stop();
    const database = new DatabaseSync(join(at.folder, 'holdpoint.db'));
    database.exec('DELETE FROM session_key');
    database.close();
    await at.start();
    const again = at.browser();
    again.cookie = ann.cookie;
    expect(errorOf(await again.post('/suppliers', { name: 'Pier' }))).toMatchObject({
      code: 'session_locked',
    });
    expect((await again.post('/x/session/unlock', { password: PASSWORD })).status).toBe(200);
    const { id } = dataOf<{ id: number }>(await again.post('/suppliers', { name: 'Pier' }));
    expect(await proofsOf(id)).toEqual(['proved']);
  });

  it('outlives the server, and is nowhere in its file', async () => {
    const ann = await at.signedIn('ann');
    const { cookie } = ann;
    await at.stop();
    await at.start();
    const again = at.browser();
    again.cookie = cookie;
    expect(await sessionOf(again)).toMatchObject({ user: { login: 'ann' } });
  });

  it('locks when nobody uses it, which looking at it is not, and goes on with the password', async () => {
    const ann = await at.signedIn('ann');
    at.wait(14);
    expect(await sessionOf(ann)).toMatchObject({ is_locked: false });
    at.wait(1);
    expect(await sessionOf(ann)).toMatchObject({ user: { login: 'ann' }, is_locked: true });
    expect(errorOf(await ann.get('/suppliers'))).toMatchObject({ status: 401, code: 'session_locked' });
    expect(errorOf(await ann.post('/suppliers', { name: 'x' }))).toMatchObject({ code: 'session_locked' });
    expect((await ann.get('/nowhere')).status).toBe(401);
    expect((await ann.get('/status')).status).toBe(200);
    expect((await ann.post('/x/session/unlock', { password: 'not it at all' })).status).toBe(401);
    expect(dataOf(await ann.post('/x/session/unlock', { password: PASSWORD }))).toMatchObject({
      is_locked: false,
    });
    expect((await ann.get('/suppliers')).status).toBe(200);
    // Each use counts.
    for (let minutes = 0; minutes < 40; minutes += 10) {
      at.wait(10);
      expect((await ann.get('/suppliers')).status).toBe(200);
    }
    dataOf(await at.call('PUT', '/x/settings', { idle_lock_minutes: 0 }));
    at.wait(60);
    expect((await ann.get('/suppliers')).status).toBe(200);
    dataOf(await at.call('PUT', '/x/settings', { idle_lock_minutes: null }));
  });

  it('locks and ends when it is told to, and after twelve hours', async () => {
    const ann = await at.signedIn('ann');
    expect(dataOf(await ann.post('/x/session/lock'))).toMatchObject({ is_locked: true });
    await at.stop();
    await at.start();
    const again = at.browser();
    again.cookie = ann.cookie;
    expect(await sessionOf(again)).toMatchObject({ is_locked: true });
    expect(dataOf(await again.post('/x/session/end'))).toMatchObject({ user: null });
    again.cookie = ann.cookie;
    expect(await sessionOf(again)).toMatchObject({ user: null });
    expect((await again.post('/x/session/end')).status).toBe(401);

    const late = await at.signedIn('ann');
    at.wait(12 * 60 + 1);
    expect(await sessionOf(late)).toMatchObject({ user: null, is_locked: false });
    expect((await late.post('/x/session/unlock', { password: PASSWORD })).status).toBe(401);
  });

  it('says of a program what it may do', async () => {
    expect(dataOf<Session>(await at.call('GET', '/x/session'))).toMatchObject({
      user: null,
      token: { name: 'HOLDPOINT_TOKEN', scopes: ['read', 'write', 'admin'] },
    });
  });
});

describe('a user', () => {
  it('is out at once when deactivated, streams included', async () => {
    const id = await at.user('bert', ['viewer']);
    const bert = await at.signedIn('bert');
    const stream = await bert.listen();
    dataOf(await at.call('PATCH', `/x/users/${id}`, { is_active: false }));
    expect((await bert.get('/suppliers')).status).toBe(401);
    await expect.poll(stream.isOver).toBe(true);
    expect(errorOf(await bert.signIn('bert'))).toMatchObject({
      status: 401,
      message: errorOf(await at.browser().signIn('nobody')).message,
    });
    dataOf(await at.call('PATCH', `/x/users/${id}`, { is_active: true }));
    expect((await bert.get('/suppliers')).status).toBe(401);
  });

  it('has other roles from the next request on', async () => {
    const id = await at.user('chris', ['viewer']);
    const chris = await at.signedIn('chris');
    expect(errorOf(await chris.post('/suppliers', { name: 'x' }))).toMatchObject({
      status: 403,
      message: expect.stringContaining('operator'),
    });
    dataOf(await at.call('PATCH', `/x/users/${id}`, { roles: ['operator'] }));
    expect((await chris.post('/suppliers', { name: 'x' })).status).toBe(201);
  });

  it('changes the own password with the former one, which ends the other sessions', async () => {
    const id = await at.user('dora', ['viewer']);
    const [here, there] = [await at.signedIn('dora'), await at.signedIn('dora')];
    const stream = await there.listen();
    const path = `/x/users/${id}/password`;
    const fresh = 'nine brown otters';
    const without = await here.post(path, { password: fresh });
    expect(errorOf(without)).toMatchObject({ status: 422, fields: ['current_password'] });
    const wrong = await here.post(path, { password: fresh, current_password: 'wrong one' });
    expect(errorOf(wrong)).toMatchObject({ status: 422, fields: ['current_password'] });
    const weak = await here.post(path, { password: 'dora', current_password: PASSWORD });
    expect(errorOf(weak)).toMatchObject({ status: 422, fields: ['password'] });
    expect((await here.post('/x/users/1/password', { password: fresh })).status).toBe(403);
    dataOf(await here.post(path, { password: fresh, current_password: PASSWORD }));
    expect((await here.get('/suppliers')).status).toBe(200);
    expect((await there.get('/suppliers')).status).toBe(401);
    await expect.poll(stream.isOver).toBe(true);
    expect((await there.signIn('dora')).status).toBe(401);
    expect((await there.signIn('dora', fresh)).status).toBe(201);

    dataOf(await at.call('POST', path, { password: 'green herons at the pond' }));
    expect((await here.get('/suppliers')).status).toBe(401);
    expect((await here.signIn('dora', 'green herons at the pond')).status).toBe(201);
  });

  it('cannot sign in before there is a password', async () => {
    await at.user('emil', ['viewer'], null);
    expect((await at.browser().signIn('emil')).status).toBe(401);
  });

  it('keeps a login for itself, former ones included', async () => {
    const id = await at.user('frida', ['viewer']);
    dataOf(await at.call('PATCH', `/x/users/${id}`, { login: 'Frieda' }));
    for (const login of ['frida', 'FRIEDA', 'setup', 'ann', 'no spaces', '']) {
      const refused = await at.call('POST', '/x/users', { login, name: 'Other' });
      expect(errorOf(refused), login).toMatchObject({ status: 422, fields: ['login'] });
    }
    dataOf(await at.call('PATCH', `/x/users/${id}`, { login: 'frida' }));
  });

  it('is not the last administrator who goes', async () => {
    const users = dataOf<{ id: number; login: string }[]>(await at.call('GET', '/x/users'));
    const boss = users.find(({ login }) => login === 'boss' || login === 'other')?.id;
    for (const body of [{ is_active: false }, { roles: ['quality'] }, { roles: null }]) {
      expect((await at.call('PATCH', `/x/users/${boss}`, body)).status).toBe(409);
    }
    const second = await at.user('second', ['administrator']);
    dataOf(await at.call('PATCH', `/x/users/${boss}`, { is_active: false }));
    expect((await at.call('PATCH', `/x/users/${second}`, { is_active: false })).status).toBe(409);
  });

  it.each<[string, string[], object]>([
    ['role', ['nils', 'nora'], { roles: ['quality'] }],
    ['account', ['olaf', 'otto'], { is_active: false }],
  ])(
    'is one of two administrators who take each other the %s at once',
    async (_, [one = '', other = ''], body) => {
      const administrators = async () =>
        dataOf<{ id: number; is_active: boolean; roles: string[] }[]>(await at.call('GET', '/x/users'))
          .filter(one => one.is_active && one.roles.includes('administrator'))
          .map(({ id }) => id);
      const before = await administrators();
      const two = [await at.user(one, ['administrator']), await at.user(other, ['administrator'])];
      const [first, second] = [await at.signedIn(one), await at.signedIn(other)];
      for (const id of before) dataOf(await at.call('PATCH', `/x/users/${id}`, { is_active: false }));
      expect(await administrators()).toEqual(two);
      const answers = await Promise.all([
        first.patch(`/x/users/${two[1]}`, body),
        second.patch(`/x/users/${two[0]}`, body),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await administrators()).toHaveLength(1);
    },
  );
});
