import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PACE } from '../../../server/webhooks/delivery.ts';
import { seededRandom } from '../../system/faults/seeded-random.ts';
import { ClockedStation } from '../identity/clocked-station.ts';
import { Receiver, taking } from './receiver.ts';

type Data = Record<string, unknown>;

/** `HOLDPOINT_WEBHOOK_CHANGES=100000` makes it long. */
const CHANGES = Number(process.env.HOLDPOINT_WEBHOOK_CHANGES ?? 3_000);
const RECORDS = 50;
const LONG_MS = 120_000 + CHANGES * 20;

/** Waits a hundredth of the usual ones; the rest as it is everywhere. */
const at = new ClockedStation({
  webhooks: {
    pace: { firstWait: PACE.firstWait / 1_000, longestMessageWait: 100, longestWait: 100, noted: 100 },
  },
});
let receiver: Receiver;

beforeAll(async () => {
  await at.start();
  receiver = await new Receiver().open();
});
afterAll(async () => {
  await receiver.close();
  await at.end();
});

function rows(): number {
  const sql = new DatabaseSync(join(at.folder, 'holdpoint.db'), { readOnly: true });
  try {
    return Number(sql.prepare('SELECT count(*) AS rows FROM webhook_message').get()?.rows);
  } finally {
    sql.close();
  }
}

it('a change arrives soon after it was written, while it is quiet', async () => {
  const body = { name: 'quiet', url: receiver.url, families: ['supplier'] };
  expect((await at.call('POST', '/x/webhooks', body)).status).toBe(201);
  const waits: number[] = [];
  for (let n = 1; n <= 50; n += 1) {
    await at.call('POST', '/suppliers', { name: `Quiet ${n}` });
    const answered = Date.now();
    const told = (await receiver.take(n, 'supplier.created'))[n - 1];
    waits.push(Math.max(0, (told?.at ?? 0) - answered));
  }
  expect(receiver.seen).toHaveLength(50);
  waits.sort((one, other) => one - other);
  console.info(`Median ${waits[25]} ms, longest ${waits[49]} ms after the answer.`);
});

it(
  'each of many changes arrives at a receiver that fails half of the time, in the order of its record, from few rows',
  async () => {
    const random = seededRandom(20261125);
    receiver.answer = (message, response) => {
      if (random.below(2) === 0) return taking(message, response);
      response.writeHead(500).end();
      return false;
    };
    const body = { name: 'half', url: receiver.url, families: ['part'], kinds: ['created', 'changed'] };
    expect((await at.call('POST', '/x/webhooks', body)).status).toBe(201);
    const part = (n: number) => ({
      name: `Part ${n}`,
      identification: `P-${n}`,
    });
    const made = await at.call(
      'POST',
      '/parts/bulk',
      Array.from({ length: RECORDS }, (_, n) => part(n)),
    );
    expect({ status: made.status, body: made.body }).toMatchObject({ status: 201 });
    const ids = (made.body as { data: Data[] }).data.map(({ id }) => Number(id));
    let most = 0;
    const rounds = Math.ceil(CHANGES / RECORDS);
    const looking = setInterval(() => {
      most = Math.max(most, rows());
    }, 50);
    const begun = performance.now();
    for (let round = 1; round < rounds; round += 1) {
      const rows_ = ids.map((id, n) => ({ ...part(n), id, name: `Part ${n} round ${round}` }));
      expect((await at.call('PUT', '/parts/bulk', rows_)).status).toBe(200);
    }
    const written = performance.now();
    await receiver.take(RECORDS * rounds, 'part.');
    const [writing, arriving] = [written - begun, performance.now() - begun].map(
      ms => Math.round(ms / 100) / 10,
    );
    clearInterval(looking);
    await expect.poll(rows).toBe(0);
    for (const id of ids) {
      const told = receiver.taken.filter(({ body: { data } }) => data.family === 'part' && data.id === id);
      const first = [...new Map(told.map(message => [message.id, message])).values()];
      expect(first.map(({ body: { data } }) => nameIn(data))).toEqual([
        `Part ${ids.indexOf(id)}`,
        ...Array.from({ length: rounds - 1 }, (_, n) => `Part ${ids.indexOf(id)} round ${n + 1}`),
      ]);
    }
    // Beyond the parked ones the place in the log waits.
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(PACE.parked + 2 * PACE.ahead);
    expect(receiver.seen.length).toBeGreaterThan(1.5 * receiver.taken.length);
    console.info(
      `${RECORDS * rounds} changes written in ${writing} s, all there after ${arriving} s by ${receiver.seen.length} requests; at most ${most} rows.`,
    );
  },
  LONG_MS,
);

function nameIn({ changes }: Data): unknown {
  return (changes as Data[]).find(({ path }) => path === 'name')?.new;
}
