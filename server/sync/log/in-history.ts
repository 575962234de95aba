import type { Commit } from '../../store/changes.ts';
import { hashAt, headOf } from '../../store/history.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';

/** Whether commits that arrive stand in history, in one open transaction: above the last of a chain nothing is looked for. */
export class InHistory {
  readonly #sql: SqlReader;
  #hasAbandoned: boolean | undefined;
  readonly #lastNumbers = new Map<string, number>();

  constructor(sql: SqlReader) {
    this.#sql = sql;
  }

  /** Whether anything was ever abandoned, and may stand again. */
  get hasAbandoned(): boolean {
    this.#hasAbandoned ??= this.#sql.get('SELECT 1 FROM abandoned LIMIT 1') !== undefined;
    return this.#hasAbandoned;
  }

  /** What is not there has to be put there by the caller. */
  includes(commit: Pick<Commit, 'chain' | 'number' | 'hash'>): boolean {
    return this.find(commit) === 'present';
  }

  /** `another`: another commit stands in its place, which a machine wrote that was put back since. */
  find({ chain, number, hash }: Pick<Commit, 'chain' | 'number' | 'hash'>): 'present' | 'absent' | 'another' {
    const last = this.#lastNumbers.get(chain) ?? headOf(this.#sql, chain).number;
    this.#lastNumbers.set(chain, Math.max(last, number));
    const standing = number <= last ? hashAt(this.#sql, chain, number) : undefined;
    if (standing === undefined) return 'absent';
    return standing === hash ? 'present' : 'another';
  }
}
