import type { Commit } from './changes.ts';
import type { HistoryRow } from './history.ts';
import { readingCommit } from './reading-commit.ts';
import type { SqlReader } from './sqlite/connection.ts';
import type { Steps } from './yield-to-event-loop.ts';

/** Characters kept at most, of all commits together, as history has them. */
const MOST = 4 * 1024 * 1024;

/** What of its row tells a commit from all others. */
export type CommitHead = Pick<HistoryRow, 'sequence' | 'hash' | 'seal'>;
/** The next one in the order of arrival. */
export const HEAD_AFTER =
  'SELECT sequence, hash, seal FROM history WHERE sequence > ? ORDER BY sequence LIMIT 1';

interface Kept {
  hash: string;
  seal: number;
  /** Characters of its entries. */
  size: number;
  commit: Commit;
}

/** By connection: whoever follows changes asks for the same commits. */
const kept = new WeakMap<SqlReader, RecentCommits>();

export function recentCommitsOf(reader: SqlReader): RecentCommits {
  const known = kept.get(reader) ?? new RecentCommits(reader);
  kept.set(reader, known);
  return known;
}

/**
 * The commits that were read lately, so that who follows changes page by page, and others after them, do not have each
 * parsed and proved again: most of what a change costs. The row is asked all the same which commit it holds, so that nothing here can be
 * out of date. What is returned is shared by all who ask, and read only.
 */
export class RecentCommits {
  readonly #reader: SqlReader;
  /** In the order in which they were asked for. */
  readonly #commits = new Map<number, Kept>();
  #size = 0;

  constructor(reader: SqlReader) {
    this.#reader = reader;
  }

  /**
   * In steps, since one may be large.
   * @throws AppError `unavailable` where the row is not what was written
   */
  *reading({ sequence, hash, seal }: CommitHead): Steps<Pick<Kept, 'commit' | 'size'>> {
    const known = this.#commits.get(sequence);
    const isSame = known?.hash === hash && known.seal === seal;
    const found = isSame ? known : { hash, seal, ...(yield* this.#read(sequence)) };
    this.#keep(sequence, found);
    return found;
  }

  *#read(sequence: number): Steps<Pick<Kept, 'commit' | 'size'>> {
    const row = this.#reader.get<HistoryRow>('SELECT * FROM history WHERE sequence = ?', sequence);
    if (!row) throw this.#reader.damaged(`The commit at ${sequence} is not where its list says.`);
    return { commit: yield* readingCommit(this.#reader, row), size: row.entries.length };
  }

  #keep(sequence: number, found: Kept): void {
    const former = this.#commits.get(sequence);
    if (former) this.#forget(sequence, former);
    if (found.size > MOST) return;
    this.#commits.set(sequence, found);
    this.#size += found.size;
    for (const [oldest, each] of this.#commits) {
      if (this.#size <= MOST) return;
      this.#forget(oldest, each);
    }
  }

  #forget(sequence: number, { size }: Kept): void {
    this.#commits.delete(sequence);
    this.#size -= size;
  }
}
