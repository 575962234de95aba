import { hash as sha256 } from 'node:crypto';
import { canonicalJson } from '../../../shared/contract/canonical-json.ts';
import { memberCount } from '../../../shared/contract/member-count.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import type { Database } from '../../store/sqlite/database.ts';

const MODULUS = 2n ** 128n;

/**
 * Proof that two machines hold the same decided records: per family the sum of a hash of each record, kept in the
 * transactions that change them. The order of the records plays no part, so one change costs one addition.
 */
export class Digest {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Notes decided records that were put in the place of another one, of nothing, or were taken away. */
  follow(writes: Iterable<{ before: StoredRecord | undefined; after: StoredRecord | undefined }>): void {
    const changes = new Map<string, bigint>();
    for (const { before, after } of writes) {
      const family = (after ?? before)?.family;
      if (family === undefined) continue;
      const change = (after ? hashOf(after) : 0n) - (before ? hashOf(before) : 0n);
      changes.set(family, (changes.get(family) ?? 0n) + change);
    }
    for (const [family, change] of changes) {
      const sum = (((this.#sumOf(family) + change) % MODULUS) + MODULUS) % MODULUS;
      this.#database.run(
        'INSERT INTO digest (family, sum) VALUES (?, ?) ON CONFLICT (family) DO UPDATE SET sum = excluded.sum',
        family,
        sum.toString(16),
      );
    }
  }

  #sumOf(family: string): bigint {
    const row = this.#database.get<{ sum: string }>('SELECT sum FROM digest WHERE family = ?', family);
    return row ? BigInt(`0x${row.sum}`) : 0n;
  }
}

/** The digests of a machine at a place of central's log. */
export interface LogDigests {
  sequence: number;
  digests: Record<string, string>;
}

/** The digests by family; one that has no records is left out. */
export function digestsOf(reader: SqlReader): Record<string, string> {
  const rows = reader.all<{ family: string; sum: string }>(
    "SELECT family, sum FROM digest WHERE sum <> '0' ORDER BY family",
  );
  return Object.fromEntries(rows.map(({ family, sum }) => [family, sum]));
}

/** The hash of what every machine has of a decided record. */
export function hashOf(record: StoredRecord): bigint {
  return BigInt(`0x${sha256('sha256', textOf(record)).slice(0, 32)}`);
}

function textOf(record: StoredRecord): string {
  const { key, version, state, created_at, updated_at, station, user, creator, writers, folded } = record;
  // In their sorted order.
  const sorted = { created_at, creator, folded, key, state, station, updated_at, user, version, writers };
  // Of a record that was never changed, most of those that come in numbers, nothing is left to sort.
  return memberCount(writers) === 0 ? JSON.stringify(sorted) : canonicalJson(sorted);
}
