import { ensureRxStorageInstanceParamsAreCorrect, RXDB_VERSION, type RxStorage } from 'rxdb';
import type { Database } from './database.ts';
import {
  type CollectionInternals,
  type CollectionOptions,
  SqliteStorageInstance,
} from './storage-instance.ts';

/**
 * RxDB's storage in the given database, for one process (`multiInstance: false`). The collections share the file with
 * whatever else is written in the same transactions; closing the RxDatabase leaves `database` open.
 */
export function getRxStorageSqlite(database: Database): RxStorage<CollectionInternals, CollectionOptions> {
  return {
    // RxDB tells databases apart by this and by their name: one process can open the stores of several folders.
    name: `sqlite:${database.folder}`,
    rxdbVersion: RXDB_VERSION,
    async createStorageInstance(params) {
      ensureRxStorageInstanceParamsAreCorrect(params);
      if (params.schema.attachments) throw new Error('This storage keeps no attachments.');
      return new SqliteStorageInstance(database, params);
    },
  };
}
