import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SERVER_FLAGS } from '../../server/app/supervisor.ts';
import { TOKEN } from './bench-machine.ts';
import { Connection, measure, prepare } from './client.ts';
import { freePort, MeasuredProcess } from './measured-process.ts';
import { median, quantile } from './quantile.ts';
import { readsUntil } from './reads-until.ts';

const IN_A_COMMIT = 1_000;
/** Parts that are written one by one before. */
const SINGLY = 400;
const ALONE_MS = 20_000;
/** A slow reader takes so much at once, and rests. */
const TAKEN_BYTES = 64 * 1_024;
const REST_MS = 10;
const READERS = 16;
const TURN_MS = 1_000;
const ROUNDS = 9;
const MESSAGES = 60;

export interface EventsOptions {
  /** How many changes are replayed. */
  changes: number;
}

/**
 * What programs that follow changes cost, and what they get: all changes replayed to a slow reader, with the memory of the server and the time of
 * other reads meanwhile; pages of changes beside pages of a list at 16 readers; and how long after the commit a webhook arrives.
 */
export async function benchEvents({ changes }: EventsOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-events-'));
  const port = await freePort();
  const server = await MeasuredProcess.start(
    [...SERVER_FLAGS, 'dist/server/main.js', 'run', 'serve'],
    'serves',
    {
      HOLDPOINT_DATA: folder,
      HOLDPOINT_PORT: String(port),
      HOLDPOINT_TOKEN: TOKEN,
      HOLDPOINT_LOG: 'warn',
    },
  );
  try {
    console.log(
      `load of the machine before: ${loadavg()
        .map(load => load.toFixed(1))
        .join(' ')}`,
    );
    await webhookLatency(port);
    for (let n = 0; n < SINGLY; n += 1)
      await ask(port, 'POST', '/parts', { name: `Part ${n}`, identification: `S-${n}` });
    await changesBesideLists(port, 'commits of one record', 100);
    await fill(port, changes);
    await changesBesideLists(port, `commits of ${IN_A_COMMIT} records`, 600);
    await replay(server, port, changes);
    console.log(
      `load of the machine after: ${loadavg()
        .map(load => load.toFixed(1))
        .join(' ')}`,
    );
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A thousand parts, changed until there are so many changes. */
async function fill(port: number, changes: number): Promise<void> {
  const began = performance.now();
  const name = (n: number, round: number) => `Part ${n} of round ${round}`;
  const parts = (round: number) =>
    Array.from({ length: IN_A_COMMIT }, (_, n) => ({ name: name(n, round), identification: `P-${n}` }));
  const { data } = await ask<{ id: number }[]>(port, 'POST', '/parts/bulk', parts(0));
  const ids = data.map(({ id }) => id);
  for (let round = 1; round * IN_A_COMMIT < changes; round += 1)
    await ask(
      port,
      'PUT',
      '/parts/bulk',
      parts(round).map((part, n) => ({ id: ids[n], ...part })),
    );
  console.log(`${changes} changes written in ${Math.round((performance.now() - began) / 1_000)} s`);
}

async function replay(server: MeasuredProcess, port: number, changes: number): Promise<void> {
  const alone = await readsUntil(port, sleep(ALONE_MS));
  const before = server.memory().residentMB;
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, server.memory().residentMB);
  }, 200);
  const began = performance.now();
  const taken = takeAll(port, changes);
  const beside = await readsUntil(port, taken);
  clearInterval(watch);
  const seconds = (performance.now() - began) / 1_000;
  const { told, bytes } = await taken;
  const [p99, p99Alone] = [quantile(beside, 0.99), quantile(alone, 0.99)];
  console.log(
    `replay: ${told} events, ${Math.round(bytes / 1e6)} MB in ${seconds.toFixed(1)} s (${Math.round(told / seconds)}/s); ` +
      `memory ${before} MB before, ${most} MB at most; reads alone median ${median(alone).toFixed(2)} ms, p99 ${p99Alone.toFixed(2)} ms (${alone.length}); ` +
      `beside median ${median(beside).toFixed(2)} ms, p99 ${p99.toFixed(2)} ms (${beside.length}); p99 ${(p99 / p99Alone).toFixed(2)} times`,
  );
}

/** Reads the stream from its beginning, slowly, until all changes have come. */
async function takeAll(port: number, changes: number): Promise<{ told: number; bytes: number }> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    `GET /api/v2/x/events?families=part HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\nLast-Event-ID: 0\r\n\r\n`,
  );
  let [told, bytes, since, rest] = [0, 0, 0, ''];
  for await (const chunk of socket.setEncoding('latin1')) {
    const text = rest + String(chunk);
    bytes += String(chunk).length;
    since += String(chunk).length;
    for (let at = text.indexOf('event: change\n'); at >= 0; at = text.indexOf('event: change\n', at + 1))
      told += 1;
    rest = text.slice(-13);
    if (told >= changes) break;
    if (since < TAKEN_BYTES) continue;
    since = 0;
    await sleep(REST_MS);
  }
  socket.destroy();
  return { told, bytes };
}

/** Pages of 50, by turns. @param behind how many changes the place lies behind the beginning */
async function changesBesideLists(port: number, what: string, behind: number): Promise<void> {
  const { meta } = await ask<unknown, { cursor: string }>(
    port,
    'GET',
    `/x/changes?since=0&families=part&limit=${behind}`,
  );
  const since = encodeURIComponent(meta.cursor);
  const ways = {
    list: prepare('GET', '/api/v2/parts?page=2&per_page=50', port, TOKEN),
    changes: prepare('GET', `/api/v2/x/changes?since=${since}&limit=50`, port, TOKEN),
  };
  const open = await Promise.all(Array.from({ length: READERS }, () => Connection.open(port)));
  const rates = Object.fromEntries(Object.keys(ways).map(way => [way, [] as number[]]));
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [way, request] of Object.entries(ways)) {
      const rate = await measure(open, TURN_MS, () => request);
      // The first turn warms up.
      if (round > 0) rates[way]?.push(rate);
    }
  for (const connection of open) connection.close();
  const lists = median(rates.list ?? []);
  for (const [way, each] of Object.entries(rates)) {
    const rate = median(each);
    console.log(
      `${what}: ${way}, ${READERS} readers: ${Math.round(rate)}/s, ${(rate / lists).toFixed(2)} times the list`,
    );
  }
}

/** From the answer to a write until its message has come, one at a time. */
async function webhookLatency(port: number): Promise<void> {
  let came = () => {};
  const receiver = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(204).end();
      came();
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port: at } = receiver.address() as AddressInfo;
  await ask(port, 'POST', '/x/webhooks', {
    name: 'bench',
    url: `http://127.0.0.1:${at}/`,
    families: ['supplier'],
  });
  const took: number[] = [];
  for (let n = 0; n < MESSAGES; n += 1) {
    const message = new Promise<void>(resolve => {
      came = resolve;
    });
    await ask(port, 'POST', '/suppliers', { name: `Supplier ${n}` });
    const began = performance.now();
    await message;
    took.push(performance.now() - began);
    await sleep(200);
  }
  receiver.closeAllConnections();
  receiver.close();
  console.log(
    `webhook after the commit: median ${median(took).toFixed(1)} ms, p99 ${quantile(took, 0.99).toFixed(1)} ms (${took.length})`,
  );
}

async function ask<Data, Meta = unknown>(
  port: number,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ data: Data; meta: Meta }> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`);
  return JSON.parse(text);
}
