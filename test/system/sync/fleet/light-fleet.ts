import { setTimeout as sleep } from 'node:timers/promises';
import type { LogEntry } from '../../../../server/sync/protocol/log.ts';
import { type SeededRandom, seededRandom } from '../../faults/seeded-random.ts';
import { Edits } from './edits.ts';
import { type LightCounts, LightStation } from './light-station.ts';

/** Of ten times that someone writes, one is a burst of ten edits, half a second apart. */
const BURST = { share: 0.1, edits: 10, apartMs: 500 };
const EDITS_A_TIME = 1 - BURST.share + BURST.share * BURST.edits;
/** A station loses its connection about so often, and has it back after about so long; it writes on meanwhile. */
const BREAK = { everyMs: 300_000, forMs: 10_000 };
const QUIET_LIMIT_MS = 300_000;

export interface LightFleetOptions {
  stations: number;
  seed: number;
  /** Where the nth station reaches central, from 0. */
  addressOf: (index: number) => string;
  newCode: (name: string) => Promise<string>;
}

/** What happened since the figures were last taken. */
export interface FleetFigures extends LightCounts {
  written: number;
  breaks: number;
  /** Milliseconds from an edit until it came to another station, of stations that were connected all the time. */
  arrivals: number[];
}

/** Many light stations in this process, on which people write. */
export class LightFleet {
  readonly stations: LightStation[] = [];
  readonly #random: SeededRandom;
  readonly #edits = new Map<LightStation, Edits>();
  /** When a commit was written, of those written while connected. */
  readonly #writtenAt = new Map<string, number>();
  #figures = noFigures();
  #counted: LightCounts = noFigures();

  private constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** Enrolled and connected. */
  static async open({ stations, seed, addressOf, newCode }: LightFleetOptions): Promise<LightFleet> {
    const fleet = new LightFleet(seed);
    const onEntry = (entry: LogEntry, station: LightStation) => fleet.#arrived(entry, station);
    for (let index = 0; index < stations; index += 1) {
      const code = await newCode(`Light ${index + 1}`);
      const station = await LightStation.enrol({ address: addressOf(index), code, onEntry });
      fleet.stations.push(station);
      fleet.#edits.set(station, new Edits(station, fleet.#random));
      station.connect();
    }
    return fleet;
  }

  /** People write at every station, so many commits a minute at each in the mean, for so long. */
  async write(perMinute: number, milliseconds: number): Promise<void> {
    const stop = AbortSignal.timeout(milliseconds);
    await Promise.all(
      this.stations.flatMap(station => [
        this.#person(station, perMinute, stop),
        this.#network(station, stop),
      ]),
    );
  }

  /** One edit at each station while none is connected, so many times; then all come back at once. */
  async storm(edits: number): Promise<void> {
    await Promise.all(this.stations.map(station => station.disconnect()));
    for (const station of this.stations) for (let edit = 0; edit < edits; edit += 1) this.#edit(station);
    for (const station of this.stations) station.connect();
    await this.untilQuiet();
  }

  /** Waits until nothing is unsent and all have come to the same place of the same log. */
  async untilQuiet(): Promise<void> {
    const deadline = performance.now() + QUIET_LIMIT_MS;
    for (;;) {
      const last = Math.max(...this.stations.map(({ cursor }) => cursor.sequence));
      const late = this.stations.filter(({ cursor, unsent }) => unsent.length > 0 || cursor.sequence < last);
      if (late.length === 0) break;
      if (performance.now() > deadline) {
        throw new Error(`${late.length} stations are not in step.`, { cause: late[0]?.fault });
      }
      await sleep(20);
    }
    const hashes = new Set(this.stations.map(({ cursor }) => cursor.hash));
    if (hashes.size !== 1) throw new Error(`The stations have ${hashes.size} different logs.`);
  }

  /** Takes the figures since the last time. */
  takeFigures(): FleetFigures {
    const counts = noFigures();
    for (const station of this.stations) {
      for (const name of COUNTED) counts[name] += station.counts[name];
    }
    const figures = this.#figures;
    for (const name of COUNTED) figures[name] = counts[name] - this.#counted[name];
    this.#counted = counts;
    this.#figures = noFigures();
    return figures;
  }

  async close(): Promise<void> {
    await Promise.all(this.stations.map(station => station.disconnect()));
  }

  async #person(station: LightStation, perMinute: number, stop: AbortSignal): Promise<void> {
    const mean = (60_000 / perMinute) * EDITS_A_TIME;
    for (;;) {
      if (!(await this.#wait(this.#around(mean), stop))) return;
      const edits = this.#random.below(1_000) < BURST.share * 1_000 ? BURST.edits : 1;
      for (let edit = 0; edit < edits; edit += 1) {
        if (edit > 0 && !(await this.#wait(BURST.apartMs, stop))) return;
        this.#edit(station);
      }
    }
  }

  async #network(station: LightStation, stop: AbortSignal): Promise<void> {
    while (await this.#wait(this.#around(BREAK.everyMs), stop)) {
      this.#figures.breaks += 1;
      await station.disconnect();
      // What was on its way arrives late by the break.
      for (const { commit_id } of station.unsent) this.#writtenAt.delete(commit_id);
      await this.#wait(this.#around(BREAK.forMs), stop);
      station.connect();
    }
  }

  #edit(station: LightStation): void {
    const id = this.#edits.get(station)?.write();
    this.#figures.written += 1;
    if (id !== undefined && station.connectedSince !== undefined) this.#writtenAt.set(id, performance.now());
  }

  #arrived({ commit }: LogEntry, station: LightStation): void {
    if (commit.chain.startsWith(`${station.installation}.`)) return;
    const at = this.#writtenAt.get(commit.commit_id);
    if (at !== undefined && (station.connectedSince ?? Number.POSITIVE_INFINITY) <= at) {
      this.#figures.arrivals.push(performance.now() - at);
    }
    const [entry] = commit.entries;
    // What anybody at a station may change.
    if (entry?.subject.startsWith('supplier:') && entry.changes.every(({ over }) => over.length === 0)) {
      this.#edits.get(station)?.sees(entry.subject, commit.commit_id);
    }
  }

  /** Milliseconds as between things that happen at random, with a mean. */
  #around(mean: number): number {
    return -Math.log(1 - this.#random.below(1_000_000) / 1_000_000) * mean;
  }

  /** False when it is over before. */
  async #wait(milliseconds: number, stop: AbortSignal): Promise<boolean> {
    try {
      await sleep(milliseconds, undefined, { signal: stop });
      return true;
    } catch (error) {
      if (stop.aborted) return false;
      throw error;
    }
  }
}

const COUNTED = ['pushes', 'pulls', 'commits', 'entries', 'failures'] as const;

function noFigures(): FleetFigures {
  return { pushes: 0, pulls: 0, commits: 0, entries: 0, failures: 0, written: 0, breaks: 0, arrivals: [] };
}
