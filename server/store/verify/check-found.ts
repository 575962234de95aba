import type { StoredRecord } from '../../../shared/contract/present.ts';
import type { SqlReader } from '../sqlite/connection.ts';

export interface Expected {
  /** The family of all of them. */
  family: string;
  /** How many there must be. */
  count?: number;
  /** What a field of each must hold. */
  filters?: readonly (readonly [field: string, value: string | number])[];
}

/**
 * What an index led to, compared with what the records say themselves: a bit that has flipped in an index leads to
 * other records, to one of them twice, or to fewer. Returns the records, which must be in order of id.
 * @throws AppError `unavailable` where they differ; the database is for reading only from then on
 */
export function checkFound(reader: SqlReader, found: StoredRecord[], expected: Expected): StoredRecord[] {
  const { family, count = found.length, filters = [] } = expected;
  let last = 0;
  for (const record of found) {
    const isRight =
      record.family === family &&
      record.id > last &&
      filters.every(([field, value]) => isSame(record.fields[field], value));
    if (!isRight) throw reader.damaged(`An index leads to the record ${record.key}, which is another one.`);
    last = record.id;
  }
  if (found.length !== count) {
    throw reader.damaged(
      `An index leads to ${found.length} records of the family ${family} instead of ${count}.`,
    );
  }
  return found;
}

/** As SQLite compares them: a boolean of JSON is 0 or 1. */
function isSame(stored: unknown, asked: string | number): boolean {
  return (typeof stored === 'boolean' ? Number(stored) : stored) === asked;
}
