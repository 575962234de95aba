import { expect, it } from 'vitest';
import { verifyDependencies } from '../../../server/backup/verify-dependencies.ts';
import { underivedFamilies } from '../../../server/store/derived-from.ts';
import { readLocal, writeLocal } from '../../../server/store/tables.ts';
import { verify } from '../../../server/store/verify/verify.ts';
import { families } from '../../../shared/families/registry.ts';
import { create, temporaryStore } from './temporary-store.ts';

const NAME = 'derived_from';

it.each([
  ['{"part":"{\u0001', 'no JSON'],
  ['null', 'nothing'],
  ['[]', 'no families'],
])(
  'a note that is damaged (%s, %s) does not stop verify, and is worked out anew at the next start',
  async damaged => {
    const store = await temporaryStore();
    const { key } = await create(store, 'supplier', { name: 'Harbour Fasteners' });
    expect(underivedFamilies(store.database)).toEqual([]);
    const note = readLocal(store.database, NAME);
    await store.gate.applyRemote(() => ({ result: writeLocal(store.database, NAME, damaged) }));
    expect(underivedFamilies(store.database)).toEqual(Object.keys(families));
    const { folder } = store.database;
    await store.close();
    expect((await verify(folder, verifyDependencies)).findings).toEqual([]);

    const again = await temporaryStore({ folder });
    expect(readLocal(again.database, NAME)).toBe(note);
    expect(again.records.getByKey(key)?.fields.name).toBe('Harbour Fasteners');
    expect(underivedFamilies(again.database)).toEqual([]);
  },
);
