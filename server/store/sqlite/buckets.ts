import { checksumSql } from './checksum.ts';
import type { Database } from './database.ts';
import { derivedDamaged } from './store-errors.ts';

/** Where a page begins. */
export interface PageStart {
  /** Start at this id or the first above it … */
  idFrom: number;
  /** … and pass over so many records. */
  skip: number;
}

/** Ids per bucket. Small enough to skip inside of one, large enough for a million records to make a thousand buckets. */
const bucketSize = 1_024;

/** What `seal` is when nothing in the row has changed since it was written. */
export const BUCKET_SEAL = checksumSql('family_number', 'bucket', 'n');

const ADD = `INSERT INTO bucket (family_number, bucket, n) VALUES (?, ?, ?)
  ON CONFLICT (family_number, bucket) DO UPDATE SET n = n + excluded.n WHERE seal = ${BUCKET_SEAL}`;

/**
 * How many records each run of 1,024 ids of a family holds, so that totals and deep pages are found without counting
 * records. Kept by its owner in the transactions that create records; ids may be any safe integer from 0.
 */
export class Buckets {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    database.exec(`
      CREATE TABLE IF NOT EXISTS bucket (
        family_number INTEGER NOT NULL,
        bucket INTEGER NOT NULL,
        n INTEGER NOT NULL,
        seal INTEGER AS ${BUCKET_SEAL} STORED,
        PRIMARY KEY (family_number, bucket)
      ) WITHOUT ROWID
    `);
  }

  /**
   * Counts records that are new, by their ids.
   * @throws AppError `unavailable` where a count is not what was written
   */
  add(familyNumber: number, ids: Iterable<number>): void {
    const counts = new Map<number, number>();
    for (const id of ids) {
      const bucket = Math.floor(id / bucketSize);
      counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
    }
    for (const [bucket, n] of counts) {
      const { changes } = this.#database.run(ADD, familyNumber, bucket, n);
      if (changes === 0) throw derivedDamaged('A count of records');
    }
  }

  /** Counts a record no more. */
  remove(familyNumber: number, id: number): void {
    const { changes } = this.#database.run(
      `UPDATE bucket SET n = n - 1 WHERE family_number = ? AND bucket = ? AND seal = ${BUCKET_SEAL}`,
      familyNumber,
      Math.floor(id / bucketSize),
    );
    if (changes === 0) throw derivedDamaged('A count of records');
  }

  /** Forgets every count. */
  clear(): void {
    this.#database.run('DELETE FROM bucket');
  }

  /**
   * How many records the family has, of those committed.
   * @throws AppError `unavailable` where a count is not what was written
   */
  total(familyNumber: number): number {
    const row = this.#database.reader.get<{ total: number; wrong: number }>(
      `SELECT coalesce(sum(n), 0) AS total, coalesce(sum(seal IS NOT ${BUCKET_SEAL}), 0) AS wrong
       FROM bucket WHERE family_number = ?`,
      familyNumber,
    );
    if (row?.wrong) throw derivedDamaged('A count of records');
    return row?.total ?? 0;
  }

  /** Where the record is that has `offset` records of its family before it, by id; undefined past the last. */
  locate(familyNumber: number, offset: number): PageStart | undefined {
    const row = this.#database.reader.get<{ bucket: number; before: number }>(
      `SELECT bucket, running - n AS before
       FROM (SELECT bucket, n, sum(n) OVER (ORDER BY bucket) AS running FROM bucket WHERE family_number = ?)
       WHERE running > ? ORDER BY bucket LIMIT 1`,
      familyNumber,
      offset,
    );
    return row && { idFrom: row.bucket * bucketSize, skip: offset - row.before };
  }
}
