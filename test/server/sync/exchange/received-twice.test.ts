import { afterEach, expect, it } from 'vitest';
import { standingOfOrder } from '../../../../server/rules/order-standing.ts';
import { createAttention } from '../../../../server/search/attention.ts';
import type { Store } from '../../../../server/store/store.ts';
import { stockOf } from '../../store/audit.ts';
import { create } from '../../store/temporary-store.ts';
import { areSame, fleet } from './fleet.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** What Today says of orders of which more came than was ordered. */
function overAt(store: Store): () => { total: number; names: string[] } | undefined {
  const attention = createAttention({
    store,
    clock: () => new Date(),
    outside: () => [],
    onFault: error => {
      throw error;
    },
  });
  closing.push(attention.close);
  return () => {
    const group = attention.read().find(({ kind }) => kind === 'orders_over');
    return group && { total: group.total, names: group.items.map(({ title }) => title) };
  };
}

it('an order that two stations receive without central: both receipts stand, the order is over, and Today says so everywhere', async () => {
  const { central, stations, stores, settle } = await fleet(2);
  const [a, b] = stations;
  if (!a || !b) throw new Error();
  await create(central.store, 'company', { name: 'Ours' });
  const part = await create(central.store, 'part', { name: 'Bolt', unit_of_measure: 'units' });
  const order = await create(central.store, 'purchase-order', {
    po_number: 'PO-1',
    items: [{ part_id: part.id, quantity: 100 }],
  });
  await settle();
  const told = stores().map(overAt);
  for (const over of told) await expect.poll(over).toEqual({ total: 0, names: [] });
  for (const [station, lot] of [
    [a, 'L-A'],
    [b, 'L-B'],
  ] as const) {
    await create(station.store, 'receiving-inspection', {
      purchase_order_id: order.id,
      po_number: 'PO-1',
      items: [{ part_id: part.id, serial_number: lot, quantity_accepted: 100 }],
    });
    // Each knows its own alone, and is right about that.
    const reads = { records: station.store.records, sql: station.store.database.reader };
    const known = station.store.records.get('purchase-order', order.id);
    expect(known && standingOfOrder(reads, known)).toMatchObject({ isReceived: true, isOverReceived: false });
  }
  await settle();
  expect(areSame(stores())).toBe(true);
  for (const [index, store] of stores().entries()) {
    const reads = { records: store.records, sql: store.database.reader };
    const known = store.records.get('purchase-order', order.id);
    expect(known && standingOfOrder(reads, known)).toMatchObject({ isOverReceived: true });
    expect(stockOf(store).map(text => text.split(' ')[1])).toEqual(['100000000', '100000000']);
    await expect.poll(told[index] ?? (() => undefined)).toEqual({ total: 1, names: ['PO-1'] });
  }
});
