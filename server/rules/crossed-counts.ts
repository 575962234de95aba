import { countedItems, differenceOf, standingOfCount } from '../../shared/contract/count-standing.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { toMicro } from '../../shared/quantities/quantity.ts';
import type { UnitOfWork } from '../store/unit-of-work.ts';

type Reads = Pick<UnitOfWork, 'findBy'>;

/** How many corrections counts of the place have made. */
export function correctionsIn(reads: Reads, place: number): number {
  return madeBy(countsOf(reads, place));
}

/**
 * Whether counts have corrected the stock of the place without knowing of each other, at two stations: each count notes how
 * many corrections there were before it, so those of one count follow those before it and overlap no others. It is mended
 * by a count that knew of them all.
 */
export function isCrossed(reads: Reads, place: number): boolean {
  const counts = countsOf(reads, place);
  const all = madeBy(counts);
  const isLast = (one: Counted) => isInStock(one) && isOnce(one) && one.before + one.made.length === all;
  if (counts.some(isLast)) return false;
  const isOver = (one: Counted) =>
    counts.some(
      other =>
        other !== one &&
        one.before < other.before + other.made.length &&
        other.before < one.before + one.made.length,
    );
  return counts.some(one => one.made.length > 0 && (!isOnce(one) || isOver(one)));
}

interface Counted {
  fields: StoredRecord['fields'];
  /** NaN: a former version did not note it. */
  before: number;
  /** Its own corrections. */
  made: StoredRecord[];
}

function countsOf(reads: Reads, place: number): Counted[] {
  return reads.findBy('stock-count', 'location_id', place).map(({ id, fields }) => ({
    fields,
    before: Number(fields.corrections_before),
    made: reads.findBy('adjustment', 'stock_count_id', id),
  }));
}

function madeBy(counts: readonly Counted[]): number {
  return counts.reduce((sum, { made }) => sum + made.length, 0);
}

/** Stock says what it found. */
function isInStock({ fields }: Counted): boolean {
  return ['agreed', 'posted'].includes(standingOfCount(fields));
}

/** Two stations may post one count at once, or one of them what the other one withdraws. */
function isOnce({ fields, made }: Counted): boolean {
  const isWithdrawn = standingOfCount(fields) === 'withdrawn';
  const lots = countedItems(fields).map(item => ({
    lot: item.inventory_id,
    due: isWithdrawn ? 0n : toMicro(differenceOf(item)),
  }));
  return lots.every(
    ({ lot, due }) =>
      due ===
      made.reduce(
        (sum, { fields: { inventory_id: of, quantity } }) =>
          of === lot ? sum + toMicro(Number(quantity)) : sum,
        0n,
      ),
  );
}
