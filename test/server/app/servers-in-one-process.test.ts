import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Station } from '../../support/station.ts';
import { Browser, PASSWORD } from '../identity/browser.ts';

/** What servers within a test's process (`isHere`) must not share: each is asked after the other was changed. */
const first = new Station({ isHere: true });
const second = new Station({ isHere: true });
const before = { environment: {}, listeners: {} };

const listeners = () =>
  Object.fromEntries(process.eventNames().map(name => [String(name), process.listenerCount(name)]));
const namesAt = async (station: Station) => {
  const { body } = await station.get('/suppliers');
  return (body as { data: { name: string }[] }).data.map(({ name }) => name);
};
const zoneAt = async (station: Station) => {
  const { body } = await station.get('/x/settings');
  return (body as { data: { time_zone: string } }).data.time_zone;
};

beforeAll(async () => {
  // What the first server of a process loads stays with the process.
  await first.start();
  await first.end();
  Object.assign(before, { environment: { ...process.env }, listeners: listeners() });
  await Promise.all([first.start(), second.start()]);
});
afterAll(() => Promise.all([first.stop(), second.stop()]));

describe('servers within one process', () => {
  it('have their own records, numbers and settings', async () => {
    const made = [
      await first.post('/suppliers', { name: 'Mill' }),
      await second.post('/suppliers', { name: 'Forge' }),
    ];
    const [one, other] = made.map(({ body }) => (body as { data: { id: number } }).data.id);
    expect(one).toBe(other);
    expect(new Set(await namesAt(first))).toEqual(new Set(['Mill']));
    expect(new Set(await namesAt(second))).toEqual(new Set(['Forge']));
    const zone = await zoneAt(second);
    expect((await first.put('/x/settings', { time_zone: 'Asia/Tokyo' })).status).toBe(200);
    expect([await zoneAt(first), await zoneAt(second)]).toEqual(['Asia/Tokyo', zone]);
  });

  it('know no users, sessions or tokens of each other', async () => {
    const ada = { login: 'ada', name: 'Ada', password: PASSWORD, is_password_temporary: false };
    await first.post('/x/users', { ...ada, roles: ['administrator'] });
    const browser = new Browser(first.origin);
    expect((await browser.signIn('ada')).status).toBe(201);
    expect((await browser.get('/suppliers')).status).toBe(200);
    const stranger = new Browser(second.origin);
    stranger.cookie = browser.cookie;
    expect((await stranger.get('/suppliers')).status).toBe(401);
    expect((await stranger.signIn('ada')).status).toBe(401);
    const headers = { authorization: `Bearer ${first.token}` };
    expect((await second.call('GET', '/suppliers', { headers })).status).toBe(401);
  });

  it('change nothing of the process: neither its environment nor what it listens to', async () => {
    expect(process.env).toEqual(before.environment);
    expect(listeners()).toEqual(before.listeners);
  });

  it('end alone, and begin again with what they had', async () => {
    await first.end();
    await expect(first.get('/status')).rejects.toThrow();
    expect(await namesAt(second)).toContain('Forge');
    await first.start();
    expect(await namesAt(first)).toContain('Mill');
    expect(await zoneAt(first)).toBe('Asia/Tokyo');
    await expect(first.kill()).rejects.toThrow("within the test's process cannot be killed");
  });
});
