import { AppError } from '../../shared/contract/errors.ts';
import { itemsOf, type StoredItem, type StoredRecord } from '../../shared/contract/present.ts';
import { lotNumberOf } from '../../shared/contract/shipped-line.ts';
import { foldNumber, isSameLotNumber, isSameNumber } from '../../shared/contract/typed-number.ts';
import { kindOf } from '../../shared/families/places.ts';
import { formatMicro, type Micro, toMicro } from '../../shared/quantities/quantity.ts';
import type { PlannedChange } from '../store/changes.ts';
import type { UnitOfWork } from '../store/unit-of-work.ts';
import { inUnit, type PlannedReads, plannedBalances } from './lot-state.ts';
import { placeOfUnit } from './placing.ts';
import { obstacleOf } from './shipping-obstacle.ts';
import { plannedToday } from './site.ts';
import { lotName } from './stock-check.ts';

/** What was picked: quantities by lot and place, in the lot's unit. */
export type Picked = ReadonlyMap<number, ReadonlyMap<number, Micro>>;

/** What was picked for a shipment and waits where it goes from: its moves there less those back. */
export function pickedFor(reads: PlannedReads, shipment: number): Picked {
  return waiting(reads.findBy('move', 'shipment_id', shipment));
}

/** What of a lot was picked for other shipments that are open: it is not there for anybody else. */
export function pickedForOthers(
  reads: PlannedReads,
  lot: number,
  shipment: number,
): ReadonlyMap<number, Micro> {
  const others = reads.findBy('move', 'inventory_id', lot).filter(({ fields }) => {
    const { shipment_id: other } = fields;
    return typeof other === 'number' && other !== shipment && isOpen(reads.get('shipment', other));
  });
  return waiting(others).get(lot) ?? new Map();
}

function waiting(moves: readonly StoredRecord[]): Picked {
  const sums = new Map<number, Map<number, Micro>>();
  const add = (lot: number, place: unknown, quantity: Micro) => {
    if (typeof place !== 'number') return;
    const places = sums.get(lot) ?? new Map<number, Micro>();
    sums.set(lot, places.set(place, (places.get(place) ?? 0n) + quantity));
  };
  for (const { fields } of moves) {
    const [lot, quantity] = [Number(fields.inventory_id), toMicro(Number(fields.quantity ?? 0))];
    add(lot, fields.to_location_id, quantity);
    add(lot, fields.from_location_id, -quantity);
  }
  for (const places of sums.values()) {
    for (const [place, quantity] of places) if (quantity <= 0n) places.delete(place);
  }
  return sums;
}

/**
 * A move for a shipment is a pick, to a place where goods wait to go, or takes one back from there. It carries what the
 * shipment asks for, no more of it, and nothing that may not ship.
 */
export function refuseWrongPick(work: UnitOfWork, change: PlannedChange): void {
  const { fields, pathOf } = change;
  if (typeof fields.shipment_id !== 'number') return;
  const shipment = work.require('shipment', fields.shipment_id);
  const number = String(shipment.fields.shipment_number ?? shipment.id);
  if (!isOpen(shipment)) {
    throw new AppError('conflict', `The shipment ${number} has gone. Pick for one that is open.`);
  }
  const lot = work.require('inventory', Number(fields.inventory_id));
  const quantity = toMicro(Number(fields.quantity ?? 0));
  const picked = pickedFor(work, shipment.id);
  const from = picked.get(lot.id)?.get(Number(fields.from_location_id)) ?? 0n;
  if (from > 0n) {
    if (quantity <= from) return;
    throw new AppError(
      'conflict',
      `Only ${formatMicro(from)} of ${lotName(work, lot.id)} was picked for ${number}.`,
    );
  }
  const to = work.get('location', Number(fields.to_location_id));
  if (!to || kindOf(placeOfUnit(work, to).fields) !== 'shipping') {
    work.blame(
      pathOf('to_location_id'),
      'What is picked waits in a place of the kind shipping. Give one, or leave shipment_id out.',
    );
    return;
  }
  const part = work.get('part', Number(lot.fields.part_id));
  const unit = part?.fields.unit_of_measure ?? lot.fields.lot_unit;
  const asked = itemsOf({ position: 'order' }, shipment.fields.items).filter(item => isOfLot(item, lot));
  if (asked.length === 0) {
    throw new AppError(
      'conflict',
      `${lotName(work, lot.id)} is not of the shipment ${number}. Pick what it asks for.`,
    );
  }
  const obstacle = obstacleOf(work, lot, plannedToday(work), unit, part);
  if (obstacle) throw new AppError('conflict', `${lotName(work, lot.id)} ${obstacle}. Pick another lot.`);
  const open = openOf(work, shipment, lot, picked, unit, part);
  const wanted = inUnit(quantity, lot.fields.lot_unit, unit, part) ?? quantity;
  if (wanted > open) {
    throw new AppError(
      'conflict',
      `The shipment ${number} needs ${formatMicro(open > 0n ? open : 0n)} more of it, not ${formatMicro(wanted)}. Pick no more than that.`,
    );
  }
}

/** How much of the lot the shipment can still take, in the part's unit: lines that name lots are for these alone. */
function openOf(
  work: UnitOfWork,
  shipment: StoredRecord,
  lot: StoredRecord,
  picked: Picked,
  unit: unknown,
  part: StoredRecord | undefined,
): Micro {
  const lines = itemsOf({ position: 'order' }, shipment.fields.items).filter(
    ({ part_id: of }) => of === lot.fields.part_id,
  );
  const sumOf = (items: readonly StoredItem[]) =>
    items.reduce((sum, item) => sum + toMicro(Number(item.quantity ?? 0)), 0n);
  const covers = (id: number) => {
    const record = work.get('inventory', id);
    if (record?.fields.part_id !== lot.fields.part_id) return 0n;
    const there = [...(picked.get(id)?.values() ?? [])].reduce((sum, each) => sum + each, 0n);
    return inUnit(there, record?.fields.lot_unit, unit, part) ?? 0n;
  };
  const namedOf = (number: string | null) =>
    lines.filter(line => isSameLotNumber(lotNumberOf(line.serial_number), number));
  const numbers = new Map<string, Micro>();
  for (const id of picked.keys()) {
    const number = numberOf(work.get('inventory', id));
    numbers.set(number, (numbers.get(number) ?? 0n) + covers(id));
  }
  // What was picked beyond the lines that name its lot is for those that name none.
  let free = sumOf(namedOf(null));
  for (const [number, covered] of numbers) {
    const beyond = covered - sumOf(namedOf(number));
    if (beyond > 0n) free -= beyond;
  }
  const own = numberOf(lot);
  const named = sumOf(namedOf(own)) - (numbers.get(own) ?? 0n);
  return (named > 0n ? named : 0n) + (free > 0n ? free : 0n);
}

/** The number of a lot in the form that it is compared in; empty: it has none. */
function numberOf(lot: StoredRecord | undefined): string {
  const number = lot?.fields.batch_number;
  return typeof number === 'string' ? foldNumber(number) : '';
}

function isOfLot({ part_id: part, serial_number: number }: StoredItem, lot: StoredRecord): boolean {
  const named = lotNumberOf(number);
  return part === lot.fields.part_id && (named === null || isSameNumber(named, lot.fields.batch_number));
}

function isOpen(shipment: StoredRecord | undefined): boolean {
  return shipment !== undefined && typeof shipment.fields.actual_ship_date !== 'string';
}

/** What stands where of a lot for a shipment: what was picked for it first; what was picked for others is not there. */
export function standsFor(
  reads: PlannedReads,
  lot: number,
  shipment: number,
  picked: Picked,
  used: ReadonlyMap<number, Micro> | undefined,
): { location: number; quantity: Micro; isPicked: boolean }[] {
  const others = pickedForOthers(reads, lot, shipment);
  const stands = plannedBalances(reads, lot).flatMap(({ location, quantity }) => {
    const taken = used?.get(location) ?? 0n;
    const own = least(less(picked.get(lot)?.get(location) ?? 0n, taken), quantity - taken);
    const rest = quantity - taken - own - (others.get(location) ?? 0n);
    return [
      { location, quantity: own, isPicked: true },
      { location, quantity: rest, isPicked: false },
    ];
  });
  return stands.filter(({ quantity }) => quantity > 0n);
}

function less(one: Micro, other: Micro): Micro {
  return one > other ? one - other : 0n;
}

function least(one: Micro, other: Micro): Micro {
  return one < other ? one : other;
}
