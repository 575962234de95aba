import { cpSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { BenchMachine, isInStep, TOKEN } from './bench-machine.ts';
import { Connection, prepare } from './client.ts';
import type { CountingProxy } from './counting-proxy.ts';
import type { Transfer } from './sync-transfer.ts';

const BULK = 1_000;
const WRITERS = 16;

/** How the station wrote its records, before it had a connection: a commit for each, or for each thousand. */
export type Written = 'one by one' | 'in bulk';

export interface HoldpointOptions {
  folder: string;
  proxy: CountingProxy;
  records: number;
  recordOf: (number: number) => object;
  /** Flags of Node for the measured turns. */
  flags?: readonly string[];
  program?: string;
}

/**
 * A central, a station that has all records and could send none of them, and another that was there before them: as
 * folders, to be copied for every turn.
 */
export class HoldpointTemplate {
  readonly #options: HoldpointOptions;
  readonly #ports: { central: number; full: number; empty: number };
  #turns = 0;

  private constructor(options: HoldpointOptions, ports: { central: number; full: number; empty: number }) {
    this.#options = options;
    this.#ports = ports;
  }

  static async make(options: HoldpointOptions, written: Written): Promise<HoldpointTemplate> {
    const { folder, proxy, program } = options;
    mkdirSync(folder, { recursive: true });
    const host = `127.0.0.1:${proxy.port}`;
    const central = await BenchMachine.at('central', { folder: join(folder, 'central'), program, host });
    const full = await BenchMachine.at('serve', { folder: join(folder, 'full'), program });
    const empty = await BenchMachine.at('serve', { folder: join(folder, 'empty'), program });
    const all = [central, full, empty];
    try {
      for (const machine of all) await machine.start();
      proxy.turnTo(central.port);
      const address = `http://${host}`;
      await full.enrolAt(central, 'Full', address);
      await empty.enrolAt(central, 'Empty', address);
      await full.until(isInStep);
      await empty.until(isInStep);
      proxy.turnTo(undefined);
      await write(full, options, written);
    } finally {
      for (const machine of all) await machine.stop();
    }
    return new HoldpointTemplate(options, { central: central.port, full: full.port, empty: empty.port });
  }

  /** The full station sends all; then the empty one, and one that is new, fetch all. Each by itself. */
  async turn(kinds: readonly ('push' | 'pull' | 'pull anew')[]): Promise<Record<string, Transfer>> {
    const { folder, proxy, program, flags = [] } = this.#options;
    this.#turns += 1;
    const copy = join(folder, `turn-${this.#turns}`);
    for (const name of ['central', 'full', 'empty'])
      cpSync(join(folder, name), join(copy, name), { recursive: true });
    const host = `127.0.0.1:${proxy.port}`;
    const machineOf = (name: 'central' | 'full' | 'empty') =>
      BenchMachine.at(name === 'central' ? 'central' : 'serve', {
        folder: join(copy, name),
        port: this.#ports[name],
        program,
        host,
      });
    const central = await machineOf('central');
    const profiled = (name: string) =>
      flags.length === 0
        ? []
        : [...flags, `--cpu-prof-name=${basename(folder)}-${this.#turns}-${name}.cpuprofile`];
    await central.start(profiled('central'));
    proxy.turnTo(central.port);
    const transfers: Record<string, Transfer> = {};
    try {
      for (const kind of kinds) {
        const station =
          kind === 'pull anew'
            ? await BenchMachine.at('serve', { folder: join(copy, 'anew'), program })
            : await machineOf(kind === 'push' ? 'full' : 'empty');
        transfers[kind] = await this.#transfer(central, station, kind, profiled(kind.replace(' ', '-')));
      }
    } finally {
      proxy.turnTo(undefined);
      await central.stop();
    }
    return transfers;
  }

  async #transfer(
    central: BenchMachine,
    station: BenchMachine,
    kind: string,
    flags: readonly string[],
  ): Promise<Transfer> {
    const { proxy, records } = this.#options;
    proxy.reset();
    const before = { central: central.process.cpuSeconds(), station: 0 };
    await station.start(flags);
    // Of the exchange alone, as on the other side of the comparison: to start takes as long as a thousand records.
    before.station = station.process.cpuSeconds();
    try {
      if (kind === 'pull anew') {
        await station.enrolAt(central, `New ${this.#turns}`, `http://127.0.0.1:${proxy.port}`);
      }
      await station.until(state => isInStep(state) && (state.sequence ?? 0) > 0);
      return {
        // The last answer says that there is no more: what it took to take the one before is in it.
        seconds: (proxy.lastAt - (proxy.firstAt ?? 0)) / 1_000,
        records,
        up: proxy.up,
        down: proxy.down,
        cpuSeconds: {
          server: central.process.cpuSeconds() - before.central,
          client: station.process.cpuSeconds() - before.station,
        },
        peakMB: { server: central.process.memory().peakMB, client: station.process.memory().peakMB },
      };
    } finally {
      await station.stop();
    }
  }
}

/** The same records into a central of their own, by the request that takes the most at once. */
export async function uploadInBulk(options: HoldpointOptions, turn: number): Promise<Transfer> {
  const { folder, proxy, program, records, recordOf } = options;
  const central = await BenchMachine.at('central', { folder: join(folder, `upload-${turn}`), program });
  await central.start();
  proxy.turnTo(central.port);
  proxy.reset();
  const before = central.process.cpuSeconds();
  try {
    const connection = await Connection.open(proxy.port);
    const started = performance.now();
    for (let from = 0; from < records; from += BULK) {
      await connection.send(
        prepare('POST', '/api/v2/parts/bulk', central.port, TOKEN, bulkOf(from, recordOf)),
      );
    }
    const seconds = (performance.now() - started) / 1_000;
    connection.close();
    return {
      seconds,
      records,
      up: proxy.up,
      down: proxy.down,
      cpuSeconds: { server: central.process.cpuSeconds() - before, client: 0 },
      peakMB: { server: central.process.memory().peakMB, client: 0 },
    };
  } finally {
    proxy.turnTo(undefined);
    await central.stop();
  }
}

async function write(
  station: BenchMachine,
  { records, recordOf }: HoldpointOptions,
  written: Written,
): Promise<void> {
  const open = await Promise.all(
    Array.from({ length: written === 'in bulk' ? 1 : WRITERS }, () => Connection.open(station.port)),
  );
  let next = 0;
  await Promise.all(
    open.map(async connection => {
      while (next < records) {
        const from = next;
        next += written === 'in bulk' ? BULK : 1;
        const [path, body] =
          written === 'in bulk'
            ? ['/api/v2/parts/bulk', bulkOf(from, recordOf)]
            : ['/api/v2/parts', JSON.stringify(recordOf(from))];
        await connection.send(prepare('POST', path, station.port, TOKEN, body));
      }
      connection.close();
    }),
  );
}

function bulkOf(from: number, recordOf: (number: number) => object): string {
  return JSON.stringify(Array.from({ length: BULK }, (_, index) => recordOf(from + index)));
}
