import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { readJson } from '../../../server/http/json-body.ts';
import { exchange, type FrontServer, requestText, startFrontServer } from './app-server.ts';
import { expectNormalAnswer, expectRefusal } from './expect-refusal.ts';

const MIB = 1024 * 1024;
const JSON_TYPE = { 'Content-Type': 'application/json' };

let server: FrontServer;
beforeAll(async () => {
  server = await startFrontServer();
});
beforeEach(() => {
  server.stored.length = 0;
});
afterAll(() => server.server.close());

/** Posts bytes with their length; `headers` come on top. */
function post(path: string, headers: Record<string, string | null>, body: string | Uint8Array = '') {
  const bytes = Buffer.from(body);
  const head = requestText(server, `POST ${path}`, { 'Content-Length': String(bytes.length), ...headers });
  return exchange(server.port, Buffer.concat([Buffer.from(head), bytes]));
}

const chunked = (...chunks: string[]) =>
  `${chunks.map(chunk => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`;
const CHUNKED = { ...JSON_TYPE, 'Content-Length': null, 'Transfer-Encoding': 'chunked' };

describe('readJson', () => {
  it.each([
    ['plain', 'application/json'],
    ['with a charset', 'application/json; charset=utf-8'],
    ['in other letters', 'Application/JSON;Charset="UTF-8"'],
    ['with another parameter', 'application/json; profile=x'],
  ])('reads JSON, its type written %s', async (_name, type) => {
    expect((await post('/items', { 'Content-Type': type }, '{"name":"Ωmega ‮=cmd|x<b>"}')).status).toBe(201);
    expect(server.stored).toEqual([{ name: 'Ωmega ‮=cmd|x<b>' }]);
  });

  it.each([null, 1, [], 'text'])('leaves %j at the top level to the route', async value => {
    expect((await post('/items', JSON_TYPE, JSON.stringify(value))).status).toBe(201);
    expect(server.stored).toEqual([value]);
  });

  it('reads a chunked body, a character split between chunks, and a byte order mark', async () => {
    expect((await post('/items', CHUNKED, chunked('{"a":', '"Ω"}'))).status).toBe(201);
    const text = Buffer.from('"Ω"');
    const parts = [text.subarray(0, 2), text.subarray(2)].map(part => [
      Buffer.from(`${part.length}\r\n`),
      part,
      Buffer.from('\r\n'),
    ]);
    const body = Buffer.concat([...parts.flat(), Buffer.from('0\r\n\r\n')]);
    expect((await post('/items', CHUNKED, body)).status).toBe(201);
    expect((await post('/items', JSON_TYPE, '\ufeff[1]')).status).toBe(201);
    expect(server.stored).toEqual([{ a: 'Ω' }, 'Ω', [1]]);
  });

  it('reads no body where none is due, with or without a type', async () => {
    expect((await post('/items/optional', { 'Content-Length': null })).status).toBe(201);
    expect((await post('/items/optional', JSON_TYPE)).status).toBe(201);
    expect((await post('/items/optional', CHUNKED, chunked())).status).toBe(201);
    expect((await post('/items/optional', JSON_TYPE, '{"a":1}')).status).toBe(201);
    expect(server.stored).toEqual([undefined, undefined, undefined, { a: 1 }]);
  });

  it('reads a body up to the limit of the route', async () => {
    const body = JSON.stringify('x'.repeat(MIB - 2));
    expect((await post('/items', JSON_TYPE, body)).status).toBe(201);
    expect((await post('/items/bulk', JSON_TYPE, JSON.stringify('x'.repeat(5 * MIB - 2)))).status).toBe(201);
  });

  it.each([
    ['text/plain', '/items', { 'Content-Type': 'text/plain' }, '{"a":1}', 415],
    ['urlencoded', '/items', { 'Content-Type': 'application/x-www-form-urlencoded' }, '{"a":1}', 415],
    ['multipart', '/items', { 'Content-Type': 'multipart/form-data; boundary=x' }, '{"a":1}', 415],
    ['no type', '/items', {}, '{"a":1}', 415],
    ['no type where a body is optional', '/items/optional', {}, '{"a":1}', 415],
    ['a type that is none', '/items', { 'Content-Type': 'json' }, '{"a":1}', 415],
    ['a list of types', '/items', { 'Content-Type': 'application/json, text/plain' }, '{"a":1}', 415],
    ['charset utf-7', '/items', { 'Content-Type': 'application/json; charset=utf-7' }, '{"a":1}', 415],
    ['UTF-16', '/items', JSON_TYPE, Buffer.from('{"a":1}', 'utf16le'), 400],
    ['charset utf-16', '/items', { 'Content-Type': 'application/json; charset=utf-16' }, '{"a":1}', 415],
    [
      'a gzip bomb',
      '/items',
      { ...JSON_TYPE, 'Content-Encoding': 'gzip' },
      gzipSync(Buffer.alloc(10 * MIB)),
      415,
    ],
    ['an unknown encoding', '/items', { ...JSON_TYPE, 'Content-Encoding': 'x' }, '{"a":1}', 415],
    ['an empty body', '/items', JSON_TYPE, '', 400],
    ['an empty chunked body', '/items', CHUNKED, chunked(), 400],
    ['white space', '/items', JSON_TYPE, ' ', 400],
    ['cut-off JSON', '/items', JSON_TYPE, '{"a":', 400],
    ['invalid UTF-8', '/items', JSON_TYPE, Buffer.from([0x22, 0xc3, 0x28, 0x22]), 400],
    ['an encoded surrogate', '/items', JSON_TYPE, Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 400],
    ['a duplicate key', '/items', JSON_TYPE, '{"a":1,"a":1}', 422],
    ['__proto__', '/items', JSON_TYPE, '{"__proto__":{"polluted":true}}', 422],
    ['30,000 nested arrays', '/items', JSON_TYPE, `${'['.repeat(30_000)}${']'.repeat(30_000)}`, 422],
    ['more than 1 MiB', '/items', JSON_TYPE, JSON.stringify('x'.repeat(MIB)), 413],
    ['more than 1 MiB in chunks', '/items', CHUNKED, chunked(JSON.stringify('x'.repeat(2 * MIB))), 413],
    ['more than 5 MiB on bulk', '/items/bulk', JSON_TYPE, JSON.stringify('x'.repeat(5 * MIB)), 413],
    ['a length of 10^12, at once', '/items', { ...JSON_TYPE, 'Content-Length': '1000000000000' }, '{', 413],
    ['a length of 1e12', '/items', { ...JSON_TYPE, 'Content-Length': '1e12' }, '{', 400],
    ['a slow body', '/items/hasty', { ...JSON_TYPE, 'Content-Length': '100' }, '{"a":', 408],
    ['a body that stands still', '/items/slow', { ...JSON_TYPE, 'Content-Length': '100' }, '{"a":', 408],
    ['a broken chunk', '/items', CHUNKED, '5\r\n{"a":1}', 400],
  ] as [string, string, Record<string, string>, string | Uint8Array, number][])(
    'refuses %s',
    async (_name, path, headers, body, status) => {
      await expectRefusal(server, await post(path, headers, body), [status]);
      expect(server.stored).toEqual([]);
    },
  );

  it('waits for a body that gets on, where it may be slow', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const value = 'x'.repeat(12_000);
    const body = JSON.stringify(value);
    const request = new IncomingMessage(new Socket());
    request.headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
    const read = readJson(request, { timeLimit: 60_000, window: 300 });
    // In each window several times what must come, and in all many windows.
    for (let from = 0; from < body.length; from += 1_000) {
      await vi.advanceTimersByTimeAsync(100);
      request.push(body.slice(from, from + 1_000));
    }
    request.push(null);
    expect(await read).toBe(value);
  });

  it.each([
    ['UTF-16BE with a mark', JSON_TYPE, Buffer.from('\ufeff{"a":1}', 'utf16le').swap16(), 'UTF-16BE'],
    ['UTF-16BE', JSON_TYPE, Buffer.from('{"a":1}', 'utf16le').swap16(), 'UTF-16BE'],
    ['UTF-16LE', JSON_TYPE, Buffer.from('{"a":1}', 'utf16le'), 'UTF-16LE'],
    ['a charset', { 'Content-Type': 'application/json; charset=utf-16be' }, '{"a":1}', 'utf-16be'],
  ])('names what %s is, and what it should be', async (_name, headers, body, encoding) => {
    const response = await fetch(`http://127.0.0.1:${server.port}/items`, {
      method: 'POST',
      headers: { ...headers, Authorization: `Bearer ${server.secret}` },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
    const { message } = (await response.json()) as { message: string };
    expect(message).toBe(`The body is ${encoding}. Send it as UTF-8.`);
  });

  it('answers a client that sends all of a body that is too large before it listens', async () => {
    const response = await fetch(`http://127.0.0.1:${server.port}/items`, {
      method: 'POST',
      headers: { ...JSON_TYPE, Authorization: `Bearer ${server.secret}` },
      body: JSON.stringify('x'.repeat(8 * MIB)),
    });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: 'too_large' });
  });

  it.each([
    ['before its body is asked for', true],
    ['in the middle of its body', false],
  ])('does not wait for a client that leaves %s', async (_name, isGone) => {
    const { promise: refused, resolve } = Promise.withResolvers<unknown>();
    const own = await startFrontServer({
      mount: app => {
        app.post('/abandoned', async (request, response) => {
          if (isGone) await once(response, 'close');
          await readJson(request, { timeLimit: 60_000 }).catch(resolve);
        });
      },
    });
    const text = requestText(own, 'POST /abandoned', { ...JSON_TYPE, 'Content-Length': '100' }, '{"a":');
    const socket = connect(own.port, '127.0.0.1', () => socket.write(text, () => socket.destroy()));
    expect(await refused).toMatchObject({ code: 'malformed' });
    await own.server.close();
  });

  it('outlives a client that leaves in the middle of a body', async () => {
    const text = requestText(server, 'POST /items', { ...JSON_TYPE, 'Content-Length': '100' }, '{"a":');
    await new Promise<void>(resolve => {
      const socket = connect(server.port, '127.0.0.1', () => socket.write(text, () => socket.destroy()));
      socket.on('close', () => resolve());
    });
    await expect
      .poll(() => server.logged.find(line => line.aborted === true))
      .toMatchObject({ path: '/items' });
    expect(server.stored).toEqual([]);
    await expectNormalAnswer(server);
  });
});
