import { setTimeout as sleep } from 'node:timers/promises';
import type { PauseCause } from '../../shared/operations/webhook-operations.ts';
import type { FeedPlace } from '../store/change-feed.ts';
import type { DeliveryChanges, StoredMessage } from '../store/webhook-table.ts';
import { DeliveryQueue, type Queued } from './delivery-queue.ts';
import type { Message, MessageSource, Wanted } from './message-source.ts';
import type { Outcome } from './post-message.ts';

/** How fast, how often and how much. Times in milliseconds. */
export interface Pace {
  /** Attempts at once to one receiver. */
  concurrency: number;
  /** Messages that are read ahead, and that are parked at most: beyond them the place in the log waits. */
  ahead: number;
  parked: number;
  /** Characters of what is parked at most. */
  parkedCharacters: number;
  /** Wait after the first failure; twice as long after each further one, up to the longest: of a message while others arrive. */
  firstWait: number;
  longestMessageWait: number;
  longestWait: number;
  /** A message that failed so often is given up, where others have arrived meanwhile. */
  attempts: number;
  /** Failures one after the other from which on only one is tried at a time, and from which on nothing is sent any more. */
  suspected: number;
  failures: number;
  /** Messages that were given up, from which on nothing is sent any more. */
  dead: number;
  /** How often what arrived is noted: after a crash so much arrives twice. */
  noted: number;
  /** For what is under way when the server ends. */
  grace: number;
}

export const PACE: Pace = {
  concurrency: 4,
  ahead: 64,
  parked: 1_000,
  parkedCharacters: 16 * 1024 * 1024,
  firstWait: 5_000,
  longestMessageWait: 15 * 60_000,
  longestWait: 8 * 3_600_000,
  // About a day.
  attempts: 100,
  // About three days.
  suspected: 10,
  failures: 30,
  dead: 1_000,
  noted: 1_000,
  grace: 1_000,
};

export interface RecentAttempt extends Outcome, Pick<Message, 'id' | 'type' | 'record'> {
  at: string;
}

export interface DeliveryOptions {
  source: MessageSource;
  wanted: () => Wanted;
  post: (message: Message, signal: AbortSignal) => Promise<Outcome>;
  write: (changes: DeliveryChanges) => Promise<void>;
  /** The receiver has to be looked at: nothing is sent from here on. */
  onPause: (cause: PauseCause) => void;
  onFault: (error: unknown) => void;
  now: () => Date;
  pace: Pace;
  cursor: string;
  stored: readonly StoredMessage[];
}

const RECENT = 50;
/** So many times seldomer it is noted that nothing of what was read concerned the receiver. */
const IDLY = 30;

/**
 * Delivers to one receiver, at least once and in the order of each record. How far it has come is noted from time to time; what
 * failed has a row until it arrives. Waiting follows the process's own clock, so that a set clock neither hurries nor stops it.
 */
export class Delivery {
  readonly queue = new DeliveryQueue();
  readonly recent: RecentAttempt[] = [];
  failures = 0;
  deliveredAt: string | null = null;
  readonly #options: DeliveryOptions;
  readonly #timers = new Map<Queued, NodeJS.Timeout>();
  readonly #sending = new Set<Queued>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #ending = new AbortController();
  #epoch: string;
  #place: FeedPlace;
  #delivered = 0;
  #isRunning = false;
  #isReading = false;
  #hasNews = true;
  #pauseUntil = 0;
  #stopPumping: (() => void) | undefined;
  #pumped: Promise<void> = Promise.resolve();
  #noted = 0;
  #noting: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: DeliveryOptions) {
    const { source, cursor, stored } = options;
    this.#options = options;
    this.#epoch = source.epoch();
    this.#place = source.end();
    this.queue.load(stored);
    const place = source.placeOf(cursor);
    if (place === 'reset' || place === undefined) this.#reset();
    else this.#place = place;
  }

  start(): void {
    if (this.#isRunning || this.#ending.signal.aborted) return;
    this.#isRunning = true;
    const ready = new Set(this.queue.ready);
    for (const head of this.queue.heads()) {
      if (this.#sending.has(head) || ready.has(head)) continue;
      if (head.attempts > 0) this.#wait(head);
      else this.queue.ready.push(head);
    }
    this.wake();
  }

  /** Lets go on what was paused: what failed is tried at once. */
  resume(): void {
    this.failures = 0;
    this.#pauseUntil = 0;
    this.#isRunning = false;
    this.start();
    this.#releaseAll();
  }

  pause(): void {
    this.#isRunning = false;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#stopPumping?.();
  }

  /** Something may have changed here. */
  wake(): void {
    this.#hasNews = true;
    this.#pumpSoon();
  }

  /** Lets what is under way finish for a moment, and notes how far it came. */
  async close(isKept = true): Promise<void> {
    this.pause();
    const all = Promise.allSettled([...this.#underWay, this.#pumped]);
    const grace = new AbortController();
    const patience = sleep(this.#options.pace.grace, undefined, { signal: grace.signal, ref: false });
    await Promise.race([all, patience.catch(() => undefined)]);
    grace.abort();
    this.#ending.abort();
    await all;
    clearTimeout(this.#noting);
    if (isKept) await this.note();
  }

  /** Writes what is not written. */
  note(): Promise<void> {
    clearTimeout(this.#noting);
    this.#noting = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  replay(messages: readonly Queued[]): void {
    const now = this.#now();
    for (const message of messages) this.queue.replay(message, now);
    this.wake();
  }

  #reset(): void {
    const { source } = this.#options;
    this.#epoch = source.epoch();
    this.#place = source.end();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.queue.beginAt(this.#place);
    this.queue.park(source.reset(this.#place), this.#now());
  }

  #pumpSoon(): void {
    if (!this.#isRunning || this.#stopPumping) return;
    const pump = () => {
      this.#stopPumping = undefined;
      this.#pumped = this.#pump().catch(this.#options.onFault);
    };
    const wait = this.#pauseUntil - performance.now();
    const timer = wait > 0 ? setTimeout(pump, wait).unref() : undefined;
    const immediate = wait > 0 ? undefined : setImmediate(pump);
    this.#stopPumping = () => {
      this.#stopPumping = undefined;
      clearTimeout(timer);
      clearImmediate(immediate);
    };
  }

  async #pump(): Promise<void> {
    const { pace, source } = this.#options;
    if (!this.#isRunning) return;
    if (source.epoch() !== this.#epoch) this.#reset();
    const most = this.failures >= pace.suspected ? 1 : pace.concurrency;
    if (performance.now() >= this.#pauseUntil) {
      while (this.#underWay.size < most) {
        const next = this.queue.ready.shift();
        if (!next) break;
        if (!this.queue.has(next) || this.#sending.has(next)) continue;
        this.#sending.add(next);
        const sending = this.#send(next).finally(() => {
          this.#sending.delete(next);
          this.#underWay.delete(sending);
          this.#pumpSoon();
        });
        this.#underWay.add(sending);
      }
    }
    await this.#readAhead();
    this.#noteSoon();
  }

  async #readAhead(): Promise<void> {
    const { pace, source, wanted } = this.#options;
    const hasRoom =
      this.queue.fresh < pace.ahead / 2 &&
      this.queue.parked < pace.parked &&
      this.queue.parkedCharacters < pace.parkedCharacters;
    // All is to be read anew first: what follows would be mistaken for a part of it.
    if (this.#isReading || !this.#hasNews || !hasRoom || this.queue.isResetting) return;
    this.#isReading = true;
    this.#hasNews = false;
    try {
      const entries = await source.read(this.#place, wanted(), pace.ahead);
      if (source.epoch() !== this.#epoch) return this.wake();
      const now = this.#now();
      for (const entry of entries) {
        this.queue.read(entry, now);
        this.#place = entry.after;
      }
      if (entries.length > 0) this.wake();
    } finally {
      this.#isReading = false;
      if (this.#hasNews) this.#pumpSoon();
    }
  }

  async #send(message: Queued): Promise<void> {
    const { post, pace, onPause } = this.#options;
    const failuresBefore = this.failures;
    const outcome = await post(message, this.#ending.signal);
    if (outcome.result === 'stopped') return;
    const at = this.#now();
    const { id, type, record } = message;
    this.recent.unshift({ id, type, record, at, ...outcome });
    this.recent.length = Math.min(this.recent.length, RECENT);
    this.#hasNews = true;
    if (!this.queue.has(message)) return;
    if (outcome.result === 'delivered') {
      const wasSuspected = this.failures >= pace.suspected;
      this.failures = 0;
      this.#delivered += 1;
      this.deliveredAt = at;
      this.queue.delivered(message);
      if (wasSuspected) this.#releaseAll();
      return;
    }
    if (message.attempts === 0) message.deliveredBefore = this.#delivered;
    const wait = this.#messageWait(message.attempts + 1);
    const dueAt = new Date(Date.parse(at) + wait).toISOString();
    this.queue.failed(message, { last: outcome, dueAt, now: at });
    // Those that were under way together have failed once.
    if (this.failures === failuresBefore) this.failures += 1;
    if (this.failures >= pace.suspected)
      this.#pauseUntil = performance.now() + this.#waitAfter(this.failures - pace.suspected + 1);
    const hasReceiver = this.#delivered > message.deliveredBefore;
    if (message.attempts >= pace.attempts && hasReceiver && message.record !== '') this.queue.giveUp(message);
    else this.#wait(message);
    const cause = this.#causeToPause(outcome);
    if (!cause || !this.#isRunning) return;
    this.pause();
    onPause(cause);
  }

  #causeToPause({ result }: Outcome): PauseCause | undefined {
    const { pace } = this.#options;
    if (result === 'gone' || result === 'no_secret') return result;
    if (this.failures >= pace.failures) return 'failing';
    return this.queue.dead.size >= pace.dead ? 'dead_letters' : undefined;
  }

  #waitAfter(failures: number): number {
    const { firstWait, longestWait } = this.#options.pace;
    return Math.min(longestWait, firstWait * 2 ** (failures - 1));
  }

  #messageWait(attempts: number): number {
    return Math.min(this.#options.pace.longestMessageWait, this.#waitAfter(attempts));
  }

  /** A clock that was set makes nothing wait for longer than its turn. */
  #wait(message: Queued): void {
    if (!this.#isRunning) return;
    const left = Date.parse(message.dueAt) - this.#options.now().getTime();
    const wait = Math.max(0, Math.min(left, this.#messageWait(message.attempts)));
    this.#timers.set(message, setTimeout(() => this.#release(message), wait).unref());
  }

  #release(message: Queued): void {
    clearTimeout(this.#timers.get(message));
    if (!this.#timers.delete(message)) return;
    this.queue.ready.push(message);
    this.#pumpSoon();
  }

  /** The receiver is there again. */
  #releaseAll(): void {
    this.#pauseUntil = 0;
    this.#stopPumping?.();
    for (const message of [...this.#timers.keys()]) this.#release(message);
    this.#pumpSoon();
  }

  #noteSoon(): void {
    if (this.#noting !== undefined || !this.queue.hasUnwritten) return;
    const note = () => {
      this.#noting = undefined;
      void this.note();
    };
    // Where nothing was sent, to read the same once more costs nothing.
    const isWorthIt = this.queue.hasUnwrittenRows || this.#noted !== this.#delivered;
    const { noted } = this.#options.pace;
    this.#noting = setTimeout(note, isWorthIt ? noted : noted * IDLY).unref();
  }

  async #write(): Promise<void> {
    const { source, write, onFault } = this.#options;
    if (!this.queue.hasUnwritten) return;
    this.#noted = this.#delivered;
    const unwritten = this.queue.takeUnwritten();
    const { place, put, remove } = unwritten;
    const cursor = place && source.cursorOf(place, this.#epoch);
    try {
      await write({ cursor, put: put.map(storedOf), remove });
    } catch (error) {
      this.queue.giveBack(unwritten);
      onFault(error);
    }
  }

  #now(): string {
    return this.#options.now().toISOString();
  }
}

function storedOf({
  id,
  number,
  record,
  type,
  body,
  attempts,
  dueAt,
  failedAt,
  last,
  isDead,
}: Queued): StoredMessage {
  return {
    ...{ id, number, record, type, body, attempts },
    ...{ due_at: dueAt, failed_at: failedAt, said: last && JSON.stringify(last), is_dead: isDead ? 1 : 0 },
  };
}
