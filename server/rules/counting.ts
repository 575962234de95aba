import { differenceOf, isRecountDue, standingOfCount } from '../../shared/contract/count-standing.ts';
import { AppError } from '../../shared/contract/errors.ts';
import { itemsOf, type StoredItem } from '../../shared/contract/present.ts';
import { families } from '../../shared/families/registry.ts';
import { fromMicro, type Micro, toMicro } from '../../shared/quantities/quantity.ts';
import { type Fields, mapOf, type PlannedChange } from '../store/changes.ts';
import { balanceAt, standingAt } from '../store/lots.ts';
import type { Rule, UnitOfWork } from '../store/unit-of-work.ts';
import { plannedToday } from './site.ts';
import { lotName } from './stock-check.ts';

const { location, 'stock-count': stockCount } = families;
const byPosition = { position: 'order' };
const NAME_LIMIT = 80;

/**
 * A count of a place is blind: what the books say of a lot is noted when it is counted, and compared when the count is
 * finished. What differs is counted once more, and what differs still stands until it is posted or the count is withdrawn.
 */
export const counting: Rule = (work, change) => {
  const { fields, before } = change;
  if (work.isAtFault()) return;
  if (before) refuseLater(change);
  else begin(work, change);
  if (fields.is_posted === true || fields.is_withdrawn === true) return;
  const old = mapOf(before?.fields.items);
  const places = placesOfCount(work, Number(fields.location_id));
  const items: Fields = { ...mapOf(fields.items) };
  const seen = new Map<unknown, number>();
  for (const item of itemsOf(byPosition, items)) {
    const known = seen.get(item.inventory_id);
    if (known !== undefined) {
      work.blame(
        change.pathOf('inventory_id', item.id),
        `${lotName(work, Number(item.inventory_id))} is counted here already (item ${known}). Change that item.`,
      );
    }
    seen.set(item.inventory_id, item.id);
    items[item.id] = noted(work, change, places, item, old[item.id] as Fields | undefined);
  }
  if (work.isAtFault()) return;
  if (Object.keys(items).length > 0) fields.items = items;
  if (fields.is_finished === true && before?.fields.is_finished !== true) finish(work, change, places);
};

/** The place and the handling units in it: they are counted together. */
export function placesOfCount(work: Pick<UnitOfWork, 'findBy'>, place: number): number[] {
  return [place, ...work.findBy('location', 'within_id', place).map(({ id }) => id)];
}

/** What the books say of a lot in these places. */
export function bookedAt(work: Pick<UnitOfWork, 'sql'>, places: readonly number[], lot: number): Micro {
  return places.reduce((sum, place) => sum + balanceAt(work.sql, lot, place), 0n);
}

function begin(work: UnitOfWork, { fields }: PlannedChange): void {
  const place = Number(fields.location_id);
  fields.count_date ??= plannedToday(work);
  const counts = work.findBy('stock-count', 'location_id', place);
  const open = counts.find(count => /counting/.test(standingOfCount(count.fields)));
  const name = String(work.get('location', place)?.fields.name ?? place).slice(0, NAME_LIMIT);
  if (open) {
    throw new AppError(
      'conflict',
      `${name} is being counted (count ${open.fields.count_number ?? open.id}). Go on with that count, or withdraw it.`,
    );
  }
  // Two stations that count a place at once give one number twice, and people are told of both.
  if (typeof fields.count_number !== 'string' || fields.count_number.trim() === '')
    fields.count_number = numberOf(work, place, name, counts.length + 1);
}

/** The place's name, with its id where another place has it too, and the next turn. */
function numberOf(work: UnitOfWork, place: number, name: string, turn: number): string {
  const isOnlyOne = work.numbered(location, 'name', name).every(({ id }) => id === place);
  const called = isOnlyOne ? name : `${name} (${place})`;
  for (let next = turn; ; next += 1) {
    const number = `${called} / ${next}`;
    if (work.numbered(stockCount, 'count_number', number).length === 0) return number;
  }
}

/** What was finished, posted or withdrawn stands: but for why it differs. */
function refuseLater({ fields, before, pathOf }: PlannedChange): void {
  const old = before?.fields ?? {};
  const standing = standingOfCount(old);
  const refuse = (message: string) => {
    throw new AppError('conflict', message);
  };
  if (fields.location_id !== old.location_id)
    refuse(
      `${pathOf('location_id')}: a count is of one place. Withdraw it and begin one of the other place.`,
    );
  if (standing === 'withdrawn' && fields.is_withdrawn !== true)
    refuse('The count is withdrawn. Begin another one.');
  if (standing === 'posted' && fields.is_withdrawn === true)
    refuse('The count is posted. Adjust the lots that it corrected, with a reason.');
  if (standing === 'counting' || standing === 'recounting') return;
  if (old.is_finished === true && fields.is_finished !== true)
    refuse('The count is finished. Withdraw it and begin another one to count again.');
  const earlier = mapOf(old.items);
  for (const [id, item] of Object.entries(mapOf(fields.items))) {
    const [was, is] = [mapOf(earlier[id]), mapOf(item)];
    const isSame = ['inventory_id', 'quantity_counted', 'quantity_recounted'].every(
      name => was[name] === is[name],
    );
    if (!isSame) refuse('The count is finished. Withdraw it and begin another one to count again.');
  }
}

/** An item with what the books say at the moment at which its lot is counted. */
function noted(
  work: UnitOfWork,
  change: PlannedChange,
  places: readonly number[],
  { id, ...item }: StoredItem,
  old: Fields | undefined,
): Fields {
  const isFirst = old?.quantity_counted !== item.quantity_counted;
  const isAgain = (old?.quantity_recounted ?? null) !== (item.quantity_recounted ?? null);
  const isDue = old?.is_recount_due === true;
  if (old && old.inventory_id !== item.inventory_id)
    work.blame(change.pathOf('inventory_id', id), 'Another lot is another item. Add one for it.');
  if (isAgain && !isDue)
    work.blame(
      change.pathOf('quantity_recounted', id),
      'Nothing of it is to be counted once more. Give quantity_counted.',
    );
  if (isFirst && isDue)
    work.blame(
      change.pathOf('quantity_counted', id),
      'The first count stays as it was. Give what was counted once more as quantity_recounted.',
    );
  if (!isFirst && !isAgain) return item;
  const booked = bookedAt(work, places, Number(item.inventory_id));
  return { ...item, quantity_expected: fromMicro(booked) };
}

/** What nobody counted is not there; what differs is counted once more, unless it was. */
function finish(work: UnitOfWork, { fields }: PlannedChange, places: readonly number[]): void {
  const items = mapOf(fields.items);
  const lots = new Set(itemsOf(byPosition, items).map(({ inventory_id: lot }) => Number(lot)));
  const missing = new Set(places.flatMap(place => standingAt(work.sql, place).map(({ lot }) => lot)));
  for (const lot of missing) {
    const booked = bookedAt(work, places, lot);
    if (lots.has(lot) || booked === 0n) continue;
    const id = work.nextItemId(stockCount.collections.items ?? { name: 'stock-count-item' });
    items[id] = { inventory_id: lot, quantity_counted: 0, quantity_expected: fromMicro(booked) };
  }
  for (const [id, item] of Object.entries(items)) {
    const isDue = differenceOf(mapOf(item)) !== 0 && mapOf(item).quantity_recounted === undefined;
    if (isDue) items[id] = { ...mapOf(item), is_recount_due: true };
  }
  fields.items = items;
  if (itemsOf(byPosition, items).some(isRecountDue)) fields.is_finished = false;
}

/**
 * Corrects stock by what a finished count found: an adjustment for each difference, as its poster may make them, with why
 * it differs. All of them or none.
 * @throws AppError `conflict` where it is not finished, was posted, or the place was counted twice at once
 */
export function postCount(work: UnitOfWork, id: number) {
  const count = work.require('stock-count', id);
  const { fields } = count;
  const standing = standingOfCount(fields);
  if (standing !== 'differs') throw new AppError('conflict', notPosted[standing]);
  const number = String(fields.count_number ?? id);
  const twin = work
    .numbered(stockCount, 'count_number', number)
    .find(other => other.id !== id && other.fields.is_withdrawn !== true);
  if (twin) {
    throw new AppError(
      'conflict',
      `Two counts are called ${number} (${id} and ${twin.id}): two stations counted the place without knowing of each other. ` +
        'Withdraw the one that does not count, or give it another number.',
    );
  }
  const places = placesOfCount(work, Number(fields.location_id));
  for (const item of itemsOf(byPosition, fields.items)) {
    const difference = differenceOf(item);
    if (difference === 0) continue;
    if (typeof item.reason !== 'string') {
      const lot = lotName(work, Number(item.inventory_id));
      throw new AppError('conflict', `Why does ${lot} differ? Give the reason of item ${item.id} first.`);
    }
    for (const { place, quantity } of spread(work, places, item, difference)) {
      work.insert(families.adjustment, {
        inventory_id: item.inventory_id,
        location_id: place,
        quantity,
        reason: `Count ${number}: ${item.reason}`,
        stock_count_id: id,
        adjustment_date: plannedToday(work),
      });
    }
  }
  return work.set(stockCount, id, { ...fields, is_posted: true });
}

const notPosted = {
  counting: 'The count is not finished. Finish it first.',
  recounting: 'Something is to be counted once more. Count it first.',
  agreed: 'What was counted is what the books say. There is nothing to post.',
  posted: 'The count is posted already.',
  withdrawn: 'The count is withdrawn. Nothing is posted of it.',
} as const;

/** What is too much stands in the place itself; what is missing goes from where the lot stands, the place first. */
function spread(
  work: UnitOfWork,
  places: readonly number[],
  { inventory_id: lot }: StoredItem,
  difference: number,
): { place: number; quantity: number }[] {
  const [main = 0] = places;
  if (difference > 0) return [{ place: main, quantity: difference }];
  let open = toMicro(-difference);
  const parts = places.flatMap(place => {
    const there = balanceAt(work.sql, Number(lot), place);
    const taken = there < open ? there : open;
    if (taken <= 0n) return [];
    open -= taken;
    return [{ place, quantity: -fromMicro(taken) }];
  });
  // What was shipped or moved since: the adjustment says so, and nothing is posted.
  return open > 0n ? [...parts, { place: main, quantity: -fromMicro(open) }] : parts;
}
