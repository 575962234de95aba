import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { verifyDependencies } from '../../../server/backup/verify-dependencies.ts';
import { recordsAt } from '../../../server/store/secondary-index.ts';
import type { Store } from '../../../server/store/store.ts';
import { verify } from '../../../server/store/verify/verify.ts';
import { CODE } from '../../../shared/families/secondary-index.ts';
import { temporaryFolder } from './sqlite/temporary-folder.ts';
import { create, temporaryStore, update } from './temporary-store.ts';

const keysAt = (store: Store, place: string, value: string | number) =>
  recordsAt(store.database.reader, store.records, { place, from: value, to: value }, { limit: 10 }).map(
    ({ key }) => key,
  );

async function stocked(folder: string): Promise<Store> {
  const store = await temporaryStore({ folder });
  const { id: jar } = await create(store, 'part', {
    name: 'Jar',
    identification: 'J-1',
    barcodes: ['4006381333931'],
  });
  const { id: lid } = await create(store, 'part', { name: 'Lid', identification: 'J-2' });
  await create(store, 'order', {
    order_number: 'A',
    items: [
      { part_id: jar, quantity: 1 },
      { part_id: lid, quantity: 1 },
    ],
  });
  return store;
}

it('lead to records by codes and by what their items refer to, and follow every change', async () => {
  const store = await stocked(temporaryFolder());
  expect(keysAt(store, CODE, '4006381333931')).toEqual(['part:1']);
  expect(keysAt(store, CODE, 'j-1')).toEqual(['part:1']);
  expect(keysAt(store, 'order.items.part_id', 2)).toEqual(['order:1']);
  await update(store, 'part', 1, { identification: 'K-1', barcodes: ['123'] });
  await update(store, 'order', 1, { items: [{ id: 2, part_id: 1 }] });
  expect(keysAt(store, CODE, '4006381333931')).toEqual([]);
  expect(keysAt(store, CODE, 'j-1')).toEqual([]);
  expect(keysAt(store, CODE, 'k-1')).toEqual(['part:1']);
  expect(keysAt(store, 'order.items.part_id', 2)).toEqual([]);
  expect(keysAt(store, 'order.items.part_id', 1)).toEqual(['order:1']);
  expect((await verify(store.database.folder, { ...verifyDependencies })).findings).toEqual([]);
  expect(await store.rebuild()).toMatchObject({ differences: 0 });
});

it('are refused where they lead to a record that does not have the value; verify finds it, rebuild mends it', async () => {
  const store = await stocked(temporaryFolder());
  store.database.run("UPDATE lookup SET value = 'other' WHERE value = 'j-1'");
  const { findings } = await verify(store.database.folder, { ...verifyDependencies });
  expect(findings.map(({ where }) => where)).toEqual(['lookup of code, 1 rows', 'lookup of code, 1 rows']);
  expect(await store.rebuild()).toMatchObject({ differences: 2 });
  expect(keysAt(store, CODE, 'j-1')).toEqual(['part:1']);
  store.database.run("UPDATE lookup SET value = 'other' WHERE value = 'j-1'");
  expect(() => keysAt(store, CODE, 'other')).toThrow(/index/);
});

it('are filled in for the database of a version that did not keep them', async () => {
  const folder = temporaryFolder();
  const store = await stocked(folder);
  await store.close();
  const database = new DatabaseSync(`${folder}/holdpoint.db`);
  database.exec('DROP TABLE lookup');
  database.close();
  const again = await temporaryStore({ folder });
  expect(keysAt(again, CODE, 'j-1')).toEqual(['part:1']);
  expect(keysAt(again, 'order.items.part_id', 2)).toEqual(['order:1']);
  expect(await again.rebuild()).toMatchObject({ differences: 0 });
});
