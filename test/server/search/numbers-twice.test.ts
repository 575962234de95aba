import { expect, it } from 'vitest';
import { numbersTwice } from '../../../server/search/numbers-twice.ts';
import type { Store } from '../../../server/store/store.ts';
import { writeLocal } from '../../../server/store/tables.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { families } from '../../../shared/families/registry.ts';
import { addPart, correct, openSite, receive } from '../rules/site.ts';
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

it('tells, at a machine that is alone too, of numbers that were taken apart before they compared in any case', async () => {
  const store = await temporaryStore();
  const first = await create(store, 'ncr', { ncr_number: 'Ü-1', source: 'internal' });
  // As a folder of a former version has them.
  const others = [' ü-1 ', 'U\u0308-1'].map((ncr_number, index) => ({
    ...first,
    id: first.id + 1 + index,
    key: `ncr:${first.id + 1 + index}`,
    fields: { ...first.fields, ncr_number },
  }));
  await store.gate.applyRemote(() => ({ puts: others, result: null }));
  const twice = numbersTwice(store, error => {
    throw error;
  });
  expect(await completed(twice)).toEqual([first.key, ...others.map(({ key }) => key)]);
  for (const { id, fields } of others) {
    expect(store.records.get('ncr', id)?.fields.ncr_number).toBe(fields.ncr_number);
    // What else it says can be changed all the same.
    await update(store, 'ncr', id, { description: 'Seen', ncr_number: fields.ncr_number });
  }
  twice.watch.close();
});

it('tells of lots that are one but for the spelling of their number, until the line of one is corrected', async () => {
  const store = await openSite();
  const part_id = await addPart(store);
  const stored = { company_id: 1, lot_unit: 'units', is_legacy: true, opening_quantity: 1, part_id };
  // As a folder of a former version has them.
  const formerly = (fields: Record<string, unknown>) =>
    store.gate.commit({
      actor: { rights: BY_SERVER, user: 'before' },
      reason: null,
      work: work => work.insert(families.inventory, { ...stored, ...fields }),
      answer: record => record,
    });
  const first = await formerly({ batch_number: 'LO-1' });
  const second = await formerly({ batch_number: 'lo-1', opening_quantity: undefined });
  await formerly({ batch_number: 'lo-1', expiry_date: '2027-01-31' });
  await formerly({ batch_number: 'lo-1', part_id: await addPart(store, { name: 'Lid' }) });
  const received = await receive(store, { part_id, serial_number: 'lo-1' });
  expect(received.lot).toBe(second.id);

  const twice = numbersTwice(store, error => {
    throw error;
  });
  const stop = store.gate.follow(twice.follow);
  expect(await completed(twice)).toEqual([first.key, second.key]);
  expect(await correct(store, received, { serial_number: 'LO-1' })).toBe(first.id);
  expect(await completed(twice)).toEqual([]);
  stop();
  twice.watch.close();
});

/** The keys that it has found when it has been through all. */
async function completed({ watch }: ReturnType<typeof numbersTwice>): Promise<string[]> {
  for (;;) {
    const { keys, isComplete } = watch.read();
    if (isComplete) return keys.toSorted();
    await new Promise(setImmediate);
  }
}
