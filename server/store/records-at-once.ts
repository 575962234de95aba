import type { RxCollection } from 'rxdb';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { type ChecksummedDocument, checkedDocument } from './sqlite/checksum.ts';
import { indexNameOf } from './sqlite/collection-table.ts';
import type { SqlReader } from './sqlite/connection.ts';
import { tableOf } from './sqlite/documents.ts';
import type { Steps } from './yield-to-event-loop.ts';

/**
 * The records of many keys, as `Records.getByKey` reads one: undefined for those that are not there.
 * @throws AppError `unavailable` for a record that is not what was written, or that one index knows and the other does not
 */
export function recordsAtOnce(
  reader: SqlReader,
  collection: RxCollection<StoredRecord>,
  keys: readonly string[],
): Map<string, StoredRecord | undefined> {
  const table = tableOf(collection);
  const records = new Map<string, StoredRecord | undefined>(keys.map(key => [key, undefined]));
  const rows = reader.all<ChecksummedDocument & { key: string }>(
    `SELECT key, document, seal FROM "${table}" WHERE key IN (SELECT value FROM json_each(?))`,
    JSON.stringify([...records.keys()]),
  );
  for (const row of rows) {
    const record: StoredRecord = checkedDocument(reader, row, () => `record ${row.key}`);
    if (record.key !== row.key) throw misled(reader, row.key);
    records.set(row.key, record);
  }
  const missing = [...records.keys()].filter(key => !records.get(key));
  if (missing.length === 0) return records;
  // What no key leads to may be hidden by a damaged key.
  const hidden = reader.get<{ key: string }>(
    `SELECT value ->> 0 AS key FROM json_each(?) WHERE EXISTS (SELECT 1 FROM "${table}"
       INDEXED BY "${indexNameOf(table, 'page')}" WHERE f_family = value ->> 1 AND f_id = value ->> 2) LIMIT 1`,
    JSON.stringify(missing.map(key => [key, ...placeOf(key)])),
  );
  if (hidden) throw misled(reader, hidden.key);
  return records;
}

/** As `recordsAtOnce`, some of them in each step. */
export function* recordsInParts(
  reader: SqlReader,
  collection: RxCollection<StoredRecord>,
  keys: readonly string[],
): Steps<Map<string, StoredRecord | undefined>> {
  const records = new Map<string, StoredRecord | undefined>();
  for (let from = 0; from < keys.length; from += PART) {
    if (from > 0) yield;
    for (const [key, record] of recordsAtOnce(reader, collection, keys.slice(from, from + PART)))
      records.set(key, record);
  }
  return records;
}

/** Records that are read in one step: some milliseconds. */
const PART = 500;

function placeOf(key: string): [family: string, id: number] {
  const colon = key.lastIndexOf(':');
  return [key.slice(0, colon), Number(key.slice(colon + 1))];
}

function misled(reader: SqlReader, key: string): Error {
  return reader.damaged(`An index leads to another record in place of ${key}, or to none.`);
}
