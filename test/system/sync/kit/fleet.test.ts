import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import type { Station } from '../../../support/station.ts';
import { tell } from '../../faults/expect-sound.ts';
import type { FaultLog } from '../../faults/fault-log.ts';
import { LoggingClient } from '../../faults/logging-client.ts';
import { seededRandom } from '../../faults/seeded-random.ts';
import { checkFleet } from './check-fleet.ts';
import type { Pair } from './check-kept.ts';
import { faultKinds } from './fault-proxy.ts';
import { fleetSize as size } from './fleet-size.ts';
import { ProcessFleet } from './process-fleet.ts';
import { writePairs } from './write-pairs.ts';

const KINDS = faultKinds;
const [SEED = 1] = size.seeds;
const LIMIT_MS = 300_000 + size.operations * 400 + size.requests * 500 + size.kills * 10_000;

/** Goes on from run to run, until one begins anew. */
let running: ProcessFleet | undefined;
let logs: FaultLog[] = [];
let pairs: Pair[] = [];
afterAll(() => running?.close());

it.each(size.seeds)(
  `a bad network, seed %i: ${size.stations} stations × ${size.operations} operations, ${size.name}`,
  async seed => {
    tell(
      `HOLDPOINT_SYNC_SEED=${seed} with -t "seed ${seed}" runs this alone, with the same writes and faults`,
    );
    const fleet = await begin(seed);
    fleet.disturb(25);
    const clients = clientsOf(fleet, seed);
    for (const client of clients) await client.prepare();
    await Promise.all(clients.map(client => client.writeSome(size.operations, 2)));
    while (fleet.requests() < size.requests || KINDS.some(kind => fleet.faults()[kind] === 0)) {
      await Promise.all(clients.map(client => client.writeSome(2, 1)));
      await sleep(250);
    }
    await heal(fleet, `seed ${seed}`);
    await expectSound(fleet);
  },
  LIMIT_MS,
);

it(
  `pairs of writes that had not seen each other: ${size.pairs} of the same field, ${size.pairs} of different fields`,
  async () => {
    const fleet = running ?? (await begin(SEED));
    const written = await writePairs(fleet, size.pairs, SEED);
    pairs.push(...written.pairs);
    logs.push(written.log);
    await heal(fleet, `${pairs.length} pairs`);
    await expectSound(fleet);
  },
  LIMIT_MS,
);

it(
  `kills while all write: ${size.kills} of stations, ${size.kills} of central, on a bad network`,
  async () => {
    const random = seededRandom(SEED);
    const fleet = running ?? (await begin(SEED));
    fleet.disturb(10);
    const stop = new AbortController();
    const clients = clientsOf(fleet, SEED + 1_000);
    for (const client of clients) await client.prepare();
    const writing = clients.map(client => writeCalmly(client, stop.signal));
    const killSome = async (victim: () => Station) => {
      for (let kill = 0; kill < size.kills; kill += 1) {
        await sleep(random.below(400));
        const killed = victim();
        await killed.kill();
        await killed.start();
      }
    };
    try {
      await Promise.all([killSome(() => random.pick(fleet.stations)), killSome(() => fleet.central)]);
    } finally {
      stop.abort();
      await Promise.all(writing);
    }
    await heal(fleet, `${size.kills} kills a side`);
    await expectSound(fleet);
  },
  LIMIT_MS,
);

/** Machines of its own for a seed, so that databases and logs do not grow with the number of seeds. */
async function begin(seed: number): Promise<ProcessFleet> {
  await running?.close();
  running = undefined;
  logs = [];
  pairs = [];
  running = await ProcessFleet.start({ stations: size.stations, seed, kinds: KINDS });
  return running;
}

/** With pauses, so that processes start beside it. */
async function writeCalmly(client: LoggingClient, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await client.writeSome(4, 2);
    await sleep(60);
  }
}

/** One at each machine; their logs are kept for the checks. */
function clientsOf(fleet: ProcessFleet, seed: number): LoggingClient[] {
  const clients = fleet.all.map((station, index) => new LoggingClient(station, { seed: seed * 100 + index }));
  logs.push(...clients.map(({ log }) => log));
  return clients;
}

/** Tells how it went, with the figures since the fleet began. */
async function heal(fleet: ProcessFleet, what: string): Promise<void> {
  const began = performance.now();
  await fleet.heal();
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  tell(`${what}: in step after ${seconds} s; ${fleet.requests()} requests, ${told(fleet)}`);
}

async function expectSound(fleet: ProcessFleet): Promise<void> {
  const violations = await checkFleet({ machines: fleet.machines, logs, pairs });
  // One fault shows in many places; the first few tell what it is.
  expect(violations.slice(0, 20), `of ${violations.length}`).toEqual([]);
}

function told(fleet: ProcessFleet): string {
  const counts = logs.map(log => log.counts());
  const sum = (outcome: 'written' | 'refused' | 'unknown') =>
    counts.reduce((all, count) => all + count[outcome], 0);
  const faults = Object.entries(fleet.faults()).map(([kind, count]) => `${count} ${kind}`);
  const writes = `${sum('written')} writes answered 2xx, ${sum('refused')} refused, ${sum('unknown')} without a clear answer`;
  return `${writes}; faults in all: ${faults.join(', ')}`;
}
