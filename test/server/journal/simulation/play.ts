import { verifyDependencies } from '../../../../server/backup/verify-dependencies.ts';
import { Journal } from '../../../../server/journal/journal.ts';
import { verifyJournal } from '../../../../server/journal/verify-journal.ts';
import type { Commit } from '../../../../server/store/changes.ts';
import type { Store } from '../../../../server/store/store.ts';
import { verify } from '../../../../server/store/verify/verify.ts';
import { digestsOf } from '../../../../server/sync/log/digest.ts';
import { standing } from '../standing.ts';
import { planFaults } from './plan-faults.ts';
import { type PostgresModel, URL } from './postgres-model.ts';
import { namesIn, type SimulatedCentral } from './simulated-central.ts';
import type { SimulatedStation } from './simulated-station.ts';
import type { World } from './virtual-time.ts';
import { Answered, Writer } from './writer.ts';

/** In milliseconds of the world: by when all must be in step after the last fault, and how long one may lag unasked. */
const SETTLED_MS = 90_000;
const FOLLOWED_MS = 4_000;

/** A schedule from its beginning to the comparison of all that it leaves. */
export class Play {
  readonly #world: World;
  readonly #postgres: PostgresModel;
  readonly #centrals: readonly SimulatedCentral[];
  readonly #stations: readonly SimulatedStation[];
  readonly #known = new Answered();
  /** What stations had when a journal lost its end: they give it back. */
  readonly #kept = new Set<string>();
  readonly #faults = this.#known.faults;
  /** How often a journal has lost its end. */
  #losses = 0;
  readonly #share: number;

  constructor(
    world: World,
    postgres: PostgresModel,
    centrals: readonly SimulatedCentral[],
    stations: readonly SimulatedStation[],
    share: number,
  ) {
    this.#world = world;
    this.#postgres = postgres;
    this.#centrals = centrals;
    this.#stations = stations;
    this.#share = share;
  }

  get answered(): number {
    return this.#known.created.size;
  }

  async run(): Promise<string[]> {
    const world = this.#world;
    for (const central of this.#centrals) central.start();
    await this.#open();
    const endMs = planFaults({
      world,
      postgres: this.#postgres,
      centrals: this.#centrals,
      share: this.#share,
      onLost: log => this.#lose(log),
    });
    const steps = [
      () => this.#storm(endMs),
      () => this.#becomeCalm(),
      () => this.#writeInCalm(),
      () => this.#settle(),
      () => this.#compare(),
    ];
    for (const step of steps) {
      await step();
      if (this.#faults.length > 0) break;
    }
    return this.#faults;
  }

  /** Stations are enrolled, and the journal begins, before anything fails. */
  async #open(): Promise<void> {
    const world = this.#world;
    const open = this.#stations.map((station, n) => world.as(station.actor, () => station.open(n + 1)));
    await this.#done(Promise.all(open));
    // A journal that loses its very beginning is another one: then people begin anew.
    await this.#until(
      () => this.#postgres.standby?.log.some(({ turn }) => turn) ?? false,
      'No journal begins',
    );
  }

  /** All work while things fail, and until each is answered. */
  async #storm(endMs: number): Promise<void> {
    const world = this.#world;
    const { random } = world;
    const writers = Array.from(
      { length: 2 + random.below(2) },
      (_, n) => new Writer(world, `W${n}`, this.#centrals, this.#known),
    );
    for (const writer of writers) this.#watch(writer.work(this.#some(6 + random.below(8))));
    for (const station of this.#stations) {
      const count = this.#some(3 + random.below(5));
      this.#watch(world.as(station.actor, () => station.write(count)));
      this.#watch(world.as(station.actor, () => station.exchange()));
    }
    const isOver = () =>
      writers.every(({ isDone }) => isDone) && this.#stations.every(({ isDone }) => isDone);
    await this.#until(() => world.now > endMs && isOver(), 'Not all was answered in time');
  }

  /** All processes take part, and all stations have what they have; what was cut in silence is found. */
  async #becomeCalm(): Promise<void> {
    const world = this.#world;
    this.#postgres.refusesOneIn = 0;
    await this.#until(() => this.#areUp(), 'Not all processes take part in time');
    if (this.#faults.length === 0) await this.#settle();
    const last = new Writer(world, 'calm', this.#centrals, this.#known);
    const all = this.#centrals.map((_, n) => last.create(`calm.${n}`, this.#centrals.slice(n, n + 1)));
    await this.#done(Promise.all(all));
  }

  /** Nothing is refused any more, and all come to have it without being asked. */
  async #writeInCalm(): Promise<void> {
    const world = this.#world;
    const last = new Writer(world, 'last', this.#centrals, this.#known);
    const all = this.#centrals.map((_, n) => last.create(`last.${n}`, this.#centrals.slice(n, n + 1)));
    for (const station of this.#stations) station.isResting = true;
    await this.#done(Promise.all(all));
    if (last.refused > 0) this.#faults.push(`While nothing fails ${last.refused} requests are refused.`);
    await this.#follow();
    for (const central of this.#centrals) {
      await this.#done(last.create(`last of ${central.name}`, [central]));
      await this.#follow();
    }
    for (const station of this.#stations) station.isResting = false;
  }

  /** What was written comes to all processes, though nobody asks them. */
  async #follow(): Promise<void> {
    const world = this.#world;
    const until = world.now + FOLLOWED_MS;
    await world.run(() => world.now > until);
    const head = this.#postgres.primary.state.head?.turn;
    for (const { name, running } of this.#centrals) {
      if (running?.shared.shared.place.turn !== head) this.#faults.push(`${name} has not followed.`);
    }
  }

  /** Stations come to have what central has. */
  async #settle(): Promise<void> {
    const world = this.#world;
    const limit = world.now + SETTLED_MS;
    const digests = () => {
      const stores = [
        ...this.#centrals.map(({ running }) => running?.store),
        ...this.#stations.map(each => each.store),
      ];
      return stores.map(store => store && JSON.stringify(digestsOf(store.database.reader)));
    };
    do {
      const next = world.now + 700;
      await world.run(() => world.now > next);
      if (new Set(digests()).size === 1 && this.#stations.every(({ isSettled }) => isSettled)) return;
    } while (world.now < limit);
    this.#faults.push('Centrals and stations are not in step in time.');
  }

  async #compare(): Promise<void> {
    const world = this.#world;
    for (const station of this.#stations) station.isStopping = true;
    const stores = this.#centrals.flatMap(({ running }) => running?.store ?? []);
    const [first, ...others] = stores.map(({ database }) => standing(database.reader));
    for (const other of others) {
      for (const [table, hash] of Object.entries(other.tables))
        if (first?.tables[table] !== hash) this.#faults.push(`Two processes differ in ${table}.`);
    }
    const verifier = world.actor('verifier');
    const journal = new Journal({ url: URL, onNews: () => {}, driver: this.#postgres.driverOf(verifier) });
    // They are the same: one of them is looked at.
    const one = world.random.pick(this.#centrals);
    const found = world.as(verifier, async () =>
      one.running ? verifyJournal(journal, one.running.store.database.reader) : [],
    );
    this.#faults.push(...((await this.#done(found)) ?? []));
    journal.close();
    if (this.#postgres.isSynchronous) this.#faults.push(...this.#parted());
    if (stores[0] && epochsBefore(stores[0]) > this.#losses)
      this.#faults.push('An epoch was begun though no journal has lost its end.');
    this.#count(stores[0] ? namesIn(stores[0]) : []);
    await this.#done(
      Promise.all(this.#centrals.map(central => world.as(central.actor, () => central.close()))),
    );
    const { findings } = await verify(one.folder, verifyDependencies);
    this.#faults.push(...findings.map(({ what, where }) => `${what} ${where}`));
  }

  /** Each once: what was answered, what stations wrote, and what they had of an end that was lost. */
  #count(names: readonly string[]): void {
    const { created, lost, undone } = this.#known;
    const times = Map.groupBy(names, name => name);
    const wanted = [
      ...[...created.keys()].filter(name => !lost.has(name)),
      ...this.#stations.flatMap(({ written }) => written),
      ...this.#kept,
    ];
    for (const name of wanted) if (!times.has(name)) this.#faults.push(`${name} is lost.`);
    for (const [name, { length }] of times)
      if (length > 1 && !undone.has(name)) this.#faults.push(`${name} is there ${length} times.`);
  }

  /** Where a COMMIT waits for the standby, nobody was told of what is lost here. */
  #lose(log: ReturnType<PostgresModel['failOver']>): void {
    const names = log.flatMap(({ entries = [] }) => entries.flatMap(({ body }) => namesWritten(body)));
    if (names.length > 0) this.#world.note(`the journal has lost ${names}`);
    for (const name of names) {
      this.#known.undone.add(name);
      if (this.#postgres.isSynchronous) continue;
      this.#known.lost.add(name);
      if (this.#stations.some(station => station.names().includes(name))) this.#kept.add(name);
    }
    if (!log.some(({ turn }) => turn)) return;
    this.#losses += 1;
    this.#known.hasLost ||= !this.#postgres.isSynchronous;
  }

  /** Who had what the journal has lost, though a COMMIT waits for the standby. */
  #parted(): string[] {
    const parted = this.#centrals.filter(({ partings }) => partings > 0);
    return parted.map(({ name }) => `${name} had what the standby did not have.`);
  }

  #some(count: number): number {
    return Math.ceil(count * this.#share);
  }

  #areUp(): boolean {
    const world = this.#world;
    return this.#centrals.every(({ running, actor }) => running && actor.frozenUntil <= world.now);
  }

  #watch(work: Promise<void>): void {
    work.catch(error => this.#faults.push(unexpected(error)));
  }

  /** What it resolves to; undefined, and a fault, where it fails or takes too long. */
  async #done<Result>(work: Promise<Result>): Promise<Result | undefined> {
    let result: { value: Result } | undefined;
    work.then(
      value => {
        result = { value };
      },
      error => this.#faults.push(unexpected(error)),
    );
    await this.#until(() => result !== undefined || this.#faults.length > 0, 'It is not done in time');
    return result?.value;
  }

  async #until(isDone: () => boolean, otherwise: string): Promise<void> {
    const limit = this.#world.now + SETTLED_MS;
    const isOver = () => this.#faults.length > 0 || isDone();
    await this.#world.run(() => isOver() || this.#world.now > limit);
    if (!isOver()) this.#faults.push(`${otherwise}.`);
  }
}

function unexpected(error: unknown): string {
  return `What nobody expects: ${error instanceof Error ? error.stack : error}`;
}

function epochsBefore({ database }: Store): number {
  return database.reader.get<{ count: number }>('SELECT count(*) AS count FROM former_epoch')?.count ?? 0;
}

/** Names that a commit gives. */
function namesWritten(body: string): string[] {
  const { entries } = JSON.parse(body) as Pick<Commit, 'entries'>;
  return entries.flatMap(({ changes }) =>
    changes.flatMap(change => (change.path === 'name' ? String(change.new) : [])),
  );
}
