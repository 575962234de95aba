import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { expectSound, tell } from './expect-sound.ts';
import { type FaultLog, isWritten } from './fault-log.ts';
import { LoggingClient, type Target } from './logging-client.ts';
import type { PlantedFault } from './plant-fault.ts';
import { seededRandom } from './seeded-random.ts';
import { sizeOf } from './size.ts';
import { type SmallDisk, smallDisk } from './small-disk.ts';

const rounds = sizeOf(10, 60);
const SEED = 41;

it(
  `answers 507 on a full disk, reads on, and writes again when there is room, without a start (${rounds.name})`,
  () => fillAmidWrites(rounds.count),
  180_000 + rounds.count * 10_000,
);

it('would see a server that overlooks a full disk', async () => {
  await expect(fillAmidWrites(3, 'overlooks a full disk')).rejects.toThrow(/letter: 'D'/);
});

async function fillAmidWrites(count: number, fault?: PlantedFault): Promise<void> {
  const disk = await smallDisk(fault);
  const client = new LoggingClient(disk.target, { seed: SEED });
  const stop = new AbortController();
  let writers: Promise<void> = Promise.resolve();
  try {
    await client.prepare();
    writers = client.writeUntil(stop.signal);
    const random = seededRandom(SEED);
    for (let round = 0; round < count; round += 1)
      await fullAndFreed(disk, client.log, random.below(400_000));
  } finally {
    stop.abort();
    await writers;
    await disk.close(async () => {
      const refusals = statuses(client.log).filter(status => status === 507).length;
      tell(`${count} times full by ${disk.how}: ${refusals} writes answered 507`);
      await expectSound(disk.folder, client.log, `${count} full disks`);
      expect(refusals).toBeGreaterThanOrEqual(count);
      // Whatever was not written was refused with the reason, never by a fault of the server.
      expect(
        statuses(client.log).filter(status => status === null || (status >= 500 && status !== 507)),
      ).toEqual([]);
    });
  }
}

async function fullAndFreed(disk: SmallDisk, log: FaultLog, left: number): Promise<void> {
  await sleep(100);
  let before = statuses(log).length;
  disk.fill(left);
  const since = () => statuses(log).slice(before);
  await expect.poll(() => since().includes(507)).toBe(true);
  await sleep(50);
  for (const path of ['/suppliers?per_page=5', '/inventory', '/suppliers/1', '/status']) {
    expect(await statusOf(disk.target, path), path).toBe(200);
  }
  before = statuses(log).length;
  disk.free();
  await expect.poll(() => since().some(isWritten)).toBe(true);
}

function statuses(log: FaultLog): (number | null)[] {
  return log.operations.flatMap(({ attempts }) => attempts.map(({ status }) => status));
}

async function statusOf({ origin, token }: Target, path: string): Promise<number> {
  const response = await fetch(`${origin}/api/v2${path}`, { headers: { authorization: `Bearer ${token}` } });
  await response.text();
  return response.status;
}
