import type { RxCollection, RxDocumentData } from 'rxdb';
import { type ChecksummedDocument, checkedDocument } from './checksum.ts';
import type { SqlReader } from './connection.ts';

/**
 * The table behind a collection, for SQL that reads it directly; its columns are described at `CollectionTable`.
 * @throws Error for a collection of another storage.
 */
export function tableOf(collection: Pick<RxCollection, 'storageInstance'>): string {
  const { table }: { table?: unknown } = collection.storageInstance.internals;
  if (typeof table !== 'string') throw new Error('The collection is not stored in SQLite.');
  return table;
}

/**
 * A document by its key, deleted or not, past RxDB's caches.
 * @throws AppError `unavailable` for one that is not what was written
 * @param reader `database.reader` for what is committed, `database` for what the open transaction sees.
 */
export function readDocument<Document>(
  reader: SqlReader,
  table: string,
  key: string,
): RxDocumentData<Document> | undefined {
  const row = reader.get<ChecksummedDocument>(byKey(table), key);
  return row && checkedDocument(reader, row, () => `record ${key}`);
}

const statements = new Map<string, string>();

/** Made once: a text that is put together for every read is also hashed anew, to find its prepared statement. */
function byKey(table: string): string {
  const known = statements.get(table);
  if (known !== undefined) return known;
  const sql = `SELECT document, seal FROM "${table}" WHERE key = ?`;
  statements.set(table, sql);
  return sql;
}
