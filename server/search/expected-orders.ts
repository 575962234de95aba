import { NO_DAY } from '../../shared/contract/open-matters.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { recordTitle } from '../../shared/families/record-title.ts';
import { families } from '../../shared/families/registry.ts';
import { EXPECTED_LIMIT, type ExpectedOrder } from '../../shared/operations/overview-operations.ts';
import { standingOfOrder } from '../rules/order-standing.ts';
import { receiptsOfOrder } from '../rules/purchase-orders.ts';
import { todayOf } from '../rules/site.ts';
import { recordsAt } from '../store/secondary-index.ts';
import { yieldingToEventLoop } from '../store/yield-to-event-loop.ts';
import type { FindReads } from './find-records.ts';
import { titleOf } from './titles.ts';

export const ORDER_EXPECTED = 'open.order_expected';
const PAGE = 50;

/** Orders of which something is still expected, the earliest first; those without a day come last. */
export async function expectedOrders(reads: FindReads, now: string): Promise<ExpectedOrder[]> {
  const { records, sql } = reads;
  const today = todayOf(records, now);
  const yieldToEventLoop = yieldingToEventLoop();
  const found: ExpectedOrder[] = [];
  const range = { place: ORDER_EXPECTED, from: '0000-00-00', to: NO_DAY };
  for (let offset = 0, isMore = true; isMore && found.length < EXPECTED_LIMIT; offset += PAGE) {
    const page = recordsAt(sql, records, range, { limit: PAGE, offset });
    for (const order of page) {
      await yieldToEventLoop();
      const { isReceived } = standingOfOrder(reads, order);
      if (!isReceived && found.length < EXPECTED_LIMIT) found.push(shown(reads, order, today));
    }
    isMore = page.length === PAGE;
  }
  return found;
}

function shown(reads: FindReads, order: StoredRecord, today: string): ExpectedOrder {
  const { supplier_id: supplier, expected_date: day } = order.fields;
  const receipts = receiptsOfOrder(reads, order);
  const open = receipts.findLast(({ fields }) => fields.is_closed !== true);
  return {
    id: order.id,
    po_number: recordTitle(families['purchase-order'], order),
    supplier_id: typeof supplier === 'number' ? supplier : null,
    supplier: typeof supplier === 'number' ? titleOf(reads.records, 'supplier', supplier) : null,
    expected_date: typeof day === 'string' ? day : null,
    is_late: typeof day === 'string' && day < today,
    has_receipts: receipts.length > 0,
    receipt_id: open?.id ?? null,
  };
}
