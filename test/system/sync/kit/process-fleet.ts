import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SyncState } from '../../../../shared/operations/exchange-operations.ts';
import { newCode } from '../../../server/enrolment/enrolled.ts';
import { type Answer, Station } from '../../../support/station.ts';
import { type FaultKind, FaultProxy, faultKinds } from './fault-proxy.ts';
import type { Machine } from './machine-file.ts';

/** Without any step forward: above the longest pause of a station between two tries, which is a minute. */
const PATIENCE_MS = 300_000;
const PAUSE_MS = 300;

/** A station's process, and the network between it and central. */
export interface Member {
  name: string;
  station: Station;
  proxy: FaultProxy;
}

export interface FleetOptions {
  stations: number;
  seed: number;
  /** What their networks do when they are disturbed. */
  kinds: readonly FaultKind[];
  /** Further environment variables of a machine, by its name: `Central`, `Station 1`. */
  env?: (name: string) => Record<string, string>;
  /** One of its own unless given. */
  central?: RunningCentral;
}

/** A central that runs. The fleet ends it and removes its folders. */
export interface RunningCentral {
  /** Of several processes the one that the fleet asks. */
  station: Station;
  /** Where stations reach it. */
  address: () => string;
  /** Its other processes. */
  further: readonly Station[];
}

/** Central and stations as real processes, each station behind a network of its own. */
export class ProcessFleet {
  readonly central: Station;
  readonly members: Member[] = [];
  readonly #address: () => string;
  readonly #further: readonly Station[];

  private constructor({ station, address, further }: RunningCentral) {
    this.central = station;
    this.#address = address;
    this.#further = further;
  }

  /** Enrolled and in step; the networks have no faults yet. `close` it also where this throws. */
  static async start(options: FleetOptions): Promise<ProcessFleet> {
    const station = new Station({ role: 'central', env: options.env?.('Central') ?? {} });
    const own = { station, address: () => station.origin, further: [] };
    const fleet = new ProcessFleet(options.central ?? own);
    try {
      if (!options.central) await station.start();
      for (let number = 1; number <= options.stations; number += 1) await fleet.#enrol(number, options);
      await fleet.untilInStep();
      return fleet;
    } catch (error) {
      await fleet.close();
      throw error;
    }
  }

  get stations(): Station[] {
    return this.members.map(({ station }) => station);
  }

  /** Central first. */
  get all(): Station[] {
    return [this.central, ...this.stations];
  }

  get machines(): Machine[] {
    const named = this.members.map(({ name, station }) => ({ name, folder: station.folder }));
    const further = this.#further.map(({ folder }, index) => ({ name: `process ${index + 2}`, folder }));
    return [{ name: 'central', folder: this.central.folder }, ...further, ...named];
  }

  /** How many of a hundred requests of each station meet a fault. */
  disturb(percent: number): void {
    for (const { proxy } of this.members) proxy.percent = percent;
  }

  /** Nothing passes until `heal`. */
  separate(): void {
    for (const { proxy } of this.members) proxy.stop();
  }

  /** The networks are whole again. */
  async reconnect(): Promise<void> {
    await Promise.all(this.members.map(({ proxy }) => proxy.heal()));
  }

  /** The networks are whole, and all machines have come to the same. Throws where they do not in time. */
  async heal(): Promise<void> {
    await this.reconnect();
    await this.untilInStep();
  }

  /** `meanwhile`: what people do, again and again. */
  async untilInStep(meanwhile: () => Promise<void> = async () => {}): Promise<void> {
    let deadline = Date.now() + PATIENCE_MS;
    let before = '';
    for (;;) {
      await meanwhile();
      const [central, ...stations] = await Promise.all(this.all.map(stateOf));
      const isInStep = stations.every(
        one =>
          one.state === 'in_step' &&
          one.unsent === 0 &&
          one.sequence === central?.sequence &&
          one.digests_agree === true,
      );
      if (isInStep) return;
      const now = [central, ...stations].map(one => `${one?.sequence} ${one?.unsent}`).join();
      if (now !== before) deadline = Date.now() + PATIENCE_MS;
      before = now;
      if (Date.now() > deadline) {
        throw new Error(`Not in step: ${JSON.stringify({ central, stations }, null, 1)}`);
      }
      await sleep(PAUSE_MS);
    }
  }

  requests(): number {
    return this.members.reduce((sum, { proxy }) => sum + proxy.requests, 0);
  }

  /** How many requests of all stations met which fault. */
  faults(): Record<FaultKind, number> {
    const sum = (kind: FaultKind) => this.members.reduce((all, { proxy }) => all + proxy.counts[kind], 0);
    return Object.fromEntries(faultKinds.map(kind => [kind, sum(kind)])) as Record<FaultKind, number>;
  }

  /** Ends all processes by SIGKILL; their folders stay until `close`. */
  async kill(): Promise<void> {
    await Promise.all([...this.all, ...this.#further].map(each => each.kill()));
  }

  async close(): Promise<void> {
    await this.kill();
    await Promise.all(this.members.map(({ proxy }) => proxy.close()));
    for (const { folder } of this.machines) await rm(folder, { recursive: true, force: true });
  }

  async #enrol(number: number, { seed, kinds, env }: FleetOptions): Promise<void> {
    const name = `Station ${number}`;
    const proxy = await FaultProxy.open({ target: this.#address(), seed: seed + number, kinds });
    const station = new Station({ env: env?.(name) ?? {} });
    await station.start();
    this.members.push({ name, station, proxy });
    const code = await newCode(this.central, name);
    dataOf(await station.post('/x/sync/enrol', { address: proxy.origin, code }));
  }
}

async function stateOf(station: Station): Promise<SyncState> {
  return dataOf(await station.get('/x/sync')) as SyncState;
}

/** The data of a success. */
export function dataOf({ status, body }: Answer): unknown {
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined;
}
