import { NO_DAY } from '../../shared/contract/open-matters.ts';
import { type OrderStanding, standingOfOrder } from '../rules/order-standing.ts';
import { orderOfReceipt, ordersNumbered, receiptsOfOrder } from '../rules/purchase-orders.ts';
import type { Committed } from '../store/commit.ts';
import { keyOf } from '../store/records.ts';
import { subjectsAt } from '../store/secondary-index.ts';
import type { Store } from '../store/store.ts';
import { BackgroundWatch } from './background-watch.ts';
import { ORDER_EXPECTED } from './expected-orders.ts';

type Standing = Pick<OrderStanding, 'isReceived' | 'isOverReceived'>;
const OPEN = { place: ORDER_EXPECTED, from: '0000-00-00', to: NO_DAY };
const NOTHING: Standing = { isReceived: false, isOverReceived: false };

/** Of the open orders those of which everything has arrived, and those of which more did. */
export function watchedOrders(
  { records, database }: Pick<Store, 'records' | 'database'>,
  onFault: (error: unknown) => void,
) {
  const reads = { records, sql: database.reader };
  /** As they were looked at last: worked out once for both, until something of them has changed. */
  const standings = new Map<string, Standing>();
  const numbers = new Map<string, unknown>();
  /** The order that a receipt counted against then, which is another one now where its number was corrected. */
  const orders = new Map<string, string>();
  const lookAt = (key: string): Standing => {
    const order = records.getByKey(key);
    numbers.set(key, order?.fields.po_number);
    if (!order || order.fields.is_closed === true) return NOTHING;
    for (const receipt of receiptsOfOrder(reads, order)) orders.set(receipt.key, key);
    const { isReceived, isOverReceived } = standingOfOrder(reads, order);
    return { isReceived, isOverReceived };
  };
  const watch = (name: keyof Standing) =>
    new BackgroundWatch({
      candidates: () => {
        const base = records.subjectNumber('purchase-order', 0);
        return subjectsAt(database.reader, OPEN).map(subject => keyOf('purchase-order', subject - base));
      },
      isSo: key => {
        const standing = standings.get(key) ?? lookAt(key);
        standings.set(key, standing);
        return standing[name];
      },
      onFault,
    });
  const received = watch('isReceived');
  const over = watch('isOverReceived');

  /** A number that an order gets or loses also says of which order the receipts are that have it. */
  const sameNumber = (key: string) =>
    [numbers.get(key), records.getByKey(key)?.fields.po_number].flatMap(number =>
      ordersNumbered(reads, number).map(order => order.key),
    );
  const ofReceipt = (key: string) => {
    const receipt = records.getByKey(key);
    const now = receipt && orderOfReceipt(reads, receipt.fields);
    return [orders.get(key), now === undefined ? undefined : keyOf('purchase-order', now)];
  };
  return {
    received,
    over,
    follow({ records: changed }: Committed): void {
      if (!received.isStarted && !over.isStarted) return;
      const keys = changed.flatMap(({ family, key }) => {
        if (family === 'purchase-order') return [key, ...sameNumber(key)];
        return family === 'receiving-inspection' ? ofReceipt(key) : [];
      });
      const known = keys.filter(key => key !== undefined);
      for (const key of known) standings.delete(key);
      for (const each of [received, over]) each.lookAgain(known);
    },
  };
}
