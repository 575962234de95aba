import { addRxPlugin, createRxDatabase, type RxCollection, type RxDatabase } from 'rxdb';
import { disableWarnings, RxDBDevModePlugin } from 'rxdb/plugins/dev-mode';
import { wrappedValidateAjvStorage } from 'rxdb/plugins/validate-ajv';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Database } from '../../../../server/store/sqlite/database.ts';
import { readDocument, tableOf } from '../../../../server/store/sqlite/documents.ts';
import { getRxStorageSqlite } from '../../../../server/store/sqlite/storage.ts';
import type { CollectionOptions } from '../../../../server/store/sqlite/storage-instance.ts';
import { type Sample, sampleColumns, sampleSchema } from './sample-collection.ts';
import { temporaryDatabase, temporaryFolder } from './temporary-folder.ts';

beforeAll(() => {
  disableWarnings();
  addRxPlugin(RxDBDevModePlugin);
});

interface Collections {
  samples: RxCollection<Sample>;
  others: RxCollection<Sample>;
}

/** RxDB in development mode, which checks much of what a storage must not do; dev-mode wants a validator around it. */
async function openRxdb(
  database: Database,
  samples: CollectionOptions<Sample> = {},
): Promise<RxDatabase<Collections>> {
  const rxDatabase = await createRxDatabase<Collections>({
    name: 'holdpoint',
    storage: wrappedValidateAjvStorage({ storage: getRxStorageSqlite(database) }),
    multiInstance: false,
    closeDuplicates: true,
  });
  onTestFinished(async () => {
    await rxDatabase.close();
  });
  await rxDatabase.addCollections({
    samples: { schema: sampleSchema, instanceCreationOptions: { columns: sampleColumns, ...samples } },
    others: { schema: sampleSchema },
  });
  return rxDatabase;
}

/** A new document as the write gate hands it to RxDB's wrapped storage, which sets `_rev` and `_meta`. */
function fresh(sample: Sample) {
  return {
    document: { ...sample, _deleted: false, _rev: '1-x', _meta: { lwt: 1 }, _attachments: {} },
  };
}

const keysOf = (documents: readonly { key: string }[]) => documents.map(document => document.key).sort();

describe('a collection of RxDB', () => {
  it('inserts, finds, changes, counts and removes', async () => {
    const { samples } = await openRxdb(temporaryDatabase());
    await samples.bulkInsert(
      [1, 2, 3].map(id => ({ key: `a:${id}`, family: 'a', id, fields: { part: id % 2 } })),
    );
    await expect(samples.insert({ key: 'a:1' })).rejects.toMatchObject({ code: 'CONFLICT' });
    const second = await samples.findOne('a:2').exec(true);
    await second.incrementalPatch({ weight: 0.5 });
    await samples.findOne('a:3').remove();
    expect(await samples.count().exec()).toBe(2);
    expect(keysOf(await samples.find({ selector: { 'fields.part': 1 } }).exec())).toEqual(['a:1']);
    expect(
      (
        await samples.find({ selector: { id: { $gt: 0 } }, sort: [{ id: 'desc' }], limit: 1 }).exec()
      )[0]?.toJSON(),
    ).toEqual({
      key: 'a:2',
      family: 'a',
      id: 2,
      weight: 0.5,
      fields: { part: 0 },
    });
    await samples.insert({ key: 'a:3', id: 33 });
    expect((await samples.findOne('a:3').exec(true)).id).toBe(33);
  });

  it('shows raw bulk writes to queries, observers and the change stream, once they are committed', async () => {
    const database = temporaryDatabase();
    const { samples, others } = await openRxdb(database);
    const observed: string[][] = [];
    const changes: string[] = [];
    samples.find({ selector: { family: 'a' } }).$.subscribe(documents => observed.push(keysOf(documents)));
    samples.$.subscribe(change => changes.push(`${change.operation} ${change.documentId}`));
    await expect.poll(() => observed).toEqual([[]]);

    database.begin();
    await samples.storageInstance.bulkWrite([fresh({ key: 'a:1', family: 'a' })], 'commit');
    await others.storageInstance.bulkWrite([fresh({ key: 'b:1', family: 'a' })], 'commit');
    await samples.storageInstance.bulkWrite([fresh({ key: 'a:2', family: 'a' })], 'commit');
    expect(await samples.find().exec()).toEqual([]);
    expect(changes).toEqual([]);
    database.commit();

    expect(keysOf(await samples.find().exec())).toEqual(['a:1', 'a:2']);
    expect(keysOf(await others.find().exec())).toEqual(['b:1']);
    await expect.poll(() => observed.at(-1)).toEqual(['a:1', 'a:2']);
    expect(changes).toEqual(['INSERT a:1', 'INSERT a:2']);

    const [previous] = await samples.storageInstance.findDocumentsById(['a:1'], false);
    if (previous === undefined) throw new Error('a:1 is not stored.');
    const change = { previous, document: { ...previous, family: 'b' } };
    expect(await samples.storageInstance.bulkWrite([change], 'commit')).toEqual({ error: [] });
    await expect.poll(() => observed.at(-1)).toEqual(['a:2']);
    expect((await samples.findOne('a:1').exec(true)).family).toBe('b');
  });

  it('shows nothing of a commit that is refused, thrown out by a hook, or rolled back', async () => {
    const database = temporaryDatabase();
    const { samples } = await openRxdb(database, {
      afterWrite(writes) {
        if (writes.some(({ document }) => document.id === 13)) throw new Error('unlucky');
      },
    });
    const changes: string[] = [];
    samples.$.subscribe(change => changes.push(change.documentId));
    const write = (...some: Sample[]) => samples.storageInstance.bulkWrite(some.map(fresh), 'commit');
    await write({ key: 'a' });
    const { error } = await write({ key: 'b' }, { key: 'a' });
    expect(error).toMatchObject([{ status: 409, documentId: 'a' }]);
    await expect(write({ key: 'c' }, { key: 'd', id: 13 })).rejects.toThrow('unlucky');
    database.begin();
    await write({ key: 'e' });
    database.rollback();
    await write({ key: 'f' });
    expect(keysOf(await samples.find().exec())).toEqual(['a', 'f']);
    expect(changes).toEqual(['a', 'f']);
  });

  it('does not repeat one row of a commit alone, as it does for inserts over deleted documents', async () => {
    const { samples } = await openRxdb(temporaryDatabase());
    const document = await samples.insert({ key: 'a' });
    await document.remove();
    const rows = [fresh({ key: 'b' }), fresh({ key: 'a' })];
    await expect(samples.storageInstance.bulkWrite(rows, 'commit')).rejects.toThrow('exists as deleted');
    expect(await samples.find().exec()).toEqual([]);
  });

  it('is found again with its documents when the process starts anew', async () => {
    const folder = temporaryFolder();
    const first = Database.open({ folder });
    const before = await openRxdb(first);
    await before.samples.insert({ key: 'a', fields: { text: 'kept' } });
    await before.close();
    first.close();
    const after = await openRxdb(temporaryDatabase({ folder }));
    expect((await after.samples.findOne('a').exec(true)).toJSON()).toEqual({
      key: 'a',
      fields: { text: 'kept' },
    });
  });

  it('can be read past RxDB', async () => {
    const database = temporaryDatabase();
    const { samples } = await openRxdb(database);
    await samples.insert({ key: 'a', id: 1 });
    const table = tableOf(samples);
    expect(table).toBe('holdpoint__samples__0');
    expect(readDocument<Sample>(database.reader, table, 'a')).toMatchObject({
      key: 'a',
      id: 1,
      _deleted: false,
    });
    expect(readDocument(database.reader, table, 'b')).toBeUndefined();
  });
});
