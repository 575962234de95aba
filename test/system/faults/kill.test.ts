import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { isObject } from '../../support/expect-shape.ts';
import { Station } from '../../support/station.ts';
import { expectSound, tell } from './expect-sound.ts';
import { type FaultLog, isWritten, outcomeOf } from './fault-log.ts';
import { LoggingClient } from './logging-client.ts';
import { type PlantedFault, planted } from './plant-fault.ts';
import { seededRandom } from './seeded-random.ts';
import { killServerProcess } from './server-process.ts';
import { sizeOf } from './size.ts';

const kills = sizeOf(20, 500, process.env.HOLDPOINT_KILLS);
const SEED = 11;

it(
  `keeps every answered write, once, through kills of the server (${kills.name})`,
  () => killAmidWrites(kills.count),
  180_000 + kills.count * 20_000,
);

it('would see a server that answers before the commit', async () => {
  await expect(killAmidWrites(5, 'answers before the commit')).rejects.toThrow(/expected 404 to be 200/);
});

async function killAmidWrites(count: number, fault?: PlantedFault): Promise<void> {
  const random = seededRandom(SEED);
  const station = new Station({ env: planted({ fault }) });
  await station.start();
  const client = new LoggingClient(station, { seed: SEED });
  let writers: Promise<void> = Promise.resolve();
  try {
    await client.prepare();
    const stop = new AbortController();
    writers = client.writeUntil(stop.signal);
    const waits: number[] = [];
    for (let kill = 0; kill < count; kill += 1) {
      await sleep(20 + random.below(380));
      const written = newest(client.log);
      const began = performance.now();
      // A supervisor that is killed too starts its waits anew; one that lives on waits longer with each kill.
      if (kill % 2 === 0) await killServerProcess(station);
      else {
        await station.kill();
        await station.start();
      }
      waits.push(performance.now() - began);
      for (const write of written) await expectInHistory(station, write);
    }
    stop.abort();
    await writers;
    await station.kill();
    waits.sort((a, b) => a - b);
    const middle = waits[Math.floor(waits.length / 2)] ?? 0;
    const longest = waits.at(-1) ?? 0;
    tell(`ready again after ${middle.toFixed()} ms in the middle, ${longest.toFixed()} ms at most`);
    await expectSound(station.folder, client.log, `${count} kills`);
  } finally {
    client.abandon();
    await station.kill();
    await writers;
    await rm(station.folder, { recursive: true, force: true });
  }
}

interface Written {
  /** `suppliers/12`, as paths name the record. */
  record: string;
  marker: string;
}

/** The newest creates that were answered. */
function newest(log: FaultLog): Written[] {
  const creates = log.operations.filter(
    logged =>
      outcomeOf(logged) === 'written' && /^(supplier|receipt|ncr|shipment)$/.test(logged.operation.kind),
  );
  return creates.slice(-4).map(({ operation, attempts }) => {
    const answer = attempts.find(({ status }) => isWritten(status))?.answer;
    const id = isObject(answer) && isObject(answer.data) ? answer.data.id : undefined;
    return { record: `${operation.path.slice(1)}/${id}`, marker: operation.marker };
  });
}

async function expectInHistory(station: Station, { record, marker }: Written): Promise<void> {
  const { status, body } = await station.get(`/x/history/${record}`);
  expect(status, record).toBe(200);
  const commits = isObject(body) && Array.isArray(body.data) ? body.data : [];
  const changes: unknown[] = commits.flatMap(commit => commit.changes);
  const found = changes.filter(change => isObject(change) && change.new === marker);
  expect(found, record).toHaveLength(1);
}
