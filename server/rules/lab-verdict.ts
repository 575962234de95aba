import { sameJson } from '../../shared/contract/canonical-json.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { isSameLotNumber } from '../../shared/contract/typed-number.ts';
import { readLabData } from '../../shared/families/lab-data.ts';
import { failedMeasurements } from '../../shared/families/measured.ts';
import type { PlannedChange } from '../store/changes.ts';
import type { Rule, UnitOfWork } from '../store/unit-of-work.ts';
import { recordWord } from './corrections.ts';
import { requireReason } from './reason.ts';

/** A result fails against the limits of its template's characteristics of the same name (interface decisions, 5.3). */
export const labVerdict: Rule = (work, change) => {
  const { before, fields } = change;
  const lot = before?.fields.inventory_id;
  if (lot !== undefined && lot !== fields.inventory_id) requireReason(work);
  // A lot number is read without blanks around it (5.2): with one it would name no lot.
  if (typeof fields.batch_number === 'string') fields.batch_number = fields.batch_number.trim();
  notePart(work, change);
  const template = work.get('specification', Number(fields.specification_id));
  const failed = failedMeasurements(template, fields.lab_data);
  // A disposition settles what failed then, with the values that failed; another failure locks anew.
  const valuesOf = (data: unknown) => {
    const values = readLabData(data);
    return failed.map(name => values.get(name) ?? null);
  };
  const isSame =
    sameJson(before?.fields.failed_measurements ?? [], failed) &&
    sameJson(valuesOf(before?.fields.lab_data), valuesOf(fields.lab_data));
  if (!isSame) delete fields.is_settled;
  if (failed.length > 0) fields.failed_measurements = failed;
  else delete fields.failed_measurements;
  if (change.isByRule || !before || !hasFailed(before.fields)) return;
  // Of what a disposition settled as well: taking that back would find nothing to lock, and a certificate nothing that failed.
  if (failed.length === 0) recordWord(work, change, 'lab_data');
  if (before.fields.is_settled !== true && leavesOthers(work, change))
    recordWord(work, change, 'inventory_id');
};

/** A failure that locked all lots of a number would lock one lot record only. */
function leavesOthers(work: UnitOfWork, { before, fields }: PlannedChange): boolean {
  const { inventory_id: lot, batch_number: batch } = before?.fields ?? {};
  if (lot !== undefined || fields.inventory_id === undefined || typeof batch !== 'string') return false;
  const named = work.findBy('inventory', 'batch_number', batch);
  return named.length !== 1 || named[0]?.id !== fields.inventory_id;
}

function hasFailed({ failed_measurements: failed }: StoredRecord['fields']): boolean {
  return Array.isArray(failed) && failed.length > 0;
}

/** Remembers the one part whose lots the number named, from the first write that could tell. */
function notePart(work: UnitOfWork, { before, fields }: PlannedChange): void {
  const { batch_number: batch } = fields;
  if (!isSameLotNumber(batch, before?.fields.batch_number)) delete fields.batch_part_id;
  if (typeof batch !== 'string' || batch === '' || fields.batch_part_id !== undefined) return;
  const [part, ...others] = new Set(
    work.findBy('inventory', 'batch_number', batch).map(l => l.fields.part_id),
  );
  if (others.length === 0) fields.batch_part_id = part;
}
