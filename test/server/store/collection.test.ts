import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../../server/app/config.ts';
import { openStation } from '../../../server/app/station.ts';
import { createLogger } from '../../../server/http/log.ts';
import type { Store } from '../../../server/store/store.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { families } from '../../../shared/families/registry.ts';
import { audit, commitsOf, recordsOf } from './audit.ts';
import { temporaryFolder } from './sqlite/temporary-folder.ts';
import { create, temporaryStore, update } from './temporary-store.ts';

describe('the collection `records`', () => {
  it('finds every commit and tells of it, also to queries that were open before', async () => {
    const store = await temporaryStore();
    const events: string[] = [];
    const shown: number[][] = [];
    const open = store.collection.find({ selector: { family: 'supplier' }, sort: [{ key: 'asc' }] });
    const subscriptions = [
      store.collection.$.subscribe(event => events.push(`${event.operation} ${event.documentId}`)),
      open.$.subscribe(documents => shown.push(documents.map(document => document.version))),
    ];
    const { id } = await create(store, 'supplier', { name: 'A' });
    await update(store, 'supplier', id, { name: 'B' });
    await store.gate.together(async commit => {
      for (const name of ['C', 'D']) {
        await commit({
          actor: { rights: BY_SERVER, user: 'import' },
          reason: null,
          work: work => {
            const { fields } = work.require('supplier', id);
            return work.set(supplier, id, { ...fields, name });
          },
          answer: () => undefined,
        });
      }
    });
    expect((await open.exec()).map(document => document.toJSON())).toMatchObject([
      { key: `supplier:${id}`, version: 4, fields: { name: 'D' } },
    ]);
    expect(await store.collection.findOne(`supplier:${id}`).exec()).toMatchObject({ version: 4 });
    expect(await store.collection.count({ selector: { family: 'supplier' } }).exec()).toBe(1);
    await expect.poll(() => shown.at(-1)).toEqual([4]);
    expect(events).toEqual(['INSERT', 'UPDATE', 'UPDATE', 'UPDATE'].map(kind => `${kind} supplier:${id}`));
    for (const subscription of subscriptions) subscription.unsubscribe();
  });

  it('finds what requests have written, and tells of it', async () => {
    const config = readConfig({
      HOLDPOINT_DATA: temporaryFolder(),
      HOLDPOINT_PORT: '0',
      HOLDPOINT_TOKEN: token,
    });
    const log = createLogger({ level: 'silent' });
    const station = await openStation({ config, log, clock: () => new Date(), onFail: () => {} });
    onTestFinished(() => station.close());
    const events: string[] = [];
    const subscription = station.store.collection.$.subscribe(event => events.push(event.documentId));
    const send = (method: string, path: string, body: object) =>
      fetch(`${station.origin}/api/v2${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await send('POST', '/suppliers', { name: 'Acme' })).status).toBe(201);
    expect((await send('PUT', '/suppliers/1', { name: 'Apex' })).status).toBe(200);
    expect((await send('PUT', '/suppliers/1', { name: 7 })).status).toBe(422);
    const found = await station.store.collection.find({ selector: { family: 'supplier' } }).exec();
    expect(found.map(document => document.toJSON())).toMatchObject([
      { key: 'supplier:1', version: 2, fields: { name: 'Apex' }, user: 'HOLDPOINT_TOKEN' },
    ]);
    expect(events).toEqual(['supplier:1', 'supplier:1']);
    subscription.unsubscribe();
    expect(audit(station.store)).toEqual([]);
  });

  it('tells of nothing that was undone', async () => {
    const store = await temporaryStore();
    const events: string[] = [];
    const subscription = store.collection.$.subscribe(event => events.push(event.documentId));
    const undone = store.gate.together(async commit => {
      await commit({
        actor: { rights: BY_SERVER, user: 'import' },
        reason: null,
        work: work => work.insert(supplier, { name: 'undone' }),
        answer: () => undefined,
      });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await create(store, 'supplier', { name: 'kept' });
    expect(events).toEqual(['supplier:1']);
    expect((await store.collection.find().exec()).map(({ fields }) => fields)).toEqual([{ name: 'kept' }]);
    subscription.unsubscribe();
  });

  const pastTheGate: Record<string, (store: Store, record: StoredRecord) => Promise<unknown>> = {
    insert: ({ collection }, record) => collection.insert(stranger(record)),
    bulkInsert: ({ collection }, record) => collection.bulkInsert([stranger(record)]),
    upsert: ({ collection }, record) => collection.upsert({ ...stranger(record), key: record.key }),
    'a patch of a document': async ({ collection }, record) =>
      (await collection.findOne(record.key).exec(true)).patch({ user: 'eve' }),
    'the removal of a document': async ({ collection }, record) =>
      (await collection.findOne(record.key).exec(true)).remove(),
    'bulkWrite as a commit': ({ collection }, record) =>
      collection.storageInstance.bulkWrite(
        [{ document: { ...stranger(record), ...rxdbFields } }],
        `commit:${crypto.randomUUID()}`,
      ),
  };

  it.each(Object.entries(pastTheGate))(
    'refuses %s past the gate and keeps nothing of it',
    async (_, write) => {
      const store = await temporaryStore();
      const record = await create(store, 'supplier', { name: 'A' });
      await expect(write(store, record)).rejects.toThrow('through the write gate only');
      expect(recordsOf(store).map(({ key }) => key)).toEqual([record.key]);
      expect(audit(store)).toEqual([]);
      await update(store, 'supplier', record.id, { name: 'B' });
      expect(audit(store)).toEqual([]);
    },
  );

  it.each(Object.entries(pastTheGate))(
    'refuses %s also while a commit is being written',
    async (_, write) => {
      const store = await temporaryStore();
      const record = await create(store, 'supplier', { name: 'A' });
      const strays: Promise<unknown>[] = [];
      const commits: Promise<StoredRecord>[] = [];
      for (let index = 0; index < 30; index += 1) {
        strays.push(write(store, record));
        commits.push(update(store, 'supplier', record.id, { name: `${index}` }));
        await Promise.resolve();
      }
      for (const { status } of await Promise.allSettled(strays)) expect(status).toBe('rejected');
      await Promise.all(commits);
      expect(recordsOf(store).map(({ key, version }) => [key, version])).toEqual([[record.key, 31]]);
      expect(commitsOf(store)).toHaveLength(31);
      expect(audit(store)).toEqual([]);
    },
  );
});

const token = 'a-token-for-the-tests-of-the-collection';
const { supplier } = families;
const rxdbFields = { _deleted: false, _attachments: {}, _meta: { lwt: 1 }, _rev: '' };

function stranger(record: StoredRecord): StoredRecord {
  const plain = Object.entries(record).filter(([name]) => !name.startsWith('_'));
  return { ...(Object.fromEntries(plain) as unknown as StoredRecord), key: 'supplier:77', id: 77 };
}
