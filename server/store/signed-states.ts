import { familyOfKey } from '../../shared/families/registry.ts';
import { applyChanges, type Change, type Fields } from './changes.ts';
import { readCommitText } from './commit-text.ts';
import type { IdRemapping, SignedState } from './id-remapping.ts';
import type { SqlReader } from './sqlite/connection.ts';
import { stateOf } from './unit-of-work.ts';

/** Records of which it is known how far they were folded. */
const MOST_FOLDED = 1_000;

interface Folded {
  /** The place up to which it is folded. */
  sequence: number;
  fields: Fields;
}

/**
 * The states that signatures name, as they are once the ids in them have moved: the signed record is folded up to the
 * commit of its signature. One commit may have any number of signatures of one record: what was folded is folded on.
 * @param numberOf what a record is called in `history_subject`; undefined where there is none
 */
export class SignedStates {
  readonly #sql: Pick<SqlReader, 'get' | 'all'>;
  readonly #ids: IdRemapping;
  readonly #numberOf: (key: string) => number | string | undefined;
  readonly #folded = new Map<string, Folded>();
  /** Of the commit that was read last, by the records that it changes. */
  #last: { sequence: number; at: string; changes: Map<string, Change[]> } | undefined;

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
    if (!familyOfKey(subject)) return {};
    const known = this.#folded.get(subject);
    let { sequence: from, fields } =
      known && known.sequence <= sequence ? known : { sequence: 0, fields: {} as Fields };
    if (from === sequence) return fields;
    const sql =
      'SELECT sequence FROM history_subject WHERE subject = ? AND sequence > ? AND sequence <= ? ORDER BY sequence';
    const places = this.#sql.all<{ sequence: number }>(sql, this.#numberOf(subject) ?? -1, from, sequence);
    for (const { sequence: place } of places) {
      const { at, changes } = this.#commitAt(place);
      fields = applyChanges(fields, changes.get(subject) ?? [], at);
    }
    from = sequence;
    if (this.#folded.size >= MOST_FOLDED) this.#folded.clear();
    this.#folded.set(subject, { sequence: from, fields });
    return fields;
  }

  #commitAt(sequence: number): { at: string; changes: Map<string, Change[]> } {
    if (this.#last?.sequence === sequence) return this.#last;
    const row = this.#sql.get<{ at: string; entries: string }>(
      'SELECT at, entries FROM history WHERE sequence = ?',
      sequence,
    );
    const changes = new Map<string, Change[]>();
    for (const entry of (row && readCommitText(row.entries)?.entries) ?? [])
      changes.set(entry.subject, [...(changes.get(entry.subject) ?? []), ...entry.changes]);
    this.#last = { sequence, at: row?.at ?? '', changes };
    return this.#last;
  }
}
