import { mkdtempSync, rmSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  addRxPlugin,
  createRxDatabase,
  type RxCollection,
  rxStorageInstanceToReplicationHandler,
} from 'rxdb';
import { disableWarnings, RxDBDevModePlugin } from 'rxdb/plugins/dev-mode';
import { RxDBLocalDocumentsPlugin } from 'rxdb/plugins/local-documents';
import { replicateRxCollection } from 'rxdb/plugins/replication';
import { wrappedValidateAjvStorage } from 'rxdb/plugins/validate-ajv';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { Database } from '../../../../server/store/sqlite/database.ts';
import { getRxStorageSqlite } from '../../../../server/store/sqlite/storage.ts';

// RxDB's suite imports three functions of packages that it does not bring along, and expects mocha's globals.
const missingPackages: Partial<Record<string, string>> = {
  clone: 'export default structuredClone;',
  'async-test-util': `
    export const wait = ms => new Promise(resolve => setTimeout(resolve, ms));
    export const randomString = (length = 5) =>
      Array.from({ length }, () => 'abcdefghijklmnopqrstuvwxyz'[Math.floor(Math.random() * 26)]).join('');
  `,
};
const hooks = registerHooks({
  resolve(specifier, context, nextResolve) {
    const source = missingPackages[specifier];
    if (source === undefined) return nextResolve(specifier, context);
    return {
      url: `data:text/javascript,${encodeURIComponent(source)}`,
      format: 'module',
      shortCircuit: true,
    };
  },
});
const { runReplicationBaseTestSuite, schemas, setConfig } = await import('rxdb/plugins/test-utils');
hooks.deregister();
Object.assign(globalThis, { describe, it });

/** Every collection of the suite, and the server that they replicate with, lives in one database. */
const folder = mkdtempSync(join(tmpdir(), 'holdpoint-replication-'));
const database = Database.open({ folder });
const storage = wrappedValidateAjvStorage({ storage: getRxStorageSqlite(database) });

let server: RxCollection;

async function openServer(): Promise<RxCollection> {
  const rxDatabase = await createRxDatabase({ name: `server${Date.now()}`, storage, multiInstance: false });
  const { humans } = await rxDatabase.addCollections({ humans: { schema: schemas.human } });
  return humans;
}

async function allOnServer() {
  const changes = await server.storageInstance.getChangedDocumentsSince?.(1_000);
  return changes?.documents ?? [];
}

function replicate(collection: RxCollection, live: boolean) {
  const master = rxStorageInstanceToReplicationHandler(
    server.storageInstance,
    server.conflictHandler,
    server.database.token,
  );
  return replicateRxCollection({
    replicationIdentifier: 'suite',
    collection,
    live,
    waitForLeadership: false,
    pull: { handler: master.masterChangesSince, stream$: master.masterChangeStream$ },
    push: { handler: master.masterWrite },
  });
}

beforeAll(() => {
  disableWarnings();
  addRxPlugin(RxDBDevModePlugin);
  addRxPlugin(RxDBLocalDocumentsPlugin);
  setConfig({
    storage: {
      name: 'sqlite',
      getStorage: () => storage,
      getPerformanceStorage: () => ({ storage, description: 'sqlite' }),
      hasPersistence: true,
      hasMultiInstance: false,
      hasAttachments: false,
      hasReplication: true,
    },
  });
});

afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('replication on this storage', () => {
  runReplicationBaseTestSuite({
    startReplication: collection => replicate(collection, true),
    async syncOnce(collection) {
      await replicate(collection, false).awaitInitialReplication();
    },
    getAllServerDocs: allOnServer,
    async cleanUpServer() {
      await server?.database.remove();
      server = await openServer();
    },
    softDeletes: true,
    isDeleted: document => document._deleted,
    getPrimaryOfServerDoc: document => document.passportId,
  });
});
