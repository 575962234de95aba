import { type CountStanding, isRecountDue } from '../../../shared/contract/count-standing.ts';
import type { AnswerOf } from '../../../shared/operations/operation-types.ts';
import type { Outcome } from '../../ui/scan/signal.ts';

type Answered = AnswerOf<'x.stock-counts.read'>;

type Line = Answered['items'][number];

/** A lot of a count, whose number is known. */
export type CountedItem = Omit<Line, 'inventory_id' | 'quantity_expected' | 'order' | `${string}_at`> & {
  inventory_id: number;
};
export type Count = Pick<Answered, 'id' | 'count_number' | 'location_id' | 'standing'> & {
  items: CountedItem[];
};

/** Every counted line names its lot: the server takes none without. */
export function countIn(answer: Answered): Count {
  return {
    ...answer,
    items: answer.items.filter((item): item is Line & CountedItem => item.inventory_id !== null),
  };
}

/** What is asked for next: how much there is of a lot. */
export interface CountStep {
  outcome: Outcome;
  why: string;
  /** The lot whose number is to be typed. */
  asks?: number;
  /** What is noted. */
  write?: CountedWrite;
}

export interface CountedWrite {
  id?: number;
  inventory_id?: number;
  quantity_counted?: number;
  quantity_recounted?: number | null;
}

/**
 * A lot is scanned in the place that is counted. What its label says is in it is added to what was counted of it; what
 * says nothing is asked about. While something is counted once more, nothing else is.
 * @param asked the lot whose number is still to be typed; null: none
 */
export function scanCounted(
  count: Count,
  lot: number,
  quantity: number | null,
  asked: number | null,
): CountStep {
  const refusal = refusalOfLot(count, lot);
  if (refusal) return { outcome: 'refused', why: refusal };
  if (asked !== null && asked !== lot) return { outcome: 'refused', why: 'number-first' };
  if (quantity === null) return { outcome: 'question', why: 'how-many', asks: lot };
  return {
    outcome: 'taken',
    why: 'added',
    write: writeOf(count, lot, round(countedOf(count, lot) + quantity)),
  };
}

/** The whole of a lot, as it was typed. */
export function typeCounted(count: Count, lot: number, quantity: number): CountStep {
  const refusal = refusalOfLot(count, lot);
  if (refusal) return { outcome: 'refused', why: refusal };
  return { outcome: 'taken', why: 'noted', write: writeOf(count, lot, quantity) };
}

/** What was counted of a lot in this round. */
export function countedOf(count: Count, lot: number): number {
  return notedOf(count, lot) ?? 0;
}

/** Whether lots are counted once more: those that differ, and no others. */
export function isAgain({ items, standing }: Count): boolean {
  return isOpen(standing) && items.some(({ is_recount_due: isDue }) => isDue === true);
}

export function isOpen(standing: CountStanding | null): boolean {
  return standing === 'counting' || standing === 'recounting';
}

/** Lots that are still to be counted once more. */
export function dueAgain({ items }: Count): CountedItem[] {
  return items.filter(item => isRecountDue({ ...item }));
}

function refusalOfLot(count: Count, lot: number): string | null {
  if (!isOpen(count.standing)) return 'count-closed';
  const isDue = count.items.some(item => item.inventory_id === lot && item.is_recount_due === true);
  return isAgain(count) && !isDue ? 'not-again' : null;
}

/** What takes back what was noted last of a lot. @param before as it stood; null: nothing was noted of it */
export function takenBack(count: Count, lot: number, before: number | null): CountedWrite {
  const write = writeOf(count, lot, before ?? 0);
  return before === null && write.quantity_recounted !== undefined
    ? { ...write, quantity_recounted: null }
    : write;
}

/** As `countedOf`; null: nothing was noted of it in this round. */
export function notedOf(count: Count, lot: number): number | null {
  const item = count.items.find(each => each.inventory_id === lot);
  return (isAgain(count) ? item?.quantity_recounted : item?.quantity_counted) ?? null;
}

function writeOf(count: Count, lot: number, quantity: number): CountedWrite {
  const item = count.items.find(each => each.inventory_id === lot);
  const which = item ? { id: item.id } : { inventory_id: lot };
  return isAgain(count)
    ? { ...which, quantity_recounted: quantity }
    : { ...which, quantity_counted: quantity };
}

/** Six decimals: the sum of two quantities is no longer exact in binary. */
function round(quantity: number): number {
  return Math.round(quantity * 1e6) / 1e6;
}
