import { dateIn } from '../../shared/contract/dates.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { mapOf } from '../store/changes.ts';
import { receiptsOf } from '../store/lots.ts';
import type { UnitOfWork } from '../store/unit-of-work.ts';
import { siteSettings } from './site.ts';

/**
 * The first day on which something of a lot was there, `YYYY-MM-DD`: of its receipt lines by their own day, else by that
 * of the delivery, else by when they were written; of an opening balance by its day, else by when
 * its lot was written.
 */
export function receivedOn(work: Pick<UnitOfWork, 'get' | 'sql'>, lot: StoredRecord): string {
  const written = (at: string) => dateIn(siteSettings(work).time_zone, at);
  const days = receiptsOf(work.sql, lot.id).flatMap(key => {
    const receipt = work.get('receiving-inspection', Number(key.split(':')[1]));
    if (!receipt) return [];
    const { items, actual_arrival_date: arrival } = receipt.fields;
    return Object.values(mapOf(items)).flatMap(item => {
      const { inventory_id: of, received_date: moment, created_at: at } = mapOf(item);
      if (of !== lot.id) return [];
      if (typeof moment === 'string') return [written(moment)];
      return [typeof arrival === 'string' ? arrival : written(String(at ?? receipt.created_at))];
    });
  });
  const { opening_date: opening, opening_quantity: amount } = lot.fields;
  const opened = typeof opening === 'string' ? opening : written(lot.created_at);
  if (Number(amount ?? 0) > 0) days.push(opened);
  return days.sort()[0] ?? written(lot.created_at);
}
