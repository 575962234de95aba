import { fromMicro, toMicro } from '../quantities/quantity.ts';
import { itemsOf, type StoredItem } from './present.ts';

/** Why what was counted differs from the books. */
export const countReasons = [
  'miscounted',
  'damaged',
  'lost',
  'found',
  'misplaced',
  'mislabelled',
  'wrong-unit',
  'used',
  'other',
] as const;

export const countStandings = ['counting', 'recounting', 'agreed', 'differs', 'posted', 'withdrawn'] as const;
export type CountStanding = (typeof countStandings)[number];

type Fields = Readonly<Record<string, unknown>>;

/** How far a count is: a pure function of the record. */
export function standingOfCount(fields: Fields): CountStanding {
  if (fields.is_withdrawn === true) return 'withdrawn';
  if (fields.is_posted === true) return 'posted';
  const items = countedItems(fields);
  if (fields.is_finished !== true) return items.some(isRecountDue) ? 'recounting' : 'counting';
  return items.some(item => differenceOf(item) !== 0) ? 'differs' : 'agreed';
}

/** Whether the count can correct stock no more: until then it is the only one of its place (decisions/0130). */
export function isSettled(standing: CountStanding): boolean {
  return standing === 'agreed' || standing === 'posted' || standing === 'withdrawn';
}

export function countedItems(fields: Fields): StoredItem[] {
  return itemsOf({ position: 'order' }, fields.items);
}

/** Whether the lot is still to be counted once more. */
export function isRecountDue(item: Fields): boolean {
  return item.is_recount_due === true && typeof item.quantity_recounted !== 'number';
}

/** What was counted last, less what the books said then; in the unit of the lot. */
export function differenceOf({
  quantity_counted: first,
  quantity_recounted: last,
  quantity_expected: due,
}: Fields): number {
  const counted = toMicro(Number(typeof last === 'number' ? last : (first ?? 0)));
  return fromMicro(counted - toMicro(Number(due ?? 0)));
}
