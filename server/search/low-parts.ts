import { toMicro } from '../../shared/quantities/quantity.ts';
import { inUnit, total } from '../rules/lot-state.ts';
import type { Committed } from '../store/commit.ts';
import { balancesOf } from '../store/lots.ts';
import { keyOf } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { BackgroundWatch } from './background-watch.ts';

type Stock = Pick<Store, 'records' | 'database'>;

/** Parts of which less stands than their reorder point, locked and expired lots included. */
export function lowParts({ records, database }: Stock, onFault: (error: unknown) => void) {
  const watch = new BackgroundWatch({
    candidates: () => {
      const rows = database.reader.all<{ subject: number }>(
        "SELECT subject FROM lookup WHERE place = 'open.reorder_point'",
      );
      const base = records.subjectNumber('part', 0);
      return rows.map(({ subject }) => keyOf('part', subject - base));
    },
    isSo: key => isLow({ records, database }, key),
    onFault,
  });
  /** Parts, and lots whose stock changed, as commits bring them. */
  function follow({ records: changed, lots }: Committed): void {
    if (!watch.isStarted) return;
    const lotIds = changed.flatMap(({ family, id }) => (family === 'inventory' ? [id] : []));
    const parts = [...lots, ...lotIds].map(id => `part:${records.get('inventory', id)?.fields.part_id}`);
    watch.lookAgain([...parts, ...changed.flatMap(({ family, key }) => (family === 'part' ? [key] : []))]);
  }
  return { watch, follow };
}

/** Lots whose unit does not convert to the part's count as nothing. */
function isLow({ records, database }: Stock, key: string): boolean {
  const part = records.getByKey(key);
  const point = part?.fields.reorder_point;
  if (!part || typeof point !== 'number') return false;
  const unit = part.fields.unit_of_measure;
  const wanted = toMicro(point);
  let stock = 0n;
  for (const lot of records.lotsInStock(part.id)) {
    const own = total(balancesOf(database.reader, lot.id));
    stock += inUnit(own, lot.fields.lot_unit, unit, part) ?? 0n;
  }
  return stock < wanted;
}
