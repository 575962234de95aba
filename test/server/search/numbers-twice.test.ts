import { expect, it } from 'vitest';
import { numbersTwice } from '../../../server/search/numbers-twice.ts';
import type { Store } from '../../../server/store/store.ts';
import { writeLocal } from '../../../server/store/tables.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { create, temporaryStore, update } from '../store/temporary-store.ts';

/** A report of another station, as sync brings it. */
function arrived(store: Store, like: StoredRecord, id: number): Promise<null> {
  const record = { ...like, id, key: `ncr:${id}`, station: 'elsewhere' };
  return store.gate.applyRemote(() => ({ puts: [record], result: null }));
}

it('tells records of two stations with one number, until one of them has another', async () => {
  const store = await temporaryStore();
  await store.gate.applyRemote(() => {
    writeLocal(store.database, 'cursor', '{}');
    return { result: null };
  });
  const first = await create(store, 'ncr', { ncr_number: 'N-1', source: 'internal' });
  const second = await create(store, 'ncr', { ncr_number: 'N-2', source: 'internal' });
  const far = 5 * 2 ** 20 + 1;
  await arrived(store, first, far);

  const twice = numbersTwice(store, error => {
    throw error;
  });
  const stop = store.gate.follow(twice.follow);
  const read = () => {
    for (;;) {
      const { keys, isComplete } = twice.watch.read();
      if (isComplete) return keys.toSorted();
    }
  };
  expect(read()).toEqual([first.key, `ncr:${far}`]);
  await arrived(store, second, far + 1);
  expect(read()).toEqual([first.key, second.key, `ncr:${far}`, `ncr:${far + 1}`].toSorted());
  await update(store, 'ncr', first.id, { ncr_number: 'N-3' });
  expect(read()).toEqual([second.key, `ncr:${far + 1}`]);
  stop();
  twice.watch.close();
});
