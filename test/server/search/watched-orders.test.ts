import { expect, it, onTestFinished } from 'vitest';
import { shownElsewhere } from '../../../server/rules/shown-elsewhere.ts';
import { watchedOrders } from '../../../server/search/watched-orders.ts';
import type { Store } from '../../../server/store/store.ts';
import { stateOf } from '../../../server/store/unit-of-work.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { addPart, openSite, receive } from '../rules/site.ts';
import { create, update } from '../store/temporary-store.ts';

async function watched() {
  const store = await openSite();
  const bolt = await addPart(store);
  const orders = watchedOrders(store, error => {
    throw error;
  });
  const stop = store.gate.follow(orders.follow);
  onTestFinished(() => {
    stop();
    orders.received.close();
    orders.over.close();
  });
  const read = (which: 'received' | 'over') => {
    for (;;) {
      const { keys, isComplete } = orders[which].read();
      if (isComplete) return keys.toSorted();
    }
  };
  const order = (po_number: string) =>
    create(store, 'purchase-order', { po_number, items: [{ part_id: bolt, quantity: 10 }] });
  return { store, bolt, read, order };
}

/** As sync brings it from a station that did not know the order: no rule of this machine has named one. */
async function arrived(store: Store, like: StoredRecord, fields: Record<string, unknown>): Promise<void> {
  const { purchase_order_id: _, ...own } = like.fields;
  const now = { ...own, ...fields };
  const record = { ...like, fields: now, state: stateOf(now) };
  await store.gate.applyRemote(() => ({ puts: [record], result: null }));
}

it('tells of which orders all, or more, is here, also by receipts that count by their number alone', async () => {
  const { store, bolt, read, order } = await watched();
  const first = await order('PO-1');
  const second = await order('PO-2');
  expect(read('received')).toEqual([]);
  const { receipt } = await receive(store, { part_id: bolt, quantity_accepted: 11 }, {});
  const stored = store.records.get('receiving-inspection', receipt);
  if (!stored) throw new Error();
  await arrived(store, stored, { po_number: ' po-1' });
  expect([read('received'), read('over')]).toEqual([[first.key], [first.key]]);
  await arrived(store, stored, { po_number: 'PO-2' });
  expect([read('received'), read('over')]).toEqual([[second.key], [second.key]]);
  await update(store, 'receiving-inspection', receipt, { po_number: 'PO-3' });
  expect([read('received'), read('over')]).toEqual([[], []]);
  const third = await order('PO-3');
  expect(read('received')).toEqual([third.key]);
  await update(store, 'purchase-order', third.id, { po_number: 'PO-4' });
  expect(read('received')).toEqual([]);
});

it('tells whose answer follows from a receipt before and after its number was corrected', async () => {
  const { store, bolt, order } = await watched();
  const first = await order('PO-1');
  const second = await order('PO-2');
  const { receipt } = await receive(store, { part_id: bolt }, {});
  const stored = store.records.get('receiving-inspection', receipt);
  if (!stored) throw new Error();
  await arrived(store, stored, { po_number: 'po-2' });
  const record = store.records.get('receiving-inspection', receipt);
  const changes = [{ path: 'po_number', old: 'PO-1', new: 'po-2' }];
  const reads = { records: store.records, sql: store.database.reader };
  const { keys } = shownElsewhere(reads, `receiving-inspection:${receipt}`, record, changes, false);
  expect(keys.filter(key => key.startsWith('purchase-order')).toSorted()).toEqual([first.key, second.key]);
});
