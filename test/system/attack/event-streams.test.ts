import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { AttackedStation } from './attacked-station.ts';
import { connected, exchange, requestBytes } from './raw-http.ts';

let target: AttackedStation;
beforeAll(async () => {
  target = await AttackedStation.start();
});
afterAll(() => target.stop());

interface Token {
  id: number;
  secret: string;
}

let tokens = 0;
async function createToken(): Promise<Token> {
  const { body } = await target.station.post('/x/tokens', { name: `stream ${++tokens}`, scopes: ['read'] });
  return (body as { data: Token }).data;
}

/** An open event stream; `read()` is what has come so far. */
async function subscribe(token: string, headers: Record<string, string> = {}) {
  const socket: Socket = await connected(target.port);
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.setEncoding('utf8').on('data', chunk => {
    text += chunk;
  });
  const closed = once(socket, 'close');
  socket.write(requestBytes({ port: target.port, token }, 'GET /api/v2/x/events', headers));
  const read = () => text;
  await expect.poll(read).toContain('retry:');
  return { socket, read, closed };
}

/** The status of an attempt to open a stream, which is given up at once. */
async function statusOf(token: string): Promise<number> {
  const socket = await connected(target.port);
  socket.write(requestBytes({ port: target.port, token }, 'GET /api/v2/x/events'));
  const [head] = await once(socket, 'data');
  socket.destroy();
  return Number(String(head).slice('HTTP/1.1 '.length, 'HTTP/1.1 '.length + 3));
}

const change = async () => {
  const { status } = await target.station.post('/suppliers', { name: 'A change' });
  expect(status).toBe(201);
};

describe('an event stream', () => {
  it('is refused beyond 50 of a token until one ends, other tokens unaffected', async () => {
    const { secret } = await createToken();
    const other = await createToken();
    const streams = await Promise.all(Array.from({ length: 50 }, () => subscribe(secret)));
    expect(await statusOf(secret)).toBe(429);
    const another = await subscribe(other.secret);
    streams[0]?.socket.destroy();
    await expect.poll(() => statusOf(secret)).not.toBe(429);
    await change();
    await expect.poll(another.read).toContain('event: change');
    await expect.poll(streams[49]?.read ?? (() => '')).toContain('event: change');
  });

  it('ends within 5 s when its token is revoked, and the next call is refused', async () => {
    const { id, secret } = await createToken();
    const revoked = await subscribe(secret);
    const kept = await subscribe((await createToken()).secret);
    const call = () =>
      exchange(target.port, requestBytes({ port: target.port, token: secret }, 'GET /api/v2/suppliers'));
    expect((await call()).answers[0]?.status).toBe(200);
    const started = performance.now();
    expect((await target.station.post(`/x/tokens/${id}/revoke`)).status).toBe(200);
    expect((await call()).answers[0]?.status).toBe(401);
    await revoked.closed;
    expect(performance.now() - started).toBeLessThan(5_000 + SLACK_MS);
    expect(await statusOf(secret)).toBe(401);
    await change();
    await expect.poll(kept.read).toContain('event: change');
    expect(revoked.read()).not.toContain('event: change');
  });

  it('ends within 5 s though its client does not read', async () => {
    const { id, secret } = await createToken();
    const revoked = await subscribe(secret);
    revoked.socket.pause();
    await target.station.post(`/x/tokens/${id}/revoke`);
    await change();
    revoked.socket.resume();
    await revoked.closed;
    expect(revoked.read()).not.toContain('event: change');
  });

  it('waits for a client that leaves megabytes unread, and keeps no other one waiting', async () => {
    const { secret } = await createToken();
    const reader = await subscribe((await createToken()).secret);
    const sleeper = await subscribe(secret);
    sleeper.socket.pause();
    const made = await target.station.post(
      '/parts/bulk',
      Array.from({ length: 1_000 }, (_, at) => ({ name: `Part ${at}`, identification: `P-${at}` })),
    );
    const parts = (made.body as { data: { id: number; identification: string }[] }).data;
    // A connection's own buffers take a few MB before anything is left unread in the server.
    for (let round = 0; round < ROUNDS; round++) {
      const rows = parts.map(({ id, identification }) => ({ id, identification, name: `Round ${round}` }));
      expect((await target.station.put('/parts/bulk', rows)).status).toBe(200);
    }
    await change();
    const { body } = await target.station.get('/suppliers', { per_page: 1 });
    const last = (body as { meta: { total: number } }).meta.total;
    await expect.poll(reader.read).toContain(`"family":"supplier","id":${last}`);
    sleeper.socket.resume();
    await expect.poll(sleeper.read).toContain(`"family":"supplier","id":${last}`);
    const told = sleeper.read().match(/"family":"part"/g)?.length;
    expect(told).toBe((ROUNDS + 1) * 1_000);
    expect(sleeper.read().length).toBeGreaterThan(UNREAD);
    sleeper.socket.destroy();
    await expect.poll(() => statusOf(secret)).not.toBe(429);
  });
});

const ROUNDS = 40;
/** Characters; more than a connection takes whose client does not read. */
const UNREAD = 6_000_000;
/** For a machine that does much else meanwhile. */
const SLACK_MS = 30_000;
