import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Clock, ClockFactAnswer } from '../../../shared/operations/clock-operations.ts';
import { dataOf, errorOf, PASSWORD } from './browser.ts';
import { ClockedStation } from './clocked-station.ts';

const at = new ClockedStation();
beforeAll(async () => {
  await at.start();
  await at.user('olga', ['operator']);
  await at.user('quentin', ['quality']);
});
afterAll(() => at.end());

const clockOf = async (): Promise<Clock> => dataOf(await at.call('GET', '/x/clock'));
const DAY = 24 * 60;
/** Less than ends a session. */
const HOURS = 6 * 60;

interface Change {
  at: string;
  clock_at_least: string | null;
}

async function lastChangeOf(id: number): Promise<Change | undefined> {
  return dataOf<Change[]>(await at.call('GET', `/x/history/supplier/${id}`)).at(-1);
}

describe('a clock that is set back while sessions are open', () => {
  it('locks them, and marks what programs go on to write', async () => {
    const [olga, quentin] = [await at.signedIn('olga'), await at.signedIn('quentin')];
    expect((await clockOf()).standing).toBeNull();
    at.set(-400 * DAY);
    // The first to notice is whoever writes.
    const { id } = dataOf(await at.call('POST', '/suppliers', { name: 'By a program' }));
    const change = await lastChangeOf(Number(id));
    expect(Date.parse(change?.clock_at_least ?? '') - Date.parse(change?.at ?? '')).toBe(400 * DAY * 60_000);
    expect(errorOf(await olga.post('/suppliers', { name: 'By Olga' }))).toMatchObject({ status: 401 });
    const session = dataOf<{ is_locked: boolean; clock: { says: string } }>(await quentin.get('/x/session'));
    expect(session).toMatchObject({ is_locked: true });
    expect(session.clock.says).toMatch(/^This machine's clock is not confirmed: it says 2025-\d\d-\d\d /);

    // Nobody is refused: the password opens one's own session, and what is written is marked.
    expect((await olga.post('/x/session/unlock', { password: PASSWORD })).status).toBe(200);
    const own = dataOf(await olga.post('/suppliers', { name: 'By Olga' }));
    expect((await lastChangeOf(Number(own.id)))?.clock_at_least).not.toBeNull();
    // Who may, confirms; the other one goes on being locked.
    const { step } = (await clockOf()).standing ?? {};
    const body = { step, reason: 'I looked at the station’s clock.' };
    expect(errorOf(await olga.post('/x/clock/confirm', body))).toMatchObject({ status: 403 });
    expect(errorOf(await quentin.post('/x/clock/confirm', body))).toMatchObject({ status: 401 });
    await quentin.post('/x/session/unlock', { password: PASSWORD });
    const missing = await quentin.post('/x/clock/confirm', { step });
    expect(errorOf(missing)).toMatchObject({ status: 422, fields: ['reason'] });
    const other = await quentin.post('/x/clock/confirm', { ...body, step: 999 });
    expect(errorOf(other)).toMatchObject({ status: 409 });
    expect(dataOf(await quentin.post('/x/clock/confirm', body))).toMatchObject({
      kind: 'confirmed',
      user: 'quentin',
      reason: body.reason,
    });
    expect((await clockOf()).standing).toBeNull();
    const after = dataOf(await olga.post('/suppliers', { name: 'Later' }));
    expect((await lastChangeOf(Number(after.id)))?.clock_at_least).toBeNull();
    const facts = dataOf<ClockFactAnswer[]>(await at.call('GET', '/x/clock/facts'));
    expect(facts.map(({ kind }) => kind)).toEqual(['confirmed', 'step']);
  });

  it('goes on so after a start, and locks again', async () => {
    const olga = await at.signedIn('olga');
    at.set(-HOURS);
    await at.call('POST', '/suppliers', { name: 'By a program' });
    await olga.post('/x/session/unlock', { password: PASSWORD });
    expect((await olga.get('/suppliers')).status).toBe(200);
    await at.stop();
    await at.start();
    const again = at.browser();
    again.cookie = olga.cookie;
    expect(dataOf(await again.get('/x/session'))).toMatchObject({ is_locked: true });
    expect((await clockOf()).standing).not.toBeNull();
    at.set(HOURS);
    expect((await clockOf()).standing).toBeNull();
    await again.post('/x/session/unlock', { password: PASSWORD });
    expect((await again.get('/suppliers')).status).toBe(200);
    const facts = dataOf<ClockFactAnswer[]>(await at.call('GET', '/x/clock/facts'));
    expect(facts.slice(0, 2).map(({ kind }) => kind)).toEqual(['set_right', 'step']);
  });

  it('no program confirms that is not an administrator’s', async () => {
    const { secret } = dataOf<{ secret: string }>(
      await at.call('POST', '/x/tokens', { name: 'scales', scopes: ['read', 'write'] }),
    );
    const headers = { authorization: `Bearer ${secret}`, origin: undefined };
    const body = { step: 1, reason: 'Because.' };
    const refused = await at.browser().call('POST', '/x/clock/confirm', { headers, body });
    expect(errorOf(refused)).toMatchObject({ status: 403 });
    expect((await at.browser().call('GET', '/x/clock', { headers })).status).toBe(200);
  });
});

it('a session that was used while the clock was ahead does not stay open for years', async () => {
  at.set(365 * DAY);
  const ahead = await at.signedIn('olga');
  expect((await ahead.get('/suppliers')).status).toBe(200);
  at.set(-365 * DAY);
  expect(errorOf(await ahead.get('/suppliers'))).toMatchObject({ status: 401 });
});
