import type { StoredRecord } from '../../../shared/contract/present.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import { tableOf } from '../../store/sqlite/documents.ts';
import type { Store } from '../../store/store.ts';
import { plain } from './decided-store.ts';
import { hashOf } from './digest.ts';
import { withPlace } from './place-of-record.ts';

/** Records that are read without a pause: other work waits so long. */
const BATCH = 500;

/**
 * The hash of each decided record of a family, by its key, as of what is committed. Pauses between batches: whoever
 * needs them of one moment compares the place of the log before and after.
 */
export async function recordHashes(store: Store, family: string): Promise<Record<string, string>> {
  const { reader } = store.database;
  const table = tableOf(store.collection);
  const hashes: Record<string, string> = {};
  // Of all texts that begin so, in order; a semicolon follows the colon.
  for (let last = `${family}:`; ; ) {
    const rows = reader.all<{ key: string; document: string }>(
      `SELECT key, document FROM "${table}" WHERE key > ? AND key < ? ORDER BY key LIMIT ?`,
      last,
      `${family};`,
      BATCH,
    );
    for (const { key, document } of rows) {
      const decided = isCovered(reader, key) ? keptApart(reader, key) : document;
      if (decided === undefined) continue;
      const record: StoredRecord = JSON.parse(decided);
      hashes[key] = hashOf(withPlace(reader, plain(record))).toString(16);
    }
    const end = rows.at(-1);
    if (!end) return hashes;
    last = end.key;
    await new Promise(setImmediate);
  }
}

/** Of how many records that would be. */
export function countOf(store: Store, family: string): number {
  const sql = `SELECT count(*) AS n FROM "${tableOf(store.collection)}" WHERE key > ? AND key < ?`;
  return store.database.reader.get<{ n: number }>(sql, `${family}:`, `${family};`)?.n ?? 0;
}

/** Whether what is shown of a record is not what is decided. Only a station has such. */
function isCovered(reader: SqlReader, key: string): boolean {
  return reader.get('SELECT 1 FROM undecided_subject WHERE subject = ? LIMIT 1', key) !== undefined;
}

function keptApart(reader: SqlReader, key: string): string | undefined {
  return reader.get<{ document: string }>('SELECT document FROM decided_record WHERE key = ?', key)?.document;
}
