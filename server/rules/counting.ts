import {
  differenceOf,
  isRecountDue,
  isSettled,
  standingOfCount,
} from '../../shared/contract/count-standing.ts';
import { AppError, invalid } from '../../shared/contract/errors.ts';
import { isSaid } from '../../shared/contract/permission.ts';
import { itemsOf, type StoredItem, type StoredRecord } from '../../shared/contract/present.ts';
import { families } from '../../shared/families/registry.ts';
import {
  formatMicro,
  fromMicro,
  type Micro,
  quantityBound,
  toMicro,
} from '../../shared/quantities/quantity.ts';
import { type Fields, mapOf, type PlannedChange } from '../store/changes.ts';
import { balanceAt, standingAt } from '../store/lots.ts';
import type { Rule, UnitOfWork } from '../store/unit-of-work.ts';
import { correctionsIn } from './crossed-counts.ts';
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
  const name = nameOf(work, place);
  const [open] = unsettledCounts(work, place);
  if (open) {
    const which = `(count ${open.fields.count_number ?? open.id})`;
    throw new AppError(
      'conflict',
      standingOfCount(open.fields) === 'differs'
        ? `What was counted in ${name} is not posted yet ${which}. Post that count, or withdraw it.`
        : `${name} is being counted ${which}. Go on with that count, or withdraw it.`,
    );
  }
  fields.corrections_before = correctionsIn(work, place);
  const counts = work.findBy('stock-count', 'location_id', place);
  // Two stations that count a place at once give one number twice, and people are told of both.
  if (typeof fields.count_number !== 'string' || fields.count_number.trim() === '')
    fields.count_number = numberOf(work, place, name, counts.length + 1);
}

function nameOf(work: UnitOfWork, place: number): string {
  return String(work.get('location', place)?.fields.name ?? place).slice(0, NAME_LIMIT);
}

/** Counts that may still correct what stands in the place, or on a handling unit in it: they would find the same loss. */
function unsettledCounts(work: UnitOfWork, place: number): StoredRecord[] {
  const within = work.get('location', place)?.fields.within_id;
  return [...placesOfCount(work, place), ...(typeof within === 'number' ? [within] : [])]
    .flatMap(each => work.findBy('stock-count', 'location_id', each))
    .filter(({ fields }) => !isSettled(standingOfCount(fields)));
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
  return { ...item, quantity_expected: expectedAt(work, places, Number(item.inventory_id)) };
}

/** @throws AppError `conflict` where the books say more than anybody can count */
function expectedAt(work: UnitOfWork, places: readonly number[], lot: number): number {
  const booked = fromMicro(bookedAt(work, places, lot));
  if (booked <= quantityBound) return booked;
  throw new AppError(
    'conflict',
    `More than ${quantityBound} of ${lotName(work, lot)} stands there, which no count can say. Move some of it to another place first.`,
  );
}

/** What nobody counted is not there; what differs is counted once more, unless it was. */
function finish(work: UnitOfWork, { fields }: PlannedChange, places: readonly number[]): void {
  const items = mapOf(fields.items);
  const lots = new Set(itemsOf(byPosition, items).map(({ inventory_id: lot }) => Number(lot)));
  const missing = new Set(places.flatMap(place => standingAt(work.sql, place).map(({ lot }) => lot)));
  for (const lot of missing) {
    if (lots.has(lot)) continue;
    const quantity_expected = expectedAt(work, places, lot);
    if (quantity_expected === 0) continue;
    const id = work.nextItemId(stockCount.collections.items ?? { name: 'stock-count-item' });
    items[id] = { inventory_id: lot, quantity_counted: 0, quantity_expected };
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
 * @throws AppError `conflict` where it is not finished, was posted, or another count of the place knows nothing of it;
 * `validation_failed` on `reason` where the books changed since, and nobody says why the difference stands
 */
export function postCount(work: UnitOfWork, id: number) {
  const count = work.require('stock-count', id);
  const { fields } = count;
  const standing = standingOfCount(fields);
  if (standing !== 'differs') throw new AppError('conflict', notPosted[standing]);
  const number = String(fields.count_number ?? id);
  const place = Number(fields.location_id);
  const places = placesOfCount(work, place);
  refuseCrossed(work, count);
  askWhereMoved(work, places, fields);
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

/** Of two counts of a place that know nothing of each other one is posted: both found the same loss. */
function refuseCrossed(work: UnitOfWork, { id, fields }: StoredRecord): void {
  const place = Number(fields.location_id);
  const name = nameOf(work, place);
  const other = unsettledCounts(work, place).find(each => each.id !== id);
  if (other) {
    throw new AppError(
      'conflict',
      `There are two counts of ${name} (${fields.count_number ?? id} and ${other.fields.count_number ?? other.id}): ` +
        'two stations counted the place without knowing of each other. Withdraw the one that does not count.',
    );
  }
  const { corrections_before: known } = fields;
  if (known === undefined || known === correctionsIn(work, place)) return;
  throw new AppError(
    'conflict',
    `Another count corrected the stock in ${name} after this one was begun. Withdraw this one, and count the place again.`,
  );
}

/** What came, went or was corrected since may be the very difference: the books do not say it, a person does. */
function askWhereMoved(work: UnitOfWork, places: readonly number[], fields: Fields): void {
  if (isSaid(work.reason ?? '')) return;
  const moved = itemsOf(byPosition, fields.items).flatMap(item => {
    const [then, now] = [
      toMicro(Number(item.quantity_expected ?? 0)),
      bookedAt(work, places, Number(item.inventory_id)),
    ];
    if (differenceOf(item) === 0 || then === now) return [];
    return [
      `${lotName(work, Number(item.inventory_id))} (${formatMicro(then)} then, ${formatMicro(now)} now)`,
    ];
  });
  if (moved.length === 0) return;
  throw invalid({
    reason: [
      `The books changed after it was counted: ${moved.join(', ')}. Withdraw the count and count again, or give the reason why the difference still stands.`,
    ],
  });
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
