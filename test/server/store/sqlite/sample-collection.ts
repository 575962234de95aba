import { type BulkWriteRow, fillWithDefaultSettings, type RxDocumentData, type RxJsonSchema } from 'rxdb';
import type { Database } from '../../../../server/store/sqlite/database.ts';
import { getRxStorageSqlite } from '../../../../server/store/sqlite/storage.ts';
import type { CollectionOptions } from '../../../../server/store/sqlite/storage-instance.ts';

/** A document of the tests: like a record, with a column of every kind. */
export interface Sample {
  key: string;
  family?: string;
  id?: number;
  weight?: number;
  active?: boolean;
  fields?: Record<string, unknown>;
}

export const sampleSchema: RxJsonSchema<Sample> = {
  version: 0,
  primaryKey: 'key',
  type: 'object',
  properties: {
    key: { type: 'string', maxLength: 100 },
    family: { type: 'string' },
    id: { type: 'integer' },
    weight: { type: 'number' },
    active: { type: 'boolean' },
    fields: { type: 'object', additionalProperties: true },
  },
  required: ['key'],
};

export const sampleColumns = ['family', 'id', 'weight', 'active'];

export type SampleStorage = Awaited<ReturnType<typeof openSamples>>;

/** The storage below RxDB, as RxDB opens it. */
export function openSamples(
  database: Database,
  options: CollectionOptions<Sample> = { columns: sampleColumns },
  collectionName = 'samples',
) {
  return getRxStorageSqlite(database).createStorageInstance<Sample>({
    databaseInstanceToken: 'test',
    databaseName: 'test',
    collectionName,
    schema: fillWithDefaultSettings(sampleSchema),
    options,
    multiInstance: false,
    devMode: false,
  });
}

/** A document as RxDB hands it to the storage; `revision` is the height of its `_rev`. */
export function stored(sample: Sample, revision = 1, isDeleted = false, lwt = 1_000): RxDocumentData<Sample> {
  return {
    ...sample,
    _rev: `${revision}-test`,
    _deleted: isDeleted,
    _meta: { lwt },
    _attachments: {},
  };
}

export function insertOf(sample: Sample): BulkWriteRow<Sample> {
  return { document: stored(sample) };
}

/** The row that turns a stored document into the next revision, with `change` applied. */
export function updateOf(
  previous: RxDocumentData<Sample>,
  change: Partial<Sample> & { _deleted?: boolean; _meta?: { lwt: number } },
): BulkWriteRow<Sample> {
  const height = Number.parseInt(previous._rev, 10) + 1;
  return { previous, document: { ...previous, ...change, _rev: `${height}-test` } };
}
