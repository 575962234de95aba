import { sameJson } from '../../shared/contract/canonical-json.ts';
import { AppError } from '../../shared/contract/errors.ts';
import { itemsOf, type StoredItem, type StoredRecord } from '../../shared/contract/present.ts';
import { hasRole } from '../../shared/contract/role.ts';
import { differsFromTaken, lotNumberOf, type Taken, takenOf } from '../../shared/contract/shipped-line.ts';
import { lotLocks } from '../../shared/families/lot-locks.ts';
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
import { byExpiry, inUnit, isExpired, locksOf, lotsInStock, plannedBalances, total } from './lot-state.ts';
import { requireReason } from './reason.ts';
import { receivedOn } from './received-on.ts';
import { plannedToday } from './site.ts';

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
  const used = new Map<number, Map<number, Micro>>();
  for (const item of itemsOf(byPosition, items)) {
    const { id, ...fields } = item;
    const taken = takeFor(work, item, day, used, itemName(work, change, item));
    items[id] = { ...fields, taken, is_inventory_calculated: true, shipped_date: `${day}T00:00:00.000Z` };
  }
  return items;
}

/** `used`: what items before this one take from each lot and place in the same closing. */
function takeFor(
  work: UnitOfWork,
  item: StoredItem,
  day: string,
  used: Map<number, Map<number, Micro>>,
  name: string,
): Taken[] {
  const part = work.get('part', Number(item.part_id));
  const lots = candidates(work, item)
    .map(lot => ({ lot, free: freeBalances(work, lot.id, used) }))
    .filter(({ free }) => total(free) > 0n);
  const unit = part?.fields.unit_of_measure ?? lots[0]?.lot.fields.lot_unit;
  let open = toMicro(Number(item.quantity ?? 0));
  const taken: Taken[] = [];
  const reasons: string[] = [];
  for (const { lot, free } of lots) {
    if (open === 0n) break;
    const obstacle = obstacleOf(work, lot, day, unit, part);
    if (obstacle) {
      reasons.push(`${nameOf(lot)} ${obstacle}`);
      continue;
    }
    for (const { location, quantity } of free) {
      if (quantity <= 0n) continue;
      const { amount, covers } = portion(open, quantity, unit, lot, part);
      if (amount === 0n) continue;
      if (amount > LARGEST) throw tooMuchAtOnce(name, lot);
      taken.push({
        inventory_id: lot.id,
        location_id: location === 0 ? null : location,
        quantity: fromMicro(amount),
        line: {
          part_id: Number(item.part_id),
          serial_number: lotNumberOf(item.serial_number),
          quantity: fromMicro(covers),
        },
      });
      const ofLot = used.get(lot.id) ?? new Map<number, Micro>();
      used.set(lot.id, ofLot.set(location, (ofLot.get(location) ?? 0n) + amount));
      open -= covers;
    }
  }
  if (open > 0n) throw shortage(name, part, open, reasons);
  return taken;
}

/** How much to take of what stands in one place, in the lot's unit, and how much of the order that covers. */
function portion(
  open: Micro,
  quantity: Micro,
  unit: unknown,
  lot: StoredRecord,
  part: StoredRecord | undefined,
): { amount: Micro; covers: Micro } {
  const needed = inUnit(open, unit, lot.fields.lot_unit, part) ?? 0n;
  if (needed <= quantity) return { amount: needed, covers: open };
  return { amount: quantity, covers: inUnit(quantity, lot.fields.lot_unit, unit, part) ?? 0n };
}

function candidates(work: UnitOfWork, item: StoredItem): StoredRecord[] {
  return lotsInStock(work, Number(item.part_id), lotNumberOf(item.serial_number)).sort(byExpiry);
}

function freeBalances(work: UnitOfWork, lot: number, used: ReadonlyMap<number, ReadonlyMap<number, Micro>>) {
  return plannedBalances(work, lot).map(({ location, quantity }) => ({
    location,
    quantity: quantity - (used.get(lot)?.get(location) ?? 0n),
  }));
}

function obstacleOf(
  work: UnitOfWork,
  lot: StoredRecord,
  day: string,
  unit: unknown,
  part: StoredRecord | undefined,
): string | null {
  const [lock] = locksOf({ records: work, sql: work.sql }, lot);
  if (lock) return `is locked: ${lotLocks[lock.lock]}`;
  const days = entersThePast(work) ? [day] : [day, plannedToday(work)];
  if (days.some(one => isExpired(lot, one))) return `expired on ${lot.fields.expiry_date}`;
  const received = receivedOn(work, lot);
  if (received > day) return `was received on ${received}, after ${day}`;
  if (inUnit(1_000_000n, lot.fields.lot_unit, unit, part) === null) {
    return `is kept in ${lot.fields.lot_unit ?? 'no unit'}, which does not convert to ${unit ?? 'no unit'}`;
  }
  return null;
}

/**
 * Who ships today what is expired would only have to give an earlier day: today counts as well (interface decisions, 5.4).
 * The records of years past are entered by an administrator's program.
 */
function entersThePast({ actor }: UnitOfWork): boolean {
  return actor.rights.kind === 'integration' && hasRole(actor.rights.roles, 'administrator');
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
