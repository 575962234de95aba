import { familyOfKey } from '../../shared/families/registry.ts';
import { applyChanges, type Fields } from './changes.ts';
import { readCommitText } from './commit-text.ts';
import type { IdRemapping, SignedState } from './id-remapping.ts';
import type { SqlReader } from './sqlite/connection.ts';
import { stateOf } from './unit-of-work.ts';

/**
 * The states that signatures name, as they are once the ids in them have moved: the signed record is folded up to the
 * commit of its signature.
 * @param numberOf what a record is called in `history_subject`; undefined where there is none
 */
export class SignedStates {
  readonly #sql: Pick<SqlReader, 'get' | 'all'>;
  readonly #ids: IdRemapping;
  readonly #numberOf: (key: string) => number | string | undefined;

  constructor(
    sql: Pick<SqlReader, 'get' | 'all'>,
    ids: IdRemapping,
    numberOf: (key: string) => number | string | undefined,
  ) {
    this.#sql = sql;
    this.#ids = ids;
    this.#numberOf = numberOf;
  }

  /** For the signatures of the commit at a place in the order of arrival. One that was of no such state stays. */
  at(sequence: number): SignedState {
    return (subject, state) => {
      const family = familyOfKey(subject);
      const fields = this.#fieldsAt(subject, sequence);
      if (!family || stateOf(fields) !== state) return state;
      return stateOf(this.#ids.fields(family, fields));
    };
  }

  /** For the signature itself, as a record. */
  of(signature: string): SignedState {
    const sql = 'SELECT min(sequence) AS sequence FROM history_subject WHERE subject = ?';
    const row = this.#sql.get<{ sequence: number | null }>(sql, this.#numberOf(signature) ?? -1);
    return this.at(row?.sequence ?? 0);
  }

  #fieldsAt(subject: string, sequence: number): Fields {
    const family = familyOfKey(subject);
    if (!family) return {};
    const sql = `SELECT at, entries FROM history_subject AS s JOIN history USING (sequence)
      WHERE s.subject = ? AND sequence <= ? ORDER BY sequence`;
    const rows = this.#sql.all<{ at: string; entries: string }>(sql, this.#numberOf(subject) ?? -1, sequence);
    return rows.reduce<Fields>((fields, { at, entries }) => {
      const parsed = readCommitText(entries)?.entries ?? [];
      const changes = parsed.filter(entry => entry.subject === subject).flatMap(entry => entry.changes);
      return applyChanges(fields, changes, at);
    }, {});
  }
}
