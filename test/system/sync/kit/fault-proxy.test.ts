import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { type FaultKind, FaultProxy, faultKinds } from './fault-proxy.ts';

/** A target that answers each request with how many it has heard. */
async function counting(): Promise<{ origin: string; heard: string[] }> {
  const heard: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    heard.push(body);
    if (request.url === '/stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    } else response.end(`the answer number ${heard.length}`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

async function proxyOf(target: string, kinds?: readonly FaultKind[], seed = 1): Promise<FaultProxy> {
  const proxy = await FaultProxy.open({ target, seed, ...(kinds && { kinds }) });
  onTestFinished(() => proxy.close());
  return proxy;
}

/** The status and the text; `broken` where none came whole. */
async function ask({ origin }: FaultProxy, body: string, path = '/'): Promise<string> {
  try {
    const response = await fetch(origin + path, { method: 'POST', body });
    return `${response.status} ${await response.text()}`;
  } catch {
    return 'broken';
  }
}

it('passes all, unless it is told otherwise', async () => {
  const { origin, heard } = await counting();
  const proxy = await proxyOf(origin);
  expect([await ask(proxy, 'a'), await ask(proxy, 'b')]).toEqual([
    '200 the answer number 1',
    '200 the answer number 2',
  ]);
  expect(heard).toEqual(['a', 'b']);
  expect(Object.values(proxy.counts)).toEqual(faultKinds.map(() => 0));
});

it.each<[FaultKind, heard: number, answer: RegExp]>([
  ['drop_request', 1, /^broken$/],
  ['drop_answer', 2, /^broken$/],
  ['delay', 2, /^200 the answer number 2$/],
  ['cut', 2, /^broken$/],
  ['twice', 3, /^200 the answer number 3$/],
  ['repeat_later', 3, /^200 the answer number 2$/],
  ['stale', 2, /^200 the answer number 1$/],
  ['bad_gateway', 1, /^502 .*<h1>/],
  ['portal', 1, /^200 .*<h1>/],
  ['pause', 1, /^broken$/],
])('%s', async (kind, times, answer) => {
  const { origin, heard } = await counting();
  const proxy = await proxyOf(origin, [kind]);
  await ask(proxy, 'before');
  proxy.percent = 100;
  expect(await ask(proxy, 'now')).toMatch(answer);
  await proxy.heal();
  expect(heard).toEqual(['before', ...Array(times - 1).fill('now')]);
  expect(proxy.counts[kind]).toBe(1);
  expect(await ask(proxy, 'after')).toMatch(/^200 the answer/);
});

it('meets the same requests with the same faults by the same seed, and with others by another', async () => {
  const { origin } = await counting();
  const run = async (seed: number) => {
    const proxy = await proxyOf(origin, ['drop_request', 'bad_gateway', 'portal'], seed);
    proxy.percent = 50;
    const answers: string[] = [];
    for (let turn = 0; turn < 30; turn += 1) answers.push((await ask(proxy, `${turn}`)).slice(0, 3));
    return answers.join();
  };
  const first = await run(5);
  expect(await run(5)).toBe(first);
  expect(await run(6)).not.toBe(first);
});

it('ends everything while it is stopped, streams among it, and is back at the same address', async () => {
  const { origin } = await counting();
  const proxy = await proxyOf(origin);
  const stream = await fetch(`${proxy.origin}/stream`, { headers: { accept: 'text/event-stream' } });
  const reader = stream.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 1\n\n');
  proxy.stop();
  await expect(reader?.read()).rejects.toThrow();
  expect(await ask(proxy, 'stopped')).toBe('broken');
  await proxy.heal();
  expect(await ask(proxy, 'back')).toMatch(/^200/);
});

it('says nothing to anybody while nothing passes, and loses what was sent meanwhile', async () => {
  const { origin, heard } = await counting();
  const proxy = await proxyOf(origin);
  const stream = await fetch(`${proxy.origin}/stream`, { headers: { accept: 'text/event-stream' } });
  await stream.body?.getReader().read();
  proxy.disappear();
  const asked = ask(proxy, 'lost');
  expect(await Promise.race([asked, sleep(200, 'nothing')])).toBe('nothing');
  proxy.reappear();
  expect(await asked).toBe('broken');
  expect(await ask(proxy, 'after')).toMatch(/^200/);
  expect(heard).toEqual(['', 'after']);
});

it('takes its time for each byte while it has a rate, and none once it is healed', async () => {
  const { origin } = await counting();
  const proxy = await proxyOf(origin);
  proxy.rate = 10_000;
  const began = performance.now();
  expect(await ask(proxy, 'x'.repeat(3_000))).toMatch(/^200/);
  expect(performance.now() - began).toBeGreaterThanOrEqual(280);
  proxy.rate = 1;
  const slow = ask(proxy, 'x'.repeat(100_000));
  await sleep(50);
  await proxy.heal();
  expect(await slow).toMatch(/^200/);
});

it('is settled when what was on its way has been heard, what is repeated later among it', async () => {
  const { origin, heard } = await counting();
  const proxy = await proxyOf(origin, ['repeat_later']);
  proxy.percent = 100;
  await ask(proxy, 'now');
  await proxy.settled();
  expect(heard).toEqual(['now', 'now']);
});

it('ends the connection when the target is not there', async () => {
  const proxy = await proxyOf('http://127.0.0.1:9');
  expect(await ask(proxy, 'x')).toBe('broken');
});
