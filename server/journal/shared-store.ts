import { randomUUID } from 'node:crypto';
import { DatabaseError } from 'pg';
import { AppError } from '../../shared/contract/errors.ts';
import type { RemoteWork } from '../store/commit.ts';
import type { SharedJournal } from '../store/group-commit.ts';
import { recordsInParts } from '../store/records-at-once.ts';
import { JOURNAL, JOURNAL_PLACE } from '../store/shared-folder.ts';
import type { Store } from '../store/store.ts';
import { recordsIn } from '../store/subjects.ts';
import { readLocal, writeLocal } from '../store/tables.ts';
import { inTurns, yieldingToEventLoop } from '../store/yield-to-event-loop.ts';
import { CentralStore } from '../sync/central/central-store.ts';
import { DecidedStore, readOnce } from '../sync/log/decided-store.ts';
import { Log, sha256 } from '../sync/log/log.ts';
import { logEntry } from '../sync/protocol/log.ts';
import type { SignedEntry } from '../sync/protocol/packed-entries.ts';
import { JournalLostError } from './connection.ts';
import type { Journal } from './journal.ts';
import { Outbox } from './outbox.ts';
import { nameOf } from './small-tables.ts';
import type { Fact, Head, JournalPlace, Turn } from './turn.ts';

/** Turns that are folded in one transaction, and entries of one turn where a store that is there already begins a journal. */
const AT_ONCE = 50;
const ENTRIES_AT_ONCE = 500;
/** How often a process asks for what is new without having heard of it. In milliseconds. */
const POLL_MS = 1_000;

/** The head was that of a server whose place another one has taken before its turns were asked for. */
const OTHER_SERVER = 'The journal was not reached: its head was asked of a server that is gone.';

/** What a process has taken over from the others. */
export interface Followed {
  /** The small tables whose rows may have changed. */
  tables: ReadonlySet<string>;
  /** Those rows as they stand now; of a row that was written several times, each. */
  facts: readonly Fact[];
  entries: number;
}

export interface SharedStoreOptions {
  store: Store;
  journal: Journal;
  /** A journal without a turn begins with what the store holds; else it has begun. */
  clock: () => Date;
  /** The journal does not have what this folder has: nothing is written or answered any more. */
  onParted: (message: string) => void;
  /** The file lacks what the journal has taken, or central has begun another epoch elsewhere: the process must end and start again. */
  onBehind: (cause: unknown) => void;
  /** What is followed without anybody's waiting for it. */
  onFault: (error: unknown) => void;
}

/**
 * One process's share in a central that several processes serve. Its file is a fold of the journal: each group of writes is
 * made on what all others have written, and stands in the journal before it stands in the file.
 */
export class SharedStore implements SharedJournal {
  readonly #options: SharedStoreOptions;
  readonly #outbox: Outbox;
  readonly #log: Log;
  readonly #process = randomUUID();
  readonly #listeners = new Set<(followed: Followed) => void>();
  #id: string;
  #place: JournalPlace;
  #head: Head | undefined;
  #parted: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** The position of the head, and why it could not be asked for, when it was asked for last. */
  #last = 0;
  #failure: unknown;
  /** One question for all that wait, and one more for those that came after it was asked. */
  #asking: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  private constructor(options: SharedStoreOptions, id: string) {
    const { database } = options.store;
    this.#options = options;
    this.#outbox = new Outbox(database);
    this.#log = new Log(database, database);
    this.#id = id;
    this.#place = JSON.parse(readLocal(database, JOURNAL_PLACE) ?? '{"position":0,"turn":""}');
  }

  /**
   * Takes part from now on. Where the journal has not begun, `begin` is called, and what the store holds then is its beginning;
   * else the store has all of it when this resolves. To be called before anything else is written.
   * @throws AppError `conflict` for a folder that is of another journal, or of none while the journal has begun; `unavailable`
   */
  static async join(options: SharedStoreOptions, begin: () => Promise<void>): Promise<SharedStore> {
    const { journal, store } = options;
    const known = readLocal(store.database, JOURNAL);
    try {
      const head = await journal.lock();
      const isBegun = head.journal !== '';
      if (known !== undefined && known !== head.journal) throw otherJournal(store.database.folder, known);
      if (known === undefined && isBegun && hasHistory(store)) throw isNoCopy(store.database.folder);
      if (isBegun) await journal.release();
      else await begin();
      const shared = new SharedStore(options, isBegun ? head.journal : randomUUID());
      await store.gate.between(() => (isBegun ? shared.#follow(head) : shared.#begin(head)));
      store.gate.join(shared);
      shared.#poll();
      return shared;
    } catch (error) {
      await journal.release();
      throw away(error);
    }
  }

  /** By which turns name this process. */
  get process(): string {
    return this.#process;
  }

  get place(): JournalPlace {
    return this.#place;
  }

  get id(): string {
    return this.#id;
  }

  /**
   * How this process stood when the journal was asked last: how many turns it lacked.
   * @throws AppError `unavailable` where it parted, or the journal does not answer
   */
  get behind(): number {
    this.#refuseParted();
    if (this.#failure !== undefined) throw this.#failure;
    return Math.max(0, this.#last - this.#place.position);
  }

  /** `behind`, or undefined where that throws. */
  get lag(): number | undefined {
    return this.#parted === undefined && this.#failure === undefined ? this.behind : undefined;
  }

  /** Why this process takes no part any more. */
  get parted(): string | undefined {
    return this.#parted;
  }

  /** Calls the listener after what others wrote is durable here. Returns the way to stop it. */
  onFollowed(listener: (followed: Followed) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * All that was written anywhere before this was called is here when it resolves.
   * @throws AppError `unavailable` where the journal cannot be asked, or parted
   */
  fresh(): Promise<void> {
    if (!this.#asking) {
      this.#asking = this.#ask();
      return this.#asking;
    }
    // What is asked already may have been answered before this came.
    const ask = () => this.#ask();
    this.#next ??= this.#asking.then(ask, ask);
    return this.#next;
  }

  async enter(): Promise<void> {
    this.#refuseParted();
    const { journal } = this.#options;
    try {
      this.#head = await journal.lock();
      await this.#follow(this.#head);
    } catch (error) {
      await journal.release();
      throw this.#parted === undefined ? away(error) : this.#partedError();
    }
  }

  async append(): Promise<void> {
    const { journal, store, clock } = this.#options;
    const head = this.#head;
    if (!head) throw new Error('A group is appended after it entered.');
    const entries = this.#log.after(head.sequence, Number.MAX_SAFE_INTEGER);
    const facts = this.#outbox.take();
    if (entries.length === 0 && facts.length === 0) return journal.release();
    const turn: Turn = { position: head.position + 1, turn: randomUUID(), entries, facts };
    const place = placeOf(turn);
    writeLocal(store.database, JOURNAL_PLACE, JSON.stringify(place));
    const by = { process: this.#process, at: clock().toISOString() };
    await journal.appendLast(head, this.#id, turn, by);
    store.database.afterCommit(() => {
      this.#place = place;
    });
  }

  leave(): void {
    this.#head = undefined;
    // What was refused or undone holds the lock still.
    void this.#options.journal.release();
  }

  onBehind(cause: unknown): void {
    this.#options.onBehind(cause);
  }

  /**
   * The journal takes nothing any more, from no process, and all that it has is here. `by` as `Journal.end` has it.
   * @throws AppError as `fresh` and `Journal.end`
   */
  async end(by: string): Promise<void> {
    const { journal, store } = this.#options;
    this.#refuseParted();
    await store.gate.between(async () => {
      const head = await journal.lock();
      try {
        await this.#follow(head);
        await journal.end(head, by);
      } finally {
        await journal.release();
      }
    });
  }

  /** There is something new up to a position: what this process wrote or took over by now is none. */
  news(position: number): void {
    if (this.#isClosed || this.#parted !== undefined || position <= this.#place.position) return;
    this.fresh().catch(() => {});
  }

  /** Before the store closes. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#options.store.gate.join(undefined);
  }

  #poll(): void {
    this.#timer = setTimeout(async () => {
      try {
        // A connection that was lost hears nothing until it listens again.
        await this.#options.journal.listen();
        await this.fresh();
      } catch (error) {
        this.#options.onFault(error);
      }
      if (!this.#isClosed && this.#parted === undefined) this.#poll();
    }, POLL_MS);
  }

  async #ask(): Promise<void> {
    try {
      this.#refuseParted();
      const head = await this.#options.journal.head();
      this.#last = head.position;
      this.#failure = undefined;
      if (head.position === this.#place.position && head.turn === this.#place.turn) return;
      await this.#options.store.gate.between(() => this.#follow(head));
    } catch (error) {
      this.#failure = this.#parted === undefined ? away(error) : this.#partedError();
      throw this.#failure;
    } finally {
      this.#asking = this.#next;
      this.#next = undefined;
    }
  }

  /** What the store holds becomes the journal's first turns, under the lock and all at once. */
  async #begin(head: Head): Promise<void> {
    const { store, journal, clock } = this.#options;
    const by = { process: this.#process, at: clock().toISOString() };
    for (let before = head; ; ) {
      const entries = this.#log.after(before.sequence, ENTRIES_AT_ONCE);
      const isLast = entries.length < ENTRIES_AT_ONCE;
      const facts = before.position === 0 ? this.#outbox.all() : [];
      const turn: Turn = { position: before.position + 1, turn: randomUUID(), entries, facts };
      this.#place = placeOf(turn);
      if (isLast) {
        await journal.appendLast(before, this.#id, turn, by);
        break;
      }
      await journal.append(before, this.#id, turn, by);
      const last = entries.at(-1) ?? before;
      before = { ...before, ...this.#place, sequence: last.sequence, hash: last.hash };
    }
    // Where it ends before: the journal has begun, and the folder is none that may join it.
    store.database.transaction(() => {
      writeLocal(store.database, JOURNAL, this.#id);
      writeLocal(store.database, JOURNAL_PLACE, JSON.stringify(this.#place));
      this.#outbox.clear();
    });
  }

  /** Folds what is new up to the head, between two groups. */
  async #follow(head: Head): Promise<void> {
    const { journal, store } = this.#options;
    const isNew = this.#place.position === 0;
    while (this.#place.position < head.position) {
      const { at, turns } = await journal.after(this.#place.position, AT_ONCE);
      if (at.turn !== this.#place.turn) this.#part();
      const [first, last] = [turns[0], turns.at(-1)];
      if (!first || !last) throw new JournalLostError(OTHER_SERVER);
      if (first.position !== this.#place.position + 1) this.#part();
      await store.gate.fold(() => this.#fold(turns));
      this.#place = placeOf(last);
      // Another process has begun another epoch: chain and ids are read as the store opens. A new folder is opened again anyhow.
      const chain = readLocal(store.database, 'chain');
      if (!isNew && chain !== store.gate.chain)
        this.#options.onBehind(new Error(`Central goes on as ${chain}.`));
      const facts = turns.flatMap(turn => turn.facts);
      const tables = new Set(facts.map(({ table }) => table));
      const entries = turns.reduce((sum, turn) => sum + turn.entries.length, 0);
      for (const listener of this.#listeners) listener({ tables, facts, entries });
    }
    // A head that was asked for before others wrote is behind by now, and one of a journal that lost its end is as well.
    if (this.#place.position > head.position) {
      const present = await journal.head();
      if (present.position < this.#place.position) this.#part();
      return;
    }
    if (this.#place.turn === head.turn) return;
    const { at } = await journal.after(this.#place.position, 0);
    if (at.turn !== this.#place.turn) this.#part();
    throw new JournalLostError(OTHER_SERVER);
  }

  async #fold(turns: readonly Turn[]): Promise<RemoteWork<undefined>> {
    const { database, collection, pending } = this.#options.store;
    const entries = turns.flatMap(turn => turn.entries);
    const facts = latest(turns.flatMap(turn => turn.facts));
    if (this.#place.position === 0) this.#outbox.empty();
    const goOn = yieldingToEventLoop();
    const keys = entries.flatMap(({ commit }) => recordsIn(commit.entries));
    const known = await inTurns(recordsInParts(database, collection, keys), goOn);
    const standing = readOnce(key => (known.has(key) ? known.get(key) : pending.getByKey(key)));
    const decided = new DecidedStore(database, standing, () => false);
    const read = new CentralStore(this.#options.store, database, key => decided.get(key));
    for (const entry of entries) {
      this.#check(entry, read);
      await inTurns(read.following(entry, decided), goOn);
    }
    read.writeHeads();
    await inTurns(
      decided.writing([], () => false),
      goOn,
    );
    this.#outbox.apply(facts);
    const last = turns.at(-1);
    if (last) writeLocal(database, JOURNAL_PLACE, JSON.stringify(placeOf(last)));
    writeLocal(database, JOURNAL, this.#id);
    database.atEnd('What is noted of small tables', () => this.#outbox.clear());
    const puts = [...decided.changed().values()].flatMap(record => record ?? []);
    return { puts, standing, result: undefined };
  }

  /** What comes from the journal is believed as little as what comes from elsewhere. */
  #check(entry: SignedEntry, read: CentralStore): void {
    const { sequence, hash } = logEntry(read.place(), entry.commit, entry.decisions, sha256);
    if (sequence !== entry.sequence || hash !== entry.hash)
      this.#part(`The journal's entry ${entry.sequence} does not follow what is here.`);
  }

  #part(why = 'The journal does not have what this folder has: it has lost its end.'): never {
    const { folder } = this.#options.store.database;
    this.#parted ??= `${why} Nothing is written any more. Keep the folder ${folder} and the database as they are.`;
    this.#options.onParted(this.#parted);
    throw this.#partedError();
  }

  #refuseParted(): void {
    if (this.#parted !== undefined) throw this.#partedError();
  }

  #partedError(): AppError {
    return new AppError('unavailable', this.#parted ?? '');
  }
}

function placeOf({ position, turn }: JournalPlace): JournalPlace {
  return { position, turn };
}

function hasHistory(store: Store): boolean {
  return store.database.get('SELECT 1 FROM history LIMIT 1') !== undefined;
}

/** Of each row what is said of it last. */
function latest(facts: readonly Fact[]): Fact[] {
  return [...new Map(facts.map(fact => [nameOf(fact), fact])).values()];
}

/** What to throw where the journal could not be asked; what is at fault here is thrown as it is. */
function away(cause: unknown): unknown {
  if (!(cause instanceof JournalLostError || cause instanceof DatabaseError)) return cause;
  const message = 'The journal of this central is not reached just now. Try again.';
  return new AppError('unavailable', message, { cause, headers: { 'Retry-After': '1' } });
}

function otherJournal(folder: string, journal: string): AppError {
  const message = `The data folder ${folder} belongs to the journal ${journal}, and HOLDPOINT_JOURNAL names another one.`;
  return new AppError('conflict', message);
}

function isNoCopy(folder: string): AppError {
  const message = `The data folder ${folder} has records of its own, and the journal has begun with others. Set HOLDPOINT_DATA to an empty folder.`;
  return new AppError('conflict', message);
}
