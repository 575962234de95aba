import type { StoredRecord } from '../../shared/contract/present.ts';
import type { StockValue } from '../../shared/operations/figure-schemas.ts';
import { fromMicro, type Micro } from '../../shared/quantities/quantity.ts';
import { worthOf } from '../rules/lot-cost.ts';
import { isExpired, locksOf } from '../rules/lot-state.ts';
import { todayOf } from '../rules/site.ts';
import { type LotSource, sourcesOf } from '../store/lots.ts';
import type { FigureContext } from './around-lot.ts';
import { familyIn, idIn } from './around-lot.ts';
import { monthOf, monthsUpTo } from './months.ts';
import { textOf } from './trace-lot.ts';

/**
 * Value of the stock. What stands today is the sum of every lot's quantity times its cost; a month's end follows from
 * it by taking back, month by month, what came and went since, at today's cost. A cost that was entered later counts
 * for all of the past, so the curve shows quantities and not prices.
 */
export async function stockValue(
  { reads, yieldToEventLoop }: FigureContext,
  count: number,
): Promise<StockValue> {
  const { records, sql } = reads;
  const today = todayOf(records, reads.now);
  const months = monthsUpTo(today, count);
  const [firstMonth = ''] = months;
  const dateOf = datesOf(reads, today);
  const sums = { value: 0n, expired: 0n, locked: 0n };
  const moved = new Map(months.map(month => [month, { received: 0n, shipped: 0n }]));
  const expiring = new Map<string | null, { value: Micro; lots: number }>();
  let lots = 0;
  let without = 0;
  for (const lot of records.all('inventory')) {
    await yieldToEventLoop();
    const facts = sourcesOf(sql, lot.id);
    const quantity = facts.reduce((sum, fact) => sum + fact.quantity, 0n);
    const { cost } = lot.fields;
    if (quantity !== 0n) lots += 1;
    if (typeof cost !== 'number') {
      if (quantity !== 0n) without += 1;
      continue;
    }
    // Only a cost of another unit than the lot's own is converted by what the part says.
    const hasOwnUnit = lot.fields.cost_unit === undefined;
    const part = hasOwnUnit ? undefined : records.get('part', Number(lot.fields.part_id));
    const worth = (amount: Micro) => worthOf(amount, lot, part);
    if (quantity !== 0n) {
      const value = worth(quantity);
      sums.value += value;
      if (isExpired(lot, today)) sums.expired += value;
      if (locksOf(reads, lot).length > 0) sums.locked += value;
      const expiry = textOf(lot.fields.expiry_date);
      const month = expiry === null ? null : monthOf(expiry);
      const bucket = expiring.get(month) ?? { value: 0n, lots: 0 };
      expiring.set(month, { value: bucket.value + value, lots: bucket.lots + 1 });
    }
    for (const { source, quantity: amount } of netOf(facts)) {
      const month = monthOf(dateOf(source, lot));
      const sum = month < firstMonth ? undefined : moved.get(month > monthOf(today) ? monthOf(today) : month);
      if (!sum) continue;
      if (amount > 0n) sum.received += worth(amount);
      else sum.shipped -= worth(amount);
    }
  }
  let value = sums.value;
  const byMonth = months.toReversed().map(month => {
    const { received, shipped } = moved.get(month) ?? { received: 0n, shipped: 0n };
    const row = {
      month,
      value: fromMicro(value),
      received: fromMicro(received),
      shipped: fromMicro(shipped),
    };
    value += shipped - received;
    return row;
  });
  return {
    as_of: reads.now,
    value: fromMicro(sums.value),
    lots,
    lots_without_cost: without,
    expired: fromMicro(sums.expired),
    locked: fromMicro(sums.locked),
    by_month: byMonth.reverse(),
    by_expiry: [...expiring]
      .sort(([a], [b]) => ((a ?? '9999-99') < (b ?? '9999-99') ? -1 : 1))
      .map(([month, sum]) => ({ month, value: fromMicro(sum.value), lots: sum.lots })),
  };
}

/** A move takes and gives the same. */
function netOf(facts: readonly LotSource[]): { source: string; quantity: Micro }[] {
  const sums = new Map<string, Micro>();
  for (const { source, quantity } of facts) sums.set(source, (sums.get(source) ?? 0n) + quantity);
  return [...sums].flatMap(([source, quantity]) => (quantity === 0n ? [] : [{ source, quantity }]));
}

/** The day on which a record moved stock: of arrival, of shipping, of correction, else of writing. Each record is read once. */
function datesOf(
  { records }: FigureContext['reads'],
  today: string,
): (source: string, lot: StoredRecord) => string {
  const known = new Map<string, string>();
  return (source, lot) => {
    if (source === lot.key) return textOf(lot.fields.opening_date) ?? lot.created_at.slice(0, 10);
    const day = known.get(source);
    if (day !== undefined) return day;
    const record = records.get(familyIn(source), idIn(source));
    const { actual_arrival_date, actual_ship_date, adjustment_date } = record?.fields ?? {};
    const given = textOf(actual_arrival_date) ?? textOf(actual_ship_date) ?? textOf(adjustment_date);
    const found = given ?? record?.created_at.slice(0, 10) ?? today;
    known.set(source, found);
    return found;
  };
}
