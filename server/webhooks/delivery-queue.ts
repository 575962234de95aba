import type { FeedPlace } from '../store/change-feed.ts';
import type { StoredMessage } from '../store/webhook-table.ts';
import type { Message, ReadEntry } from './message-source.ts';
import type { Outcome } from './post-message.ts';

/** An entry that was read, and how many of its messages neither arrived nor have a row. */
interface Step {
  after: FeedPlace;
  left: number;
}

export interface Queued extends Message {
  number: number;
  attempts: number;
  /** ISO 8601, UTC. */
  dueAt: string;
  failedAt: string | null;
  last: Outcome | null;
  isDead: boolean;
  /** Undefined for what has, or gets, a row. */
  step: Step | undefined;
  /** Whether the table has a row of it. */
  isStored: boolean;
  /** What had arrived at the receiver when it failed first. */
  deliveredBefore: number;
}

/** What is to be written, in one transaction. */
export interface Unwritten {
  /** Up to here all has arrived or has a row; undefined: as it was. */
  place: FeedPlace | undefined;
  put: readonly Queued[];
  remove: readonly string[];
}

/**
 * What one receiver is to get, in the order of each record: of a record only the oldest message is ready. What failed, and all
 * behind it, is parked: it gets rows, so that the place goes on with other records. Nothing here takes time or writes.
 */
export class DeliveryQueue {
  /** What may be sent now. */
  readonly ready: Queued[] = [];
  readonly dead = new Map<string, Queued>();
  readonly #records = new Map<string, Queued[]>();
  readonly #known = new Map<string, Queued>();
  readonly #put = new Set<Queued>();
  readonly #removed = new Set<string>();
  #steps: Step[] = [];
  #place: FeedPlace | undefined;
  #number = 0;
  #parked = 0;
  #parkedCharacters = 0;

  /** Messages that are parked, and those that were read and have not been tried. */
  get parked(): number {
    return this.#parked;
  }

  get parkedCharacters(): number {
    return this.#parkedCharacters;
  }

  /** Whether the receiver has yet to be told that everything is to be read anew. */
  get isResetting(): boolean {
    return this.#records.has('');
  }

  get fresh(): number {
    return this.#known.size - this.#parked;
  }

  get hasUnwritten(): boolean {
    return this.#place !== undefined || this.hasUnwrittenRows;
  }

  get hasUnwrittenRows(): boolean {
    return this.#put.size > 0 || this.#removed.size > 0;
  }

  /** What the table has; answers those that wait for their time. */
  load(rows: readonly StoredMessage[]): Queued[] {
    for (const row of rows) {
      const queued: Queued = {
        ...{ id: row.id, record: row.record, type: row.type, body: row.body, number: row.number },
        ...{ attempts: row.attempts, dueAt: row.due_at, failedAt: row.failed_at, deliveredBefore: 0 },
        last: row.said === null ? null : JSON.parse(row.said),
        isDead: row.is_dead === 1,
        step: undefined,
        isStored: true,
      };
      this.#number = Math.max(this.#number, row.number);
      if (queued.isDead) this.dead.set(queued.id, queued);
      else this.#enter(queued);
    }
    return this.heads();
  }

  /** The oldest message of each record that waits. */
  heads(): Queued[] {
    return [...this.#records.values()].flatMap(([head]) => head ?? []);
  }

  waiting(): Queued[] {
    return [...this.#known.values()]
      .filter(({ step }) => step === undefined)
      .sort((one, other) => one.number - other.number);
  }

  read({ messages, after }: ReadEntry, now: string): void {
    const step: Step = { after, left: 0 };
    for (const message of messages) {
      // It was read before the last end, and has a row.
      if (this.#known.has(message.id)) continue;
      const head = this.#records.get(message.record)?.[0];
      const isParked = head !== undefined && head.step === undefined;
      const queued = this.#newly(message, now, isParked ? undefined : step);
      if (isParked) this.#put.add(queued);
      else step.left += 1;
      this.#enter(queued);
      if (!head) this.ready.push(queued);
    }
    this.#steps.push(step);
    this.#advance();
  }

  /** Gets a row at once. */
  park(message: Message, now: string): void {
    const queued = this.#newly(message, now, undefined);
    this.#put.add(queued);
    this.#enter(queued);
    if (this.#records.get(message.record)?.[0] === queued) this.ready.push(queued);
  }

  delivered(queued: Queued): void {
    this.#put.delete(queued);
    if (queued.isStored) this.#removed.add(queued.id);
    this.#leave(queued);
  }

  /** It is tried again; all of its record behind it wait. */
  failed(queued: Queued, { last, dueAt, now }: { last: Outcome; dueAt: string; now: string }): void {
    Object.assign(queued, { attempts: queued.attempts + 1, last, dueAt, failedAt: now });
    for (const each of this.#records.get(queued.record) ?? []) {
      if (each === queued || each.step) this.#put.add(each);
      this.#settle(each);
    }
  }

  /** It is tried no more, unless somebody wants it to be; those behind it go on. */
  giveUp(queued: Queued): void {
    queued.isDead = true;
    this.dead.set(queued.id, queued);
    this.#put.add(queued);
    this.#leave(queued);
  }

  replay(queued: Queued, now: string): void {
    this.dead.delete(queued.id);
    this.#number += 1;
    Object.assign(queued, { isDead: false, attempts: 0, dueAt: now, number: this.#number });
    this.#put.add(queued);
    this.#enter(queued);
    if (this.#records.get(queued.record)?.[0] === queued) this.ready.push(queued);
  }

  discard(queued: Queued): void {
    this.dead.delete(queued.id);
    this.#put.delete(queued);
    if (queued.isStored) this.#removed.add(queued.id);
  }

  /** Everything but what was given up is read anew from this place. */
  beginAt(place: FeedPlace): void {
    for (const queued of this.#known.values()) {
      this.#put.delete(queued);
      if (queued.isStored) this.#removed.add(queued.id);
    }
    this.#known.clear();
    this.#records.clear();
    this.ready.length = 0;
    this.#steps = [];
    this.#parked = 0;
    this.#parkedCharacters = 0;
    this.#place = place;
  }

  /** Whether it is still to be delivered. */
  has(queued: Queued): boolean {
    return this.#known.get(queued.id) === queued;
  }

  /** What is to be written now; `giveBack` where that failed. */
  takeUnwritten(): Unwritten {
    const taken = { place: this.#place, put: [...this.#put], remove: [...this.#removed] };
    this.#place = undefined;
    this.#put.clear();
    this.#removed.clear();
    for (const queued of taken.put) queued.isStored = true;
    return taken;
  }

  giveBack({ place, put, remove }: Unwritten): void {
    this.#place ??= place;
    for (const id of remove) this.#removed.add(id);
    for (const queued of put) {
      if (this.has(queued) || this.dead.get(queued.id) === queued) this.#put.add(queued);
    }
  }

  #newly(message: Message, now: string, step: Step | undefined): Queued {
    this.#number += 1;
    const fresh = { number: this.#number, attempts: 0, dueAt: now, failedAt: null, last: null };
    return { ...message, ...fresh, isDead: false, step, isStored: false, deliveredBefore: 0 };
  }

  #enter(queued: Queued): void {
    this.#known.set(queued.id, queued);
    const others = this.#records.get(queued.record);
    if (others) others.push(queued);
    else this.#records.set(queued.record, [queued]);
    if (queued.step === undefined) this.#count(queued, 1);
  }

  #leave(queued: Queued): void {
    if (!this.has(queued)) return;
    this.#settle(queued);
    this.#known.delete(queued.id);
    this.#count(queued, -1);
    const others = this.#records.get(queued.record) ?? [];
    others.splice(others.indexOf(queued), 1);
    const [next] = others;
    if (next) this.ready.push(next);
    else this.#records.delete(queued.record);
  }

  /** From here on it has a row, or has arrived: the place need not wait for it. */
  #settle(queued: Queued): void {
    const { step } = queued;
    if (!step) return;
    step.left -= 1;
    queued.step = undefined;
    this.#count(queued, 1);
    this.#advance();
  }

  #count({ body }: Queued, more: 1 | -1): void {
    this.#parked += more;
    this.#parkedCharacters += more * body.length;
  }

  #advance(): void {
    let done = 0;
    for (const { after, left } of this.#steps) {
      if (left > 0) break;
      this.#place = after;
      done += 1;
    }
    if (done > 0) this.#steps.splice(0, done);
  }
}
