import { AppError } from '../../shared/contract/errors.ts';
import { shown } from '../../shared/contract/field-schemas.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { harmsPart, isSscc, kindOf } from '../../shared/families/places.ts';
import type { PlannedChange } from '../store/changes.ts';
import { standingAt } from '../store/lots.ts';
import type { Rule, UnitOfWork } from '../store/unit-of-work.ts';
import { askWhyNotApart } from './kept-apart.ts';
import { lotName } from './stock-check.ts';

/** A handling unit is called by its SSCC and stands in a place that is none itself; places stand in nothing. */
export const placing: Rule = (work, change) => {
  const { fields, before, pathOf } = change;
  if (kindOf(fields) !== 'unit') {
    if (typeof fields.within_id === 'number') {
      work.blame(
        pathOf('within_id'),
        'Only a handling unit stands in another place. Leave within_id out, or give kind "unit".',
      );
    }
    return;
  }
  if (!isSscc(fields.name)) {
    work.blame(
      pathOf('name'),
      `${shown(fields.name)} is no SSCC, by which a handling unit is called: 18 digits, the last one their check digit.`,
    );
  }
  if (work.isAtFault()) return;
  refuseSameUnit(work, change);
  const place = typeof fields.within_id === 'number' ? work.get('location', fields.within_id) : undefined;
  if (!place || place.id === before?.fields.within_id) return;
  if (kindOf(place.fields) === 'unit') {
    work.blame(
      pathOf('within_id'),
      'A handling unit stands in no other one. Give the place where both of them stand.',
    );
    return;
  }
  requireInUse(work, change, 'within_id', place);
  const lots = standingAt(work.sql, change.id).map(({ lot }) => lot);
  for (const lot of lots) refuseHarm(work, change, 'within_id', place, lot);
  askWhyNotApart(work, change, place, lots);
};

/** @throws AppError where the place is given up: nobody looks for goods there any more */
export function requireInUse(
  work: UnitOfWork,
  { pathOf }: PlannedChange,
  field: string,
  place: StoredRecord,
): void {
  if (place.fields.is_active !== false) return;
  work.blame(pathOf(field), `${place.fields.name} is no longer in use. Give another place.`);
}

/** Goods that need cold are kept in no warm place, whoever carries them there. */
export function refuseHarm(
  work: UnitOfWork,
  { pathOf }: PlannedChange,
  field: string,
  place: StoredRecord,
  lot: number,
): void {
  const part = work.get('part', Number(work.get('inventory', lot)?.fields.part_id));
  const where = placeOfUnit(work, place);
  if (!harmsPart(where.fields, part?.fields)) return;
  const has = where.fields.storage_class ?? 'none';
  work.blame(
    pathOf(field),
    `${lotName(work, lot)} needs a place with the storage class ${part?.fields.storage_class}; ${where.fields.name} has ${has}. Give another place.`,
  );
}

/** The place where a handling unit stands; a place itself. */
export function placeOfUnit(records: { get: UnitOfWork['get'] }, place: StoredRecord): StoredRecord {
  const within = place.fields.within_id;
  return (
    (typeof within === 'number' && kindOf(place.fields) === 'unit' && records.get('location', within)) ||
    place
  );
}

/** A correction of where goods came to stand carries them, as a move does. */
export function askWhyCarried(
  work: UnitOfWork,
  change: PlannedChange,
  lot: number,
  to: unknown,
  from: unknown,
): void {
  const place = typeof to === 'number' && to !== from ? work.get('location', to) : undefined;
  if (place) askWhyNotApart(work, change, placeOfUnit(work, place), [lot]);
}

/** One SSCC names one unit at a time: it may be used again when the former unit is gone. */
function refuseSameUnit(work: UnitOfWork, { family, id, fields }: PlannedChange): void {
  if (fields.is_active === false) return;
  const same = work
    .numbered(family, 'name', String(fields.name))
    .find(other => other.id !== id && other.fields.is_active !== false);
  if (!same) return;
  throw new AppError(
    'conflict',
    `There is a handling unit ${fields.name} already (location ${same.id}). Use it, or set its is_active to false first.`,
  );
}
