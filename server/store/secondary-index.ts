import type { StoredRecord } from '../../shared/contract/present.ts';
import { type IndexEntry, indexEntriesOf } from '../../shared/families/secondary-index.ts';
import type { Records } from './records.ts';
import type { SqlReader } from './sqlite/connection.ts';
import type { Database } from './sqlite/database.ts';

/** Keeps what `indexEntriesOf` says of a record, in the transaction that writes the record. */
export function replaceIndexEntries(
  database: Pick<Database, 'run'>,
  subject: number,
  before: readonly IndexEntry[],
  after: readonly IndexEntry[],
): void {
  for (const { place, value } of before) {
    if (!hasEntry(after, place, value)) database.run(DELETE, place, value, subject);
  }
  for (const { place, value } of after) {
    if (!hasEntry(before, place, value)) database.run(INSERT, place, value, subject);
  }
}

const DELETE = 'DELETE FROM lookup WHERE place = ? AND value = ? AND subject = ?';
// A row that damage has put there already is left to `verify`.
const INSERT = 'INSERT OR IGNORE INTO lookup (place, value, subject) VALUES (?, ?, ?)';

export interface IndexRange {
  place: string;
  /** Both ends included. */
  from: string | number;
  to: string | number;
}

export interface IndexPage {
  limit: number;
  offset?: number;
  /** By value, then by id; of one value `newest` is by id, the highest first. */
  order?: 'oldest' | 'newest';
  /** A further condition in SQL, on the row of `lookup`. */
  where?: string;
}

/** How many records stand in the range. */
export function countIndexed(reader: SqlReader, range: IndexRange, where = 'TRUE'): number {
  const sql = `SELECT count(*) AS n FROM lookup WHERE place = ? AND value BETWEEN ? AND ? AND ${where}`;
  return reader.get<{ n: number }>(sql, range.place, range.from, range.to)?.n ?? 0;
}

/** Subject numbers of the records in the range, without reading the records. */
export function subjectsAt(reader: SqlReader, { place, from, to }: IndexRange): number[] {
  const sql = 'SELECT subject FROM lookup WHERE place = ? AND value BETWEEN ? AND ? ORDER BY value, subject';
  return reader.all<{ subject: number }>(sql, place, from, to).map(({ subject }) => subject);
}

/**
 * The records in the range.
 * @throws AppError `unavailable` for a row that leads to a record that does not have the value
 */
export function recordsAt(
  reader: SqlReader,
  records: Pick<Records, 'ofSubject'>,
  range: IndexRange,
  page: IndexPage,
): StoredRecord[] {
  const { limit, offset = 0, order = 'oldest', where = 'TRUE' } = page;
  const by = order === 'oldest' ? 'value, subject' : 'value DESC, subject DESC';
  const sql = `SELECT value, subject FROM lookup WHERE place = ? AND value BETWEEN ? AND ? AND ${where}
    ORDER BY ${by} LIMIT ? OFFSET ?`;
  const rows = reader.all<{ value: string | number; subject: number }>(
    sql,
    range.place,
    range.from,
    range.to,
    limit,
    offset,
  );
  return rows.map(({ value, subject }) => {
    const record = records.ofSubject(subject);
    if (record && hasEntry(indexEntriesOf(record), range.place, value)) return record;
    throw reader.damaged(`An index (${range.place}) leads to another record than the one it is of.`);
  });
}

function hasEntry(lookups: readonly IndexEntry[], place: string, value: string | number): boolean {
  return lookups.some(one => one.place === place && one.value === value);
}
