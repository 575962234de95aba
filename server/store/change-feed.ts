import { CHANGE_NUMBER, CHANGE_PLACE } from '../../shared/contract/change-place.ts';
import type { Commit } from './changes.ts';
import { hashAtSequence, lastSequence } from './history.ts';
import { type CommitHead, HEAD_AFTER, recentCommitsOf } from './recent-commits.ts';
import type { SqlReader } from './sqlite/connection.ts';
import { readLocal, writeLocal } from './tables.ts';
import { lastUnlogged, type UnloggedChange, unloggedAfter } from './unlogged-changes.ts';
import type { Steps } from './yield-to-event-loop.ts';

/** How far somebody has followed what changed here: history in its order, and what changed without a commit. */
export interface FeedPlace {
  /** The last commit that was read whole. */
  sequence: number;
  /** The last change without a commit. */
  number: number;
  /** So many entries of the next commit were read. */
  entry: number;
}

/** What comes next: a commit of history, or a record that sync changed without one. */
export type FeedStep =
  | { commit: Commit; sequence: number; subject: undefined }
  | { commit: undefined; number: number; subject: number };

/** The name under which `local` keeps what sets the places of followers apart from those of before. */
const BEGUN = 'feed';
/** What is read at once: a millisecond of work, or one commit that is longer. */
const STEPS = 50;
const CHARACTERS = 64 * 1024;
/** What has changed here, for who follows it: across restarts without a gap, and never silently across a restore. */
export class ChangeFeed {
  readonly #reader: SqlReader;
  readonly #chain: () => string;

  /** `chain`: that which commits are written in here, which another one follows after a restore. */
  constructor(reader: SqlReader, chain: () => string) {
    this.#reader = reader;
    this.#chain = chain;
  }

  /** Places of another epoch lead nowhere: records may have gone back, or come under other ids. */
  epoch(): string {
    const chain = this.#chain();
    return (
      chain.slice(chain.lastIndexOf('.') + 1).replace(/\W/g, '') + (readLocal(this.#reader, BEGUN) ?? '')
    );
  }

  end(): FeedPlace {
    return { sequence: lastSequence(this.#reader), number: lastUnlogged(this.#reader), entry: 0 };
  }

  /** Whether anything has changed after a place. */
  isAfter({ sequence, number }: FeedPlace): boolean {
    const end = this.end();
    return end.sequence > sequence || end.number > number;
  }

  /** A place as clients keep it; with a part of the hash of its commit, so that another history under it is noticed. */
  cursorOf(
    place: FeedPlace,
    epoch = this.epoch(),
    hash = hashAtSequence(this.#reader, place.sequence),
  ): string {
    const { sequence, number, entry } = place;
    return [epoch, sequence, number, entry, hash?.slice(0, 8) ?? '0'].join('-');
  }

  /** The place that a cursor names; `reset` for one that leads nowhere any more; undefined for what is no cursor. */
  placeOf(cursor: string): FeedPlace | 'reset' | undefined {
    const end = this.end();
    if (CHANGE_NUMBER.test(cursor)) {
      const sequence = Number(cursor);
      // What had no commit was not told of before.
      return sequence > end.sequence ? 'reset' : { sequence, number: end.number, entry: 0 };
    }
    const [, epoch, sequence, number, entry] = CHANGE_PLACE.exec(cursor) ?? [];
    if (epoch === undefined) return undefined;
    const place = { sequence: Number(sequence), number: Number(number), entry: Number(entry) };
    const isHere =
      place.sequence <= end.sequence && place.number <= end.number && this.cursorOf(place) === cursor;
    return isHere ? place : 'reset';
  }

  /**
   * The next steps after a place, in their order, as many as a moment allows: at least one where there is one. What comes while a
   * large commit is read stands after them.
   */
  *after({ sequence, number }: FeedPlace): Steps<FeedStep[]> {
    const unlogged = unloggedAfter(this.#reader, number, STEPS);
    const commits = recentCommitsOf(this.#reader);
    const steps: FeedStep[] = [];
    const last = lastSequence(this.#reader);
    for (let [at, size] = [sequence, 0]; size < CHARACTERS && steps.length < STEPS; ) {
      const head = at < last ? this.#reader.get<CommitHead>(HEAD_AFTER, at) : undefined;
      if (!head) return [...steps, ...unlogged.map(stepOf)];
      at = head.sequence;
      while (unlogged[0] && unlogged[0].after < at) steps.push(stepOf(unlogged.shift()));
      if (steps.length >= STEPS) return steps;
      const read = yield* commits.reading(head);
      steps.push({ commit: read.commit, sequence: at, subject: undefined });
      size += read.size;
    }
    return steps;
  }
}

function stepOf(change: UnloggedChange | undefined): FeedStep {
  return { commit: undefined, number: change?.number ?? 0, subject: change?.subject ?? 0 };
}

/** In the open transaction: all records may be others than before, and no commit says so. */
export function changesBeginAnew(database: Parameters<typeof writeLocal>[0] & Pick<SqlReader, 'get'>): void {
  const before = Number.parseInt(readLocal(database, BEGUN)?.slice(1) ?? '0', 36);
  writeLocal(database, BEGUN, `n${(before + 1).toString(36)}`);
}
