import type { Family } from '../../shared/contract/define-family.ts';
import { type AppError, invalid } from '../../shared/contract/errors.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { type FamilyName, familyOf } from '../../shared/families/registry.ts';
import { codesPlace } from '../../shared/families/secondary-index.ts';
import type { ChangedIds } from './changed-ids.ts';
import { columnOf, comparedValue, SHIP_DATE, soughtValue } from './family-index.ts';
import { KeywordSearch, searchText } from './keyword-search.ts';
import { areInOrder, isValue, isWanted, type SortKey } from './list-conditions.ts';
import { ListPages } from './list-pages.ts';
import { filterSql, type IdSelection, ListSql } from './list-sql.ts';
import { Lookups } from './lookups.ts';
import { isNarrowed, type Narrowing, type PageRequest } from './page-request.ts';
import { RecentRecords } from './recent-records.ts';
import { amongIds, pageOfIds } from './sorted-ids.ts';
import type { Buckets } from './sqlite/buckets.ts';
import { type ChecksummedDocument, checkedDocument } from './sqlite/checksum.ts';
import { indexNameOf } from './sqlite/collection-table.ts';
import type { SqlReader, SqlValue } from './sqlite/connection.ts';
import { readDocument } from './sqlite/documents.ts';
import { finderOf, type SearchIndex } from './sqlite/search.ts';
import { derivedDamaged } from './sqlite/store-errors.ts';
import { FAMILY_SPAN, MOVED_SUBJECT } from './subjects.ts';
import { changeBefore } from './time-marks.ts';
import { checkFound } from './verify/check-found.ts';

/** So many changed records are looked through for a list of those since a moment. */
const CHANGED_LIMIT = 50_000;

export interface RecordsParts {
  table: string;
  buckets: Buckets;
  search: SearchIndex;
  familyNumbers: ReadonlyMap<string, number>;
  /** Of what the reader sees; without them each search begins anew. */
  changes?: ChangedIds;
}

/** Records read at once by what goes through many: about a millisecond. */
const AT_ONCE = 100;

interface ListedRow extends ChecksummedDocument {
  key: string;
  sequence: number;
}

export interface RecordPage {
  records: StoredRecord[];
  total: number;
}

export function keyOf(family: string, id: number): string {
  return `${family}:${id}`;
}

/**
 * Reads records by the store's own SQL, past RxDB's caches. Over the read connection it sees what is committed; over
 * the write connection it sees what the open transaction has written as well.
 */
export class Records {
  readonly #reader: SqlReader;
  readonly table: string;
  readonly #buckets: Buckets;
  readonly #keywords: KeywordSearch;
  readonly #numbers: ReadonlyMap<string, number>;
  /** Whether the index of pages knows a record. */
  readonly #listedSql: string;
  readonly #hasSql: string;
  readonly #oneSql: string;
  readonly #lookups: Lookups;
  readonly #recent = new RecentRecords();

  constructor(reader: SqlReader, parts: RecordsParts) {
    this.#reader = reader;
    this.table = parts.table;
    this.#lookups = new Lookups(parts.table);
    this.#buckets = parts.buckets;
    this.#numbers = parts.familyNumbers;
    this.#keywords = new KeywordSearch({
      reader,
      table: parts.table,
      search: parts.search,
      numbers: parts.familyNumbers,
      changes: parts.changes,
      get: (family, id) => this.get(family, id),
      withIds: (family, ids) => this.#withIds(family, ids),
    });
    this.#listedSql = `SELECT 1 FROM "${this.table}" INDEXED BY "${this.#pageIndex()}" WHERE f_family = ? AND f_id = ?`;
    this.#oneSql = `SELECT key, document, seal, sequence FROM "${this.table}" WHERE key = ?`;
    this.#hasSql = `SELECT 1 FROM "${this.table}" WHERE key = ?`;
  }

  get(family: string, id: number): StoredRecord | undefined {
    return this.getByKey(keyOf(family, id));
  }

  getByKey(key: string): StoredRecord | undefined {
    return this.#checked(key, readDocument<StoredRecord>(this.#reader, this.table, key));
  }

  /** As `get`, for an answer: what many look at lately is parsed once and shared by them, so it is read only. */
  getShared(family: string, id: number): StoredRecord | undefined {
    const key = keyOf(family, id);
    const row = this.#reader.get<ListedRow>(this.#oneSql, key);
    return this.#checked(key, row && this.#shared(row));
  }

  #checked(key: string, record: StoredRecord | undefined): StoredRecord | undefined {
    if (record ? record.key === key : !this.#isListed(key)) return record;
    throw this.#reader.damaged(`An index leads to another record in place of ${key}, or to none.`);
  }

  has(family: string, id: number): boolean {
    return this.#reader.get(this.#hasSql, keyOf(family, id)) !== undefined;
  }

  /** The lowest id of a family from this one on; undefined where there is none. */
  firstFrom(family: string, id: number): number | undefined {
    const sql = `SELECT f_id AS id FROM "${this.table}" INDEXED BY "${this.#pageIndex()}"
      WHERE f_family = ? AND f_id >= ? ORDER BY f_id LIMIT 1`;
    return this.#reader.get<{ id: number }>(sql, family, id)?.id;
  }

  /** Records whose indexed field has this value, by id; of a lot number those that people take for the same one. */
  findBy(family: FamilyName, field: string, value: string | number): StoredRecord[] {
    const { sql, isFolded } = this.#lookups.of(family, field);
    const sought = isFolded ? soughtValue(family, field, value) : value;
    const found = this.#documents(sql, sought);
    if (found.length === 0) return found;
    if (!isFolded) return checkFound(this.#reader, found, { family, filters: [[field, value]] });
    // The column holds the text folded: others than the one that is meant may stand there.
    const condition = isValue(field, sought);
    if (!found.every(record => isWanted(record, condition))) throw this.#misled(found);
    const wanted = comparedValue(family, field, value);
    return checkFound(this.#reader, found, { family }).filter(
      record => comparedValue(family, field, record.fields[field]) === wanted,
    );
  }

  /** Lots of a part in which something stands, by id. */
  lotsInStock(part: number): StoredRecord[] {
    const sql = `SELECT key, document, seal FROM "${this.table}" INDEXED BY "${this.#fieldIndex('inventory', 'part_id')}"
      WHERE f_family = 'inventory' AND ${columnOf('inventory', 'part_id')} = ?
        AND EXISTS (SELECT 1 FROM stock WHERE lot = f_id) ORDER BY f_id`;
    const filters = [['part_id', part] as const];
    return checkFound(this.#reader, this.#documents(sql, part), { family: 'inventory', filters });
  }

  /** All records of a family in order of id, from one on, read as the caller goes on. */
  *all(family: string, from = 0): Generator<StoredRecord> {
    let after = from - 1;
    for (;;) {
      const sql = `SELECT key, document, seal FROM "${this.table}" INDEXED BY "${this.#pageIndex()}"
        WHERE f_family = ? AND f_id > ? ORDER BY f_id LIMIT ${AT_ONCE}`;
      const records = checkFound(this.#reader, this.#documents(sql, family, after), { family });
      yield* records;
      const last = records.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  }

  /**
   * All records that a list would show, in order of id, read as the caller goes on: those that fit when it begins.
   * @throws AppError 422 on a list that goes through too many entries of indexes
   */
  selected(family: Family, selection: Narrowing): Generator<StoredRecord> {
    if (!isNarrowed(selection)) return this.all(family.name);
    if (selection.conditions?.length) this.#lists(family).refuseLong(family, selection);
    return this.#selected(family, selection);
  }

  *#selected(family: Family, selection: Narrowing): Generator<StoredRecord> {
    // Between two stretches records can change: what they hold, and whether they are there, is as it is then.
    const ids = [...this.#idsOf(family, selection)];
    for (let start = 0; start < ids.length; start += AT_ONCE) {
      const records = this.#withIds(family.name, ids.slice(start, start + AT_ONCE));
      yield* checkFound(this.#reader, records, { family: family.name });
    }
  }

  /** The newest records of each family whose own text contains the keyword: by family, the highest id first. */
  newestWith(families: readonly string[], keyword: string, limit: number): StoredRecord[] {
    const isFound = finderOf(keyword);
    const { found, isWhole } = this.#keywords.newest(families, keyword, limit);
    return found.flatMap(([family, ids]) => {
      const records = checkFound(this.#reader, this.#withIds(family, ids), { family, count: ids.length });
      const fitting = records.filter(record => isFound(searchText(record)));
      if (isWhole && fitting.length < records.length) throw derivedDamaged('The search index');
      return fitting.reverse().slice(0, limit);
    });
  }

  /** Shipments by the day they shipped, else the one they are wanted for; both ends included; by id. */
  *shipmentsBetween(from: string, to: string): Generator<StoredRecord> {
    const sql = `SELECT f_id AS id FROM "${this.table}" INDEXED BY "${this.#fieldIndex('shipment', SHIP_DATE)}"
      WHERE f_family = 'shipment' AND ${columnOf('shipment', SHIP_DATE)} BETWEEN ? AND ? ORDER BY f_id`;
    for (const { id } of this.#reader.all<{ id: number }>(sql, from, to)) {
      const record = this.get('shipment', id);
      if (record) yield record;
    }
  }

  /** The number that stands for a record in the history and search tables. */
  subjectNumber(family: string, id: number): number {
    return this.#familyNumber(family) * FAMILY_SPAN + id;
  }

  /** The same for a key: `supplier:12`. */
  subjectNumberOf(key: string): number {
    const colon = key.lastIndexOf(':');
    return this.subjectNumber(key.slice(0, colon), Number(key.slice(colon + 1)));
  }

  /**
   * The same for many, without those of families that have no number: what this version does not know is listed nowhere,
   * and nobody can use up the numbers.
   */
  subjectNumbersOf(keys: readonly string[]): number[] {
    const subjects: number[] = [];
    for (const key of keys) {
      const colon = key.lastIndexOf(':');
      const number = this.#numbers.get(key.slice(0, colon));
      if (number !== undefined) subjects.push(number * FAMILY_SPAN + Number(key.slice(colon + 1)));
    }
    return subjects;
  }

  /** The families of stored records that this version does not know, by name, with their counts; not more than `limit`. */
  unknownFamilies(limit: number): { family: string; records: number }[] {
    const next = `SELECT f_family AS family FROM "${this.table}" INDEXED BY "${this.#pageIndex()}"
      WHERE f_family > ? ORDER BY f_family LIMIT 1`;
    const count = `SELECT count(*) AS records FROM "${this.table}" INDEXED BY "${this.#pageIndex()}" WHERE f_family = ?`;
    const found: { family: string; records: number }[] = [];
    let last = '';
    while (found.length < limit) {
      const family = this.#reader.get<{ family: string }>(next, last)?.family;
      if (family === undefined) break;
      last = family;
      if (isUnknown(family))
        found.push({ family, records: this.#reader.get<{ records: number }>(count, family)?.records ?? 0 });
    }
    return found;
  }

  /** The record of a subject number; undefined where its family is not known. */
  ofSubject(subject: number): StoredRecord | undefined {
    const key = this.keyOfSubject(subject);
    return key === undefined ? undefined : this.getByKey(key);
  }

  /** The key that a subject number stands for, whether the record is there or not. */
  keyOfSubject(subject: number): string | undefined {
    const number = Math.floor(subject / FAMILY_SPAN);
    for (const [family, one] of this.#numbers)
      if (one === number) return keyOf(family, subject - number * FAMILY_SPAN);
    return undefined;
  }

  /** Ids of records whose indexed field has this value, of texts in any case, the lowest first, no more than `limit`. */
  idsBy(family: FamilyName, field: string, value: string | number, limit: number): number[] {
    const sql = `SELECT f_id AS id FROM "${this.table}" INDEXED BY "${this.#fieldIndex(family, field)}"
      WHERE f_family = '${family}' AND ${columnOf(family, field)} = ? ORDER BY f_id LIMIT ?`;
    const sought = soughtValue(family, field, value);
    return this.#reader.all<{ id: number }>(sql, sought, limit).map(({ id }) => id);
  }

  total(family: string): number {
    return this.#buckets.total(this.#familyNumber(family));
  }

  /** Finds what a list with this keyword shows in parts, so that nobody waits for the list itself. */
  async gather(family: Family, { keyword }: Pick<Narrowing, 'keyword'>): Promise<void> {
    if (keyword) await this.#keywords.gather(family, keyword);
  }

  /** One page in order of id, with the true total. */
  page(family: Family, request: PageRequest): RecordPage {
    const [first, ...rest] = request.sort ?? [];
    if (first || request.conditions?.length) {
      const found = request.keyword ? this.#keywords.ids(family, request.keyword).length : undefined;
      this.#lists(family).refuseLong(family, request, found);
    }
    if (first) return this.#sortedPage(family, request, [first, ...rest]);
    const { records, total } = this.#pageById(family, request);
    return { records: request.isNewestFirst ? records.reverse() : records, total };
  }

  /** Records of a page by id, also where the page is of a list with the newest first. */
  #pageById(family: Family, request: PageRequest): RecordPage {
    const { isNewestFirst = false } = request;
    const offset = (request.page - 1) * request.perPage;
    if (!isNarrowed(request)) return this.#wholePage(family.name, offset, request.perPage, isNewestFirst);
    if (request.keyword) {
      const all = this.#idsOf(family, request);
      const ids = pageOfIds(all, { offset, limit: request.perPage, isNewestFirst });
      return { records: this.#fitting(family, request, ids, ids.length), total: all.length };
    }
    const most = this.#lists(family).ofMost(request);
    if (most?.ids === 'whole') {
      const whole = this.#wholePage(family.name, offset, request.perPage, isNewestFirst);
      return { ...whole, records: this.#wanted(request, whole.records) };
    }
    if (most) {
      const count = Math.max(0, Math.min(request.perPage, most.total - offset));
      return { records: this.#fitting(family, request, most.ids, count), total: most.total };
    }
    const selection = this.#selection(family, request);
    const { sql, values } = selection;
    const page = `SELECT id FROM (${sql}) ORDER BY id ${isNewestFirst ? 'DESC' : 'ASC'} LIMIT ? OFFSET ?`;
    const found = this.#reader.all<{ id: number }>(page, ...values, request.perPage, offset);
    const ids = found.map(({ id }) => id);
    // A page that is not full is the last, and tells the total. Most searches find less than a page.
    const isLast = ids.length < request.perPage && (ids.length > 0 || offset === 0);
    const total = isLast ? offset + ids.length : this.#lists(family).count(selection);
    if (offset >= total) return { records: [], total };
    const count = Math.min(request.perPage, total - offset);
    return { records: this.#fitting(family, request, ids, count), total };
  }

  /** The ids that a narrowed list shows, in ascending order. */
  #idsOf(family: Family, narrowing: Narrowing): readonly number[] {
    const { keyword, ...others } = narrowing;
    const found = keyword ? this.#keywords.ids(family, keyword) : undefined;
    if (found && (found.length === 0 || !isNarrowed(others))) return found;
    const selection = this.#selection(family, others);
    const sql = `SELECT json_group_array(id) AS ids FROM (SELECT id FROM (${selection.sql}) ORDER BY id)`;
    const ids: number[] = JSON.parse(
      this.#reader.get<{ ids: string }>(sql, ...selection.values)?.ids ?? '[]',
    );
    return found ? ids.filter(amongIds(found, ids.length)) : ids;
  }

  /** The records of these ids, in order of id; all of them must be what the list asks for. */
  #fitting(family: Family, request: Narrowing, ids: readonly number[], count: number): StoredRecord[] {
    const { keyword } = request;
    const found = this.#withIds(family.name, ids);
    const filters = Object.entries(request.filters ?? {});
    const records = checkFound(this.#reader, found, { family: family.name, count, filters });
    if (keyword && !records.every(this.#keywords.finder(family, keyword)))
      throw derivedDamaged('The search index');
    return this.#wanted(request, records);
  }

  #wanted({ conditions = [] }: Narrowing, records: StoredRecord[]): StoredRecord[] {
    if (records.every(record => conditions.every(each => isWanted(record, each)))) return records;
    throw this.#misled(records);
  }

  /** One page in the order of the keys, those without a value last, then by id. */
  #sortedPage(family: Family, request: PageRequest, sort: readonly [SortKey, ...SortKey[]]): RecordPage {
    const { isNewestFirst = false, perPage } = request;
    const offset = (request.page - 1) * perPage;
    const lists = this.#lists(family);
    if (request.keyword) {
      const all = this.#idsOf(family, request);
      if (offset >= all.length) return { records: [], total: all.length };
      const ids = lists.sortedAmong(all, sort, { isNewestFirst, offset, limit: perPage });
      const count = Math.min(perPage, all.length - offset);
      return { records: this.#inOrder(family, request, sort, ids, count), total: all.length };
    }
    const narrowed = isNarrowed(request) ? this.#selection(family, request) : undefined;
    const total = narrowed ? lists.count(narrowed) : lists.total();
    if (offset >= total) return { records: [], total };
    const ids = lists.sortedIds(request, sort, narrowed, total);
    return { records: this.#inOrder(family, request, sort, ids, Math.min(perPage, total - offset)), total };
  }

  #inOrder(
    family: Family,
    request: PageRequest,
    sort: readonly SortKey[],
    ids: readonly number[],
    count: number,
  ): StoredRecord[] {
    const records = this.#fitting(family, request, ids, count);
    const byId = new Map(records.map(record => [record.id, record]));
    const ordered = ids.flatMap(id => byId.get(id) ?? []);
    if (!areInOrder(ordered, sort, request.isNewestFirst ?? false)) throw this.#misled(records);
    return ordered;
  }

  #lists(family: Family): ListPages {
    return new ListPages(this.#reader, {
      sql: this.#listSql(family),
      total: () => this.#buckets.total(this.#familyNumber(family.name)),
      select: narrowing => this.#selection(family, narrowing),
    });
  }

  #listSql(family: Family): ListSql {
    return new ListSql(this.table, family.name, {
      placeOf: field => codesPlace(family, field),
      firstSubject: this.#familyNumber(family.name) * FAMILY_SPAN,
    });
  }

  #misled(records: readonly StoredRecord[]): AppError {
    const keys = records.map(({ key }) => key).slice(0, 3);
    return this.#reader.damaged(
      `An index leads to other records than it says, among them ${keys.join(', ')}.`,
    );
  }

  /** Without a filter the counters know the total and where a deep page begins. */
  #wholePage(family: string, offset: number, limit: number, isNewestFirst: boolean): RecordPage {
    const number = this.#familyNumber(family);
    const total = this.#buckets.total(number);
    if (offset >= total) return { records: [], total };
    const count = Math.min(limit, total - offset);
    const before = isNewestFirst ? total - offset - count : offset;
    const isNear = before < 1_000;
    const start = (isNear ? undefined : this.#buckets.locate(number, before)) ?? { idFrom: 0, skip: before };
    const sql = `SELECT key, document, seal, sequence FROM "${this.table}" INDEXED BY "${this.#pageIndex()}"
      WHERE f_family = ? AND f_id >= ? ORDER BY f_id LIMIT ? OFFSET ?`;
    const records = this.#listed(sql, family, start.idFrom, count, start.skip);
    return { records: checkFound(this.#reader, records, { family, count }), total };
  }

  /** SQL that gives the ids of a list that is narrowed by anything but a keyword. */
  #selection(family: Family, request: Omit<Narrowing, 'keyword'>): IdSelection {
    const parts: IdSelection[] = [];
    const { since, conditions = [] } = request;
    const filters = Object.entries(request.filters ?? {});
    const [first, ...rest] = filters;
    if (first) {
      const tests = [first, ...rest].map(([field, value]) => filterSql(family.name, field, value));
      const sql = `SELECT f_id AS id FROM "${this.table}" INDEXED BY "${this.#fieldIndex(family.name, first[0])}"
        WHERE f_family = '${family.name}' AND ${tests.map(test => test.sql).join(' AND ')}`;
      parts.push({ sql, values: tests.flatMap(({ values }) => values) });
    }
    if (since !== undefined) {
      const sql = `SELECT f_id AS id FROM "${this.table}" INDEXED BY "${this.#changeIndex()}"
        WHERE sequence > ? AND f_family = '${family.name}'`;
      parts.push({ sql, values: [this.#changesSince(since)] });
    }
    return this.#listSql(family).fitting(parts, conditions);
  }

  /** The change after which those lie. @throws AppError 422 where they are too many to look through for a list */
  #changesSince(since: number): number {
    const before = changeBefore(this.#reader, since);
    const sql = `SELECT count(*) AS n FROM (SELECT 1 FROM "${this.table}" INDEXED BY "${this.#changeIndex()}"
      WHERE sequence > ? LIMIT ?)`;
    const changed = this.#reader.get<{ n: number }>(sql, before, CHANGED_LIMIT + 1)?.n ?? 0;
    if (changed <= CHANGED_LIMIT) return before;
    const message = `More than ${CHANGED_LIMIT} records have changed since then. Give a later moment, read the list without updated_since, or follow /x/changes.`;
    throw invalid({ updated_since: [message] });
  }

  /** Whether the index of pages knows the record: what no key leads to may be hidden by a damaged key. */
  #isListed(key: string): boolean {
    const colon = key.lastIndexOf(':');
    return this.#reader.get(this.#listedSql, key.slice(0, colon), Number(key.slice(colon + 1))) !== undefined;
  }

  /** In order of id. */
  #withIds(family: string, ids: readonly number[]): StoredRecord[] {
    const sql = `SELECT key, document, seal, sequence FROM "${this.table}" INDEXED BY "${this.#pageIndex()}"
      WHERE f_family = ? AND f_id IN (SELECT value FROM json_each(?)) ORDER BY f_id`;
    return this.#listed(sql, family, JSON.stringify(ids));
  }

  /** Of lists, which people look at again and again. */
  #listed(sql: string, ...values: SqlValue[]): StoredRecord[] {
    return this.#reader.all<ListedRow>(sql, ...values).map(row => this.#shared(row));
  }

  #shared(row: ListedRow): StoredRecord {
    return this.#recent.of(row, () => checkedDocument(this.#reader, row, () => `record ${row.key}`));
  }

  #documents(sql: string, ...values: SqlValue[]): StoredRecord[] {
    const rows = this.#reader.all<ChecksummedDocument & { key: string }>(sql, ...values);
    return rows.map(row => checkedDocument(this.#reader, row, () => `record ${row.key}`));
  }

  #familyNumber(family: string): number {
    const number = this.#numbers.get(family);
    if (number === undefined) throw new Error(`There is no family ${family}.`);
    return number;
  }

  #pageIndex(): string {
    return indexNameOf(this.table, 'page');
  }

  #changeIndex(): string {
    return indexNameOf(this.table, 'sequence');
  }

  #fieldIndex(family: string, field: string): string {
    return indexNameOf(this.table, columnOf(family, field));
  }
}

/** What joining wrote down is a record of no family. */
function isUnknown(family: string): boolean {
  return `${family}:` !== MOVED_SUBJECT && familyOf(family)?.name !== family;
}
