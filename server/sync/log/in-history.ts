import type { Commit } from '../../store/changes.ts';
import { hashAt, headOf } from '../../store/history.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';

/** Whether commits that arrive stand in history, in one open transaction: above the last of a chain nothing is looked for. */
export class InHistory {
  readonly #sql: SqlReader;
  readonly #lastNumbers = new Map<string, number>();

  constructor(sql: SqlReader) {
    this.#sql = sql;
  }

  /** What is not there has to be put there by the caller. */
  includes({ chain, number }: Pick<Commit, 'chain' | 'number'>): boolean {
    const last = this.#lastNumbers.get(chain) ?? headOf(this.#sql, chain).number;
    this.#lastNumbers.set(chain, Math.max(last, number));
    return number <= last && hashAt(this.#sql, chain, number) !== undefined;
  }
}
