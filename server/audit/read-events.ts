import type { StoredRecord } from '../../shared/contract/present.ts';
import { columnOf, WRITTEN_BY } from '../store/family-index.ts';
import { indexNameOf } from '../store/sqlite/collection-table.ts';
import type { SqlReader, SqlValue } from '../store/sqlite/connection.ts';
import { tableOf } from '../store/sqlite/documents.ts';
import type { Store } from '../store/store.ts';
import { yieldingToEventLoop } from '../store/yield-to-event-loop.ts';

const FAMILY = 'audit-event';
/** Events that are read at once for an export. */
const AT_ONCE = 100;
/** Takes some milliseconds. */
const PART = 5_000;

/** What the trail is narrowed to. */
export interface AuditSelection {
  /** ISO 8601 UTC, both included. */
  from?: string | undefined;
  to?: string | undefined;
  kinds?: readonly string[] | undefined;
  /** Names that history knows the person by, and their record where there is one: what they did, and what was done to it. */
  person?: { names: readonly string[]; subject: string | undefined } | undefined;
  subject?: string | undefined;
  station?: string | undefined;
}

/** Of the index, within which fitting events are counted. */
interface Part {
  where: string;
  values: SqlValue[];
  count: number;
}

interface Found {
  id: number;
  moment: string;
}

/** Reads the trail in order of time, by an index that holds all that it is narrowed to. */
export class AuditReader {
  readonly #reader: SqlReader;
  readonly #records: Pick<Store['records'], 'get' | 'total'>;
  readonly #source: string;
  readonly #part: number;

  /** @param part entries of the index that are looked at before others have their turn */
  constructor(
    { database, collection, records }: Pick<Store, 'database' | 'collection' | 'records'>,
    part = PART,
  ) {
    this.#part = part;
    this.#reader = database.reader;
    this.#records = records;
    const table = tableOf(collection);
    this.#source = `"${table}" INDEXED BY "${indexNameOf(table, 'audit')}"`;
  }

  /** Read in parts, with the loop turned in between: of years of a fleet there are millions. */
  async page(
    selection: AuditSelection,
    { page, perPage, isNewestFirst }: { page: number; perPage: number; isNewestFirst: boolean },
  ): Promise<{ records: StoredRecord[]; total: number }> {
    const before = (page - 1) * perPage;
    const isWhole = Object.values(selection).every(value => value === undefined);
    const found: Found[] = [];
    let total = 0;
    for await (const part of this.#parts(selection, isNewestFirst)) {
      const isHere = found.length < perPage && total + part.count > before;
      if (isHere) found.push(...this.#found(part, isNewestFirst, perPage - found.length, before - total));
      total += part.count;
      // How many there are in all is counted already.
      if (isWhole && found.length === perPage)
        return { records: this.#read(found), total: this.#records.total(FAMILY) };
    }
    return { records: this.#read(found), total };
  }

  async count(selection: AuditSelection): Promise<number> {
    let total = 0;
    for await (const { count } of this.#parts(selection, false)) total += count;
    return total;
  }

  /** When the first one was, of those that are here; undefined where there is none. */
  first(): string | undefined {
    const sql = `SELECT ${AT} AS moment FROM ${this.#source} WHERE f_family = '${FAMILY}' AND ${AT} IS NOT NULL ORDER BY ${AT} LIMIT 1`;
    return this.#reader.get<{ moment: string }>(sql)?.moment;
  }

  /** All of them by time, read as the caller goes on. */
  *all(selection: AuditSelection): Generator<StoredRecord> {
    const { sql, values } = conditionOf(selection);
    let last: Found = { id: 0, moment: '' };
    for (;;) {
      const found = this.#reader.all<Found>(
        `SELECT f_id AS id, ${AT} AS moment FROM ${this.#source} WHERE ${sql} AND (${AT}, f_id) > (?, ?)
         ORDER BY ${AT}, f_id LIMIT ${AT_ONCE}`,
        ...values,
        last.moment,
        last.id,
      );
      yield* this.#read(found);
      const end = found.at(-1);
      if (!end) return;
      last = end;
    }
  }

  /** The index from one end to the other, each part with how many events in it fit. */
  async *#parts(selection: AuditSelection, isDescending: boolean): AsyncGenerator<Part> {
    const yieldToEventLoop = yieldingToEventLoop();
    const { sql, values } = conditionOf(selection);
    const span = conditionOf({ from: selection.from, to: selection.to });
    const [after, order] = isDescending ? (['<', 'DESC'] as const) : (['>', 'ASC'] as const);
    const upTo = isDescending ? '>=' : '<=';
    let last: Found | undefined;
    for (;;) {
      await yieldToEventLoop();
      const start = last ? ` AND (${AT}, f_id) ${after} (?, ?)` : '';
      const startValues = last ? [last.moment, last.id] : [];
      const end = this.#reader.get<Found>(
        `SELECT f_id AS id, ${AT} AS moment FROM ${this.#source} WHERE ${span.sql}${start}
         ORDER BY ${AT} ${order}, f_id ${order} LIMIT 1 OFFSET ${this.#part - 1}`,
        ...span.values,
        ...startValues,
      );
      const stop = end ? ` AND (${AT}, f_id) ${upTo} (?, ?)` : '';
      const where = `${sql}${start}${stop}`;
      const all = [...values, ...startValues, ...(end ? [end.moment, end.id] : [])];
      const counted = `SELECT count(*) AS n FROM ${this.#source} WHERE ${where}`;
      yield { where, values: all, count: this.#reader.get<{ n: number }>(counted, ...all)?.n ?? 0 };
      if (!end) return;
      last = end;
    }
  }

  #found({ where, values }: Part, isDescending: boolean, limit: number, skip: number): Found[] {
    const order = isDescending ? 'DESC' : 'ASC';
    return this.#reader.all<Found>(
      `SELECT f_id AS id, ${AT} AS moment FROM ${this.#source} WHERE ${where}
       ORDER BY ${AT} ${order}, f_id ${order} LIMIT ? OFFSET ?`,
      ...values,
      limit,
      Math.max(0, skip),
    );
  }

  #read(found: readonly Found[]): StoredRecord[] {
    return found.map(({ id, moment }) => {
      const record = this.#records.get(FAMILY, id);
      if (record?.fields.at === moment) return record;
      throw this.#reader.damaged(`An index leads to another record in place of ${FAMILY}:${id}, or to none.`);
    });
  }
}

const AT = columnOf(FAMILY, 'at');
const STATION = columnOf(FAMILY, WRITTEN_BY);

function conditionOf({ from, to, kinds, person, subject, station }: AuditSelection): {
  sql: string;
  values: SqlValue[];
} {
  const parts = [`f_family = '${FAMILY}'`, `${AT} IS NOT NULL`];
  const values: SqlValue[] = [];
  const add = (sql: string, ...given: SqlValue[]) => {
    parts.push(sql);
    values.push(...given);
  };
  if (from !== undefined) add(`${AT} >= ?`, from);
  if (to !== undefined) add(`${AT} <= ?`, to);
  if (kinds) add(`${columnOf(FAMILY, 'kind')} IN (SELECT value FROM json_each(?))`, JSON.stringify(kinds));
  if (person) {
    const isBy = `${columnOf(FAMILY, 'author')} IN (SELECT value FROM json_each(?))`;
    const isAbout = `${columnOf(FAMILY, 'subject')} = ?`;
    const names = JSON.stringify(person.names);
    if (person.subject === undefined) add(isBy, names);
    else add(`(${isBy} OR ${isAbout})`, names, person.subject);
  }
  if (subject !== undefined) add(`${columnOf(FAMILY, 'subject')} = ?`, subject);
  if (station !== undefined) add(`${STATION} = ?`, station);
  return { sql: parts.join(' AND '), values };
}
