import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Station } from '../../support/station.ts';
import { expectSound } from './expect-sound.ts';
import { outcomeOf } from './fault-log.ts';
import { LoggingClient } from './logging-client.ts';
import { type PlantedFault, planted } from './plant-fault.ts';
import { serverProcess } from './server-process.ts';
import { isLong, sizeOf } from './size.ts';

const stops = sizeOf(3, 20);
const SLEEP_MS = isLong ? 10_000 : 3_000;
const TIMEOUT_MS = 1_000;

it(
  `doubles nothing and loses nothing when the machine sleeps amid writes (${stops.name}, ${SLEEP_MS} ms each)`,
  () => stopAmidWrites(stops.count),
  180_000 + stops.count * (SLEEP_MS + 5_000),
);

it('would see a server that forgets what it answered', async () => {
  await expect(stopAmidWrites(1, 'forgets what it answered')).rejects.toThrow(/letter: '[XN]'/);
});

async function stopAmidWrites(count: number, fault?: PlantedFault): Promise<void> {
  const station = new Station({ env: planted({ fault }) });
  await station.start();
  try {
    const client = new LoggingClient(station, { seed: 21, timeoutMs: TIMEOUT_MS });
    await client.prepare();
    const stop = new AbortController();
    const writers = client.writeUntil(stop.signal, 8);
    for (let turn = 0; turn < count; turn += 1) {
      await sleep(300);
      const pid = serverProcess(station);
      process.kill(pid, 'SIGSTOP');
      try {
        await sleep(SLEEP_MS);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
    }
    await sleep(300);
    stop.abort();
    await writers;
    // Whoever waited gave up and asked again: the stop hit writes that were under way.
    const cutOff = client.log.operations.filter(({ attempts }) =>
      attempts.some(({ status }) => status === null),
    );
    expect(cutOff.length).toBeGreaterThan(0);
    for (const logged of cutOff) {
      if (logged.operation.key !== null)
        expect(outcomeOf(logged), logged.operation.marker).not.toBe('unknown');
    }
    await expectSound(station.folder, client.log, `${count} stops of ${SLEEP_MS} ms`);
  } finally {
    await station.stop();
  }
}
