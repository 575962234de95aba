import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectHarmless, expectUnharmed, runCase } from './attack-case.ts';
import { AttackedStation } from './attacked-station.ts';
import { connected, exchange, parseAnswers, requestBytes } from './raw-http.ts';

/** Clients that keep the server waiting, or waiting for much. */

let target: AttackedStation;
beforeAll(async () => {
  target = await AttackedStation.start();
});
afterAll(() => target.stop());

const CREATE = 'POST /api/v2/suppliers';
/** For a machine that does much else meanwhile. */
const SLACK_MS = 30_000;
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Sends bytes, then one more whenever the interval is over; the answer and when it came, in milliseconds. */
async function drip(bytes: Uint8Array, more: string) {
  const before = target.stored();
  const socket = await connected(target.port);
  const started = performance.now();
  socket.write(bytes);
  const dripping = setInterval(() => socket.write(more), 250);
  try {
    const [answer] = parseAnswers(await read(socket)).answers;
    const elapsed = performance.now() - started;
    if (answer) expectHarmless(target, answer);
    await expectUnharmed(target, before);
    return { status: answer?.status, elapsed };
  } finally {
    clearInterval(dripping);
    socket.destroy();
  }
}

/** What comes until the first answer is whole, or the connection ends. */
function read(socket: Socket): Promise<Buffer> {
  return new Promise(resolve => {
    let received = Buffer.alloc(0);
    socket.on('data', chunk => {
      received = Buffer.concat([received, chunk]);
      if (parseAnswers(received).answers.length > 0) resolve(received);
    });
    socket.on('close', () => resolve(received));
  });
}

/** A request of which only the first bytes are sent. */
function begun(head: string, length: number): Buffer {
  return requestBytes(target, head, { ...JSON_TYPE, 'Content-Length': String(length) });
}

describe.concurrent('a slow client', () => {
  const headers = () => requestBytes(target, 'GET /api/v2/suppliers').subarray(0, -2);

  it('gets 408 within 6 s while its headers drip', async ({ expect }) => {
    const bytes = Buffer.concat([headers(), Buffer.from('X-Slow: ')]);
    const { status, elapsed } = await drip(bytes, 'x');
    expect(status).toBe(408);
    expect(elapsed).toBeLessThan(6_000 + SLACK_MS);
  });

  it('gets 408 within 6 s when its headers stop', async ({ expect }) => {
    const { status, elapsed } = await drip(headers(), '');
    expect(status).toBe(408);
    expect(elapsed).toBeLessThan(6_000 + SLACK_MS);
  });

  it.for([
    ['with a length', () => begun(CREATE, 1_000), ' '],
    [
      'in chunks',
      () =>
        requestBytes(target, CREATE, {
          ...JSON_TYPE,
          'Transfer-Encoding': 'chunked',
          'Content-Length': null,
        }),
      '1\r\n \r\n',
    ],
    ['that stops', () => begun(CREATE, 1_000), ''],
    ['in bulk', () => begun('POST /api/v2/parts/bulk', 4_000_000), '['],
  ] as const)('gets 408 within 11 s while its body drips: %s', async ([, bytes, more], { expect }) => {
    const { status, elapsed } = await drip(bytes(), more);
    expect(status).toBe(408);
    expect(elapsed).toBeLessThan(11_000 + SLACK_MS);
  });

  it('is cut off when it goes on sending after it was refused', async () => {
    const socket = await connected(target.port);
    const length = { 'Content-Length': '1000000000000', Authorization: null, Connection: null };
    socket.write(requestBytes(target, CREATE, { ...JSON_TYPE, ...length }));
    const closed = new Promise(resolve => socket.once('close', resolve));
    const [answer] = parseAnswers(await read(socket)).answers;
    const dripping = setInterval(() => socket.write('x'.repeat(1_000)), 100);
    await closed;
    clearInterval(dripping);
    expect(answer?.status).toBe(401);
  });
});

it('a client that closes its connection after a body that is too large gets to know why', async () => {
  const rows = JSON.stringify([{ name: 'x'.repeat(6 * 1024 * 1024) }]);
  for (let round = 0; round < 10; round++) {
    const bytes = requestBytes(target, 'POST /api/v2/parts/bulk', { Connection: 'close' }, rows);
    const { answers } = await exchange(target.port, bytes);
    expect(answers.map(({ status }) => status)).toEqual([413]);
  }
});

describe('many at once', () => {
  it('leaves a client unharmed beside 500 idle connections and 500 half requests', async () => {
    const before = target.stored();
    const sockets = await Promise.all(Array.from({ length: 1_000 }, () => connected(target.port)));
    for (const socket of sockets.slice(500)) socket.write('GET /api/v2/suppliers HTTP/1.1\r\nHost: ');
    for (let round = 0; round < 20; round++) await expectUnharmed(target, before);
    const { status } = await target.station.post('/suppliers', { name: 'Beside idle connections' });
    expect(status).toBe(201);
    for (const socket of sockets) socket.destroy();
  });

  it('outlives 500 clients that leave in the middle of a body', async () => {
    const before = target.stored();
    const bytes = Buffer.concat([begun(CREATE, 100), Buffer.from('{"name":')]);
    await Promise.all(
      Array.from({ length: 500 }, async () => {
        const socket = await connected(target.port);
        await new Promise<void>(resolve => socket.write(bytes, () => resolve()));
        socket.resetAndDestroy();
      }),
    );
    await expectUnharmed(target, before);
  });

  it('answers 1,000 pipelined requests in order', async () => {
    const pages = Array.from({ length: 1_000 }, (_, at) => at + 1);
    const requests = pages.map(page =>
      requestBytes(target, `GET /api/v2/suppliers?per_page=1&page=${page}`, {
        Connection: page === 1_000 ? 'close' : 'keep-alive',
      }),
    );
    const { answers, rest } = await exchange(target.port, Buffer.concat(requests));
    expect(rest).toBe('');
    const answered = answers.map(({ body }) => JSON.parse(body).meta.current_page);
    expect(answered).toEqual(pages);
  });

  it('makes each of 200 pipelined records once, in order', async () => {
    const names = Array.from({ length: 200 }, (_, at) => `Pipelined ${at}`);
    const requests = names.map((name, at) =>
      requestBytes(
        target,
        CREATE,
        { Connection: at === names.length - 1 ? 'close' : 'keep-alive' },
        JSON.stringify({ name }),
      ),
    );
    const { answers } = await exchange(target.port, Buffer.concat(requests));
    expect(answers.map(({ body }) => JSON.parse(body).data.name)).toEqual(names);
    const { body } = await target.station.get('/suppliers', { keyword: 'Pipelined', per_page: 500 });
    expect((body as { data: { name: string }[] }).data.map(({ name }) => name)).toEqual(names);
  });

  it('refuses what follows a refused request on its connection', async () => {
    const smuggled = requestBytes(target, CREATE, {}, '{"name":"Smuggled"}');
    const head = requestBytes(target, 'GET /api/v2/suppliers', {
      Connection: 'keep-alive',
      'Content-Length': '0',
    });
    const both = head
      .toString('latin1')
      .replace('\r\n\r\n', '\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n');
    await runCase(target, {
      name: 'smuggled',
      bytes: () => Buffer.concat([Buffer.from(both), smuggled]),
      statuses: [400],
    });
  });
});
