import { once } from 'node:events';
import { connect as connectPlain } from 'node:net';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpServer, type HttpServer } from '../../../server/http/listen.ts';
import { selfMade } from '../../support/certificates.ts';

const tls = selfMade();

async function started(): Promise<{ server: HttpServer; port: number }> {
  const server = createHttpServer({ handler: ({ url }, response) => void response.end(url), tls });
  const { port } = await server.listen('127.0.0.1', 0);
  return { server, port };
}

/** All that a server says on one TLS connection, until it ends it. */
async function exchange(port: number, text: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', ca: [tls.certificate], servername: 'localhost' });
  let heard = '';
  socket.setEncoding('latin1').on('data', chunk => {
    heard += chunk;
  });
  socket.on('error', () => {}).write(text);
  await once(socket, 'close');
  return heard;
}

describe('a server that speaks TLS', () => {
  let server: HttpServer;
  let port: number;
  beforeAll(async () => {
    ({ server, port } = await started());
  });
  afterAll(() => server.close());

  it.each([
    ['a request', 'GET /here HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 200],
    ['what is not HTTP', 'EHLO mail.example\r\n\r\n', 400],
    ['headers that are too large', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n', 501],
    ['headers that do not end', 'GET / HTTP/1.1\r\nHost: x\r\n', 408],
  ])('answers %s', async (_name, text, status) => {
    const heard = await exchange(port, text);
    expect(heard).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    if (status !== 200) expect(heard).toContain('{"status":"error"');
  });

  it('says nothing to who speaks no TLS, and goes on', async () => {
    const socket = connectPlain({ port, host: '127.0.0.1' });
    let heard = '';
    socket.setEncoding('latin1').on('data', chunk => {
      heard += chunk;
    });
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'close');
    expect(heard).not.toContain('HTTP/');
    expect(await exchange(port, 'GET /on HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toContain('/on');
  });
});

it('stops beside connections that are idle, and one whose handshake is not done', async () => {
  const { server, port } = await started();
  const idle = connect({ port, host: '127.0.0.1', ca: [tls.certificate], servername: 'localhost' });
  idle.on('error', () => {});
  await once(idle, 'secureConnect');
  const half = connectPlain({ port, host: '127.0.0.1' });
  half.on('error', () => {}).resume();
  await once(half, 'connect');
  const closed = [once(idle, 'close'), once(half, 'close')];
  await server.close();
  await Promise.all(closed);
});
