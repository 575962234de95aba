import type { RxDocumentData } from 'rxdb';
import { describe, expect, it } from 'vitest';
import { Database } from '../../../../server/store/sqlite/database.ts';
import { readDocument } from '../../../../server/store/sqlite/documents.ts';
import {
  insertOf,
  openSamples,
  type Sample,
  type SampleStorage,
  sampleColumns,
  stored,
  updateOf,
} from './sample-collection.ts';
import { temporaryDatabase, temporaryFolder } from './temporary-folder.ts';

async function read(storage: SampleStorage, key: string): Promise<RxDocumentData<Sample>> {
  const [document] = await storage.findDocumentsById([key], true);
  if (document === undefined) throw new Error(`${key} is not stored.`);
  return document;
}

async function keys(storage: SampleStorage): Promise<string[]> {
  const { documents } = (await storage.getChangedDocumentsSince?.(1_000)) ?? { documents: [] };
  return documents.map(document => document.key).sort();
}

/** What `changeStream` says, as `operation key`, one list per bulk. */
function eventsOf(storage: SampleStorage): string[][] {
  const seen: string[][] = [];
  storage.changeStream().subscribe(bulk => {
    seen.push(bulk.events.map(event => `${event.operation} ${event.documentId}`));
  });
  return seen;
}

describe('bulkWrite', () => {
  it('writes new documents and new revisions, and gives back exactly what was written', async () => {
    const storage = await openSamples(temporaryDatabase());
    const fields = { text: 'é "\\ 日本 😀\u0000', list: [1, null, { deep: 0.1 }], huge: 2 ** 53 };
    const sample = { key: 'a:1', family: 'a', id: 1, weight: 0.1, active: false, fields };
    expect(await storage.bulkWrite([insertOf(sample)], 'test')).toEqual({ error: [] });
    expect(await read(storage, 'a:1')).toEqual(stored(sample));
    const update = updateOf(await read(storage, 'a:1'), { weight: 2 });
    expect(await storage.bulkWrite([update], 'test')).toEqual({ error: [] });
    expect(await read(storage, 'a:1')).toEqual(stored({ ...sample, weight: 2 }, 2));
  });

  it('refuses, row by row, what does not follow the stored revision', async () => {
    const storage = await openSamples(temporaryDatabase());
    await storage.bulkWrite([insertOf({ key: 'a' }), insertOf({ key: 'b' })], 'test');
    const stale = await read(storage, 'a');
    await storage.bulkWrite([updateOf(stale, { id: 1 })], 'test');
    const rows = [updateOf(stale, { id: 2 }), insertOf({ key: 'b', id: 2 }), insertOf({ key: 'c', id: 2 })];
    const { error } = await storage.bulkWrite(rows, 'test');
    expect(error).toEqual([
      expect.objectContaining({ status: 409, documentId: 'a', writeRow: rows[0], context: 'test' }),
      expect.objectContaining({ status: 409, documentId: 'b', documentInDb: stored({ key: 'b' }) }),
    ]);
    expect(error[0]).toHaveProperty('documentInDb', stored({ key: 'a', id: 1 }, 2));
    expect(await read(storage, 'a')).toHaveProperty('id', 1);
    expect(await read(storage, 'c')).toHaveProperty('id', 2);
  });

  it('keeps deleted documents until they are cleaned up, and takes them back', async () => {
    const storage = await openSamples(temporaryDatabase());
    const events = eventsOf(storage);
    await storage.bulkWrite([insertOf({ key: 'a' }), insertOf({ key: 'b' })], 'test');
    await storage.bulkWrite([updateOf(await read(storage, 'a'), { _deleted: true })], 'test');
    expect(await storage.findDocumentsById(['b', 'a', 'nowhere'], false)).toEqual([stored({ key: 'b' })]);
    await storage.bulkWrite([updateOf(await read(storage, 'a'), { _deleted: false })], 'test');
    expect(events).toEqual([['INSERT a', 'INSERT b'], ['DELETE a'], ['INSERT a']]);

    const deletedNow = { _deleted: true, _meta: { lwt: Date.now() } };
    await storage.bulkWrite([updateOf(await read(storage, 'a'), { _deleted: true })], 'test');
    await storage.bulkWrite([updateOf(await read(storage, 'b'), deletedNow)], 'test');
    expect(await storage.cleanup(60_000)).toBe(true);
    expect(await keys(storage)).toEqual(['b']);
    expect(await storage.cleanup(-60_000)).toBe(true);
    expect(await keys(storage)).toEqual([]);
  });

  it('refuses what would make a key or a column lie, and writes nothing then', async () => {
    const storage = await openSamples(temporaryDatabase());
    const wrong: unknown[] = [
      { key: 'half a pair \ud83d' },
      { key: 'a\0b' },
      { key: 1 },
      { key: 'a', id: '1' },
      { key: 'a', id: Number.NaN },
      { key: 'a', family: null },
      { key: 'a', active: 1 },
    ];
    for (const sample of wrong)
      await expect(
        storage.bulkWrite([insertOf({ key: 'good' }), insertOf(sample as Sample)], 'test'),
      ).rejects.toThrow(TypeError);
    await expect(storage.bulkWrite([insertOf({ key: 'a' }), insertOf({ key: 'a' })], 'test')).rejects.toThrow(
      '"a" is written twice',
    );
    expect(await keys(storage)).toEqual([]);
  });
});

describe('a commit', () => {
  it('is written whole or not at all, and still says which row was refused', async () => {
    const storage = await openSamples(temporaryDatabase());
    const events = eventsOf(storage);
    await storage.bulkWrite([insertOf({ key: 'a' })], 'commit');
    const { error } = await storage.bulkWrite(
      [insertOf({ key: 'b' }), insertOf({ key: 'a' })],
      'commit: again',
    );
    expect(error).toMatchObject([{ status: 409, documentId: 'a', documentInDb: { key: 'a' } }]);
    expect(await keys(storage)).toEqual(['a']);
    expect(events).toEqual([['INSERT a']]);
  });

  it('over a deleted key is an error, because RxDB would repeat that row alone', async () => {
    const storage = await openSamples(temporaryDatabase());
    await storage.bulkWrite([insertOf({ key: 'a' })], 'test');
    const deleted = updateOf(await read(storage, 'a'), { _deleted: true });
    await storage.bulkWrite([deleted], 'test');
    const commit = [insertOf({ key: 'b' }), insertOf({ key: 'a' })];
    await expect(storage.bulkWrite(commit, 'commit')).rejects.toThrow('exists as deleted');
    expect(await keys(storage)).toEqual(['a']);
    const back = updateOf(await read(storage, 'a'), { _deleted: false });
    expect(await storage.bulkWrite([insertOf({ key: 'b' }), back], 'commit')).toEqual({ error: [] });
  });
});

describe('afterWrite', () => {
  it('is given what was written and what that replaced, in the same transaction', async () => {
    const database = temporaryDatabase();
    const calls: unknown[] = [];
    const storage = await openSamples(database, {
      afterWrite(writes, context) {
        expect(database.inTransaction).toBe(true);
        const ids = writes.map(({ document, previous }) => [document.key, document.id, previous?.id]);
        const seen = writes.map(
          ({ document }) => readDocument<Sample>(database, storage.internals.table, document.key)?.id,
        );
        calls.push([context, ids, seen]);
      },
    });
    await storage.bulkWrite([insertOf({ key: 'a', id: 1 })], 'first');
    const rows = [insertOf({ key: 'a', id: 9 }), insertOf({ key: 'b', id: 2 })];
    await storage.bulkWrite([...rows.slice(1), updateOf(stored({ key: 'a', id: 1 }), { id: 3 })], 'second');
    await storage.bulkWrite(rows.slice(0, 1), 'third');
    expect(calls).toEqual([
      ['first', [['a', 1, undefined]], [1]],
      [
        'second',
        [
          ['b', 2, undefined],
          ['a', 3, 1],
        ],
        [2, 3],
      ],
    ]);
  });

  it('undoes everything and is thrown on when it throws', async () => {
    const database = temporaryDatabase();
    database.exec('CREATE TABLE derived (key TEXT)');
    const storage = await openSamples(database, {
      afterWrite(writes) {
        for (const { document } of writes) database.run('INSERT INTO derived VALUES (?)', document.key);
        if (writes.some(({ document }) => document.key === 'bad')) throw new Error('the rule says no');
      },
    });
    const events = eventsOf(storage);
    await storage.bulkWrite([insertOf({ key: 'good' })], 'commit');
    await expect(
      storage.bulkWrite([insertOf({ key: 'other' }), insertOf({ key: 'bad' })], 'commit'),
    ).rejects.toThrow('the rule says no');
    expect(await keys(storage)).toEqual(['good']);
    expect(database.reader.all('SELECT key FROM derived')).toEqual([{ key: 'good' }]);
    expect(events).toEqual([['INSERT good']]);
    expect(await storage.bulkWrite([insertOf({ key: 'next' })], 'commit')).toEqual({ error: [] });
  });
});

describe('in an open transaction', () => {
  it('several bulk writes follow each other, and are seen and told only with the commit, in their order', async () => {
    const database = temporaryDatabase();
    const storage = await openSamples(database);
    const other = await openSamples(database, {}, 'others');
    const seen: string[] = [];
    for (const [name, instance] of [
      ['samples', storage],
      ['others', other],
    ] as const)
      instance.changeStream().subscribe(({ events, checkpoint }) => {
        for (const event of events)
          seen.push(`${name} ${event.operation} ${event.documentId} ${checkpoint.sequence}`);
      });
    database.begin();
    await storage.bulkWrite([insertOf({ key: 'a' }), insertOf({ key: 'b' })], 'commit');
    await other.bulkWrite([insertOf({ key: 'c' })], 'commit');
    await storage.bulkWrite([updateOf(stored({ key: 'a' }), { id: 2 })], 'commit');
    expect(await storage.findDocumentsById(['a'], true)).toEqual([]);
    expect(seen).toEqual([]);
    database.commit();
    expect(await read(storage, 'a')).toHaveProperty('id', 2);
    expect(seen).toEqual([
      'samples INSERT a 2',
      'samples INSERT b 2',
      'others INSERT c 1',
      'samples UPDATE a 3',
    ]);
  });

  it('a refused commit is undone alone, and a rollback undoes and silences all', async () => {
    const database = temporaryDatabase();
    const storage = await openSamples(database);
    const events = eventsOf(storage);
    database.begin();
    await storage.bulkWrite([insertOf({ key: 'a' })], 'commit');
    const refused = await storage.bulkWrite([insertOf({ key: 'b' }), insertOf({ key: 'a' })], 'commit');
    expect(refused.error).toHaveLength(1);
    database.commit();
    database.begin();
    await storage.bulkWrite([insertOf({ key: 'c' })], 'commit');
    database.rollback();
    expect(await keys(storage)).toEqual(['a']);
    expect(events).toEqual([['INSERT a']]);
  });
});

describe('getChangedDocumentsSince', () => {
  it('pages through every document once, in the order of the last change', async () => {
    const storage = await openSamples(temporaryDatabase());
    await storage.bulkWrite(
      ['a', 'b', 'c', 'd'].map(key => insertOf({ key })),
      'test',
    );
    await storage.bulkWrite([updateOf(stored({ key: 'b' }), { _deleted: true })], 'test');
    const pages: string[][] = [];
    let checkpoint = { sequence: 0 };
    for (;;) {
      const page = await storage.getChangedDocumentsSince?.(3, checkpoint);
      if (page === undefined || page.documents.length === 0) break;
      pages.push(page.documents.map(document => document.key));
      checkpoint = page.checkpoint;
    }
    expect(pages).toEqual([['a', 'c', 'd'], ['b']]);
    expect(checkpoint).toEqual({ sequence: 5 });
  });

  it('never uses a number again: not after deletion, clean-up, rollback, reopening or removal', async () => {
    const folder = temporaryFolder();
    const database = Database.open({ folder });
    const storage = await openSamples(database);
    await storage.bulkWrite([insertOf({ key: 'a' })], 'test');
    await storage.bulkWrite([updateOf(stored({ key: 'a' }), { _deleted: true })], 'test');
    await storage.cleanup(0);
    database.close();

    const again = temporaryDatabase({ folder });
    const reopened = await openSamples(again);
    const sequenceOf = async (instance: SampleStorage, key: string) => {
      await instance.bulkWrite([insertOf({ key })], 'test');
      return (await instance.getChangedDocumentsSince?.(100))?.checkpoint.sequence;
    };
    expect(await sequenceOf(reopened, 'b')).toBe(3);
    await reopened.remove();
    expect(await sequenceOf(await openSamples(again), 'b')).toBe(4);
  });
});

describe('a collection', () => {
  it('is found whole when it is opened again, and apart from others', async () => {
    const folder = temporaryFolder();
    const first = Database.open({ folder });
    const names = ['samples', 'Samples', 'sam_ples', 'sam__ples'];
    for (const name of names) {
      const storage = await openSamples(first, { columns: sampleColumns }, name);
      await storage.bulkWrite([insertOf({ key: name })], 'test');
    }
    first.close();
    const second = temporaryDatabase({ folder });
    for (const name of names) expect(await keys(await openSamples(second, {}, name))).toEqual([name]);
  });

  it('takes and gives up columns and indexes without a migration', async () => {
    const database = temporaryDatabase();
    const sample = { key: 'a:1', family: 'a', id: 1, weight: 0.5, active: true };
    const plain = await openSamples(database, {});
    await plain.bulkWrite([insertOf(sample), insertOf({ key: 'b' })], 'test');
    const table = `"${plain.internals.table}"`;
    const columns = () => Object.keys(database.reader.get(`SELECT * FROM ${table}`) ?? {});
    const indexes = () =>
      database.reader
        .all<{ name: string }>(
          `SELECT name FROM pragma_index_list('${plain.internals.table}') WHERE origin = 'c'`,
        )
        .map(index => index.name.replace(`${plain.internals.table}__`, ''))
        .sort();
    const own = ['key', 'revision', 'deleted', 'lwt', 'sequence', 'seal'];
    expect(columns()).toEqual([...own, 'document']);
    expect(indexes()).toEqual(['deleted', 'high_key', 'sequence']);

    const page = { name: 'page', sql: '(f_family, f_id) WHERE deleted = 0' };
    await openSamples(database, { columns: sampleColumns, indexes: [page] });
    expect(columns()).toEqual([...own, 'f_family', 'f_id', 'f_weight', 'f_active', 'document']);
    expect(indexes()).toEqual(['deleted', 'high_key', 'page', 'sequence']);
    expect(database.reader.get(`SELECT f_family, f_id, f_weight, f_active, sequence FROM ${table}`)).toEqual({
      f_family: 'a',
      f_id: 1,
      f_weight: 0.5,
      f_active: 1,
      sequence: 1,
    });

    const changed = { name: 'page', sql: '(f_id)' };
    const last = await openSamples(database, { columns: ['id'], indexes: [changed] });
    expect(columns()).toEqual([...own, 'f_id', 'document']);
    expect(indexes()).toEqual(['deleted', 'high_key', 'page', 'sequence']);
    expect(await read(last, 'a:1')).toEqual(stored(sample));
    expect(await keys(last)).toEqual(['a:1', 'b']);
  });

  it('refuses columns and attachments that it cannot keep', async () => {
    const database = temporaryDatabase();
    for (const property of ['fields', 'nowhere'])
      await expect(openSamples(database, { columns: [property] })).rejects.toThrow(
        `"${property}" cannot be a column`,
      );
    const storage = await openSamples(database);
    await expect(storage.getAttachmentData('a', 'b', 'c')).rejects.toThrow('no attachments');
  });

  it('answers nothing once closed', async () => {
    const storage = await openSamples(temporaryDatabase());
    let isComplete = false;
    storage.changeStream().subscribe({
      complete: () => {
        isComplete = true;
      },
    });
    await storage.close();
    await storage.close();
    expect(isComplete).toBe(true);
    await expect(storage.bulkWrite([insertOf({ key: 'a' })], 'test')).rejects.toThrow('closed');
    await expect(storage.findDocumentsById(['a'], true)).rejects.toThrow('closed');
  });
});
