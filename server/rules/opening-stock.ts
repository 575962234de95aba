import { AppError } from '../../shared/contract/errors.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { isSameLotNumber, isSameNumber } from '../../shared/contract/typed-number.ts';
import { lotLocks } from '../../shared/families/lot-locks.ts';
import { isLeftWithoutNumber } from '../../shared/families/lot-number.ts';
import type { PlannedChange } from '../store/changes.ts';
import { locksOfLot, sourcesOf } from '../store/lots.ts';
import type { Rule, UnitOfWork } from '../store/unit-of-work.ts';
import { takeShownCost } from './lot-cost.ts';
import { locksOfNumber } from './lot-state.ts';
import { FIRST_COMPANY } from './paperwork.ts';
import { askWhyCarried } from './placing.ts';
import { requireReason } from './reason.ts';
import { lotName, refuseNegativeStock } from './stock-check.ts';

const MEANING = ['part_id', 'lot_unit'];
const IDENTITY = [...MEANING, 'batch_number', 'expiry_date'];

/** A lot written by a person is opening stock (interface decisions, 3): a site starts with what it has. */
export const openingStock: Rule = (work, change) => {
  if (change.isByRule) return;
  const { fields } = change;
  // A lot number is read without blanks around it (5.2).
  if (typeof fields.batch_number === 'string') fields.batch_number = fields.batch_number.trim();
  if (change.before) checkReason(work, change);
  const path = change.pathOf('batch_number');
  if (
    isLeftWithoutNumber(change.before && (change.before.fields.batch_number ?? null), fields.batch_number) &&
    !work.isAtFault('body', path)
  )
    work.blame(path, 'The lot number is missing. Give the number of the lot.');
  if (work.isAtFault()) return;
  if (!change.before) {
    const part = work.get('part', Number(fields.part_id));
    fields.company_id ??= part?.fields.company_id ?? FIRST_COMPANY;
    fields.lot_unit ??= part?.fields.unit_of_measure;
    if (!change.isGiven('is_legacy')) fields.is_legacy = true;
    refuseSecond(work, change);
  } else {
    refuseOtherIdentity(work, change);
    refuseLeavingNumber(work, change, change.before);
    takeShownCost(change, work.get('part', Number(fields.part_id)));
    askWhyCarried(
      work,
      change,
      change.id,
      fields.opening_location_id,
      change.before.fields.opening_location_id,
    );
  }
  refuseLockedNumber(work, change);
  refuseNegativeStock(
    work,
    change,
    (lot, short) =>
      `${short} more of ${lotName(work, lot)} than the opening balance leaves was shipped or used.`,
  );
};

/** The same part, lot number, expiry and unit is one lot (interface decisions, 5.2). */
function refuseSecond(work: UnitOfWork, change: PlannedChange): void {
  const { fields } = change;
  const { part_id: part, batch_number: batch } = fields;
  const same = (lot: StoredRecord) =>
    isSameLotNumber(lot.fields.batch_number, batch) &&
    [...MEANING, 'expiry_date'].every(name => (lot.fields[name] ?? null) === (fields[name] ?? null));
  // Few lots have the number, where a part may have thousands of lots.
  const alike =
    typeof batch === 'string'
      ? work.findBy('inventory', 'batch_number', batch)
      : work.findBy('inventory', 'part_id', Number(part));
  const other = alike.find(lot => same(lot) && work.ids.owns(lot.id));
  if (!other) return;
  throw new AppError(
    'conflict',
    `This lot is the lot record ${other.id} already. Change that one, or adjust its quantity.`,
  );
}

/** Goods that are locked are not adjusted away and opened anew beside the lock, under another expiry or unit. */
function refuseLockedNumber(work: UnitOfWork, { before, fields, id }: PlannedChange): void {
  const { part_id: part, batch_number: batch } = fields;
  if (typeof batch !== 'string' || batch === '') return;
  if (before && before.fields.part_id === part && isSameNumber(before.fields.batch_number, batch)) return;
  const others = work.findBy('inventory', 'batch_number', batch);
  for (const other of others) {
    if (other.id === id || other.fields.part_id !== part) continue;
    const [locked] = locksOfLot(work.sql, other.id);
    if (!locked) continue;
    const message = `${lotName(work, other.id)} of this part is locked (lot record ${other.id}): ${lotLocks[locked.lock]}. Settle that first; what is left of the lot is adjusted there.`;
    throw new AppError('conflict', message);
  }
}

/** An opening balance that others have drawn on is corrected like any count: with a reason (decisions, 5.1). */
function checkReason(work: UnitOfWork, { before, fields, id }: PlannedChange): void {
  if ((before?.fields.opening_quantity ?? null) === (fields.opening_quantity ?? null)) return;
  const isUsed = sourcesOf(work.sql, id).some(({ source }) => source !== `inventory:${id}`);
  if (isUsed) requireReason(work);
}

/**
 * What a received lot is called follows from its receipt lines; two answers to that would drift apart. Part and unit
 * say what a lot's quantities mean, so they stay once anything else counts on it.
 */
function refuseOtherIdentity(work: UnitOfWork, change: PlannedChange): void {
  const { before, fields, id } = change;
  const others = sourcesOf(work.sql, id).filter(({ source }) => source !== `inventory:${id}`);
  const isReceived = others.some(({ source }) => source.startsWith('receiving-inspection:'));
  const fixed = isReceived ? IDENTITY : others.length > 0 ? MEANING : [];
  const changed = fixed.filter(name => (before?.fields[name] ?? null) !== (fields[name] ?? null));
  if (changed.length === 0) return;
  const why = isReceived
    ? 'of a received lot follow from its receipt. Correct the receipt line instead.'
    : 'stay once a lot was shipped, moved, corrected or inspected. Adjust it to nothing and open another lot.';
  throw new AppError('conflict', `${changed.join(', ')} ${why}`);
}

/**
 * What speaks of the lot by its number speaks of that part's: under another it would lock the lot no more. One that differs in
 * its letters alone is another to a station of an earlier version.
 */
function refuseLeavingNumber(work: UnitOfWork, { fields }: PlannedChange, before: StoredRecord): void {
  if (before.fields.batch_number === fields.batch_number && before.fields.part_id === fields.part_id) return;
  const [speaking] = locksOfNumber({ records: work, sql: work.sql }, before);
  if (!speaking) return;
  const name = lotName(work, before.id);
  throw new AppError(
    'conflict',
    `${name} keeps its number and part: ${lotLocks[speaking.lock]}. Settle that first.`,
  );
}
