import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Entry } from '../../server/store/changes.ts';
import { createCentralClient } from '../../server/sync/client/central-client.ts';
import { LightStation } from '../system/sync/fleet/light-station.ts';
import { BenchMachine, heldUp, isInStep, PROBE, TOKEN } from './bench-machine.ts';
import { Connection, prepare } from './client.ts';
import { importRows } from './import-rows.ts';
import { benchRecord } from './sync-record.ts';

const READ_EVERY_MS = 20;
const BULK = 1_000;

export interface GapsOptions {
  program?: string | undefined;
  /** Only the scenes whose names hold this text. */
  scene?: string | undefined;
}

/**
 * How long those wait who read while a central, or a station, takes much at once: the longest answer of a reader that asks
 * every 20 ms, and the longest time for which the event loop was held up, of each. Prints them.
 */
export async function benchGaps({ program, scene = '' }: GapsOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-gaps-'));
  const central = await BenchMachine.at('central', { folder: join(folder, 'central'), program });
  const station = await BenchMachine.at('serve', { folder: join(folder, 'station'), program });
  try {
    await central.start(PROBE);
    await station.start(PROBE);
    for (const [name, work] of scenes({ central, station }).filter(([name]) => name.includes(scene)))
      await measure(name, { central, station }, work);
  } finally {
    await station.stop();
    await central.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Machines {
  central: BenchMachine;
  station: BenchMachine;
}

/** One after the other, each upon what those before it have left. */
function scenes({ central, station }: Machines): [string, () => Promise<void>][] {
  const sending = new Sending(central);
  let isJoined = false;
  const inStep = async () => {
    if (isJoined) await station.until(state => isInStep(state) && (state.sequence ?? 0) > 0);
  };
  const bulk = async (machine: BenchMachine, from: number) => {
    for (let part = from; part < from + 20 * BULK; part += BULK) {
      const records = Array.from({ length: BULK }, (_, n) => benchRecord(part + n));
      await machine.ask('POST', '/parts/bulk', records);
    }
    await inStep();
  };
  return [
    ['push of 30 commits of 3,000 records', () => sending.send(30, 3_000)],
    ['push of 2,000 commits that are held', () => sending.send(2_000, 1, 5)],
    [
      'a station joins by snapshot',
      async () => {
        await station.enrolAt(central, 'Joining', central.origin);
        isJoined = true;
        await inStep();
      },
    ],
    ['20 times 1,000 parts at the station', () => bulk(station, 0)],
    ['20 times 1,000 parts at central', () => bulk(central, 20 * BULK)],
    [
      '10,000 commits of one record',
      async () => {
        await sending.send(10_000, 1);
        await inStep();
      },
    ],
    [
      '5 receipts of 1,000 lines at the station',
      async () => {
        for (let receipt = 0; receipt < 5; receipt += 1) await receive(station, receipt);
        await inStep();
      },
    ],
    [
      'import of 10,000 rows at central',
      () =>
        importRows(
          central,
          'supplier',
          Array.from({ length: 10_000 }, (_, n) => `${n},Imported ${n}`),
        ).then(inStep),
    ],
    ['rebuild at central', async () => void (await central.ask('POST', '/x/rebuild'))],
    ['one commit of 10,000 records', () => sending.send(1, 10_000).then(inStep)],
    ['one commit of 100,000 records', () => sending.send(1, 100_000).then(inStep)],
  ];
}

async function measure(name: string, machines: Machines, work: () => Promise<void>): Promise<void> {
  const both = [machines.central, machines.station];
  // What the scene before has left is not counted.
  await sleep(500);
  for (const machine of both) await heldUp(machine);
  const stop = new AbortController();
  const reads = both.map(machine => longestRead(machine, stop.signal));
  const [cpu, begun] = [machines.central.process.cpuSeconds(), performance.now()];
  try {
    await work();
  } finally {
    const seconds = (performance.now() - begun) / 1_000;
    stop.abort();
    const [atCentral, atStation] = await Promise.all(reads);
    const [loop, loopOfStation] = [await heldUp(machines.central), await heldUp(machines.station)];
    const used = machines.central.process.cpuSeconds() - cpu;
    say(
      `${name.padEnd(42)} longest read ${atCentral?.toFixed(0)} ms at central, ${atStation?.toFixed(0)} at the station; ` +
        `loop held up ${loop.wall} and ${loopOfStation.wall} ms, of the processor ${loop.processor} and ${loopOfStation.processor}; ${seconds.toFixed(1)} s, central's processor ${used.toFixed(1)} s`,
    );
  }
}

/** In milliseconds. */
async function longestRead({ port }: BenchMachine, stop: AbortSignal): Promise<number> {
  const connection = await Connection.open(port);
  const read = prepare('GET', '/api/v2/suppliers?per_page=5', port, TOKEN);
  let longest = 0;
  while (!stop.aborted) {
    const begun = performance.now();
    await connection.send(read);
    longest = Math.max(longest, performance.now() - begun);
    await sleep(READ_EVERY_MS);
  }
  connection.close();
  return longest;
}

/** A station without a store, that sends what no screen writes. */
class Sending {
  readonly #central: BenchMachine;
  #opened: Promise<{ station: LightStation; line: ReturnType<typeof createCentralClient> }> | undefined;
  #made = 0;

  constructor(central: BenchMachine) {
    this.#central = central;
  }

  /** So many commits that make so many suppliers each; `name` in the place of a name that central takes. */
  async send(commits: number, records: number, name?: unknown): Promise<void> {
    this.#opened ??= this.#open();
    const { station, line } = await this.#opened;
    for (let commit = 0; commit < commits; commit += 1)
      station.write(Array.from({ length: records }, () => this.#supplier(station, name)));
    const { signal } = new AbortController();
    while (station.unsent.length > 0) await station.step(line, signal);
  }

  async #open() {
    const { origin } = this.#central;
    const made = await this.#central.ask('POST', '/x/enrolment-codes', { name: 'Sending', hours: 24 });
    const { code } = made as { code: string };
    const station = await LightStation.enrol({ address: origin, code, onEntry: () => {} });
    const line = createCentralClient({ address: origin, key: station.key, trust: {} });
    await station.step(line, new AbortController().signal);
    return { station, line };
  }

  #supplier({ block }: LightStation, name: unknown): Entry {
    this.#made += 1;
    const change = { path: 'name', old: null, new: name ?? `S ${this.#made}`, over: [] };
    return { subject: `supplier:${block * 2 ** 20 + this.#made}`, changes: [change] };
  }
}

async function receive(machine: BenchMachine, receipt: number): Promise<void> {
  const parts = (await machine.ask('GET', '/parts?per_page=100')) as { id: number }[];
  const supplier = (await machine.ask('POST', '/suppliers', { name: `Of receipt ${receipt}` })) as {
    id: number;
  };
  const items = Array.from({ length: BULK }, (_, n) => ({
    part_id: parts[n % parts.length]?.id,
    quantity_accepted: 5,
    serial_number: `L-${receipt}-${n}`,
    unit_of_measure: 'kg',
  }));
  await machine.ask('POST', '/receiving-inspections', { supplier_id: supplier.id, items });
}

function say(text: string): void {
  process.stdout.write(`gaps: ${text}\n`);
}
