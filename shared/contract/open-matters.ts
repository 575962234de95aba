import { standingOfCount } from './count-standing.ts';
import { itemsOf, type StoredRecord } from './present.ts';
import { differsFromTaken } from './shipped-line.ts';

/** What about a record waits for somebody, as far as the record itself says so. */
export const openMatters = [
  'order_expected',
  'receipt_open',
  'count_open',
  'count_differs',
  'inspection_open',
  'inspection_failed',
  'correction_awaiting',
  'ncr_open',
  'car_open',
  'complaint_open',
  'shipment_open',
  'shipment_differs',
  'lot_expiry',
  'reorder_point',
] as const;

/** A report, request or complaint that is open for more days is late. */
export const LATE_DAYS = 30;

export type OpenMatter = (typeof openMatters)[number];

/** Sorts after every date: a shipment that nobody has said a day for. */
export const NO_DAY = '9999-12-31';

/** The matter and the day that it is dated by, `YYYY-MM-DD`; null: nothing is open. A pure function of the record. */
export function openMatterOf(
  record: Pick<StoredRecord, 'family' | 'fields' | 'created_at'>,
): { matter: OpenMatter; day: string } | null {
  const { fields, created_at } = record;
  const created = created_at.slice(0, 10);
  const open = (matter: OpenMatter, ...days: unknown[]) => ({
    matter,
    day: days.find(day => typeof day === 'string' && day !== '')?.toString() ?? created,
  });
  switch (record.family) {
    case 'receiving-inspection':
      if (fields.is_closed === true) return null;
      return open('receipt_open', fields.actual_arrival_date, fields.requested_shipment_arrival_date);
    case 'purchase-order':
      return fields.is_closed === true ? null : open('order_expected', fields.expected_date, NO_DAY);
    case 'stock-count': {
      const standing = standingOfCount(fields);
      if (standing === 'differs') return open('count_differs', fields.count_date);
      const isUnderWay = standing === 'counting' || standing === 'recounting';
      return isUnderWay ? open('count_open', fields.count_date) : null;
    }
    case 'inspection':
      if (fields.passed === true) return null;
      return open(fields.passed === false ? 'inspection_failed' : 'inspection_open', fields.inspection_date);
    case 'correction':
      return fields.status === 'awaiting'
        ? open('correction_awaiting', String(fields.at).slice(0, 10))
        : null;
    case 'ncr':
      return fields.status === 'closed' ? null : open('ncr_open', fields.date_opened);
    case 'car':
      return fields.date_closed ? null : open('car_open', fields.date_opened);
    case 'complaint':
      return fields.is_closed === true ? null : open('complaint_open', fields.complaint_date);
    case 'shipment':
      if (!fields.actual_ship_date) return open('shipment_open', fields.requested_ship_date, NO_DAY);
      return itemsOf({ position: 'order' }, fields.items).some(differsFromTaken)
        ? open('shipment_differs', fields.actual_ship_date)
        : null;
    case 'inventory':
      return fields.expiry_date ? open('lot_expiry', fields.expiry_date) : null;
    case 'part':
      return typeof fields.reorder_point === 'number' ? open('reorder_point') : null;
    default:
      return null;
  }
}
