import { type LabValue, readLabData } from '../../shared/lab-data.ts';
import { itemsOf } from '../../shared/present.ts';
import { judge, type Limits } from '../../shared/tolerance.ts';
import type { Draft, DraftChange, Rule } from '../store/draft.ts';
import { limitsOf } from './inspecting.ts';
import { requireReason } from './reason.ts';

/** A result fails against the limits of its template's characteristics of the same name (interface decisions, 5.3). */
export const labVerdict: Rule = (draft, change) => {
  const { before, fields } = change;
  const lot = before?.fields.inventory_id;
  if (lot !== undefined && lot !== fields.inventory_id) requireReason(draft);
  notePart(draft, change);
  const template =
    typeof fields.specification_id === 'number'
      ? draft.get('specification', fields.specification_id)
      : undefined;
  const characteristics = itemsOf({ position: 'order' }, template?.fields.characteristics);
  const limits = new Map(
    characteristics.map(characteristic => [characteristic.name, limitsOf(characteristic)]),
  );
  const failed = [...readLabData(fields.lab_data)].flatMap(([name, value]) => {
    const limit = limits.get(name);
    return limit && isOutside(limit, value) ? [name] : [];
  });
  if (failed.length > 0) fields.failed_measurements = failed;
  else delete fields.failed_measurements;
};

/** Remembers the one part whose lots the number named, from the first write that could tell. */
function notePart(draft: Draft, { before, fields }: DraftChange): void {
  const { batch_number: batch } = fields;
  if (batch !== before?.fields.batch_number) delete fields.batch_part_id;
  if (typeof batch !== 'string' || batch === '' || fields.batch_part_id !== undefined) return;
  const [part, ...others] = new Set(
    draft.findBy('inventory', 'batch_number', batch).map(l => l.fields.part_id),
  );
  if (part !== undefined && others.length === 0) fields.batch_part_id = part;
}

/** A value beyond a limit of quantification fails only where every value that it can stand for does. */
function isOutside(limits: Limits, value: LabValue): boolean {
  if (value.kind === 'number') return judge(limits, value.value) === 'fail';
  if (value.limit === null) return false;
  if (value.relation === '<') return limits.lower !== null && value.limit <= limits.lower;
  return limits.upper !== null && value.limit >= limits.upper;
}
