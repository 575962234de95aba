import { sameJson } from '../../shared/contract/canonical-json.ts';
import type { Family } from '../../shared/contract/define-family.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { familyOfKey } from '../../shared/families/registry.ts';
import { indexEntriesOf } from '../../shared/families/secondary-index.ts';
import type { ChangedIds } from './changed-ids.ts';
import { searchText } from './keyword-search.ts';
import { type LotFact, replaceFacts, type StockMoves } from './lots.ts';
import type { Records } from './records.ts';
import { replaceIndexEntries } from './secondary-index.ts';
import type { Buckets } from './sqlite/buckets.ts';
import type { Database } from './sqlite/database.ts';
import type { SearchIndex } from './sqlite/search.ts';
import { FAMILY_SPAN } from './subjects.ts';

/** What a record says of lots; a pure function of the record, so that every machine derives the same stock. */
export type LotFactsOf = (record: StoredRecord) => LotFact[];

/** A record before and after; without a before it is new, without an after it is taken away. */
export interface FollowedWrite {
  before: StoredRecord | undefined;
  after: StoredRecord | undefined;
}

export interface ProjectionParts {
  database: Database;
  search: SearchIndex;
  buckets: Buckets;
  familyNumbers: ReadonlyMap<string, number>;
  lotFactsOf: LotFactsOf;
  /** Told of every record that is written. */
  changes: ChangedIds;
}

/** Keeps counters, the search index and stock in step with the records, in the transaction that writes them. */
export class Projections {
  readonly #parts: ProjectionParts;

  constructor(parts: ProjectionParts) {
    this.#parts = parts;
  }

  /**
   * Follows the writes of one commit, or some of them; returns the lots whose stock or locks they touch.
   * @param moves gets what moves the stock, and is written once all of the commit was followed
   */
  follow(writes: readonly FollowedWrite[], moves: StockMoves): Set<number> {
    this.#parts.search.expect(writes.length);
    const lots = new Set<number>();
    const created = new Map<number, number[]>();
    for (const { before, after } of writes) {
      for (const lot of after ? this.#write(before, after, moves) : before ? this.#forget(before, moves) : [])
        lots.add(lot);
      const number = after && !before ? this.#numberOf(after) : undefined;
      if (number === undefined || !after) continue;
      const ids = created.get(number);
      if (ids) ids.push(after.id);
      else created.set(number, [after.id]);
    }
    for (const [number, ids] of created) this.#parts.buckets.add(number, ids);
    return lots;
  }

  /** A record of a family that this version does not know is kept, but shown and searched by none. */
  #numberOf({ key, family }: StoredRecord): number | undefined {
    return familyOfKey(key) && this.#parts.familyNumbers.get(family);
  }

  #write(before: StoredRecord | undefined, after: StoredRecord, moves: StockMoves): number[] {
    const { database, search, lotFactsOf, changes } = this.#parts;
    const number = this.#numberOf(after);
    if (number === undefined) return [];
    // Most of what comes back from central is known: what it says is what it said.
    const isKnown = before?.state === after.state && before.created_at === after.created_at;
    if (isKnown && sameJson(disputedIn(before), disputedIn(after))) return [];
    changes.note(number, after.id);
    const text = searchText(after);
    const row = number * FAMILY_SPAN + after.id;
    if (!before) {
      if (text !== '') search.add(row, text);
    } else if (searchText(before) !== text) {
      search.index(row, text);
    }
    replaceIndexEntries(database, row, before ? indexEntriesOf(before) : [], indexEntriesOf(after));
    const facts = before ? lotFactsOf(before) : [];
    const now = lotFactsOf(after);
    if (facts.length === 0 && now.length === 0) return [];
    replaceFacts(database, after.key, facts, now, moves);
    return [...facts, ...now].flatMap(({ lot }) => lot ?? []);
  }

  #forget(record: StoredRecord, moves: StockMoves): number[] {
    const { database, search, buckets, lotFactsOf, changes } = this.#parts;
    const number = this.#numberOf(record);
    if (number === undefined) return [];
    changes.note(number, record.id);
    buckets.remove(number, record.id);
    const row = number * FAMILY_SPAN + record.id;
    search.remove(row);
    replaceIndexEntries(database, row, indexEntriesOf(record), []);
    const facts = lotFactsOf(record);
    if (facts.length > 0) replaceFacts(database, record.key, facts, [], moves);
    return facts.flatMap(({ lot }) => lot ?? []);
  }

  /** In the open transaction: for a database of a version that did not keep them. */
  fillIndex(records: Pick<Records, 'all' | 'subjectNumber'>, families: readonly Family[]): void {
    for (const { name } of families) {
      for (const record of records.all(name)) {
        const subject = records.subjectNumber(name, record.id);
        replaceIndexEntries(this.#parts.database, subject, [], indexEntriesOf(record));
      }
    }
  }

  /** Forgets everything that is derived, for a rebuild in the same transaction. */
  clear(): void {
    const { database, search, buckets, changes } = this.#parts;
    changes.noteAll();
    database.exec('DELETE FROM lot_fact; DELETE FROM stock; DELETE FROM lookup;');
    search.clear();
    buckets.clear();
  }
}

/** What stations wrote without seeing each other. */
function disputedIn({ writers }: StoredRecord): unknown[] {
  return Object.entries(writers).filter(([, written]) => typeof written !== 'string');
}
