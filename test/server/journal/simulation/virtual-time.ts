import { AsyncLocalStorage } from 'node:async_hooks';
import crypto, { createHash } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { type SeededRandom, seededRandom } from '../../../system/faults/seeded-random.ts';

const real = {
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  setImmediate: globalThis.setImmediate,
  clear: globalThis.clearTimeout,
};

/** Where the clock stands at the beginning: a day on which nothing is special. */
const BEGINNING = Date.parse('2026-06-15T12:00:00.000Z');
/** Steps that a run may take before it counts as one that never ends. */
const MOST_STEPS = 200_000;

/** Who does something: what is to come of an actor that has ended never comes, and of one that stands still comes later. */
export interface Actor {
  readonly name: string;
  isDead: boolean;
  /** In milliseconds of the world. */
  frozenUntil: number;
  /** Before it nothing of this actor's own work comes, so that it stays in order. */
  busyUntil: number;
}

interface Event {
  at: number;
  order: number;
  actor: Actor | undefined;
  what: string;
  run: () => void;
  isCancelled: boolean;
  /** It comes though the actor has ended: RxDB lets all that are in one process wait in one line, by timers of no time. */
  isCommon: boolean;
}

/** A timer of the world, with what Node's have. */
class WorldTimer {
  event: Event | undefined;
  hasRef = () => true;
  ref = () => this;
  unref = () => this;
}

/**
 * One process in which time, chance and order come from a seed. Whatever runs inside gets timers, clocks and random values of
 * the world; all else in this process goes on with the real ones. Between two events all that follows at once has followed.
 */
export class World {
  readonly random: SeededRandom;
  /** What happened, in its order. */
  readonly trace: string[] = [];
  now = 0;
  readonly #values: SeededRandom;
  readonly #events: Event[] = [];
  readonly #inside = new AsyncLocalStorage<Actor>();
  #order = 0;
  #steps = 0;

  constructor(seed: number) {
    this.random = seededRandom(seed);
    this.#values = seededRandom(seed ^ 0x5eed);
  }

  actor(name: string): Actor {
    return { name, isDead: false, frozenUntil: 0, busyUntil: 0 };
  }

  /** True in one of so many cases. */
  oneIn(count: number): boolean {
    return this.random.below(count) === 0;
  }

  /** The time as a clock of the world shows it. */
  readonly clock = (): Date => new Date(BEGINNING + Math.floor(this.now));

  /** Comes after so many milliseconds, as what the actor does, or what nobody does. */
  after(ms: number, what: string, run: () => void, actor?: Actor): Event {
    this.#order += 1;
    const inside = actor ? () => this.#inside.run(actor, run) : run;
    const event = {
      at: this.now + ms,
      order: this.#order,
      actor,
      what,
      run: inside,
      isCancelled: false,
      isCommon: false,
    };
    insert(this.#events, event);
    return event;
  }

  /** What an actor begins, in a world that gives it its time and chance. */
  as<Result>(actor: Actor, run: () => Result): Result {
    return this.#inside.run(actor, run);
  }

  sleep(ms: number, actor?: Actor): Promise<void> {
    return new Promise(resolve => this.after(ms, '', resolve, actor));
  }

  note(what: string): void {
    this.trace.push(`${this.now.toFixed(3)} ${what}`);
  }

  /** Goes on until it is done. Throws where nothing is to come, or no end. */
  async run(isDone: () => boolean): Promise<void> {
    await quiet();
    while (!isDone()) {
      const event = this.#events.pop();
      if (!event) throw new Error('Nothing is to come, and it is not done.');
      const { actor } = event;
      if (event.isCancelled || (actor?.isDead && !event.isCommon)) continue;
      if (actor && !event.isCommon && actor.frozenUntil > event.at) {
        event.at = actor.frozenUntil;
        insert(this.#events, event);
        continue;
      }
      this.#steps += 1;
      if (this.#steps > MOST_STEPS) throw new Error(`It has no end: ${this.trace.slice(-20).join('\n')}`);
      this.now = Math.max(this.now, event.at);
      if (event.what !== '') this.note(event.what);
      event.run();
      await quiet();
    }
  }

  /** Nothing is to come any more but what those wait for that come after. */
  async end(): Promise<void> {
    for (let event = this.#events.pop(); event; event = this.#events.pop()) {
      if (!event.isCommon || event.isCancelled) continue;
      event.run();
      await quiet();
    }
  }

  /** Whoever asks inside for time or chance is given the world's, until what this answers is called. */
  install(): () => void {
    const inside = () => this.#inside.getStore();
    const undo = [
      replace(globalThis, 'setTimeout', (given: () => void, ms = 0, ...rest: []) => {
        const actor = inside();
        if (!actor) return real.setTimeout(given, ms, ...rest);
        const timer = this.#timer(actor, given, ms, rest);
        if (timer.event) timer.event.isCommon = ms === 0;
        return timer;
      }),
      replace(globalThis, 'setInterval', (given: () => void, ms = 0, ...rest: []) => {
        const actor = inside();
        return actor ? this.#timer(actor, given, ms, rest, true) : real.setInterval(given, ms, ...rest);
      }),
      replace(globalThis, 'setImmediate', (given: () => void, ...rest: []) => {
        const actor = inside();
        return actor ? this.#timer(actor, given, 0, rest) : real.setImmediate(given, ...rest);
      }),
      ...(['clearTimeout', 'clearInterval'] as const).map(name =>
        replace(globalThis, name, (timer: unknown) => {
          if (!(timer instanceof WorldTimer)) return real.clear(timer as NodeJS.Timeout);
          if (timer.event) timer.event.isCancelled = true;
        }),
      ),
      replace(timers, 'setTimeout', (ms: number, value: unknown, options: object) => {
        const actor = inside();
        return actor ? this.#slept(actor, ms, value) : realSleep(ms, value, options);
      }),
      replace(performance, 'now', () => (inside() ? this.now : realNow())),
      replace(Date, 'now', () => (inside() ? this.clock().getTime() : realDate())),
      replace(Math, 'random', () => (inside() ? this.#values.below(2 ** 30) / 2 ** 30 : realRandom())),
      replace(crypto, 'randomBytes', (size: number) => (inside() ? this.#bytes(size) : realBytes(size))),
      replace(crypto, 'randomUUID', () => (inside() ? this.#uuid() : realUUID())),
      replace(crypto, 'randomInt', (from: number, to: number) =>
        inside() ? from + this.#values.below(to - from) : realInt(from, to),
      ),
      // What is worked out on other threads comes when it comes.
      replace(crypto.webcrypto.subtle, 'digest', async (name: string, data: Uint8Array) =>
        inside()
          ? new Uint8Array(createHash(name.replace('-', '')).update(data).digest()).buffer
          : realDigest(name, data),
      ),
    ];
    syncBuiltinESMExports();
    return () => {
      for (const each of undo) each();
      syncBuiltinESMExports();
    };
  }

  #timer(actor: Actor, given: (...rest: []) => void, ms: number, rest: [], isAgain = false): WorldTimer {
    const timer = new WorldTimer();
    const begin = () => {
      // A machine that has much to do lets what is next wait for a moment, and keeps its order.
      actor.busyUntil = Math.max(actor.busyUntil, this.now) + (ms < 1 ? this.random.below(4) / 8 : 0);
      const wait = ms < 1 ? actor.busyUntil - this.now : ms;
      timer.event = this.after(
        wait,
        '',
        () => {
          if (isAgain) begin();
          given(...rest);
        },
        actor,
      );
    };
    begin();
    return timer;
  }

  #slept(actor: Actor, ms: number, value: unknown): Promise<unknown> {
    return new Promise(resolve => this.#timer(actor, () => resolve(value), ms, []));
  }

  #bytes(size: number): Buffer {
    return Buffer.from(Array.from({ length: size }, () => this.#values.below(256)));
  }

  #uuid(): string {
    const bytes = this.#bytes(16);
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }
}

const realSleep = timers.setTimeout;
const realNow = performance.now.bind(performance);
const realDate = Date.now;
const realRandom = Math.random;
const realBytes = crypto.randomBytes;
const realInt: (from: number, to: number) => number = crypto.randomInt;
const realUUID = crypto.randomUUID;
const realDigest = crypto.webcrypto.subtle.digest.bind(crypto.webcrypto.subtle);

/** All that follows at once has followed. */
function quiet(): Promise<void> {
  return new Promise(resolve => real.setImmediate(resolve));
}

/** The next one is the last of the list. */
function insert(events: Event[], event: Event): void {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = events[middle];
    const isLater = other && (other.at > event.at || (other.at === event.at && other.order > event.order));
    if (isLater) low = middle + 1;
    else high = middle;
  }
  events.splice(low, 0, event);
}

function replace(owner: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
  return () => {
    if (before) Object.defineProperty(owner, name, before);
    else Reflect.deleteProperty(owner, name);
  };
}
