import { AppError } from '../../shared/contract/errors.ts';
import { NOTABLE_CLOCK_OFFSET } from '../../shared/contract/limits.ts';
import { addClockFact, type ClockFact, ENDS, type KeptClockFact, readClockFacts } from './clock-facts.ts';
import { markIn } from './commit-text.ts';
import { type HistoryRow, lastSequence, stationOf } from './history.ts';
import type { Database } from './sqlite/database.ts';
import { readLocal, writeLocal } from './tables.ts';

/** In `local`: what the clock should have said, and the last commit of history, when that was last noted. */
const SEEN = 'clock_seen';
/** It is noted again after so long; in between the last commit tells. In milliseconds. */
const NOTED_FOR = 3_600_000;
/** How often it is looked at while nobody writes. In milliseconds. */
const LOOKED_EVERY = 5_000;
/** By so much of what has passed a clock is slewed at most, or two clocks run apart. */
const SLEWED = 500e-6;
/**
 * A machine whose clock does not run while it is off gets the time from the network so soon after its start: that it was off
 * for so long is as likely as that somebody set it. In milliseconds.
 */
const FIRST_SET = 600_000;
/** Between two readings of the clock that are taken for one moment. In milliseconds. */
const AT_ONCE = 1_000;

/** A clock that is not confirmed. */
export interface ClockStanding {
  /** What it should at least say now. ISO 8601 UTC. */
  atLeast: string;
  /** Its clock minus that, in milliseconds. */
  offset: number;
  /** By which it was noticed. */
  fact: ClockFact;
  /** Its id; undefined until it is written. */
  step: number | undefined;
}

export interface ClockWatchOptions {
  database: Database;
  clock: () => Date;
  /**
   * Milliseconds since the machine began to run, by a clock that nobody sets and that goes on while it sleeps. Undefined:
   * the clock is made up, and nothing is noticed.
   */
  steady?: (() => number) | undefined;
  /** The chain that is written in. */
  chain: () => string;
  /** Runs work in a transaction of the write gate. */
  write: (work: () => void) => Promise<void>;
}

/**
 * Whether the machine's clock can be believed. It is not, from when it stands before what was written last, or has jumped against a
 * clock that nobody sets, until a person confirms it, it is right again, or central's time agrees. Nothing is refused
 * meanwhile: commits bear what it should at least say.
 */
export class ClockWatch {
  readonly #options: ClockWatchOptions;
  #steady: (() => number) | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #timer: NodeJS.Timeout | undefined;
  /** What the clock should say at a reading of the steady one. Both in milliseconds. */
  #base = { wall: 0, steady: 0 };
  #open: Omit<ClockStanding, 'atLeast'> | undefined;
  #unwritten: ClockFact[] = [];
  #notedAt = 0;

  constructor(options: ClockWatchOptions) {
    this.#options = options;
    // A damaged store is for reading only.
    this.#steady = options.database.damage === undefined ? options.steady : undefined;
    if (!this.#steady) return;
    try {
      this.#begin();
    } catch (error) {
      if (options.database.damage === undefined) throw error;
      this.#steady = undefined;
      return;
    }
    this.#notedAt = this.#base.steady;
    this.#timer = setInterval(() => this.look(), LOOKED_EVERY).unref();
  }

  /** How a clock stands that is not confirmed; null while it is believed. Looks at it. */
  standing(): ClockStanding | null {
    this.moment();
    return this.#open ? { ...this.#open, atLeast: timeOf(this.#base.wall) } : null;
  }

  /** What a commit that is written now says of when: the time, and while it is not believed what it should at least be. */
  moment(): { at: string; clock_at_least?: string } {
    if (!this.#steady) return { at: this.#options.clock().toISOString() };
    const { wall, steady } = this.#read();
    this.#compare(wall, steady);
    const at = new Date(wall).toISOString();
    return this.#open ? { at, clock_at_least: timeOf(this.#base.wall) } : { at };
  }

  /** Calls the listener when a step is noticed, and at once while one is open. Returns the way to stop it. */
  onStep(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.#open) listener();
    return () => this.#listeners.delete(listener);
  }

  /**
   * In an open transaction that nothing else shares: a person says that the clock is right.
   * @param step the id of the fact that the person has seen
   * @throws AppError `conflict` where that is not what is open
   */
  confirm(step: number, user: string, reason: string): KeptClockFact {
    const { wall } = this.#seen();
    if (!this.#open) {
      throw new AppError(
        'conflict',
        'The clock needs no confirmation: it is right again, or somebody has confirmed it.',
      );
    }
    if (this.#open.step !== step) {
      const message = 'The clock was changed again meanwhile. Look at what it says now, and confirm that.';
      throw new AppError('conflict', message);
    }
    const { database } = this.#options;
    const fact = this.#fact('confirmed', wall, user, reason);
    const id = addClockFact(database, fact);
    this.#note(wall);
    database.afterCommit(() => this.#believe());
    return { id, ...fact };
  }

  /** Central's time is this clock's, as far as people notice. */
  agreesWithCentral(): void {
    const { wall } = this.#seen();
    if (this.#open) this.#end('as_central', wall);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Against what is stored: a step that was open stays so, unless the clock is right again. */
  #begin(): void {
    const { wall, steady } = this.#read();
    this.#base = { wall, steady };
    const floor = this.#floor();
    if (!floor) return;
    const { offset: known = 0, open } = floor;
    // Of its having been set right meanwhile and not, what needs less time since then is believed.
    const offset = [0, known]
      .filter(each => wall - each >= floor.wall - NOTABLE_CLOCK_OFFSET)
      .sort((one, other) => other - one)[0];
    if (offset === undefined) this.#step('step_at_start', wall, floor.wall);
    if (offset === undefined || !open) return;
    this.#base.wall = wall - offset;
    this.#open = { ...open, offset };
    if (open.step === undefined) this.#later(open.fact);
    if (offset === 0) this.#end('set_right', wall);
  }

  /**
   * The latest time that is known to have passed, by what was written last here; with what stands of a clock that was not
   * believed then.
   */
  #floor(): { wall: number; offset?: number; open?: Omit<ClockStanding, 'atLeast' | 'offset'> } | undefined {
    const { reader } = this.#options.database;
    const [last] = readClockFacts(reader, { offset: 0, limit: 1 }).facts;
    const [at = '', noted = '0'] = (readLocal(reader, SEEN) ?? '').split(' ');
    const row = this.#lastCommit();
    const written = row && row.sequence > Number(noted) ? row : undefined;
    const marked = written && markIn(written.entries);
    const wall = Date.parse(marked ?? written?.at ?? at);
    if (last && !isEnd(last)) {
      const { id: step, ...fact } = last;
      const offset = Date.parse(fact.clock) - Date.parse(fact.at_least);
      return { wall: Math.max(wall || 0, Date.parse(fact.at_least)), offset, open: { step, fact } };
    }
    if (Number.isNaN(wall)) return undefined;
    if (!written || !marked || written.sequence <= (last?.sequence ?? 0)) return { wall };
    // A crash came between it and the fact that tells of it.
    const fact = { ...NOTICED, clock: written.at, at_least: marked, sequence: written.sequence };
    return { wall, offset: Date.parse(written.at) - wall, open: { step: undefined, fact } };
  }

  /** The last commit that was written here; in a chain that has none yet, of those before. */
  #lastCommit(): Written | undefined {
    const { database, chain } = this.#options;
    const station = stationOf(chain());
    const { reader } = database;
    return (
      reader.get<Written>(LAST, chain()) ?? reader.get<Written>(LAST_BEFORE, `${station}.`, `${station}/`)
    );
  }

  /** Compares the clocks, writes what could not be written before, and notes the time now and then. */
  look(): void {
    if (!this.#steady) return;
    this.#seen();
    for (const fact of this.#unwritten.splice(0)) this.#later(fact);
    if (this.#base.steady - this.#notedAt < NOTED_FOR) return;
    this.#noteLater(this.#base.wall);
  }

  #seen(): { wall: number } {
    const { wall, steady } = this.#read();
    this.#compare(wall, steady);
    return { wall };
  }

  /** Both clocks at one moment: the machine may have slept between two readings. */
  #read(): { wall: number; steady: number } {
    const { clock } = this.#options;
    const steady = this.#steady ?? (() => 0);
    let before = clock().getTime();
    for (let attempt = 0; ; attempt++) {
      const [reading, wall] = [steady(), clock().getTime()];
      if (Math.abs(wall - before) < AT_ONCE || attempt === 3) return { wall, steady: reading };
      before = wall;
    }
  }

  /** The base follows the clock by what slewing explains. */
  #compare(wall: number, steady: number): void {
    if (!this.#steady) return;
    const passed = steady - this.#base.steady;
    const should = this.#base.wall + passed;
    this.#base = { wall: should, steady };
    const off = wall - should;
    const drift = off - (this.#open?.offset ?? 0);
    if (this.#open && Math.abs(off) <= NOTABLE_CLOCK_OFFSET) this.#end('set_right', wall);
    else if (drift > NOTABLE_CLOCK_OFFSET && !this.#open && steady < FIRST_SET) this.#believe();
    else if (Math.abs(drift) > NOTABLE_CLOCK_OFFSET) this.#step('step', wall, should);
    else {
      const most = Math.abs(passed) * SLEWED;
      this.#base.wall += Math.max(-most, Math.min(drift, most));
    }
  }

  #step(kind: 'step_at_start' | 'step', wall: number, should: number): void {
    this.#base.wall = should;
    const fact = this.#fact(kind, wall);
    this.#open = { offset: wall - should, fact, step: undefined };
    this.#later(fact);
    for (const listener of this.#listeners) listener();
  }

  #end(kind: 'set_right' | 'as_central', wall: number): void {
    this.#later(this.#fact(kind, wall));
    this.#noteLater(wall);
    this.#believe();
  }

  #believe(): void {
    const { wall, steady } = this.#read();
    this.#open = undefined;
    this.#base = { wall, steady };
  }

  #fact(
    kind: ClockFact['kind'],
    wall: number,
    user: string | null = null,
    reason: string | null = null,
  ): ClockFact {
    const sequence = lastSequence(this.#options.database.reader);
    const [clock, at_least] = [new Date(wall).toISOString(), timeOf(this.#base.wall)];
    return { kind, clock, at_least, sequence, user, reason };
  }

  /** What cannot be written now, on a full disk, is tried again. */
  #later(fact: ClockFact): void {
    const { database } = this.#options;
    const work = () => {
      const id = addClockFact(database, fact);
      database.afterCommit(() => {
        if (this.#open?.fact === fact) this.#open.step = id;
      });
    };
    this.#write(work, () => this.#unwritten.push(fact));
  }

  #write(work: () => void, onFail: () => void): void {
    const { database, write } = this.#options;
    if (database.damage === undefined) write(work).catch(onFail);
  }

  #noteLater(wall: number): void {
    this.#notedAt = this.#base.steady;
    this.#write(
      () => this.#note(wall),
      () => {
        this.#notedAt = Number.NEGATIVE_INFINITY;
      },
    );
  }

  #note(wall: number): void {
    const { database } = this.#options;
    writeLocal(database, SEEN, `${timeOf(wall)} ${lastSequence(database)}`);
  }
}

type Written = Pick<HistoryRow, 'sequence' | 'at' | 'entries'>;
const LAST = 'SELECT sequence, at, entries FROM history WHERE chain = ? ORDER BY number DESC LIMIT 1';
/** Names of chains are the station's, a point and a random end; a slash comes after the point. */
const LAST_BEFORE = `SELECT sequence, at, entries FROM history
  WHERE sequence = (SELECT max(sequence) FROM history WHERE chain >= ? AND chain < ?)`;
const NOTICED = { kind: 'step_at_start', user: null, reason: null } as const;

function isEnd({ kind }: ClockFact): boolean {
  return (ENDS as readonly string[]).includes(kind);
}

function timeOf(milliseconds: number): string {
  return new Date(Math.round(milliseconds)).toISOString();
}
