import { AppError } from '../../shared/contract/errors.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { hasRole } from '../../shared/contract/role.ts';
import { isSameNumber } from '../../shared/contract/typed-number.ts';
import { families } from '../../shared/families/registry.ts';
import { formatMicro, toMicro } from '../../shared/quantities/quantity.ts';
import type { Fields, PlannedChange } from '../store/changes.ts';
import type { Rule, UnitOfWork } from '../store/unit-of-work.ts';
import { inputOf } from './input-of.ts';
import { plannedBalances } from './lot-state.ts';
import { hasReason } from './reason.ts';

/** What decides a disposition's effect; a change of one of them takes the effect back and works it anew. */
const DECIDING = ['disposition', 'disposition_quantity', 'disposition_location_id', 'inventory_id'] as const;
/** The same of what settles failures: which ones. */
const DECIDING_RELEASE = [...DECIDING, 'inspection_id', 'lab_result_id'] as const;

/**
 * What becomes of goods that do not conform, with its effect on the stock in the same commit: return and scrap take
 * them out by an adjustment, use-as-is releases what a person or the failure locked, rework keeps the lot locked until
 * a new inspection of it passes. Each change needs a reason and first takes back what the former one did, by new
 * records: nothing is removed.
 */
export const disposition: Rule = (work, change) => {
  const { fields } = change;
  const before = change.before?.fields ?? {};
  if (typeof fields.disposition !== 'string') {
    delete fields.disposition_quantity;
    delete fields.disposition_location_id;
  }
  requireSameLot(work, change, before);
  const deciding = isRelease(fields) ? DECIDING_RELEASE : DECIDING;
  if (!deciding.some(name => (before[name] ?? null) !== (fields[name] ?? null))) return;
  const isAny = typeof before.disposition === 'string' || typeof fields.disposition === 'string';
  if (!isAny) return;
  requireQuality(work);
  if (!hasReason(work)) {
    const message =
      'A disposition needs a reason, and so does a change of it. Give it as "reason"; it is kept in history.';
    work.blame('reason', message);
  }
  if (fields.disposition === 'return' || fields.disposition === 'scrap') requireHowMuch(work, change);
  if (work.isAtFault()) return;
  takeBack(work, change, before);
  takeEffect(work, change);
};

/**
 * What a disposition is about decides what it frees, so that it is for those who may dispose: a report is open to
 * programs but for its disposition.
 */
function requireQuality({ actor }: UnitOfWork): void {
  const { kind, roles } = actor.rights;
  if (kind === 'server' || hasRole(roles, 'quality')) return;
  const message = 'A disposition, and what it is about, needs the role quality. Ask somebody who has it.';
  throw new AppError('forbidden', message);
}

/** What a verdict on a rework's inspection means for the report that asked for it. */
export function judgeRework(work: UnitOfWork, { id, before, fields }: PlannedChange): void {
  for (const report of work.findBy('ncr', 'rework_inspection_id', id)) {
    if (report.fields.disposition !== 'rework') continue;
    const changed = { ...report.fields };
    if (fields.passed === true) release(work, changed);
    else if (before?.fields.passed === true) withhold(work, changed);
    work.set(families.ncr, report.id, changed);
  }
}

/** An inspection or lab result of another lot would be settled by a disposition of this one. */
function requireSameLot(work: UnitOfWork, { fields, pathOf }: PlannedChange, before: Fields): void {
  if (typeof fields.inventory_id !== 'number') return;
  if (!DECIDING_RELEASE.some(name => (before[name] ?? null) !== (fields[name] ?? null))) return;
  for (const [name, family] of [
    ['inspection_id', 'inspection'],
    ['lab_result_id', 'lab-result'],
  ] as const) {
    const id = fields[name];
    const about =
      typeof id === 'number' ? aboutOtherLot(work, work.get(family, id), fields.inventory_id) : undefined;
    if (about === undefined) continue;
    const message = `${id} is of the lot ${about}, the report of the lot ${fields.inventory_id}. Give one of the same lot, or leave it out.`;
    work.blame(pathOf(name), message);
  }
}

/** The lot that an inspection or lab result is of where that is another one: its id, or the number that names it. */
function aboutOtherLot(work: UnitOfWork, record: StoredRecord | undefined, lot: number): unknown {
  const { inventory_id: own, batch_number: batch, batch_part_id: part } = record?.fields ?? {};
  if (typeof own === 'number') return own === lot ? undefined : own;
  if (typeof batch !== 'string' || batch === '') return undefined;
  const { batch_number: number, part_id: lotPart } = work.require('inventory', lot).fields;
  return isSameNumber(batch, number) && (part ?? lotPart) === lotPart ? undefined : batch;
}

function takeEffect(work: UnitOfWork, change: PlannedChange): void {
  const { fields } = change;
  const kind = fields.disposition;
  if (kind === 'use-as-is') release(work, fields);
  else if (kind === 'rework') openRework(work, fields);
  else if (kind === 'return' || kind === 'scrap') takeOut(work, change);
}

function takeBack(work: UnitOfWork, { fields }: PlannedChange, before: Fields): void {
  const { disposition_adjustment_id: adjustmentId, rework_inspection_id: reworkId } = before;
  if (typeof adjustmentId === 'number') {
    const { inventory_id, quantity, location_id } = work.require('adjustment', adjustmentId).fields;
    const reason = `${reportName(before)}: ${before.disposition} taken back. ${work.reason}`;
    const reversal = work.create(
      families.adjustment,
      inputOf({ inventory_id, quantity: -Number(quantity), location_id: location_id ?? null, reason }),
    );
    fields.disposition_reversal_id = reversal.id;
    delete fields.disposition_adjustment_id;
  }
  if (typeof reworkId === 'number') {
    const rework = work.require('inspection', reworkId);
    // Nobody will inspect it any more, and an open inspection would lock the lot for ever.
    if (typeof rework.fields.passed !== 'boolean') settle(work, 'inspection', reworkId, true);
    delete fields.rework_inspection_id;
  }
  if (isRelease(before)) {
    const taken = { ...before };
    withhold(work, taken);
    delete fields.is_lock_lifted;
  }
}

/** At once, or when the rework has passed. */
function isRelease({ disposition }: Fields): boolean {
  return disposition === 'use-as-is' || disposition === 'rework';
}

/** What return and scrap take out of the lot is said in so many words: it is never guessed from what was found. */
function requireHowMuch(work: UnitOfWork, { fields, pathOf }: PlannedChange): void {
  if (typeof fields.inventory_id !== 'number' || typeof fields.disposition_quantity === 'number') return;
  const message = `Say how much of the lot goes (${fields.disposition}), in its unit; 0 where it never came into stock.`;
  work.blame(pathOf('disposition_quantity'), message);
}

function takeOut(work: UnitOfWork, { fields, pathOf }: PlannedChange): void {
  const { inventory_id: lot, disposition_quantity: wanted } = fields;
  if (typeof lot !== 'number' || typeof wanted !== 'number' || wanted === 0) return;
  const places = plannedBalances(work, lot);
  const location = fields.disposition_location_id ?? null;
  if (location === null && places.length > 1 && !places.some(place => place.location === 0)) {
    const known = places.map(({ location: id, quantity }) => `${id} (${formatMicro(quantity)})`).join(', ');
    work.blame(pathOf('disposition_location_id'), `The lot stands in several places. Give one of ${known}.`);
    return;
  }
  const quantity = -Number(formatMicro(toMicro(wanted)));
  const reason = `${reportName(fields)}: ${fields.disposition}. ${work.reason}`;
  const adjustment = work.create(
    families.adjustment,
    inputOf({ inventory_id: lot, quantity, location_id: location, reason }),
  );
  fields.disposition_adjustment_id = adjustment.id;
}

/** The inspection that must pass: by the template and with the samples of the one that failed, else of the lot's last. */
function openRework(work: UnitOfWork, fields: Fields): void {
  if (typeof fields.inventory_id !== 'number') return;
  const failed =
    typeof fields.inspection_id === 'number' ? work.get('inspection', fields.inspection_id) : undefined;
  const model = failed ?? work.findBy('inspection', 'inventory_id', fields.inventory_id).at(-1);
  const lot = work.require('inventory', fields.inventory_id);
  const rework = work.create(
    families.inspection,
    inputOf({
      entity_id: lot.fields.part_id,
      entity_type: 'part',
      inventory_id: lot.id,
      // Sampling does not count a lot that is submitted again.
      is_resubmitted: true,
      ...(model
        ? { drawing_id: model.fields.drawing_id ?? null, sample_size: model.fields.sample_size ?? 1 }
        : {}),
    }),
  );
  fields.rework_inspection_id = rework.id;
}

/** The failure that the report names locks no more, and a person's lock of the lot is lifted. */
function release(work: UnitOfWork, fields: Fields): void {
  settleFailures(work, fields, true);
  const lot =
    typeof fields.inventory_id === 'number' ? work.get('inventory', fields.inventory_id) : undefined;
  if (lot?.fields.is_locked_by_person !== true) return;
  const { lock_reason: _, ...free } = lot.fields;
  work.set(families.inventory, lot.id, { ...free, is_locked_by_person: false });
  fields.is_lock_lifted = true;
}

function withhold(work: UnitOfWork, fields: Fields): void {
  settleFailures(work, fields, false);
  if (fields.is_lock_lifted !== true) return;
  delete fields.is_lock_lifted;
  const lot = work.require('inventory', Number(fields.inventory_id));
  const lock_reason = `${reportName(fields)}: ${fields.disposition} taken back.`;
  work.set(families.inventory, lot.id, { ...lot.fields, is_locked_by_person: true, lock_reason });
}

function settleFailures(work: UnitOfWork, fields: Fields, isSettled: boolean): void {
  const inspection =
    typeof fields.inspection_id === 'number' ? work.get('inspection', fields.inspection_id) : undefined;
  // One that is still open waits for its verdict.
  if (inspection?.fields.passed === false) settle(work, 'inspection', inspection.id, isSettled);
  if (typeof fields.lab_result_id === 'number') settle(work, 'lab-result', fields.lab_result_id, isSettled);
}

function settle(work: UnitOfWork, family: 'inspection' | 'lab-result', id: number, isSettled: boolean): void {
  const { is_settled: was, ...fields } = work.require(family, id).fields;
  if ((was === true) === isSettled) return;
  work.set(families[family], id, isSettled ? { ...fields, is_settled: true } : fields);
}

function reportName(fields: Fields): string {
  return typeof fields.ncr_number === 'string' ? fields.ncr_number : 'Non-conformance report';
}
