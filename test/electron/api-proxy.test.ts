import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApiProxy } from '../../electron/api-proxy.ts';
import { type CookieJar, createCookieJar } from '../../electron/cookie-jar.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let origin: string;
let answer: Answer;
let jar: CookieJar;
let kept: (string | null)[];
const server = createServer((request, response) => answer(request, response));
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  kept = [];
  jar = createCookieJar({ keep: cookies => kept.push(cookies) });
});

/** As Electron hands it over: Node's Request knows no scheme of ours, so that one of its own stands in. */
function ask(path: string, init: RequestInit & { duplex?: 'half' } = {}, at: string | undefined = origin) {
  return createApiProxy({ origin: () => at, jar })(new Request(`http://bundle${path}`, init));
}

describe('what goes to the server', () => {
  it('has the method, the body and what a page may say, and comes from the server’s own origin', async () => {
    let seen: IncomingMessage | undefined;
    let body = '';
    answer = async (request, response) => {
      seen = request;
      for await (const chunk of request) body += chunk;
      response.end('{}');
    };
    await ask('/api/v2/parts?page=2', {
      method: 'POST',
      body: '{"a": 1}',
      headers: { 'Content-Type': 'application/json', 'If-Match': '"3"', 'X-Own': 'yes' },
    });
    expect([seen?.method, seen?.url, body]).toEqual(['POST', '/api/v2/parts?page=2', '{"a": 1}']);
    expect(seen?.headers).toMatchObject({
      host: origin.slice('http://'.length),
      origin,
      'content-type': 'application/json',
      'if-match': '"3"',
      'x-own': 'yes',
    });
  });

  it('has the session of the person at the app, and no other', async () => {
    let headers: IncomingMessage['headers'] = {};
    answer = (request, response) => {
      ({ headers } = request);
      response.end('{}');
    };
    jar.take(['holdpoint_session=secret; Path=/; HttpOnly; SameSite=Strict']);
    await ask('/api/v2/parts', {
      headers: {
        Authorization: 'Bearer of-the-page',
        Cookie: 'holdpoint_session=of-the-page',
        Forwarded: 'for=1.2.3.4',
        'X-Forwarded-For': '1.2.3.4',
        'Proxy-Authorization': 'Basic x',
        TE: 'trailers',
      },
    });
    expect(headers.cookie).toBe('holdpoint_session=secret');
    for (const name of ['authorization', 'forwarded', 'x-forwarded-for', 'proxy-authorization', 'te']) {
      expect(headers).not.toHaveProperty(name);
    }
  });

  it('is a stream', async () => {
    const seen: string[] = [];
    answer = async (request, response) => {
      for await (const chunk of request) {
        seen.push(String(chunk));
        // Only now the page sends more: nothing on the way waits for the end.
        goOn();
      }
      response.end('{}');
    };
    let goOn: () => void = () => {};
    const body = new ReadableStream({
      async start(controller) {
        const arrived = new Promise<void>(resolve => {
          goOn = resolve;
        });
        controller.enqueue(Buffer.from('one'));
        await arrived;
        controller.enqueue(Buffer.from('two'));
        controller.close();
      },
    });
    await ask('/api/v2/x/imports', { method: 'PUT', body, duplex: 'half' });
    expect(seen).toEqual(['one', 'two']);
  });
});

describe('what comes back', () => {
  it('is the answer, without what belongs to the connection and without the session', async () => {
    answer = (_request, response) => {
      response.writeHead(201, {
        'Content-Type': 'application/json',
        ETag: '"1"',
        Location: '/api/v2/parts/7',
        Connection: 'close',
        'Set-Cookie': ['holdpoint_session=new; Path=/; HttpOnly', 'other=1'],
      });
      response.end('{"a": 1}');
    };
    const { status, headers, ...rest } = await ask('/api/v2/parts', { method: 'POST', body: '{}' });
    expect([status, headers.get('etag'), headers.get('location')]).toEqual([201, '"1"', '/api/v2/parts/7']);
    expect([headers.get('set-cookie'), headers.get('connection'), rest]).toEqual([null, null, {}]);
    expect(jar.header()).toBe('holdpoint_session=new; other=1');
    expect(kept).toEqual(['holdpoint_session=new; other=1']);
  });

  it('ends the session where the server ends it', async () => {
    jar.take(['holdpoint_session=secret']);
    answer = (_request, response) => {
      response.setHeader('Set-Cookie', 'holdpoint_session=; Path=/; Max-Age=0').end('{}');
    };
    await ask('/api/v2/x/session/end', { method: 'POST' });
    expect([jar.header(), kept.at(-1)]).toEqual([undefined, null]);
  });

  it('is a stream, which the server sees end when the page has left', async () => {
    const left = Promise.withResolvers<void>();
    answer = (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write('event: change\n\n');
      response.once('close', left.resolve);
    };
    const page = new AbortController();
    const { body } = await ask('/api/v2/x/events', { signal: page.signal });
    const first = await body?.getReader().read();
    expect(Buffer.from(first?.value ?? []).toString()).toBe('event: change\n\n');
    page.abort();
    await left.promise;
  });

  it.each([301, 302, 307, 308])('is no redirect: %d', async status => {
    answer = (request, response) => {
      if (request.url === '/elsewhere') throw new Error('followed');
      response.writeHead(status, { Location: '/elsewhere' }).end();
    };
    const refused = await ask('/api/v2/parts');
    expect([refused.status, await refused.json()]).toMatchObject([
      500,
      { status: 'error', code: 'internal' },
    ]);
  });

  it('says that the server starts again where there is none', async () => {
    for (const at of [undefined, 'http://127.0.0.1:1']) {
      const refused = await createApiProxy({ origin: () => at, jar })(
        new Request('http://bundle/api/v2/parts'),
      );
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await refused.json()).toMatchObject({ status: 'error', code: 'unavailable' });
    }
  });

  it.each(['/docs', '/updates/latest.yml', '/first', '/apixx'])('is nothing of %s', async path => {
    expect((await ask(path)).status).toBe(404);
  });
});

it('cookies are kept over the end of the app, and nothing else of what was kept is taken', () => {
  const again = createCookieJar({ kept: 'holdpoint_session=abc; bad\r\nX: 1; =x; y=', keep: () => {} });
  expect(again.header()).toBe('holdpoint_session=abc');
});
