import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { SlowLine, type SlowLineOptions } from './slow-line.ts';

/** A line to a target that answers each request with its body. */
async function echoing(options: SlowLineOptions): Promise<SlowLine> {
  const server = createServer((request, response) => void request.pipe(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const line = await SlowLine.open(options);
  line.target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(async () => {
    await line.close();
    server.closeAllConnections();
    server.close();
  });
  return line;
}

/** Milliseconds until the echo of so many bytes was there, whole and the same. */
async function echo({ host }: SlowLine, count: number): Promise<number> {
  const body = randomBytes(count);
  const began = performance.now();
  const answer = await fetch(`http://${host}`, { method: 'POST', body });
  expect(Buffer.from(await answer.arrayBuffer()).equals(body)).toBe(true);
  return performance.now() - began;
}

it.each<[string, SlowLineOptions, bytes: number, least: number]>([
  // The way back begins with the first bytes that arrive.
  ['its rate', { rate: 50_000 }, 50_000, 1_000],
  ['the delay of both ways', { rate: 1e9, delay: 300 }, 10, 600],
  ['each packet that was lost', { rate: 1e9, loss: 100, stall: 400 }, 10, 800],
  ['the time in which nothing passes', { rate: 1e9, hole: { every: 300, dark: 300 } }, 10, 600],
])('what passes is the same, and takes at least %s', async (_, options, bytes, least) => {
  const line = await echoing(options);
  expect(await echo(line, bytes)).toBeGreaterThanOrEqual(least - 20);
  expect([line.up > bytes, line.down > bytes]).toEqual([true, true]);
});
