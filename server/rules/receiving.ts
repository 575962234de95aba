import { AppError, invalid } from '../../shared/contract/errors.ts';
import { itemsOf, type StoredItem, type StoredRecord } from '../../shared/contract/present.ts';
import { isSameLotNumber } from '../../shared/contract/typed-number.ts';
import { type LotLock, lotLocks } from '../../shared/families/lot-locks.ts';
import { LOT_NAMING } from '../../shared/families/receiving-inspection.ts';
import { families } from '../../shared/families/registry.ts';
import type { PlannedChange } from '../store/changes.ts';
import { type Fields, mapOf } from '../store/changes.ts';
import { sourcesOf } from '../store/lots.ts';
import type { Rule, UnitOfWork } from '../store/unit-of-work.ts';
import { isTakenBack, recordWord } from './corrections.ts';
import { inputOf } from './input-of.ts';
import { hasFailingSample, hasMeasurements } from './inspecting.ts';
import { byPlan } from './inspection-plans.ts';
import { isExpired, locksOf, locksOfNumber } from './lot-state.ts';
import { FIRST_COMPANY } from './paperwork.ts';
import { askWhyCarried } from './placing.ts';
import { countAgainstOrder } from './purchase-orders.ts';
import { placeOnUnit } from './receive-on-units.ts';
import { refuseGoodsTwice } from './serials.ts';
import { plannedToday } from './site.ts';
import { lotName, refuseNegativeStock } from './stock-check.ts';

const { inventory, inspection } = families;

/**
 * A received line puts its accepted quantity into a lot (interface decisions, 5.2): on one installation the same part,
 * lot number, expiry and unit is one lot. What is rejected never becomes available. A line with a template opens an
 * inspection of its lot, which locks it; so does the inspection plan of its goods.
 */
export const receiving: Rule = (work, change) => {
  countAgainstOrder(work, change);
  refuseGoodsTwice(work, change);
  if (work.isAtFault()) return;
  const before = mapOf(change.before?.fields.items);
  const items: Fields = { ...mapOf(change.fields.items) };
  if (Object.keys(items).length > 0) change.fields.items = items;
  if (change.fields.is_receive_all_items === true) receiveTogether(change, items);
  let opened = 0;
  const words: string[] = [];
  for (const item of itemsOf({ position: 'order' }, items)) {
    const old = before[item.id] as StoredItem | undefined;
    const location = placeOnUnit(work, change, item, old);
    if (location !== item.location_id) item.location_id = location;
    items[item.id] = withLot(work, change, item, old, name => words.push(`items.${item.id}.${name}`));
    if (typeof old?.inventory_id === 'number')
      askWhyCarried(work, change, old.inventory_id, item.location_id, old.location_id);
    if (isOpening(mapOf(items[item.id]), old)) opened += 1;
    opened += applyPlan(work, change, item, items, old);
  }
  if (opened > OPENED_LIMIT) {
    throw invalid({
      items: [`These lines open ${opened} inspections. The most at once is ${OPENED_LIMIT}.`],
    });
  }
  for (const path of words) recordWord(work, change, path);
  refuseNegativeStock(
    work,
    change,
    (lot, short) =>
      `This takes back ${short} more of ${lotName(work, lot)} than is left there; it was shipped, moved or used. ` +
      'Receive at least that much, or take that back first.',
  );
};

/** @returns how many inspections the plan of the line's goods opened */
function applyPlan(
  work: UnitOfWork,
  change: PlannedChange,
  item: StoredItem,
  items: Fields,
  old: StoredItem | undefined,
): number {
  const line = mapOf(items[item.id]);
  if (typeof line.inventory_id !== 'number') return 0;
  const { said, opened } = byPlan(work, change, item, old, line.inventory_id);
  const isSaid = ([, value]: [string, unknown]) => value !== undefined;
  items[item.id] = Object.fromEntries(Object.entries({ ...line, ...said }).filter(isSaid));
  return opened;
}

/** `free`: goods may become usable by what became of this field of the line. */
function withLot(
  work: UnitOfWork,
  change: PlannedChange,
  item: StoredItem,
  old: StoredItem | undefined,
  free: (field: string) => void,
): Fields {
  const { id: _, ...fields } = item;
  const isReceived = Number(fields.quantity_accepted ?? 0) > 0;
  if (!isReceived && typeof fields.inventory_id !== 'number') return fields;
  const former = typeof old?.inventory_id === 'number' ? work.get('inventory', old.inventory_id) : undefined;
  const lot = lotFor(work, change, item, old);
  const after = { ...fields, inventory_id: lot };
  const left = former && leftLocked(work, change, item, old, former, lot);
  if (left) free(left);
  if (former && old && isCountedAway(item, old) && isSuspect(work, change, item, former))
    free('quantity_accepted');
  if (isOtherUnit(item, old, former, work.get('inventory', lot))) free('unit_of_measure');
  if (!isOpening(after, old)) return after;
  if (isRetemplated(work, item, old, lot)) free('drawing_id');
  else openInspection(work, item, lot);
  return after;
}

/** More than a delivery has; each builds its samples in the same write. */
const OPENED_LIMIT = 100;

/** Whether the line asks for an inspection that it did not ask for before. */
function isOpening(after: Fields, old: StoredItem | undefined): boolean {
  const isNew = after.drawing_id !== old?.drawing_id || after.inventory_id !== old?.inventory_id;
  return typeof after.drawing_id === 'number' && typeof after.inventory_id === 'number' && isNew;
}

/** A wrong template on a line is corrected in the inspection that it opened, as long as nothing was measured. */
function isRetemplated(
  work: UnitOfWork,
  item: StoredItem,
  old: StoredItem | undefined,
  lot: number,
): boolean {
  if (typeof old?.drawing_id !== 'number' || old.inventory_id !== lot) return false;
  const open = work
    .findBy('inspection', 'inventory_id', lot)
    .find(
      ({ fields }) =>
        fields.drawing_id === old.drawing_id &&
        fields.sampling === undefined &&
        fields.passed === undefined &&
        !hasMeasurements(fields),
    );
  if (!open) return false;
  work.update(inspection, open.id, inputOf({ drawing_id: item.drawing_id }));
  return true;
}

/** All items came at the same date and time (interface 2.16). */
function receiveTogether(change: PlannedChange, items: Fields): void {
  const day = change.fields.actual_arrival_date;
  if (typeof day !== 'string') return;
  for (const [id, item] of Object.entries(items)) {
    items[id] = { received_date: `${day}T00:00:00.000Z`, ...mapOf(item) };
  }
}

function lotFor(
  work: UnitOfWork,
  change: PlannedChange,
  item: StoredItem,
  old: StoredItem | undefined,
): number {
  const part = work.get('part', Number(item.part_id));
  const wanted = {
    part_id: item.part_id,
    batch_number: lotNumber(item.serial_number),
    expiry_date: item.expiry_date,
    lot_unit: item.unit_of_measure ?? receivedUnit(work, item, old) ?? part?.fields.unit_of_measure,
  };
  const cost =
    typeof item.cost === 'number' && item.cost !== old?.cost ? { cost: item.cost, cost_unit: undefined } : {};
  const current =
    typeof item.inventory_id === 'number' ? work.get('inventory', item.inventory_id) : undefined;
  // A line that was not corrected stays where it is: its part's unit may have changed since.
  if (current && (isSameLot(current, wanted) || !isCorrected(item, old))) return written(work, current, cost);
  const isRenaming = current !== undefined && isRenamable(work, current, wanted, change, item.id);
  if (current) refuseLeavingFailed(work, current, isRenaming);
  const alike = lotsLike(work, wanted).filter(lot => isOneLot(lot, wanted) && work.ids.owns(lot.id));
  // Of lots that stand with several spellings of one number the one that is spelled like this.
  const exact = alike.find(lot => isSameLot(lot, wanted));
  if (exact) return written(work, exact, cost);
  const isRespelled = current !== undefined && isOneLot(current, wanted);
  if (isRespelled && !isRenaming) return written(work, current, cost);
  if (!isRespelled && alike[0]) return written(work, alike[0], cost);
  if (current && isRenaming) {
    return written(work, current, { ...wanted, ...cost });
  }
  const fields = {
    company_id: part?.fields.company_id ?? FIRST_COMPANY,
    is_legacy: false,
    ...wanted,
    ...cost,
  };
  return work.insert(inventory, fields).id;
}

/** Blanks around a lot number are the scanner's; without one, all of a part without a number is one lot. */
function lotNumber(text: unknown): string | undefined {
  const trimmed = typeof text === 'string' ? text.trim() : '';
  return trimmed === '' ? undefined : trimmed;
}

/** A line that names no unit keeps the one it was received in, whatever the part's unit has become since. */
function receivedUnit(work: UnitOfWork, item: StoredItem, old: StoredItem | undefined): unknown {
  const isSame =
    old !== undefined && old.part_id === item.part_id && old.unit_of_measure === item.unit_of_measure;
  return isSame ? work.get('inventory', Number(old.inventory_id))?.fields.lot_unit : undefined;
}

/** A correction must not carry goods out of a lot that was found bad, nor a lot out of the number that was. */
function refuseLeavingFailed(work: UnitOfWork, lot: StoredRecord, isRenaming: boolean): void {
  const reads = { records: work, sql: work.sql };
  const locks = isRenaming ? locksOfNumber(reads, lot) : locksOf(reads, lot);
  const failed = locks.find(({ lock }) => lock === 'inspection_failed' || lock === 'lab_failed');
  if (!failed) return;
  throw new AppError(
    'conflict',
    `The line cannot leave ${lotName(work, lot.id)}: ${lotLocks[failed.lock]}. Settle that first.`,
  );
}

/**
 * The field by which a line leaves a lot that a person, an open inspection or a correction locks: its goods would be
 * free in the other one. Taking that back needs nobody's word.
 */
function leftLocked(
  work: UnitOfWork,
  change: PlannedChange,
  item: StoredItem,
  old: StoredItem | undefined,
  former: StoredRecord,
  lot: number,
): string | undefined {
  const name = LOT_NAMING.find(one => (item[one] ?? null) !== (old?.[one] ?? null));
  if (former.id === lot || name === undefined) return undefined;
  const isHeld = locksOf({ records: work, sql: work.sql }, former).some(({ lock, source }) => {
    if (lock === 'person') return true;
    // The line's own template opens an inspection of the other lot.
    if (lock === 'inspection_open') return typeof item.drawing_id !== 'number';
    return lock === 'correction' && !isOwnTakenBack(work, change, item, source, name);
  });
  return isHeld ? name : undefined;
}

/** Less was accepted than was said, and it was not rejected either. */
function isCountedAway(item: StoredItem, old: StoredItem): boolean {
  const accepted = (line: StoredItem) => Number(line.quantity_accepted ?? 0);
  const counted = (line: StoredItem) => accepted(line) + Number(line.quantity_rejected ?? 0);
  return accepted(item) < accepted(old) && counted(item) < counted(old);
}

/** Goods that may be bad would leave what locks them by being counted away here and received anew under another number. */
const SUSPECT: readonly LotLock[] = ['quarantine', 'inactive', 'person', 'inspection_failed', 'lab_failed'];

function isSuspect(work: UnitOfWork, change: PlannedChange, item: StoredItem, lot: StoredRecord): boolean {
  if (isExpired(lot, plannedToday(work))) return true;
  return locksOf({ records: work, sql: work.sql }, lot).some(
    ({ lock, source }) =>
      SUSPECT.includes(lock) ||
      (lock === 'inspection_open' && hasFailingSample(work.require('inspection', idIn(source)).fields)) ||
      (lock === 'correction' && !isOwnTakenBack(work, change, item, source, 'quantity_accepted')),
  );
}

function idIn(key: string): number {
  return Number(key.split(':')[1]);
}

/** Whether what waits for quality is of this field of the line, which is put back as it was. */
function isOwnTakenBack(
  work: UnitOfWork,
  change: PlannedChange,
  item: StoredItem,
  source: string,
  name: string,
): boolean {
  const waiting = work.require('correction', idIn(source));
  const isOwn = waiting.fields.subject === `${change.family.name}:${change.id}`;
  return isOwn && isTakenBack(waiting, `items.${item.id}.${name}`, item[name]);
}

/** The first unit of a line is no correction of it, but means another amount than what was received in the part's. */
function isOtherUnit(
  item: StoredItem,
  old: StoredItem | undefined,
  former: StoredRecord | undefined,
  lot: StoredRecord | undefined,
): boolean {
  if (!former || !old || old.unit_of_measure !== undefined || item.unit_of_measure === undefined)
    return false;
  return (former.fields.lot_unit ?? null) !== (lot?.fields.lot_unit ?? null);
}

function lotsLike(work: UnitOfWork, wanted: Fields): StoredRecord[] {
  return typeof wanted.batch_number === 'string'
    ? work.findBy('inventory', 'batch_number', wanted.batch_number)
    : work.findBy('inventory', 'part_id', Number(wanted.part_id));
}

/** The same part, lot number, expiry and unit is one lot (interface decisions, 5.2), however its number is written. */
function isOneLot(lot: StoredRecord, { batch_number: number, ...others }: Fields): boolean {
  return isSameLotNumber(lot.fields.batch_number, number) && isSameLot(lot, others);
}

function isSameLot(lot: StoredRecord, wanted: Fields): boolean {
  return Object.entries(wanted).every(([name, value]) => (lot.fields[name] ?? null) === (value ?? null));
}

function isCorrected(item: StoredItem, old: StoredItem | undefined): boolean {
  return LOT_NAMING.some(name => (item[name] ?? null) !== (old?.[name] ?? null));
}

/**
 * A corrected line renames the lot that it alone feeds, so that what was shipped from it stays where it belongs. Part
 * and unit say what the lot's quantities mean, so they change only while nothing else counts on it.
 */
function isRenamable(
  work: UnitOfWork,
  lot: StoredRecord,
  wanted: Fields,
  change: PlannedChange,
  line: number,
): boolean {
  const siblings = Object.entries(mapOf(change.fields.items)).filter(([id]) => Number(id) !== line);
  if (siblings.some(([, item]) => mapOf(item).inventory_id === lot.id)) return false;
  const own = `${change.family.name}:${change.id}`;
  const others = sourcesOf(work.sql, lot.id).filter(({ source }) => source !== own);
  const { part_id, lot_unit } = wanted;
  if (!isSameLot(lot, { part_id, lot_unit })) return others.length === 0;
  return !others.some(({ source, quantity }) => quantity > 0n && FEEDING.test(source));
}

/** Moves and corrections of the count follow their lot. */
const FEEDING = /^(receiving-inspection|inventory):/;

function written(work: UnitOfWork, lot: StoredRecord, fields: Fields): number {
  const changed = Object.entries(fields).some(
    ([name, value]) => (lot.fields[name] ?? null) !== (value ?? null),
  );
  if (changed) work.set(inventory, lot.id, { ...lot.fields, ...fields });
  return lot.id;
}

function openInspection(work: UnitOfWork, item: StoredItem, lot: number): void {
  work.create(
    inspection,
    inputOf({ entity_id: item.part_id, entity_type: 'part', drawing_id: item.drawing_id, inventory_id: lot }),
  );
}
