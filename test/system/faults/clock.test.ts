import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../server/store/sqlite/temporary-folder.ts';
import { Station } from '../../support/station.ts';
import { expectSound } from './expect-sound.ts';
import { LoggingClient } from './logging-client.ts';
import { type PlantedFault, planted } from './plant-fault.ts';
import { sizeOf } from './size.ts';
import { readStoredFile } from './stored-file.ts';

const LIBRARY = ['x86_64', 'aarch64']
  .map(machine => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find(file => existsSync(file));
const how = LIBRARY === undefined ? "JavaScript's own clock, for want of libfaketime" : 'libfaketime';
const writes = sizeOf(60, 1_000);
const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

/** Its name, as libfaketime writes it, and in milliseconds. */
type Jump = readonly [name: string, offset: string, ms: number];
const back: Jump = ['two hours back', '-2h', -2 * HOUR_MS];
const jumps: readonly Jump[] = [
  back,
  ['ten years back', '-10y', -10 * YEAR_MS],
  ['a year on', '+1y', YEAR_MS],
];

describe(`a clock that jumps amid writes (${how}, ${writes.name} each)`, () => {
  it.each(jumps)('%s, and then right again', { timeout: 180_000 + writes.count * 500 }, (...jump) =>
    jumpAmidWrites(jump, writes.count),
  );

  it('would be seen to order history', async () => {
    await expect(jumpAmidWrites(back, 20, 'orders by the clock')).rejects.toThrow(
      /the numbers of the commits/,
    );
  });
});

async function jumpAmidWrites(
  [name, offset, expected]: Jump,
  count: number,
  fault?: PlantedFault,
): Promise<void> {
  const clock = join(temporaryFolder(), 'clock');
  const set = (text: string) => writeFileSync(clock, `${text}\n`);
  set('+0');
  const shifted =
    LIBRARY === undefined
      ? planted({ fault, clock })
      : {
          ...planted({ fault }),
          LD_PRELOAD: LIBRARY,
          FAKETIME_TIMESTAMP_FILE: clock,
          FAKETIME_NO_CACHE: '1',
          DONT_FAKE_MONOTONIC: '1',
        };
  const station = new Station({ env: shifted });
  onTestFinished(() => station.stop());
  await station.start();
  const client = new LoggingClient(station, { seed: 31 });
  await client.prepare();
  const token = await station.post('/x/tokens', { name: 'reader', scopes: ['read'] });
  const { secret } = (token.body as { data: { secret: string } }).data;

  for (const [index, turn] of ['+0', offset, '+0', offset].entries()) {
    const once = { body: { name: 'Once' }, headers: { 'idempotency-key': `before-jump-${index}` } };
    const first = await station.call('POST', '/suppliers', once);
    // Under load, so that the clock jumps between the beginning and the end of some write.
    const stop = new AbortController();
    const load = client.writeUntil(stop.signal);
    set(turn);
    await client.writeSome(count);
    stop.abort();
    await load;
    const again = await station.call('POST', '/suppliers', once);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const read = await station.call('GET', '/suppliers', { headers: { authorization: `Bearer ${secret}` } });
    expect(read.status).toBe(200);
  }
  await station.restart();
  expect((await station.post('/suppliers', { name: 'After the start' })).status).toBe(201);

  const { commits } = readStoredFile(station.folder);
  // The clock of the server did jump, and nothing but the numbers orders history.
  const steps = commits
    .slice(1)
    .map(({ at }, index) => Date.parse(at) - Date.parse(commits[index]?.at ?? ''));
  const far = steps.filter(step => Math.abs(step) > HOUR_MS);
  expect(far.filter(step => Math.sign(step) === Math.sign(expected)).length).toBeGreaterThanOrEqual(2);
  const size = Math.abs(far.find(step => Math.sign(step) === Math.sign(expected)) ?? 0);
  expect(Math.abs(size / Math.abs(expected) - 1)).toBeLessThan(0.05);
  const numbers = commits.map(({ number }) => number);
  expect(numbers, 'the numbers of the commits').toEqual(commits.map((_, index) => index + 1));
  await expectSound(station.folder, client.log, `the clock ${name}`);
}
