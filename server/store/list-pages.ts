import type { Family } from '../../shared/contract/define-family.ts';
import { invalid } from '../../shared/contract/errors.ts';
import type { ListCondition, SortKey } from './list-conditions.ts';
import type { IdSelection, ListSql } from './list-sql.ts';
import { isNarrowed, type Narrowing, type PageRequest } from './page-request.ts';
import { amongIds, pageOfIds } from './sorted-ids.ts';
import type { SqlReader } from './sqlite/connection.ts';

/** So many records that fit are looked at one by one and sorted; of more, a page is read along the index of its order. */
const SORTED_LIMIT = 2_000;

/** Entries of an index that are read beyond a page at first, to find it among many ids; then twice as many each time. */
const STRETCH = 256;

/** So many records are looked into for a page, where those that fit lie evenly among the others. */
const LOOKED_INTO = 2_000;

/** So many entries of indexes are gone through for one list, where one range of one index does not give it. */
export const ENTRIES_LIMIT = 250_000;

interface ListParts {
  sql: ListSql;
  /** How many records the family has. */
  total: () => number;
  /** The ids of a narrowed list. */
  select: (narrowing: Narrowing) => IdSelection;
}

/** Which records stand on the pages of one family's sorted and filtered lists. */
export class ListPages {
  readonly total: () => number;
  readonly #reader: SqlReader;
  readonly #sql: ListSql;
  readonly #select: ListParts['select'];

  constructor(reader: SqlReader, { sql, total, select }: ListParts) {
    this.#reader = reader;
    this.#sql = sql;
    this.total = total;
    this.#select = select;
  }

  count({ sql, values }: IdSelection): number {
    return this.#reader.get<{ n: number }>(`SELECT count(*) AS n FROM (${sql})`, ...values)?.n ?? 0;
  }

  /**
   * The ids of a page by id, and the total, of a list that one condition narrows which most records fit: what has another
   * value, or has one at all. Nothing is worked out of all of them; where all fit, the page is that of the whole list.
   * Undefined: of any other list.
   */
  ofMost(request: PageRequest): { ids: number[] | 'whole'; total: number } | undefined {
    const { conditions = [], page, perPage, isNewestFirst = false, ...others } = request;
    const [only, ...more] = conditions;
    if (!only || more.length > 0 || isNarrowed(others)) return undefined;
    const along = this.#sql.along(only, isNewestFirst, LOOKED_INTO);
    if (!along) return undefined;
    const passing = this.count(this.#sql.passing(only));
    const total = only.isNegated ? this.total() - passing : passing;
    const end = page * perPage;
    if (end - perPage >= total) return { ids: [], total };
    if (total === this.total()) return { ids: 'whole', total };
    if (!only.isNegated && end * this.total() > total * LOOKED_INTO) return undefined;
    const offset = end - perPage;
    const isShort = only.isNegated && passing > total;
    const left = () => this.#sql.butFor(this.#sql.all(), this.#sql.passing(only), isNewestFirst);
    const ids = this.#page(isShort ? left() : along, perPage, offset);
    // Those that have a value may all be old.
    const isWhole = only.isNegated || ids.length === Math.max(0, Math.min(perPage, total - offset));
    return isWhole ? { ids, total } : undefined;
  }

  /** The ids of a page that is not beyond the last, in the order of the keys. @param total of the list */
  sortedIds(
    request: PageRequest,
    sort: readonly [SortKey, ...SortKey[]],
    narrowed: IdSelection | undefined,
    total: number,
  ): number[] {
    const { isNewestFirst = false, perPage, page } = request;
    const offset = (page - 1) * perPage;
    return narrowed && total <= SORTED_LIMIT
      ? this.#page(this.#sql.sorted(narrowed, sort, isNewestFirst), perPage, offset)
      : this.#walked(request, sort, offset, total);
  }

  /** A page of the records with these ids, which are in ascending order, in the order of the keys. */
  sortedAmong(
    ids: readonly number[],
    sort: readonly [SortKey, ...SortKey[]],
    page: { offset: number; limit: number; isNewestFirst: boolean },
  ): number[] {
    if (ids.length <= SORTED_LIMIT) return this.#sortedOf(ids, sort, page);
    const { offset, limit, isNewestFirst } = page;
    const [, ...rest] = sort;
    const isAmong = amongIds(ids, offset + limit);
    const having: number[] = [];
    for (const stretch of this.#along(
      this.#sql.walk(sort, isNewestFirst, [], undefined).page,
      offset + limit,
    )) {
      for (const id of stretch) if (isAmong(id)) having.push(id);
      if (having.length >= offset + limit) return having.slice(offset, offset + limit);
    }
    const without = having.length < ids.length ? exceptOf(ids, new Set(having)) : [];
    const found = having.slice(offset, offset + limit);
    const further = {
      isNewestFirst,
      offset: Math.max(0, offset - having.length),
      limit: limit - found.length,
    };
    const [next, ...others] = rest;
    return [
      ...found,
      ...(next ? this.#sortedOf(without, [next, ...others], further) : pageOfIds(without, further)),
    ];
  }

  #sortedOf(
    ids: readonly number[],
    sort: readonly [SortKey, ...SortKey[]],
    { offset, limit, isNewestFirst }: { offset: number; limit: number; isNewestFirst: boolean },
  ): number[] {
    const among = { sql: 'SELECT value FROM json_each(?)', values: [JSON.stringify(ids)] };
    return this.#page(this.#sql.sorted(among, sort, isNewestFirst), limit, offset);
  }

  /** The ids of a walk in its order, some at a time. @param least so many are needed */
  *#along({ sql, values }: IdSelection, least: number): Generator<readonly number[]> {
    for (let stretch = least + STRETCH, from = 0; ; from += stretch, stretch *= 2) {
      const wanted = `SELECT json_group_array(id) AS ids FROM (${sql})`;
      const row = this.#reader.get<{ ids: string }>(wanted, ...values, stretch, from);
      const ids: number[] = JSON.parse(row?.ids ?? '[]');
      yield ids;
      if (ids.length < stretch) return;
    }
  }

  /** Of many, along the index of the first key; those without its value follow. */
  #walked(
    { isNewestFirst = false, perPage, conditions = [], ...request }: PageRequest,
    sort: readonly [SortKey, ...SortKey[]],
    offset: number,
    total: number,
  ): number[] {
    const [{ field }, ...rest] = sort;
    const ofKey = conditions.filter(each => each.field === field && !each.isNegated);
    const others = { ...request, conditions: conditions.filter(each => !ofKey.includes(each)) };
    const among = isNarrowed(others) ? this.#select(others) : undefined;
    const tests = ofKey.map(({ test }) => test);
    const walk = this.#sql.walk(sort, isNewestFirst, tests, among);
    const ids = this.#page(walk.page, perPage, offset);
    if (ids.length === Math.min(perPage, total - offset)) return ids;
    const before = ids.length > 0 ? offset + ids.length : this.count(walk.all);
    const areFew = before > total / 2;
    const without = this.#sql.without(field, among, rest, { isNewestFirst, areFew });
    const skipped = Math.max(0, offset + ids.length - before);
    return [...ids, ...this.#page(without, perPage - ids.length, skipped)];
  }

  #page({ sql, values }: IdSelection, limit: number, offset: number): number[] {
    return this.#reader.all<{ id: number }>(sql, ...values, limit, offset).map(({ id }) => id);
  }

  /**
   * @param found how many records the keyword finds
   * @throws AppError 422 on a list that goes through too many entries of indexes: others would wait for it
   */
  refuseLong(
    { plural }: Family,
    { conditions = [], sort = [], keyword, ...request }: Narrowing & Pick<PageRequest, 'sort'>,
    found = Number.POSITIVE_INFINITY,
  ): void {
    const total = this.total();
    if (total <= ENTRIES_LIMIT) return;
    const isWhole = ({ isNegated, test }: ListCondition) => isNegated || test.kind === 'contains';
    const [only, ...others] = conditions;
    const isOneRange = others.length === 0 && !(only && keyword) && !isNarrowed(request) && sort.length <= 1;
    if (isOneRange && (!only || (!isWhole(only) && (sort[0]?.field ?? only.field) === only.field))) return;
    const entries = conditions.map(each => (isWhole(each) ? total : this.count(this.#sql.passing(each))));
    if (sort.length > 0 && Math.min(total, found, ...entries) > SORTED_LIMIT) entries.push(total);
    if (entries.reduce((sum, each) => sum + each, 0) <= ENTRIES_LIMIT) return;
    const message = `There are ${total} ${plural.toLowerCase()}, and this would go through more than ${ENTRIES_LIMIT} entries of their indexes. Ask for values that fewer have, or sort and filter by one field alone.`;
    throw invalid({ [conditions.length > 0 ? 'filter' : 'sort']: [message] });
  }
}

function exceptOf(ids: readonly number[], known: ReadonlySet<number>): number[] {
  return ids.filter(id => !known.has(id));
}
