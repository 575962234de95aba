import { AppError } from '../../../shared/contract/errors.ts';
import {
  type Archive,
  type ArchiveCheck,
  keepArchive,
  keepPart,
  readArchive,
  readArchives,
} from '../../store/archive.ts';
import type { Commit } from '../../store/changes.ts';
import { CHAIN_START, type ChainHead, isItsHash, readCommit } from '../../store/history.ts';
import { type Moved, movedIn } from '../../store/moved.ts';
import type { Store } from '../../store/store.ts';
import { yieldingToEventLoop } from '../../store/yield-to-event-loop.ts';
import { checkArchive } from '../log/check-archive.ts';
import { formFault } from '../log/form.ts';
import { admitArchive } from './admit-archive.ts';

/** Some commits of the history that a station had before it joined, in their order of arrival there. */
export interface ArchivePart {
  /** The chain in which they were issued again. */
  chain: string;
  /** How many parts came before. */
  part: number;
  commits: readonly Commit[];
}

/** Times that a comparison is begun: the process may have ended for something else. */
const TRIES = 2;

export interface ArchivesOptions {
  store: Store;
  /** One was compared with what was issued again: says so in the trail, and runs `keep` in the same transaction. */
  onChecked: (chain: string, archive: Archive, keep: () => void) => Promise<void>;
  onFault: (error: unknown) => void;
}

/** What central keeps of the history that installations had before they joined it. */
export class Archives {
  readonly #options: ArchivesOptions;
  #checking: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: ArchivesOptions) {
    this.#options = options;
  }

  /** Compares those that came whole before this process ended. */
  start(): void {
    for (const { chain } of readArchives(this.#options.store.database.reader)) this.#checkOnceWhole(chain);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#checking;
  }

  /**
   * Takes the part that comes next; of any other it says how many are here. What is wrong in a part leaves nothing of it.
   * @throws AppError `conflict` where the chain does not begin as that of an installation that joined, or has not come yet;
   *   `forbidden` where the station might not bring records, or names chains of others; `validation_failed` for commits that no version
   *   writes, or that do not follow from those before
   */
  async take(
    station: string,
    { chain, part, commits }: ArchivePart,
  ): Promise<{ parts: number; is_whole: boolean }> {
    const { store } = this.#options;
    const { database, gate } = store;
    const answer = await gate.applyRemote(() => {
      const moved = admitArchive(database, station, chain);
      const known = readArchive(database, chain) ?? {
        station,
        parts: 0,
        commits: 0,
        heads: {},
        checked: null,
      };
      if (part !== known.parts || commits.length === 0 || isWhole(known, moved))
        return { result: { parts: known.parts, is_whole: isWhole(known, moved) } };
      const heads = { ...known.heads };
      for (const commit of commits) heads[commit.chain] = follow(commit, heads[commit.chain], moved);
      const archive = { ...known, heads, parts: part + 1, commits: known.commits + commits.length };
      keepPart(database, chain, part, commits);
      keepArchive(database, chain, archive);
      return { result: { parts: archive.parts, is_whole: isWhole(archive, moved) } };
    });
    if (answer.is_whole) this.#checkOnceWhole(chain);
    return answer;
  }

  /** One after the other: nobody waits for it. */
  #checkOnceWhole(chain: string): void {
    this.#checking = this.#checking
      .then(() => (this.#isClosed ? undefined : this.#check(chain)))
      .catch(this.#options.onFault);
  }

  async #check(chain: string): Promise<void> {
    const { store, onChecked } = this.#options;
    const { reader } = store.database;
    const moved = movedIn(readCommit(reader, chain, 1));
    const archive = readArchive(reader, chain);
    if (!moved || !archive || archive.checked || !isWhole(archive, moved)) return;
    const tries = (archive.tries ?? 0) + 1;
    const uncompared = (cause: unknown): ArchiveCheck => ({
      fault: `It could not be compared: ${cause}`,
      compared: 0,
    });
    // What ends the process would end it at each start.
    if (tries <= TRIES)
      await store.gate.applyRemote(() => {
        keepArchive(store.database, chain, { ...archive, tries });
        return { result: undefined };
      });
    const checked =
      tries <= TRIES
        ? await checkArchive(reader, chain, archive, yieldingToEventLoop()).catch(uncompared)
        : uncompared('the process ended while it was compared.');
    const told = { ...archive, checked };
    await onChecked(chain, told, () => keepArchive(store.database, chain, told));
  }
}

/** Whether it ends where the first commit after joining says. */
function isWhole({ heads }: Pick<Archive, 'heads'>, { former }: Pick<Moved, 'former'>): boolean {
  return Object.entries(former).every(([chain, { number, hash }]) => {
    const head = heads[chain];
    return head?.number === number && head.hash === hash;
  });
}

/** @throws AppError `validation_failed` */
function follow(
  commit: Commit,
  { number, hash }: ChainHead = CHAIN_START,
  { former }: Pick<Moved, 'former'>,
): ChainHead {
  const end = former[commit.chain];
  const isNext = commit.number === number + 1 && commit.previous_hash === hash;
  const where = `Commit ${commit.number} of chain ${commit.chain}`;
  const odd = formFault(commit);
  if (odd !== undefined)
    throw new AppError('validation_failed', `${where} is none that any version writes: ${odd}`);
  if (!end || commit.number > end.number || !isNext || !isItsHash(commit)) {
    throw new AppError(
      'validation_failed',
      `${where} is none of that history, or does not follow what came of it.`,
    );
  }
  return { number: commit.number, hash: commit.hash };
}
