import { familyOf } from '../../shared/families/registry.ts';
import type { StoredRecord } from '../../shared/present.ts';
import { type LotFact, replaceFacts } from './lots.ts';
import { FAMILY_SPAN, searchText } from './records.ts';
import type { Buckets } from './sqlite/buckets.ts';
import type { Database } from './sqlite/database.ts';
import type { SearchIndex } from './sqlite/search.ts';

/** What a record says of lots; a pure function of the record, so that every machine derives the same stock. */
export type LotFactsOf = (record: StoredRecord) => LotFact[];

export interface DerivedParts {
  database: Database;
  search: SearchIndex;
  buckets: Buckets;
  familyNumbers: ReadonlyMap<string, number>;
  lotFactsOf: LotFactsOf;
}

/** Keeps counters, the search index and stock in step with the records, in the transaction that writes them. */
export class Derived {
  readonly #parts: DerivedParts;

  constructor(parts: DerivedParts) {
    this.#parts = parts;
  }

  /** Without an after, the record is taken away. Returns the lots whose stock or locks the change touches. */
  follow(before: StoredRecord | undefined, after: StoredRecord | undefined): number[] {
    if (!after) return before ? this.#forget(before) : [];
    const { database, search, buckets, lotFactsOf } = this.#parts;
    const number = this.#parts.familyNumbers.get(after.family);
    // A record of a family that this version does not know is kept, but shown and searched by none.
    if (number === undefined || !familyOf(after.family)) return [];
    if (!before) buckets.add(number, after.id);
    const text = searchText(after);
    const row = number * FAMILY_SPAN + after.id;
    if (!before) {
      if (text !== '') search.index(row, text);
    } else if (searchText(before) !== text) {
      search.index(row, text);
    }
    const facts = before ? lotFactsOf(before) : [];
    const now = lotFactsOf(after);
    if (facts.length === 0 && now.length === 0) return [];
    replaceFacts(database, after.key, facts, now);
    return [...new Set([...facts, ...now].flatMap(({ lot }) => lot ?? []))];
  }

  #forget(record: StoredRecord): number[] {
    const { database, search, buckets, lotFactsOf } = this.#parts;
    const number = this.#parts.familyNumbers.get(record.family);
    if (number === undefined || !familyOf(record.family)) return [];
    buckets.remove(number, record.id);
    search.remove(number * FAMILY_SPAN + record.id);
    const facts = lotFactsOf(record);
    if (facts.length > 0) replaceFacts(database, record.key, facts, []);
    return facts.flatMap(({ lot }) => lot ?? []);
  }

  /** Forgets everything that is derived, for a rebuild in the same transaction. */
  clear(): void {
    const { database, search, buckets } = this.#parts;
    database.exec('DELETE FROM lot_fact; DELETE FROM stock;');
    search.clear();
    buckets.clear();
  }
}
