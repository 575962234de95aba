import { afterAll, beforeAll, expect, it } from 'vitest';
import { dataOf, errorOf } from './browser.ts';
import { ClockedStation } from './clocked-station.ts';

interface Listed {
  id: string;
  address: string;
  agent: string;
  began_at: string;
  used_at: string;
  ends_at: string;
  is_own: boolean;
}

/** One's sessions, and how they end. */
const at = new ClockedStation();
let ann = 0;
beforeAll(async () => {
  await at.start();
  await at.user('boss', ['administrator']);
  ann = await at.user('ann', ['viewer']);
  await at.user('bob', ['viewer']);
});
afterAll(() => at.end());

const listOf = async (browser: Awaited<ReturnType<typeof at.signedIn>>) =>
  dataOf<Listed[]>(await browser.get('/x/sessions'));

it('lists the own ones: where, since when, last used, which is this one', async () => {
  const first = at.browser();
  const agent = 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0';
  dataOf(
    await first.call('POST', '/x/session', {
      body: { login: 'ann', password: 'seven grey herons' },
      headers: { 'user-agent': agent },
    }),
  );
  at.wait(2);
  const second = await at.signedIn('ann');
  at.wait(2);
  dataOf(await second.get('/suppliers'));
  const listed = await listOf(second);
  expect(listed).toHaveLength(2);
  expect(listed.map(({ is_own: isOwn }) => isOwn)).toEqual([true, false]);
  expect(listed[1]).toMatchObject({ agent, address: '127.0.0.1' });
  for (const one of listed) {
    expect(Date.parse(one.used_at)).toBeGreaterThanOrEqual(Date.parse(one.began_at));
    expect(Date.parse(one.ends_at) - Date.parse(one.used_at)).toBe(12 * 3_600_000);
  }
  const [, other] = listed;
  // Nobody else's, and no program's.
  const bob = await at.signedIn('bob');
  expect((await listOf(bob)).map(({ id }) => id)).not.toContain(other?.id);
  expect(errorOf(await bob.post(`/x/sessions/${other?.id}/end`)).status).toBe(404);
  expect(errorOf(await bob.get(`/x/users/${ann}/sessions`)).status).toBe(403);
  expect(errorOf(await bob.post(`/x/users/${ann}/sessions/end`)).status).toBe(403);
  expect(errorOf(await at.call('GET', '/x/sessions')).status).toBe(403);
  expect((await first.get('/suppliers')).status).toBe(200);

  expect(dataOf<Listed[]>(await second.post(`/x/sessions/${other?.id}/end`))).toHaveLength(1);
  expect((await first.get('/suppliers')).status).toBe(401);
  expect((await second.get('/suppliers')).status).toBe(200);
  const [event] = dataOf<object[]>(await at.call('GET', '/x/audit?kind=session_ended&order=desc'));
  expect(event).toMatchObject({
    author: 'ann',
    address: '127.0.0.1',
    details: { session: other?.id, cause: 'ended by its user' },
  });
});

it('ends all others at once, and their event streams', async () => {
  const [first, second, third] = [
    await at.signedIn('ann'),
    await at.signedIn('ann'),
    await at.signedIn('ann'),
  ];
  const stream = await second.listen();
  expect(dataOf<Listed[]>(await first.post('/x/sessions/end-others'))).toMatchObject([{ is_own: true }]);
  for (const other of [second, third]) expect((await other.get('/suppliers')).status).toBe(401);
  expect((await first.get('/suppliers')).status).toBe(200);
  await expect.poll(() => stream.isOver()).toBe(true);
});

it("an administrator ends somebody's, one or all, by a session or a token", async () => {
  const boss = await at.signedIn('boss');
  const [first, second] = [await at.signedIn('ann'), await at.signedIn('ann')];
  const listed = dataOf<Listed[]>(await boss.get(`/x/users/${ann}/sessions`));
  expect(listed.every(({ is_own: isOwn }) => !isOwn)).toBe(true);
  const id = (await listOf(second)).find(one => one.is_own)?.id;
  dataOf(await boss.post(`/x/users/${ann}/sessions/end`, { session: id }));
  expect((await second.get('/suppliers')).status).toBe(401);
  expect((await first.get('/suppliers')).status).toBe(200);
  expect(dataOf(await at.call('POST', `/x/users/${ann}/sessions/end`, {}))).toEqual([]);
  expect((await first.get('/suppliers')).status).toBe(401);
  const events = dataOf<object[]>(await at.call('GET', '/x/audit?kind=session_ended&order=desc'));
  expect(events).toContainEqual(
    expect.objectContaining({
      author: 'boss',
      address: '127.0.0.1',
      details: { session: id, cause: 'ended by an administrator' },
    }),
  );
  expect(errorOf(await boss.get('/x/users/999999/sessions')).status).toBe(404);
});

it('a session ends seven days after its begin, however much it is used', async () => {
  const browser = await at.signedIn('ann');
  const [{ id, began_at: began } = { id: '', began_at: '' }] = await listOf(browser);
  for (let hours = 11; hours < 7 * 24; hours += 11) {
    at.wait(11 * 60);
    const unlocked = await browser.post('/x/session/unlock', { password: 'seven grey herons' });
    expect(unlocked.status, `${hours} hours`).toBe(200);
  }
  const [last] = await listOf(browser);
  const end = Date.parse(began) + 7 * 24 * 3_600_000;
  expect(Date.parse(last?.ends_at ?? '')).toBe(end);
  at.wait(11 * 60);
  expect(dataOf(await browser.get('/x/session'))).toMatchObject({ user: null });
  await at.signedIn('ann');
  const events = dataOf<{ at: string; details: { session: string } }[]>(
    await at.call('GET', '/x/audit?kind=session_expired&order=desc'),
  );
  expect(events.find(({ details }) => details.session === id)?.at).toBe(new Date(end).toISOString());
});
