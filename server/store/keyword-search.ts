import type { Family } from '../../shared/contract/define-family.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { type FamilyName, family as familyNamed, familyOf } from '../../shared/families/registry.ts';
import type { ChangedIds } from './changed-ids.ts';
import { columnOf } from './family-index.ts';
import { amongIds, setId } from './sorted-ids.ts';
import { indexNameOf } from './sqlite/collection-table.ts';
import type { SqlReader } from './sqlite/connection.ts';
import { finderOf, type SearchIndex } from './sqlite/search.ts';
import { FAMILY_SPAN } from './subjects.ts';
import { atOnce, inTurns, type Steps } from './yield-to-event-loop.ts';

/** Ids taken from an index in one step: some milliseconds. */
const STEP = 2_000;
/** Records looked at in one step. */
const LOOKED_AT = 200;
/** Of all families, where what finds less needs no look at each. */
const FEW = 300;
/** What finds more is a common word: what it finds is kept in memory. */
const COMMON = 2_000;
/** Of all common words together: 8 MB, unless one alone has more. Those that were asked for longest ago give way. */
const KEPT_IDS = 1_000_000;

/** What a keyword finds in one family, as it was up to a position of the changes. */
interface Word {
  name: string;
  /** In ascending order. */
  ids: number[];
  position: number;
}

export interface KeywordParts {
  reader: SqlReader;
  table: string;
  search: SearchIndex;
  numbers: ReadonlyMap<string, number>;
  /** Of what the reader sees; without them nothing is kept from one search to the next. */
  changes: ChangedIds | undefined;
  get: (family: string, id: number) => StoredRecord | undefined;
  /** In order of id. */
  withIds: (family: string, ids: readonly number[]) => StoredRecord[];
}

/**
 * Which records a keyword finds: by their own text, or by that of a record that they refer to. What a common word finds is
 * gone through once, and then kept and corrected by what has changed, so that its totals and pages cost what those of a rare
 * one do.
 */
export class KeywordSearch {
  readonly #parts: KeywordParts;
  readonly #common = new Map<string, Word>();
  /** What was found last: most is asked for again at once, for another page or by who has gathered it. */
  #last: Word | undefined;
  readonly #gathering = new Map<string, Promise<unknown>>();

  constructor(parts: KeywordParts) {
    this.#parts = parts;
  }

  /** The ids of all records of a family that a keyword finds, in ascending order. */
  ids(family: Family, keyword: string): readonly number[] {
    return atOnce(this.#found(family, keyword));
  }

  /** Finds them in parts, between which others have their turn, so that `ids` knows them at once. */
  async gather(family: Family, keyword: string): Promise<void> {
    const name = nameOf(family, keyword);
    const others = this.#gathering.get(name);
    if (others) {
      await others;
      return;
    }
    const gathering = inTurns(this.#found(family, keyword));
    this.#gathering.set(name, gathering);
    try {
      await gathering;
    } finally {
      this.#gathering.delete(name);
    }
  }

  /** Whether a keyword finds a record, if the index is sound. */
  finder(family: Family, keyword: string): (record: StoredRecord) => boolean {
    const isFoundBy = finderOf(keyword);
    return record =>
      isFoundBy(searchText(record)) ||
      family.searchThrough.some(field => {
        const [target, id] = [family.fields[field]?.reference, record.fields[field]];
        const through = target === undefined ? undefined : this.#parts.get(target, Number(id));
        return through !== undefined && isFoundBy(searchText(through));
      });
  }

  /**
   * The ids of the newest records of each family whose own text contains the keyword, or the beginning of a long one, the
   * highest first, no more than `limit` of each.
   */
  newest(
    families: readonly string[],
    keyword: string,
    limit: number,
  ): { found: [family: string, ids: number[]][]; isWhole: boolean } {
    const last = Math.max(0, ...this.#parts.numbers.values());
    // Most words are rare: one look at the index finds what all families have of them.
    const all = this.#newestRows(keyword, [0, last + 1], FEW);
    const isAll = all.rows.length < FEW;
    // Of a long keyword the index is asked for the beginning; few records have that and not the rest.
    const most = all.isWhole ? limit : limit * 10;
    const found = families.map((family): [string, number[]] => {
      const number = this.#number(family);
      const base = number * FAMILY_SPAN;
      const own = isAll
        ? all.rows.filter(row => row >= base && row < base + FAMILY_SPAN)
        : this.#newestRows(keyword, [number, number + 1], most).rows;
      return [family, own.slice(0, most).map(row => row - base)];
    });
    return { found: found.filter(([, ids]) => ids.length > 0), isWhole: all.isWhole };
  }

  /** Rows of the index for the families from one number up to another, the highest first. */
  #newestRows(
    keyword: string,
    [from, to]: readonly [number, number],
    limit: number,
  ): { rows: number[]; isWhole: boolean } {
    const query = this.#parts.search.query(keyword, from * FAMILY_SPAN, to * FAMILY_SPAN - 1);
    if (!query) return { rows: [], isWhole: true };
    const sql = `SELECT json_group_array(row) AS rows FROM (${query.sql} ORDER BY row DESC LIMIT ?)`;
    const found = this.#parts.reader.get<{ rows: string }>(sql, ...query.parameters, limit);
    return { rows: idsIn(found?.rows), isWhole: query.isWhole };
  }

  *#found(family: Family, keyword: string): Steps<readonly number[]> {
    const name = nameOf(family, keyword);
    const known = this.#last?.name === name ? this.#last : this.#common.get(name);
    const isKnown = known && (yield* this.#bringUp(known, family, keyword));
    const word = isKnown ? known : yield* this.#gathered(name, family, keyword);
    if (this.#parts.changes) this.#keep(word);
    return word.ids;
  }

  #keep(word: Word): void {
    this.#last = word;
    this.#common.delete(word.name);
    if (word.ids.length <= COMMON) return;
    this.#common.set(word.name, word);
    let kept = 0;
    for (const { name, ids } of [...this.#common.values()].reverse()) {
      kept += ids.length;
      if (kept > KEPT_IDS && name !== word.name) this.#common.delete(name);
    }
  }

  *#gathered(name: string, family: Family, keyword: string): Steps<Word> {
    const position = this.#parts.changes?.position ?? 0;
    const own = yield* this.#ownIds(family.name, keyword);
    const word: Word = { name, ids: own, position };
    if (family.searchThrough.length > 0) {
      const all = new Set(own);
      for (const field of family.searchThrough) yield* this.#addThrough(family, field, keyword, all);
      if (all.size > own.length) word.ids = Array.from(Float64Array.from(all).sort());
    }
    // What has changed between the steps.
    const isUpToDate = yield* this.#bringUp(word, family, keyword);
    return isUpToDate ? word : yield* this.#gathered(name, family, keyword);
  }

  /** By their own text, in ascending order. */
  *#ownIds(family: string, keyword: string): Steps<number[]> {
    const { reader, search } = this.#parts;
    const base = this.#base(family);
    const all: number[] = [];
    let from = 0;
    for (;;) {
      const query = search.query(keyword, base + from, base + FAMILY_SPAN - 1);
      if (!query) return all;
      const sql = `SELECT json_group_array(row - ${base}) AS ids FROM (${query.sql} ORDER BY row LIMIT ${STEP})`;
      const found = idsIn(reader.get<{ ids: string }>(sql, ...query.parameters)?.ids);
      all.push(...(query.isWhole ? found : this.#containing(family, keyword, found)));
      if (found.length < STEP) return all;
      from = (found.at(-1) ?? 0) + 1;
      yield;
    }
  }

  /** Of these, the records whose own text has all of a long keyword. */
  #containing(family: string, keyword: string, ids: readonly number[]): number[] {
    const isFound = finderOf(keyword);
    return this.#parts.withIds(family, ids).flatMap(record => (isFound(searchText(record)) ? record.id : []));
  }

  /** Adds the records that refer, by this field, to one that the keyword finds by its own text. */
  *#addThrough(family: Family, field: string, keyword: string, all: Set<number>): Steps<void> {
    const target = family.fields[field]?.reference;
    if (target === undefined) return;
    const referred: Family | undefined = familyOf(target);
    // What is known of the target's own lists need not be gone through again.
    const isByOwn = referred?.searchThrough.length === 0;
    const targets = isByOwn ? yield* this.#found(referred, keyword) : yield* this.#ownIds(target, keyword);
    if (targets.length <= COMMON) {
      for (const id of this.#referring(family, field, targets)) all.add(id);
      return;
    }
    const column = columnOf(family.name, field);
    const sql = `SELECT ${column} AS target, f_id AS id FROM ${this.#indexed(family, field)}
      AND (${column}, f_id) > (?, ?) ORDER BY ${column}, f_id LIMIT ${STEP}`;
    const isAmong = amongIds(targets, targets.length);
    let last = { target: 0, id: 0 };
    for (;;) {
      const rows = this.#parts.reader.all<{ target: number; id: number }>(sql, last.target, last.id);
      for (const row of rows) if (isAmong(row.target)) all.add(row.id);
      if (rows.length < STEP) return;
      last = rows.at(-1) ?? last;
      yield;
    }
  }

  #referring(family: Family, field: string, targets: readonly number[]): number[] {
    if (targets.length === 0) return [];
    const sql = `SELECT json_group_array(f_id) AS ids FROM ${this.#indexed(family, field)}
      AND ${columnOf(family.name, field)} IN (SELECT value FROM json_each(?))`;
    return idsIn(this.#parts.reader.get<{ ids: string }>(sql, JSON.stringify(targets))?.ids);
  }

  #indexed(family: Family, field: string): string {
    const { table } = this.#parts;
    const column = columnOf(family.name, field);
    return `"${table}" INDEXED BY "${indexNameOf(table, column)}" WHERE f_family = '${family.name}' AND ${column} IS NOT NULL`;
  }

  /** Looks again at what has changed; false where that is as much as to go through all of it. */
  *#bringUp(word: Word, family: Family, keyword: string): Steps<boolean> {
    const { changes } = this.#parts;
    if (!changes || changes.position === word.position) return true;
    const { position } = changes;
    const changed = this.#changedSince(word.position, family, changes);
    if (changed === undefined) return false;
    const isFound = this.finder(family, keyword);
    for (let from = 0; from < changed.length; from += LOOKED_AT) {
      if (from > 0) yield;
      const looked = changed.slice(from, from + LOOKED_AT);
      const records = new Map(this.#parts.withIds(family.name, looked).map(record => [record.id, record]));
      for (const id of looked) {
        const record = records.get(id);
        setId(word.ids, id, record !== undefined && isFound(record));
      }
    }
    // Another search may have brought it further meanwhile.
    word.position = Math.max(word.position, position);
    return true;
  }

  /** Records of the family that have changed, or refer by what is searched to one that has; in ascending order. */
  #changedSince(position: number, family: Family, changes: ChangedIds): number[] | undefined {
    const own = changes.since(this.#number(family.name), position);
    if (own === undefined) return undefined;
    const all = new Set(own);
    for (const field of family.searchThrough) {
      const target = family.fields[field]?.reference;
      if (target === undefined) continue;
      const targets = changes.since(this.#number(target), position);
      if (targets === undefined) return undefined;
      for (const id of this.#referring(family, field, targets)) all.add(id);
    }
    return [...all].sort((one, other) => one - other);
  }

  #base(family: string): number {
    return this.#number(family) * FAMILY_SPAN;
  }

  #number(family: string): number {
    const number = this.#parts.numbers.get(family);
    if (number === undefined) throw new Error(`There is no family ${family}.`);
    return number;
  }
}

function nameOf({ name }: Family, keyword: string): string {
  return `${name} ${keyword}`;
}

function idsIn(text: string | undefined): number[] {
  return text === undefined ? [] : JSON.parse(text);
}

/** The text that `keyword` looks in, one field a line. */
export function searchText(record: Pick<StoredRecord, 'family' | 'fields'>): string {
  const { search } = familyNamed(record.family as FamilyName);
  return search
    .flatMap(name => (typeof record.fields[name] === 'string' ? [record.fields[name]] : []))
    .join('\n');
}
