import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { identityOf } from '../../../server/http/authenticate.ts';
import {
  createEventStreams,
  type EventStream,
  type EventStreams,
} from '../../../server/http/event-stream.ts';
import { exchange, type FrontServer, requestText, startFrontServer } from './app-server.ts';
import { expectNormalAnswer, expectRefusal } from './expect-refusal.ts';

let streams: EventStreams;
let opened: EventStream[];
let server: FrontServer;
let clients: Socket[];

beforeEach(async () => {
  streams = createEventStreams({ heartbeat: 30 });
  opened = [];
  clients = [];
  server = await startFrontServer({
    onStop: streams.closeAll,
    mount: app => {
      app.get('/events', (request, response) => {
        opened.push(streams.open(request, response, identityOf(response).tokenId));
      });
    },
  });
  server.tokens.onRevoke(streams.closeToken);
});
afterEach(async () => {
  for (const client of clients) client.destroy();
  await server.server.close();
});

/** A client that has got the head of its stream; `read()` is what has come so far. */
async function subscribe(headers: Record<string, string> = {}) {
  const socket = connect(server.port, '127.0.0.1', () =>
    socket.write(requestText(server, 'GET /events', headers)),
  );
  clients.push(socket);
  let text = '';
  socket.setEncoding('utf8').on('data', chunk => {
    text += chunk;
  });
  const closed = once(socket, 'close');
  const read = () => text;
  await expect.poll(read).toContain('retry:');
  return { socket, read, closed };
}

describe('an event stream', () => {
  it('sends events in the format of the standard, and heartbeats', async () => {
    const { read } = await subscribe();
    opened[0]?.send({ id: 7, event: 'change', data: { name: 'two\nlines' } });
    opened[0]?.send({ id: 'a\nevent: forged', data: null });
    await expect.poll(read).toContain('id: 7\nevent: change\ndata: {"name":"two\\nlines"}\n\n');
    await expect.poll(read).toContain('id: aevent: forged\ndata: null\n\n');
    await expect.poll(read).toContain(':\n\n');
    expect(read()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(read()).toMatch(/\r\ncontent-type: text\/event-stream\r\n/i);
    expect(read()).toMatch(/\r\ncache-control: no-store\r\n/i);
  });

  it('names where the client wants to resume', async () => {
    await subscribe({ 'Last-Event-ID': '41' });
    await subscribe();
    expect(opened.map(stream => stream.lastEventId)).toEqual(['41', undefined]);
  });

  it('answers HEAD with the headers and no stream', async () => {
    const answer = await exchange(server.port, requestText(server, 'HEAD /events'), true);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    await expect.poll(streams.count).toBe(0);
  });

  it('refuses one without a token', async () => {
    await expectRefusal(
      server,
      await exchange(server.port, requestText(server, 'GET /events', { Authorization: null })),
      [401],
    );
    expect(streams.count()).toBe(0);
  });

  it('forgets a client that leaves', async () => {
    const { socket } = await subscribe();
    let closes = 0;
    opened[0]?.onClose(() => closes++);
    socket.destroy();
    await expect.poll(streams.count).toBe(0);
    expect(closes).toBe(1);
    opened[0]?.send({ data: 'to nobody' });
    opened[0]?.onClose(() => closes++);
    expect(closes).toBe(2);
  });

  it('sends nothing after it is closed', async () => {
    const { closed, read } = await subscribe();
    opened[0]?.close();
    opened[0]?.send({ data: 'late' });
    opened[0]?.close();
    await closed;
    expect(read()).not.toContain('late');
    await expectNormalAnswer(server);
  });

  it('drops a client that does not read, and only that', async () => {
    const reader = await subscribe();
    const sleeper = await subscribe();
    sleeper.socket.pause();
    const data = 'x'.repeat(64 * 1024);
    // Beyond what the system buffers for a connection: a few MB.
    for (let round = 0; round < 400 && streams.count() === 2; round++) {
      opened[1]?.send({ data });
      await new Promise(setImmediate);
    }
    await expect.poll(streams.count).toBe(1);
    opened[0]?.send({ data: 'still here' });
    await expect.poll(reader.read).toContain('still here');
    await expectNormalAnswer(server);
  });

  it('knows of a client that has left something unread, until it reads on', async () => {
    const { socket } = await subscribe();
    const isUnread = () => opened[0]?.hasUnread;
    await expect.poll(isUnread).toBe(false);
    socket.pause();
    const data = 'x'.repeat(64 * 1024);
    for (let round = 0; round < 400 && isUnread() === false; round++) {
      opened[0]?.send({ data });
      await new Promise(resolve => setTimeout(resolve, 5));
    }
    expect(isUnread()).toBe(true);
    socket.resume();
    await expect.poll(isUnread).toBe(false);
    expect(streams.count()).toBe(1);
  });

  it('refuses the 51st of a token until one ends, and counts each token for itself', async () => {
    const first = await subscribe();
    await Promise.all(Array.from({ length: 49 }, () => subscribe()));
    const answer = await exchange(server.port, requestText(server, 'GET /events'));
    await expectRefusal(server, answer, [429]);
    expect(answer.headers.get('retry-after')).toBe('10');
    const { secret } = server.tokens.create({ name: 'other', scopes: ['read'] });
    await subscribe({ Authorization: `Bearer ${secret}` });
    first.socket.destroy();
    await expect.poll(streams.count).toBe(50);
    await subscribe();
    expect(streams.count()).toBe(51);
  });

  it('ends when its token is revoked, and others go on', async () => {
    const { secret, token } = server.tokens.create({ name: 'other', scopes: ['read'] });
    const revoked = await subscribe({ Authorization: `Bearer ${secret}` });
    const kept = await subscribe();
    server.tokens.revoke(token.id);
    await revoked.closed;
    opened[1]?.send({ data: 'still here' });
    await expect.poll(kept.read).toContain('still here');
    expect(streams.count()).toBe(1);
  });

  it('ends when the server stops', async () => {
    const { closed, read } = await subscribe();
    await server.server.close();
    await closed;
    expect(read()).toMatch(/\r\n0\r\n\r\n$/);
    expect(streams.count()).toBe(0);
  });
});
