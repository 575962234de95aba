import { CHANGE_NUMBER, CHANGE_PLACE } from '../../shared/contract/change-place.ts';
import type { Commit } from './changes.ts';
import { hashAtSequence, lastSequence } from './history.ts';
import { type CommitHead, HEADS_AFTER, recentCommitsOf } from './recent-commits.ts';
import type { SqlReader } from './sqlite/connection.ts';
import { readLocal, writeLocal } from './tables.ts';
import { lastUnlogged, type UnloggedChange, unloggedAfter } from './unlogged-changes.ts';

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
/** What is read at once: some milliseconds of work. */
const STEPS = 50;
const CHARACTERS = 256 * 1024;
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
   * The next steps after a place, in their order, as many as a moment allows: at least one where there is one. They are
   * read at once, so that nothing is read over two states of the store.
   */
  after({ sequence, number }: FeedPlace): FeedStep[] {
    const unlogged = unloggedAfter(this.#reader, number, STEPS);
    const steps: FeedStep[] = [];
    let left = CHARACTERS;
    const commits = recentCommitsOf(this.#reader);
    for (const head of this.#reader.iterate<CommitHead>(HEADS_AFTER, sequence, STEPS)) {
      while (unlogged[0] && unlogged[0].after < head.sequence) steps.push(stepOf(unlogged.shift()));
      if (steps.length >= STEPS) return steps;
      const { commit, size } = commits.of(head);
      steps.push({ commit, sequence: head.sequence, subject: undefined });
      left -= size;
      if (left < 0 || steps.length >= STEPS) return steps;
    }
    return [...steps, ...unlogged.map(stepOf)];
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
