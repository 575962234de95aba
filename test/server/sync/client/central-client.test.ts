import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type CentralClient,
  type CentralClientOptions,
  createCentralClient,
  type Traffic,
} from '../../../../server/sync/client/central-client.ts';
import { CallError } from '../../../../shared/operations/send-operation.ts';
import { centralStandIn, failureOf, successText } from './central-stand-in.ts';

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

async function linkTo(
  handler: RequestListener,
  options: Partial<CentralClientOptions> = {},
): Promise<CentralClient> {
  const port = await centralStandIn(handler);
  const client = createCentralClient({
    address: `http://127.0.0.1:${port}`,
    trust: {},
    key: 'hps_key',
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

const bomb = gzipSync(Buffer.alloc(20_000_000, 0x20));
const whole = successText({ text: 'x'.repeat(5_000) });

describe('a request', () => {
  it('answers the data, over one connection', async () => {
    const ports = new Set<number | undefined>();
    const client = await linkTo(({ socket, url, headers }, response) => {
      ports.add(socket.remotePort);
      response.writeHead(200, JSON_TYPE).end(successText([url, headers.authorization]));
    });
    for (let count = 0; count < 3; count += 1)
      expect(await client.request('GET', '/x/stations?a=1')).toEqual([
        '/api/v2/x/stations?a=1',
        'Bearer hps_key',
      ]);
    expect(ports.size).toBe(1);
  });

  it('packs what is long, and unpacks what comes packed', async () => {
    const seen: unknown[] = [];
    const client = await linkTo((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', chunk => chunks.push(chunk));
      request.on('end', () => {
        const sent = Buffer.concat(chunks);
        const encoding = request.headers['content-encoding'];
        seen.push([encoding, sent.length < 1_000, JSON.parse(String(encoding ? gunzipSync(sent) : sent))]);
        response.writeHead(200, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }).end(gzipSync(whole));
      });
    });
    const long = { text: 'ab'.repeat(5_000) };
    expect(await client.request('POST', '/x', long)).toEqual({ text: 'x'.repeat(5_000) });
    await client.request('POST', '/x', { short: true });
    expect(seen).toEqual([
      ['gzip', true, long],
      [undefined, true, { short: true }],
    ]);
  });

  it('waits longer the larger the message is, also for the rest of a large answer', async () => {
    const pause = 4 * 300;
    const large = { text: randomBytes(3_000).toString('base64') };
    const text = successText(large);
    const client = await linkTo(
      (request, response) => {
        request.resume().on('end', () => {
          const half = text.length / 2;
          setTimeout(() => {
            response
              .writeHead(200, { ...JSON_TYPE, 'Content-Length': text.length })
              .write(text.slice(0, half));
            setTimeout(() => response.end(text.slice(half)), pause);
          }, pause);
        });
      },
      { idleMs: 300 },
    );
    expect(await client.request('POST', '/x', large)).toEqual(large);
  });

  it('tells what went over the line', async () => {
    const client = await linkTo((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(200, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }).end(gzipSync(whole));
      });
    });
    const traffic: Traffic[] = [];
    const body = { text: 'ab'.repeat(5_000) };
    await client.request('POST', '/x', body, { onAnswered: one => traffic.push(one) });
    const [{ sent, received } = { sent: undefined, received: undefined }] = traffic;
    expect(sent?.unpacked).toBe(JSON.stringify(body).length);
    expect(received).toEqual({ unpacked: whole.length, packed: gzipSync(whole).length });
    expect(sent?.packed).toBeLessThan(1_000);
  });

  it('that central refuses is a refusal with its code', async () => {
    const client = await linkTo((_request, response) => {
      const error = { status: 'error', message: 'Update.', code: 'upgrade_required', request_id: 'r-1' };
      response.writeHead(426, { ...JSON_TYPE, 'Retry-After': '7' }).end(JSON.stringify(error));
    });
    const refused = client.request('GET', '/x');
    await expect(refused).rejects.toBeInstanceOf(CallError);
    await expect(refused).rejects.toMatchObject({
      code: 'upgrade_required',
      message: 'Update.',
      requestId: 'r-1',
      headers: { 'Retry-After': '7' },
    });
  });

  it('ends with the reason of its signal', async () => {
    const client = await linkTo(() => {});
    const controller = new AbortController();
    const request = client.request('GET', '/x', undefined, { signal: controller.signal });
    const reason = new Error('enough');
    setTimeout(() => controller.abort(reason), 50);
    await expect(request).rejects.toBe(reason);
    await expect(client.request('GET', '/x', undefined, { signal: controller.signal })).rejects.toBe(reason);
  });
});

describe('what is not an answer of central', () => {
  const cases: [name: string, kind: string, words: string, handler: RequestListener][] = [
    [
      'the page of a captive portal',
      'not_central',
      'asks to sign in',
      (_request, response) =>
        void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>Sign in</html>'),
    ],
    [
      'a redirect',
      'not_central',
      'sends on to https://portal.example',
      (_request, response) =>
        void response.writeHead(302, { Location: 'https://portal.example/x?token=1' }).end(),
    ],
    [
      'a redirect with an envelope',
      'not_central',
      'sends on to',
      (_request, response) =>
        void response.writeHead(307, { ...JSON_TYPE, Location: 'http://127.0.0.1:1/' }).end(whole),
    ],
    [
      "a proxy's 502",
      'gateway',
      'the proxy before central answers 502',
      (_request, response) =>
        void response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad Gateway</h1>'),
    ],
    ['no type', 'not_central', 'no type', (_request, response) => void response.end(whole)],
    [
      'no envelope',
      'not_central',
      'something else',
      (_request, response) => void response.writeHead(200, JSON_TYPE).end('{"data":[]}'),
    ],
    [
      'an error with status 200',
      'not_central',
      'something else',
      (_request, response) =>
        void response
          .writeHead(200, JSON_TYPE)
          .end('{"status":"error","message":"m","code":"conflict","request_id":"r"}'),
    ],
    [
      'a list',
      'not_central',
      'something else',
      (_request, response) => void response.writeHead(200, JSON_TYPE).end('[]'),
    ],
    [
      'half a text',
      'not_central',
      'something else',
      (_request, response) => void response.writeHead(200, JSON_TYPE).end(whole.slice(0, 90)),
    ],
    [
      'nothing',
      'not_central',
      'something else',
      (_request, response) => void response.writeHead(200, JSON_TYPE).end(),
    ],
    [
      'an answer that is cut off',
      'cut',
      'broke off',
      (_request, response) => {
        response.writeHead(200, { ...JSON_TYPE, 'Content-Length': whole.length });
        response.write(whole.slice(0, 3_000), () => setTimeout(() => response.destroy(), 20));
      },
    ],
    [
      'a whole text whose end does not come',
      'cut',
      'broke off',
      (_request, response) => {
        response.writeHead(200, JSON_TYPE);
        response.write(whole, () => setTimeout(() => response.destroy(), 20));
      },
    ],
    [
      'a packed answer that is cut off',
      'cut',
      'broke off',
      (_request, response) => {
        const packed = gzipSync(whole);
        response.writeHead(200, {
          ...JSON_TYPE,
          'Content-Encoding': 'gzip',
          'Content-Length': packed.length,
        });
        response.write(packed.subarray(0, packed.length - 9), () => setTimeout(() => response.destroy(), 20));
      },
    ],
    [
      'what says to be packed and is not',
      'cut',
      'cannot be read',
      (_request, response) =>
        void response.writeHead(200, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }).end(whole),
    ],
    [
      'an answer that unpacks to more than the limit',
      'too_large',
      'more than 100000 bytes',
      (_request, response) =>
        void response.writeHead(200, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }).end(bomb),
    ],
    [
      'an answer without an end',
      'too_large',
      'more than 100000 bytes',
      (_request, response) => {
        response.writeHead(200, JSON_TYPE);
        const more = (): void => {
          if (!response.destroyed) response.write(Buffer.alloc(20_000, 0x20), () => setImmediate(more));
        };
        more();
      },
    ],
    [
      'an answer that stops in the middle',
      'timeout',
      'nothing came',
      (_request, response) => {
        response.writeHead(200, { ...JSON_TYPE, 'Content-Length': whole.length });
        response.write(whole.slice(0, 100));
      },
    ],
    ['no answer', 'timeout', 'nothing came', () => {}],
    ['a closed connection', 'cut', 'broke off', (_request, response) => void response.destroy()],
    [
      'something else than HTTP',
      'not_central',
      'does not speak as central does',
      ({ socket }) => void socket.end('220 mail.example ESMTP\r\n'),
    ],
  ];

  it.each(cases)('%s is a failure of the kind %s', async (_name, kind, words, handler) => {
    const client = await linkTo(handler, {
      answerLimit: 100_000,
      ...(kind === 'timeout' && { idleMs: 300 }),
    });
    expect(await failureOf(client.request('GET', '/x/sync'))).toEqual({
      kind,
      message: expect.stringContaining(words),
    });
  });

  it('is none where nobody listens', async () => {
    const client = createCentralClient({ address: 'http://127.0.0.1:1', trust: {} });
    expect(await failureOf(client.request('GET', '/x'))).toEqual({
      kind: 'unreachable',
      message: expect.stringContaining('nothing listens there'),
    });
  });
});

describe('an event stream', () => {
  const open = { 'Content-Type': 'text/event-stream' };

  it('hands out events as they come, until central ends it', async () => {
    const client = await linkTo((_request, response) => {
      response.writeHead(200, open).write('retry: 2000\n\n:\n\nid: 7\nevent: poke\ndata: {"sequ');
      setTimeout(
        () => response.end('ence":7}\r\n\r\ndata: one\ndata:two\n\nevent: none\n\ndata: not done'),
        30,
      );
    });
    const events: unknown[] = [];
    await client.stream('/x/sync/pokes', event => events.push(event));
    expect(events).toEqual([
      { id: '7', event: 'poke', data: '{"sequence":7}' },
      { id: undefined, event: 'message', data: 'one\ntwo' },
    ]);
  });

  it.each([
    [
      'cut',
      (_request, response) =>
        void response.writeHead(200, open).write('data: 1\n\n', () => response.destroy()),
    ],
    ['timeout', (_request, response) => void response.writeHead(200, open).write('data: 1\n\n')],
    [
      'not_central',
      (_request, response) => void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'),
    ],
    ['not_central', (_request, response) => void response.writeHead(200, JSON_TYPE).end(whole)],
    [
      'gateway',
      (_request, response) =>
        void response
          .writeHead(200, { ...open, 'Content-Encoding': 'gzip' })
          .end(gzipSync('event: poke\ndata: {}\n\n')),
    ],
    [
      'too_large',
      (_request, response) => void response.writeHead(200, open).end('data: '.padEnd(2_000_000, 'x')),
    ],
  ] as [string, RequestListener][])('that fails is a failure of the kind %s', async (kind, handler) => {
    const client = await linkTo(handler, kind === 'timeout' ? { streamIdleMs: 300 } : {});
    expect(await failureOf(client.stream('/x/sync/pokes', () => {}))).toMatchObject({ kind });
  });

  it('that central refuses is a refusal; one that is given up ends with its reason', async () => {
    const refusing = await linkTo((_request, response) => {
      const error = { status: 'error', message: 'Revoked.', code: 'unauthenticated', request_id: 'r' };
      response.writeHead(401, JSON_TYPE).end(JSON.stringify(error));
    });
    await expect(refusing.stream('/x', () => {})).rejects.toMatchObject({ code: 'unauthenticated' });
    const client = await linkTo((_request, response) => void response.writeHead(200, open).write(':\n\n'));
    const controller = new AbortController();
    const stream = client.stream('/x', () => {}, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 50);
    await expect(stream).rejects.toThrow('enough');
  });
});
