import type { Commit } from './changes.ts';
import { type HistoryRow, toCommit } from './history.ts';
import type { SqlReader } from './sqlite/connection.ts';

/** Characters kept at most, of all commits together, as history has them. */
const MOST = 4 * 1024 * 1024;

/** What of its row tells a commit from all others. */
export type CommitHead = Pick<HistoryRow, 'sequence' | 'hash' | 'seal'>;
/** In the order of arrival. */
export const HEADS_AFTER = 'SELECT sequence, hash, seal FROM history WHERE sequence > ? ORDER BY sequence LIMIT ?';

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

  /** @throws AppError `unavailable` where the row is not what was written */
  of({ sequence, hash, seal }: CommitHead): Pick<Kept, 'commit' | 'size'> {
    const known = this.#commits.get(sequence);
    if (known) this.#forget(sequence, known);
    const isSame = known?.hash === hash && known.seal === seal;
    const found = isSame ? known : { hash, seal, ...this.#read(sequence) };
    this.#keep(sequence, found);
    return found;
  }

  #read(sequence: number): Pick<Kept, 'commit' | 'size'> {
    const row = this.#reader.get<HistoryRow>('SELECT * FROM history WHERE sequence = ?', sequence);
    if (!row) throw this.#reader.damaged(`The commit at ${sequence} is not where its list says.`);
    return { commit: toCommit(this.#reader, row), size: row.entries.length };
  }

  #keep(sequence: number, found: Kept): void {
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
