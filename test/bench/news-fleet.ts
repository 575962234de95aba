import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogEntry } from '../../server/sync/protocol/log.ts';
import { LightStation } from '../system/sync/fleet/light-station.ts';
import { BenchMachine } from './bench-machine.ts';
import { CountingProxy } from './counting-proxy.ts';
import { median, quantile } from './quantile.ts';

/** Who writes: central by its interface, or five stations by their pushes. */
export type Writer = 'central' | 'stations';

export interface FleetTurn {
  seconds: number;
  /** Of central, in the mean. */
  cores: number;
  ownCores: number;
  residentMB: number;
  peakMB: number;
  /** Milliseconds from a write to its arrival at a station. */
  news: { median: number; p95: number; samples: number };
  /** In a second, of all stations. */
  pulls: number;
  /** In a second, of one station, both ways. */
  bytes: number;
  failures: number;
  /** Stations that were not in step when it began, and after it. */
  late: { before: number; after: number };
}

interface Turn {
  /** So many listen, the writers beside them. */
  stations: number;
  writer: Writer;
  /** A second, of all writers. */
  writes: number;
  seconds: number;
}

const WRITERS = 5;
/** So many stations reach central through a proxy that counts bytes; the others cost no more than they must. */
const COUNTED = 5;
/** Stations that enrol at a time. */
const TOGETHER = 20;
/** Who is not in step by then is counted. */
const QUIET_LIMIT_MS = 30_000;
const BLOCK = 2 ** 20;

/** A real central, and light stations in this process that are connected for a turn. */
export class NewsFleet {
  readonly #folder: string;
  readonly #proxy: CountingProxy;
  readonly #stations: LightStation[] = [];
  /** By what was written, when, by `performance.now()`. */
  readonly #written = new Map<string, number>();
  #central: BenchMachine;
  #arrivals: number[] = [];

  private constructor(folder: string, proxy: CountingProxy, central: BenchMachine) {
    this.#folder = folder;
    this.#proxy = proxy;
    this.#central = central;
  }

  /** With so many stations beside those that write. */
  static async open(folder: string, stations: number): Promise<NewsFleet> {
    const proxy = await CountingProxy.open();
    const central = await BenchMachine.at('central', { folder, host: `127.0.0.1:${proxy.port}` });
    const fleet = new NewsFleet(folder, proxy, central);
    await central.start();
    proxy.turnTo(central.port);
    while (fleet.#stations.length < stations + WRITERS) {
      const from = fleet.#stations.length;
      const count = Math.min(TOGETHER, stations + WRITERS - from);
      const enrolling = Array.from({ length: count }, (_, n) => fleet.#enrol(from + n));
      fleet.#stations.push(...(await Promise.all(enrolling)));
    }
    await fleet.#bringInStep();
    return fleet;
  }

  /** Central goes on with a bundle: this version's unless it is given. */
  async serveBy(program: string | undefined, profiles: string | undefined): Promise<void> {
    const [folder, { port }, host] = [this.#folder, this.#central, `127.0.0.1:${this.#proxy.port}`];
    await this.#central.stop();
    this.#central = await BenchMachine.at('central', { folder, port, program, host });
    await this.#central.start(profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`]);
  }

  /** Connects stations, and measures while somebody writes. */
  async turn({ stations, writer, writes, seconds }: Turn): Promise<FleetTurn> {
    const writers = this.#stations.slice(0, writer === 'central' ? 0 : WRITERS);
    const listeners = this.#stations.slice(WRITERS, WRITERS + stations);
    const connected = [...writers, ...listeners];
    for (const station of connected) station.connect();
    const lateBefore = await this.#untilQuiet(connected);
    this.#arrivals = [];
    this.#proxy.reset();
    const counts = () => ({
      pulls: sum(connected.map(station => station.counts.pulls)),
      failures: sum(connected.map(station => station.counts.failures)),
    });
    const own = process.cpuUsage();
    const [before, cpu, begun] = [counts(), this.#central.process.cpuSeconds(), performance.now()];
    const writing: Promise<void>[] = [];
    for (let count = 0; count < writes * seconds; count += 1) {
      await sleep(Math.max(0, begun + (count * 1_000) / writes - performance.now()));
      writing.push(this.#write(writers[count % WRITERS]));
    }
    await sleep(Math.max(0, begun + seconds * 1_000 - performance.now()));
    const took = (performance.now() - begun) / 1_000;
    const cores = (this.#central.process.cpuSeconds() - cpu) / took;
    const { user, system } = process.cpuUsage(own);
    const after = counts();
    await Promise.all(writing);
    const lateAfter = await this.#untilQuiet(connected);
    const turn = {
      seconds: took,
      cores,
      ownCores: (user + system) / 1e6 / took,
      ...this.#central.process.memory(),
      news: {
        median: median(this.#arrivals),
        p95: quantile(this.#arrivals, 0.95),
        samples: this.#arrivals.length,
      },
      pulls: (after.pulls - before.pulls) / took,
      bytes: stations === 0 ? 0 : (this.#proxy.up + this.#proxy.down) / COUNTED / took,
      failures: after.failures - before.failures,
      late: { before: lateBefore, after: lateAfter },
    };
    await Promise.all(connected.map(station => station.disconnect()));
    return turn;
  }

  async close(): Promise<void> {
    this.#proxy.close();
    await this.#central.stop();
  }

  /** What enrolling wrote is no news: one station fetches it, and all stand where it does. */
  async #bringInStep(): Promise<void> {
    const [first, ...others] = this.#stations;
    first?.connect();
    await this.#untilQuiet(this.#stations.slice(0, 1));
    await first?.disconnect();
    for (const station of others) if (first) station.standAt(first.cursor);
  }

  async #enrol(index: number): Promise<LightStation> {
    const made = await this.#central.ask('POST', '/x/enrolment-codes', { name: `Light ${index}`, hours: 24 });
    const isCounted = index >= WRITERS && index < WRITERS + COUNTED;
    return LightStation.enrol({
      address: isCounted ? `http://127.0.0.1:${this.#proxy.port}` : this.#central.origin,
      code: (made as { code: string }).code,
      onEntry: (entry, station) => this.#arrived(entry, station),
    });
  }

  /** A supplier, at central or at a station. */
  async #write(station: LightStation | undefined): Promise<void> {
    const name = `Supplier ${randomUUID()}`;
    this.#written.set(name, performance.now());
    if (!station) return void (await this.#central.ask('POST', '/suppliers', { name }));
    const subject = `supplier:${station.block * BLOCK + this.#written.size}`;
    station.write([{ subject, changes: [{ path: 'name', old: null, new: name, over: [] }] }]);
  }

  #arrived({ commit: { chain, entries } }: LogEntry, station: LightStation): void {
    if (chain.startsWith(`${station.installation}.`)) return;
    const name = entries[0]?.changes.find(({ path }) => path === 'name')?.new;
    const at = this.#written.get(String(name));
    if (at !== undefined) this.#arrivals.push(performance.now() - at);
  }

  /** Waits until nothing is unsent, and all have come to the end of central's log; answers how many have not in time. */
  async #untilQuiet(stations: readonly LightStation[]): Promise<number> {
    const { sequence } = await this.#central.sync();
    const deadline = performance.now() + QUIET_LIMIT_MS;
    for (;;) {
      const late = stations.filter(
        ({ cursor, unsent }) => unsent.length > 0 || cursor.sequence < (sequence ?? 0),
      );
      if (late.length === 0 || performance.now() > deadline) return late.length;
      await sleep(100);
    }
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
