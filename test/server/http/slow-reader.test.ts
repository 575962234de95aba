import { once } from 'node:events';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Station } from '../../support/station.ts';

/** So many changes are replayed: HOLDPOINT_TEST_EVENTS=1000000 for as many as the interface promises. */
const EVENTS = Number(process.env.HOLDPOINT_TEST_EVENTS ?? 20_000);
const IN_A_COMMIT = 1_000;
const MEBIBYTE = 1024 * 1024;

const station = new Station();
beforeAll(() => station.start());
afterAll(() => station.stop());

it('all changes reach a client that comes back after many of them and reads slowly', async () => {
  const parts = Array.from({ length: IN_A_COMMIT }, (_, n) => ({
    name: `Part ${n}`,
    identification: `P-${n}`,
  }));
  const { body } = await station.post('/parts/bulk', parts);
  const { data } = body as { data: { id: number }[] };
  for (let round = 1; round * IN_A_COMMIT < EVENTS; round += 1) {
    const changed = parts.map((part, n) => ({
      ...part,
      id: data[n]?.id,
      name: `Part ${n} of round ${round}`,
    }));
    expect((await station.put('/parts/bulk', changed)).status).toBe(200);
  }
  const before = memory();

  const { hostname, port } = new URL(station.origin);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(
    `GET /api/v2/x/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${station.token}\r\nLast-Event-ID: 0\r\n\r\n`,
  );
  // The server has filled what the system keeps for the connection, and waits.
  await sleep(1_000);
  expect((await station.get(`/parts/${data[0]?.id}`)).status).toBe(200);

  let [told, ids, most, text] = [0, 0, 0, ''];
  for await (const chunk of socket.setEncoding('utf8')) {
    text += chunk;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const id = /^data: .*"family":"part","id":(\d+)/m.exec(event)?.[1];
      if (id === undefined) continue;
      expect(Number(id)).toBe(data[told % IN_A_COMMIT]?.id);
      told += 1;
      if (event.includes('id: ')) ids += 1;
    }
    most = Math.max(most, memory());
    if (told >= EVENTS) break;
  }
  expect(told).toBe(EVENTS);
  expect(ids).toBe(EVENTS);
  // Far less than the events themselves, which are some 200 bytes each, from some 300,000 of them on.
  expect(most - before).toBeLessThan(60 * MEBIBYTE);
  if (EVENTS > 100_000) process.stdout.write(`${EVENTS} events: ${(most - before) / MEBIBYTE} MiB more\n`);
});

/** Bytes of all processes that work in the station's folder, by what Linux says; nothing is measured elsewhere. */
function memory(): number {
  if (process.platform !== 'linux') return 0;
  const folder = realpathSync(station.folder);
  let bytes = 0;
  for (const id of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${id}/environ`, 'utf8').includes(`HOLDPOINT_DATA=${folder}\0`)) continue;
      bytes += Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) * 1024;
    } catch {
      // It has ended, or is not ours.
    }
  }
  return bytes;
}
