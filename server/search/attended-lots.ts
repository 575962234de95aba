import type { StoredRecord } from '../../shared/contract/present.ts';
import { lotLocks } from '../../shared/families/lot-locks.ts';
import type { Attention, AttentionGroup } from '../../shared/operations/overview-operations.ts';
import { fromMicro } from '../../shared/quantities/quantity.ts';
import { locksOf, total } from '../rules/lot-state.ts';
import { balancesOf } from '../store/lots.ts';
import type { FindReads } from './find-records.ts';
import { groupFrom, titled } from './titles.ts';

/** Locked lots of which something stands, with why; lots of which less than nothing stands somewhere. */
export function attendedLots(reads: FindReads, limit: number): Attention {
  const { records, sql } = reads;
  const group = (
    kind: AttentionGroup['kind'],
    lots: number[],
    says: (lot: StoredRecord) => string,
  ): AttentionGroup => {
    const items = lots.slice(0, limit).flatMap(id => {
      const lot = records.get('inventory', id);
      if (!lot) return [];
      const named = titled(records, lot);
      const subtitle = [named.subtitle ?? [], says(lot)].flat().join(' · ');
      const expiry = lot.fields.expiry_date;
      return [{ ...named, subtitle, date: typeof expiry === 'string' ? expiry : null }];
    });
    return groupFrom(kind, items, lots.length);
  };
  return [
    group('lots_locked', lockedLots(reads), lot => {
      const reasons = locksOf(reads, lot).map(({ lock }) => lotLocks[lock]);
      return [...new Set(reasons)].join('; ');
    }),
    group('stock_negative', lotsBelowNothing(reads), lot => {
      const unit = lot.fields.lot_unit;
      const stock = fromMicro(total(balancesOf(sql, lot.id)));
      return typeof unit === 'string' ? `${stock} ${unit}` : String(stock);
    }),
  ];
}

/** The newest first; those of a batch number, which a lab result locks, after those that are locked themselves. */
function lockedLots(reads: FindReads): number[] {
  const own = reads.sql.all<{ lot: number }>(
    `SELECT DISTINCT lot FROM lot_fact INDEXED BY lot_fact_lock WHERE lock IS NOT NULL AND lot IS NOT NULL
       AND EXISTS (SELECT 1 FROM stock WHERE stock.lot = lot_fact.lot AND stock.quantity > 0) ORDER BY lot DESC`,
  );
  const batches = reads.sql.all<{ batch: string }>(
    'SELECT DISTINCT batch FROM lot_fact INDEXED BY lot_fact_batch WHERE batch IS NOT NULL AND lock IS NOT NULL',
  );
  const lots = new Set(own.map(({ lot }) => lot));
  for (const { batch } of batches) {
    for (const lot of reads.records.findBy('inventory', 'batch_number', batch)) {
      const isThere = () => balancesOf(reads.sql, lot.id).some(({ quantity }) => quantity > 0n);
      if (!lots.has(lot.id) && isThere() && locksOf(reads, lot).length > 0) lots.add(lot.id);
    }
  }
  return [...lots];
}

function lotsBelowNothing({ sql }: FindReads): number[] {
  const rows = sql.all<{ lot: number }>(
    'SELECT DISTINCT lot FROM stock INDEXED BY stock_below_nothing WHERE quantity < 0 ORDER BY lot',
  );
  return rows.map(({ lot }) => lot);
}
