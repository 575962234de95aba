import { sameJson } from '../../shared/contract/canonical-json.ts';
import { AppError } from '../../shared/contract/errors.ts';
import { itemsOf, type StoredItem, type StoredRecord } from '../../shared/contract/present.ts';
import { differsFromTaken, lotNumberOf, type Taken, takenOf } from '../../shared/contract/shipped-line.ts';
import {
  formatMicro,
  fromMicro,
  type Micro,
  quantityBound,
  toMicro,
} from '../../shared/quantities/quantity.ts';
import type { PlannedChange } from '../store/changes.ts';
import { eachItem, type Fields, mapOf } from '../store/changes.ts';
import type { Rule, UnitOfWork } from '../store/unit-of-work.ts';
import { isExpired } from './lot-state.ts';
import { requireReason } from './reason.ts';
import { receivedOn } from './received-on.ts';
import { type ItemPlan, planTaking } from './taking.ts';

const byPosition = { position: 'order' };
const LARGEST = toMicro(quantityBound);

/**
 * The ship date closes a shipment (interface 3; decisions, 5.5): each item takes lots first-expired-first-out and keeps
 * what it took, a fact that is never worked out again. Clearing the date gives it back, with a reason. While it is
 * closed its items cannot change, but for those that another station changed meanwhile: they are put back, with a reason,
 * to what was taken.
 */
export const shipping: Rule = (work, change) => {
  const closedOn = change.fields.actual_ship_date;
  const wasClosed = typeof change.before?.fields.actual_ship_date === 'string';
  if (wasClosed && typeof closedOn !== 'string') requireReason(work);
  if (work.isAtFault()) return;
  if (typeof closedOn === 'string') {
    if (wasClosed) {
      refuseItemChanges(work, change);
      if (closedOn !== change.before?.fields.actual_ship_date) refuseOtherDay(work, change, closedOn);
      change.fields.items = withShipDate(change.fields.items, closedOn);
    } else {
      change.isOverAll = isOfClosing;
      change.fields.items = takeAll(work, change, closedOn);
    }
  } else if (wasClosed) {
    change.isOverAll = isOfClosing;
    change.fields.items = givenBack(change.fields.items);
  } else {
    refuseGoodsTaken(change);
  }
};

/** What a closing writes of a line: of two stations' closings, who takes the shipment back or ships it again decides. */
function isOfClosing(path: string): boolean {
  return /^items\.\d+\.(taken|is_inventory_calculated|shipped_date)$/.test(path);
}

function takeAll(work: UnitOfWork, change: PlannedChange, day: string): Fields {
  const items: Fields = { ...mapOf(change.fields.items) };
  const plans = planTaking(work, change.id, items, day);
  for (const { id, ...fields } of itemsOf(byPosition, items)) {
    const plan = plans.get(id);
    if (!plan) continue;
    const taken = takenBy(plan, itemName(work, change, plan.item));
    items[id] = { ...fields, taken, is_inventory_calculated: true, shipped_date: `${day}T00:00:00.000Z` };
  }
  return items;
}

/** What is taken of one place of a lot is one entry, whether it was picked or not. */
function takenBy({ item, part, takings, open, reasons }: ItemPlan, name: string): Taken[] {
  if (open > 0n) throw shortage(name, part, open, reasons);
  const places = Map.groupBy(takings, ({ lot, location }) => `${lot.id} ${location}`);
  return [...places.values()].flatMap(([first, ...more]) => {
    if (!first) return [];
    const amount = more.reduce((sum, each) => sum + each.amount, first.amount);
    const covers = more.reduce((sum, each) => sum + each.covers, first.covers);
    if (amount > LARGEST) throw tooMuchAtOnce(name, first.lot);
    return {
      inventory_id: first.lot.id,
      location_id: first.location === 0 ? null : first.location,
      quantity: fromMicro(amount),
      line: {
        part_id: Number(item.part_id),
        serial_number: lotNumberOf(item.serial_number),
        quantity: fromMicro(covers),
      },
    };
  });
}

/** An item that was not there before has no id that the caller could know: it is named by its place in the body. */
function itemName(work: UnitOfWork, change: PlannedChange, item: StoredItem): string {
  const isKnown = mapOf(change.before?.fields.items)[item.id] !== undefined;
  const which = isKnown ? `Item ${item.id}` : change.pathOf('quantity', item.id).replace(/\.quantity$/, '');
  const part = work.get('part', Number(item.part_id))?.fields.name ?? `part ${item.part_id}`;
  return `${which} (${part}${item.serial_number ? `, lot ${item.serial_number}` : ''})`;
}

function shortage(
  name: string,
  part: StoredRecord | undefined,
  open: Micro,
  reasons: readonly string[],
): AppError {
  const unit = part?.fields.unit_of_measure ? ` ${part.fields.unit_of_measure}` : '';
  const why = reasons.length > 0 ? ` Not usable: ${reasons.join('; ')}.` : '';
  return new AppError(
    'conflict',
    `${name} is short of ${formatMicro(open)}${unit}.${why} Lower the quantity, or receive or release stock first.`,
  );
}

function tooMuchAtOnce(name: string, lot: StoredRecord): AppError {
  // Only another unit makes it more than an item can ask for.
  const most = `${quantityBound} ${lot.fields.lot_unit}`;
  return new AppError(
    'conflict',
    `${name} takes more than ${most} of ${nameOf(lot)} at once. Split it into several items.`,
  );
}

function nameOf(lot: StoredRecord): string {
  return `lot ${lot.fields.batch_number ?? lot.id}`;
}

function refuseItemChanges(work: UnitOfWork, change: PlannedChange): void {
  const before = mapOf(change.before?.fields.items);
  const after = mapOf(change.fields.items);
  for (const id of Object.keys(after)) {
    if (sameJson(before[id], after[id])) continue;
    if (isPutBack(mapOf(before[id]), mapOf(after[id]))) {
      requireReason(work);
      continue;
    }
    throw new AppError(
      'conflict',
      'The shipment is closed, so its items cannot change. Clear actual_ship_date first, with a reason.',
    );
  }
}

/** Of two values in conflict one can be that of a closing, though the shipment was taken back. */
function refuseGoodsTaken(change: PlannedChange): void {
  const before = mapOf(change.before?.fields.items);
  for (const { id, taken } of itemsOf(byPosition, change.fields.items)) {
    if (takenOf(taken).length === 0 || sameJson(mapOf(before[id]).taken, taken)) continue;
    throw new AppError(
      'conflict',
      'The shipment is open, so nothing is taken for it. Choose that nothing was taken, and give actual_ship_date to ship it.',
    );
  }
}

/** Whether the line says again what was taken for it, and nothing else of it changes. */
function isPutBack(before: Fields, after: Fields): boolean {
  const { part_id, serial_number, quantity } = after;
  const isOfLine = sameJson({ ...before, part_id, serial_number, quantity }, after);
  return isOfLine && differsFromTaken(before) && !differsFromTaken(after);
}

/** On another ship date, too, what was shipped was there and had not expired. */
function refuseOtherDay(work: UnitOfWork, change: PlannedChange, day: string): void {
  for (const item of itemsOf(byPosition, change.fields.items)) {
    for (const { inventory_id: id } of takenOf(item.taken)) {
      const lot = work.require('inventory', id);
      const name = nameOf(lot);
      if (isExpired(lot, day)) {
        const message = `${name} expired on ${lot.fields.expiry_date}. Give an earlier date, or clear it first.`;
        throw new AppError('conflict', message);
      }
      const received = receivedOn(work, lot);
      if (received > day) {
        const message = `${name} was received on ${received}. Give no earlier date, or clear it first.`;
        throw new AppError('conflict', message);
      }
    }
  }
}

function withShipDate(items: unknown, day: string): Fields {
  const shippedOn = { shipped_date: `${day}T00:00:00.000Z` };
  return eachItem(items, item => (item.is_inventory_calculated === true ? { ...item, ...shippedOn } : item));
}

function givenBack(items: unknown): Fields {
  return eachItem(items, ({ taken: _taken, shipped_date: _date, ...item }) => ({
    ...item,
    is_inventory_calculated: false,
  }));
}
