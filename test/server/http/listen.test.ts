import { once } from 'node:events';
import { request } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createHttpServer } from '../../../server/http/listen.ts';
import { exchange, type FrontServer, requestText, startFrontServer } from './app-server.ts';
import { expectNormalAnswer, expectRefusal } from './expect-refusal.ts';

let server: FrontServer;
beforeAll(async () => {
  server = await startFrontServer();
});
afterAll(() => server.server.close());

const opened = async (port: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
};

/** Everything up to the end of the connection. */
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket.setEncoding('latin1')) text += chunk;
  return text;
}

describe('requests that are not HTTP', () => {
  const body = { 'Content-Type': 'application/json' };
  const insert = (text: string, line: string) => text.replace('\r\n', `\r\n${line}`);
  it.each([
    [
      'a length with chunks',
      () =>
        requestText(
          server,
          'POST /items',
          { ...body, 'Content-Length': '2', 'Transfer-Encoding': 'chunked' },
          '0\r\n\r\n',
        ),
    ],
    [
      'two lengths',
      () =>
        insert(
          requestText(server, 'POST /items', { ...body, 'Content-Length': '2' }, '{}'),
          'Content-Length: 2\r\n',
        ),
    ],
    ['a bare LF', () => insert(requestText(server, 'GET /items/7'), 'X-A: 1\n')],
    ['bare LFs only', () => requestText(server, 'GET /items/7').replaceAll('\r\n', '\n')],
    ['a folded header', () => insert(requestText(server, 'GET /items/7'), 'X-A: 1\r\n  2\r\n')],
    ['a space before the colon', () => insert(requestText(server, 'GET /items/7'), 'X-A : 1\r\n')],
    ['NUL in a header', () => insert(requestText(server, 'GET /items/7'), 'X-A: \0\r\n')],
    ['a space in the path', () => requestText(server, 'GET /items/7 8')],
    ['TLS', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['noise', () => '\r\n\r\nhello\r\n\r\n'],
    ['HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('refuses %s', async (_name, text) => {
    await expectRefusal(server, await exchange(server.port, text()), [400]);
  });

  it('refuses a tunnel', async () => {
    await expectRefusal(
      server,
      await exchange(server.port, requestText(server, 'CONNECT example.com:443')),
      [405, 501],
    );
  });

  it('does not change protocol', async () => {
    const headers = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Key': 'x',
      'Sec-WebSocket-Version': '13',
    };
    const answer = await exchange(server.port, requestText(server, 'GET /items/7', headers));
    expect([answer.status, answer.headers.get('upgrade')]).toEqual([200, undefined]);
    await expectRefusal(
      server,
      await exchange(server.port, requestText(server, 'GET /items/7', { ...headers, Authorization: null })),
      [401],
    );
  });

  it('ignores an unknown expectation', async () => {
    expect(
      (await exchange(server.port, requestText(server, 'GET /items/7', { Expect: 'miracles' }))).status,
    ).toBe(200);
  });

  it('refuses slow headers', async () => {
    const socket = await opened(server.port);
    socket.write('GET /items/7 HTTP/1.1\r\nX-A: ');
    const drip = setInterval(() => socket.write('x'), 200);
    const text = await readAll(socket);
    clearInterval(drip);
    expect(text).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(JSON.parse(text.slice(text.indexOf('{')))).toMatchObject({ status: 'error', code: 'timeout' });
    await expectNormalAnswer(server);
  });

  it('cuts off a client that goes on sending after it was refused', async () => {
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': '1000000000000',
      Authorization: null,
    };
    const socket = await opened(server.port);
    socket.on('error', () => {}).write(requestText(server, 'POST /items', headers));
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /);
    const drip = setInterval(() => socket.write('x'), 100);
    // A reset is an end as well.
    await new Promise(resolve => socket.once('close', resolve));
    clearInterval(drip);
    await expectNormalAnswer(server);
  });

  it('cuts off a client that goes on sending what nobody reads after it was answered', async () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '1000000000000' };
    const socket = await opened(server.port);
    socket.on('error', () => {}).write(requestText(server, 'GET /items/7', headers));
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
    const drip = setInterval(() => socket.write('x'), 100);
    // A reset is an end as well.
    await new Promise(resolve => socket.once('close', resolve));
    clearInterval(drip);
    await expectNormalAnswer(server);
  });

  it('does not answer garbage in place of a request that still runs', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const slow = await startFrontServer({
      mount: app => {
        app.get('/slow', async (_request, response) => {
          await released;
          response.json({});
        });
      },
    });
    const socket = await opened(slow.port);
    socket.write(`${requestText(slow, 'GET /slow')}garbage\r\n\r\n`);
    expect(await readAll(socket)).toBe('');
    release();
    await slow.server.close();
  });
});

describe('many at once', () => {
  it('answers 1,000 pipelined requests in order', async () => {
    const socket = await opened(server.port);
    const ids = Array.from({ length: 1_000 }, (_, at) => String(at));
    const last = { Connection: 'close' };
    socket.write(ids.map(id => requestText(server, `GET /items/${id}`, id === '999' ? last : {})).join(''));
    const text = await readAll(socket);
    expect([...text.matchAll(/\{"id":"(\d+)"\}/g)].map(match => match[1])).toEqual(ids);
  });

  it('answers beside 500 idle connections', async () => {
    const idle = await Promise.all(Array.from({ length: 500 }, () => opened(server.port)));
    for (const socket of idle) socket.on('error', () => {});
    await expectNormalAnswer(server);
    for (const socket of idle) socket.destroy();
  });
});

describe('listen', () => {
  it('names the setting when the port is taken', async () => {
    const other = createHttpServer({ handler: () => {} });
    await expect(other.listen('127.0.0.1', server.port)).rejects.toMatchObject({
      code: 'unavailable',
      message: `Port ${server.port} of 127.0.0.1 is in use by another program. Set HOLDPOINT_PORT to a free port.`,
    });
  });

  it('names the setting when the address is not this machine’s', async () => {
    const other = createHttpServer({ handler: () => {} });
    await expect(other.listen('192.0.2.1', 0)).rejects.toMatchObject({
      message: 'This machine has no address 192.0.2.1. Set HOLDPOINT_HOST to one that it has.',
    });
  });

  it('can be tried again on another port', async () => {
    const other = createHttpServer({ handler: (_request, response) => void response.end('other') });
    await expect(other.listen('127.0.0.1', server.port)).rejects.toThrow('HOLDPOINT_PORT');
    const { port } = await other.listen('127.0.0.1', 0);
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('other');
    await other.close();
  });
});

describe('close', () => {
  it('lets a running request finish, refuses new connections and frees the port', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    let stops = 0;
    const own = await startFrontServer({
      onStop: () => stops++,
      mount: app => {
        app.get('/slow', async (_request, response) => {
          arrive();
          await released;
          response.json({ finished: true });
        });
      },
    });
    const running = await opened(own.port);
    running.write(requestText(own, 'GET /slow'));
    const idle = await opened(own.port);
    await arrived;
    const closed = own.server.close();
    await once(idle.resume(), 'close');
    await expect(opened(own.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    release();
    expect(await readAll(running)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\{"finished":true\}$/s);
    await closed;
    expect(stops).toBe(1);
    const next = createServer().listen(own.port, '127.0.0.1');
    await once(next, 'listening');
    next.close();
  });

  it('cuts what runs beyond the time limit', async () => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const own = await startFrontServer({
      shutdownTimeLimit: 50,
      mount: app => void app.get('/never', () => arrive()),
    });
    const socket = await opened(own.port);
    socket.write(requestText(own, 'GET /never'));
    const text = readAll(socket);
    await arrived;
    await own.server.close();
    expect(await text).toBe('');
  });

  it('ends a kept connection after the answer that was running', async () => {
    const own = await startFrontServer();
    const answered = await new Promise<number | undefined>((resolve, reject) => {
      const { port, secret } = own;
      const call = request({
        port,
        path: '/items/7',
        headers: { Host: `127.0.0.1:${port}`, Authorization: `Bearer ${secret}` },
      });
      call.on('response', response => response.resume().on('end', () => resolve(response.statusCode)));
      call.on('error', reject).end();
    });
    expect(answered).toBe(200);
    await own.server.close();
  });
});
