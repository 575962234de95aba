import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Station } from '../../../support/station.ts';
import { planted } from '../../faults/plant-fault.ts';
import { type SeededRandom, seededRandom } from '../../faults/seeded-random.ts';
import { type FaultKind, FaultProxy, faultKinds } from '../kit/fault-proxy.ts';
import { type Member, ProcessFleet } from '../kit/process-fleet.ts';
import { Acknowledged, type Life } from './acknowledged.ts';
import { attend } from './attend.ts';
import { logged, markersOn } from './on-disk.ts';
import { CENTRAL, type Deed, type Move, STATIONS } from './plan.ts';

/** What a network between an author and a machine may do, since each write has a key. */
const FRONT_KINDS: readonly FaultKind[] = [
  'drop_request',
  'drop_answer',
  'delay',
  'cut',
  'twice',
  'repeat_later',
];
export const FRONT_PERCENT = 6;
/** In which nothing that was received is still to be written. */
const STILL_MS = 700;
/** What they do follows each other, beside what befalls machines. */
const PEOPLE = 'people';

/** A machine: its process, its disk, and the network between its authors and itself. */
export interface Place {
  name: string;
  station: Station;
  /** Of a station, its line to central. */
  line: FaultProxy | undefined;
  front: FaultProxy;
  life: Life;
  /** A copy of its disk that is to be put back. */
  copy: { folder: string; inherited: ReadonlySet<string> } | undefined;
  /** The file that says what its clock is off by. */
  clock: string;
}

interface NewPlace extends Pick<Place, 'name' | 'station'> {
  line?: FaultProxy;
  life?: Life;
  /** Where authors ask, unless the machine is one process. */
  target?: string;
}

/** Stations and central, what befalls them, and what was acknowledged by them. */
export class StormSite {
  readonly fleet: ProcessFleet;
  readonly writes: Acknowledged;
  readonly places = new Map<string, Place>();
  readonly counts = new Map<string, number>();
  /** Acknowledged writes that were on no disk when one was lost. */
  readonly faults: string[] = [];
  /** Somebody comes to write at a machine that is new. */
  onMachine: (place: Place) => void = () => {};
  protected readonly folder: string;
  readonly #seed: number;
  readonly #random: SeededRandom;
  /** What each machine's processes are going through; a disk is copied or lost while nothing else is. */
  readonly #lanes = new Map<string, Promise<unknown>>();
  protected readonly say: (line: string) => void;

  protected constructor(fleet: ProcessFleet, seed: number, folder: string, say: (line: string) => void) {
    this.fleet = fleet;
    this.writes = new Acknowledged(seed);
    this.#seed = seed;
    this.folder = folder;
    this.#random = seededRandom(seed + 500);
    this.say = say;
  }

  /** `close` it. `say` hears of each move. */
  static async start(seed: number, say: (line: string) => void = () => {}): Promise<StormSite> {
    const folder = mkdtempSync(join(tmpdir(), 'holdpoint-storm-'));
    const fleet = await ProcessFleet.start({
      stations: STATIONS.length,
      seed,
      kinds: faultKinds,
      env: name => clockOf(folder, name),
    });
    const site = new StormSite(fleet, seed, folder, say);
    await site.addAll(fleet.central.origin);
    return site;
  }

  /** Does what the plan says, each thing at its time or as soon as what is before it is done. */
  async storm(plan: readonly Move[]): Promise<void> {
    for (const { front } of this.places.values()) front.percent = FRONT_PERCENT;
    const began = performance.now();
    for (const move of plan) {
      await sleep(Math.max(0, began + move.at - performance.now()));
      this.say(`${(move.at / 1_000).toFixed(1)} ${move.who} ${move.deed} ${move.detail ?? move.measure}`);
      this.begin(move);
    }
    await Promise.all(this.#lanes.values());
  }

  /** The networks are whole, people have done what they were told to, and all machines have come to the same. */
  async quiet(): Promise<void> {
    for (const { front, line } of this.places.values()) {
      await front.heal();
      await line?.heal();
    }
    await this.fleet.untilInStep(() => this.attend());
  }

  /** Nobody waits for an answer any more: a machine may be away for good. */
  abandon(): void {
    for (const place of this.places.values()) place.life = { ...place.life };
  }

  async attend(): Promise<void> {
    for (const line of await attend([...this.places.values()], this.#random)) {
      this.count(line.did);
      this.say(`people: ${line.did} ${line.at}: ${line.heard}`);
    }
  }

  /** How many requests met which fault, of stations and of authors. */
  networkFaults(): Record<string, number> {
    const proxies = [...this.places.values()].flatMap(({ line, front }) => (line ? [line, front] : [front]));
    return Object.fromEntries(
      faultKinds.map(kind => [kind, proxies.reduce((sum, { counts }) => sum + counts[kind], 0)]),
    );
  }

  async close(): Promise<void> {
    await this.fleet.close();
    for (const { front } of this.places.values()) await front.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** What is wrong beyond what the machines' files say, when nobody writes and all are in step; their processes are killed. */
  async judge(): Promise<string[]> {
    await this.fleet.kill();
    return [];
  }

  /** @param address where central is asked */
  protected async addAll(address: string): Promise<void> {
    await this.#add({ name: CENTRAL, station: this.fleet.central, target: address });
    for (const { name, station, proxy } of this.fleet.members)
      await this.#add({ name, station, line: proxy });
  }

  protected begin(move: Move): void {
    const { deed, who, measure, detail = '' } = move;
    const all = [...new Set([...this.places.keys(), ...this.#lanes.keys()])].filter(name => name !== PEOPLE);
    if (deed === 'attend') this.after([PEOPLE], deed, () => this.attend());
    else if (deed === 'kill' || deed === 'stop') {
      this.after([who], deed, () => this.away(this.place(who).station, deed, measure));
    } else if (deed === 'copy') this.after(all, deed, () => this.#copy(this.place(who)));
    else if (deed === 'put back') this.after(all, deed, () => this.#putBack(this.place(who)));
    else if (deed === 'clone') this.after([...all, detail], deed, () => this.#clone(this.place(who), detail));
    else this.#disturb(move);
  }

  /** What needs no process to end. A machine that is not there yet has no line and no clock. */
  #disturb({ deed, who, measure, detail }: Move): void {
    const place = this.places.get(who);
    const line = place?.line;
    const until = (end: () => void) => setTimeout(end, measure).unref();
    if (deed === 'clock' && place) writeFileSync(place.clock, `${detail}\n`);
    else if (!line) return;
    else if (deed === 'disturb') line.percent = measure;
    else if (deed === 'cut') {
      line.stop();
      until(() => line.resume());
    } else if (deed === 'black hole') {
      line.disappear();
      until(() => line.reappear());
    } else if (deed === 'throttle') {
      line.rate = Number(detail);
      until(() => {
        line.rate = undefined;
      });
    }
    this.count(deed);
  }

  /** When each of them has gone through what is before. */
  protected after(who: readonly string[], deed: Deed, work: () => Promise<unknown>): void {
    const before = Promise.all(who.map(name => this.#lanes.get(name)));
    const done = before.then(work).then(() => this.count(deed));
    for (const name of who) this.#lanes.set(name, done);
    // `storm` waits for it; until then nobody does.
    done.catch(() => {});
  }

  protected async away(station: Station, deed: 'kill' | 'stop', ms: number): Promise<void> {
    if (deed === 'kill') await station.kill();
    else await station.end();
    await sleep(ms);
    await serving(station);
  }

  async #copy(place: Place): Promise<void> {
    const { station } = place;
    await station.kill();
    const folder = mkdtempSync(join(this.folder, 'copy-'));
    cpSync(station.folder, folder, { recursive: true });
    place.copy = { folder, inherited: markersOn(folder, this.writes.prefix) };
    await serving(station);
  }

  /** Nobody is told. What only this disk has is lost with it, and the oracle notes what that is. */
  async #putBack(place: Place): Promise<void> {
    const { station, copy, life } = place;
    if (!copy) throw new Error(`There is no copy of ${place.name}.`);
    await station.kill();
    place.copy = undefined;
    place.life = { root: life.root, inherited: copy.inherited };
    await this.#arrived(place);
    const left = [...this.places.values()].filter(other => other !== place);
    const others = left.map(other => markersOn(other.station.folder, this.writes.prefix));
    const lost = markersOn(station.folder, this.writes.prefix);
    const nowhere = this.writes.lose(
      life,
      lost,
      new Set([...copy.inherited, ...others.flatMap(on => [...on])]),
    );
    for (const { kind, marker } of nowhere) {
      this.faults.push(
        `${kind} ${marker} was acknowledged and on no disk when that of ${place.name} was lost`,
      );
    }
    for (const name of readdirSync(station.folder)) rmSync(join(station.folder, name), { recursive: true });
    cpSync(copy.folder, station.folder, { recursive: true });
    rmSync(copy.folder, { recursive: true });
    await serving(station);
    place.front.percent = FRONT_PERCENT;
  }

  /** Until all that the killed process had sent has arrived, and is written where it did. */
  async #arrived({ front, line, station }: Place): Promise<void> {
    // A request that is repeated later would be another write after the disk is another one.
    await front.heal();
    const { members, central } = this.fleet;
    const lines = line ? [line] : members.map(({ proxy }) => proxy);
    await Promise.all(lines.map(one => one.settled()));
    // Passed on is not written yet. What another machine of the station writes meanwhile never ends.
    const { prefix } = this.writes;
    const own = markersOn(station.folder, prefix);
    const received = line
      ? () => [...markersOn(central.folder, prefix)].filter(marker => own.has(marker)).length
      : () => members.map(one => logged(one.station.folder)).join();
    for (let before: unknown; before !== received(); await sleep(STILL_MS)) before = received();
  }

  /** A copy of a station's disk gets a machine of its own, while the station goes on. */
  async #clone({ station, life, line }: Place, name: string): Promise<void> {
    if (!line) throw new Error('Central is not cloned.');
    await station.kill();
    const folder = mkdtempSync(join(tmpdir(), 'holdpoint-test-'));
    cpSync(station.folder, folder, { recursive: true });
    await serving(station);
    const clone = new Station({ folder, env: clockOf(this.folder, name) });
    const proxy = await FaultProxy.open({
      target: this.fleet.central.origin,
      seed: this.#seed + this.places.size,
      kinds: faultKinds,
    });
    const member: Member = { name, station: clone, proxy };
    this.fleet.members.push(member);
    await clone.start();
    const inherited = markersOn(folder, this.writes.prefix);
    const place = await this.#add({
      name,
      station: clone,
      line: proxy,
      life: { root: life.root, inherited },
    });
    place.front.percent = FRONT_PERCENT;
    this.onMachine(place);
  }

  async #add({ name, station, line, life, target = station.origin }: NewPlace): Promise<Place> {
    const front = await FaultProxy.open({
      target,
      seed: this.#seed + 100 + this.places.size,
      kinds: FRONT_KINDS,
    });
    const place: Place = {
      name,
      station,
      line,
      front,
      life: life ?? { root: name, inherited: new Set() },
      copy: undefined,
      clock: join(this.folder, name),
    };
    this.places.set(name, place);
    return place;
  }

  protected place(name: string): Place {
    const place = this.places.get(name);
    if (!place) throw new Error(`There is no machine ${name}.`);
    return place;
  }

  protected count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }
}

export function clockOf(folder: string, name: string): Record<string, string> {
  const clock = join(folder, name);
  writeFileSync(clock, '+0\n');
  return planted({ clock });
}

const TRIES = 5;

/** As by a service manager: a command of somebody may have the data folder just then, and the next start succeeds. */
export async function serving(station: Station): Promise<void> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await station.start();
    } catch (error) {
      if (left === 1 || !String(error).includes('is in use by another')) throw error;
    }
  }
}
