import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { sendLines } from '../../../server/http/send-lines.ts';
import { Traffic } from '../../../server/http/traffic.ts';

/** A server whose one answer has these lines. */
async function serving(lines: () => Iterable<string>): Promise<{ port: number; sent: Promise<void> }> {
  const traffic = new Traffic();
  const { promise: sent, resolve } = Promise.withResolvers<void>();
  const server = createServer((_, response) => {
    traffic.note();
    sendLines({ response: response as never, traffic }, lines()).then(resolve);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, sent };
}

it('sends all lines, and lets others have their turn between them', async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  const { port } = await serving(function* () {
    turns = 0;
    count();
    for (let line = 0; line < 20; line += 1) {
      const began = performance.now();
      // Work that takes longer than one stretch.
      while (performance.now() - began < 2);
      yield `line ${line}\n`;
    }
    isOver = true;
  });
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  const text = await answer.text();
  expect(text).toBe(Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join(''));
  expect(turns).toBeGreaterThanOrEqual(20);
});

it('ends where the client has left', async () => {
  let isEnded = false;
  const { port, sent } = await serving(function* () {
    try {
      for (;;) yield 'x'.repeat(1_000);
    } finally {
      isEnded = true;
    }
  });
  const client = request({ port, host: '127.0.0.1' }).end();
  const [answer] = await once(client, 'response');
  answer.destroy();
  await sent;
  expect(isEnded).toBe(true);
});
