import type { StoredItem, StoredRecord } from '../../shared/contract/present.ts';
import { byWay, kindOf } from '../../shared/families/places.ts';
import { families } from '../../shared/families/registry.ts';
import type { PlannedChange } from '../store/changes.ts';
import { isEmptyPlace } from '../store/lots.ts';
import type { UnitOfWork } from '../store/unit-of-work.ts';
import { inputOf } from './input-of.ts';

/**
 * Goods that come on a pallet stand on it: a line that names an SSCC puts its lot there, and a pallet that nobody knows
 * begins where the line says that the goods stand, else in the receiving place that comes first on the way. Where there
 * is no such place nobody carries goods by place, and the number is noted alone.
 * @returns the location of the line
 */
export function placeOnUnit(
  work: UnitOfWork,
  change: PlannedChange,
  item: StoredItem,
  old: StoredItem | undefined,
): unknown {
  const { sscc, location_id: said } = item;
  const isReceived = Number(item.quantity_accepted ?? 0) > 0;
  const wasReceived = Number(old?.quantity_accepted ?? 0) > 0;
  // What was put somewhere else since stands there.
  const isPlaced = sscc === old?.sscc && wasReceived;
  if (typeof sscc !== 'string' || !isReceived || isPlaced) return said;
  const named = typeof said === 'number' ? work.get('location', said) : undefined;
  if (named && kindOf(named.fields) === 'unit') {
    if (named.fields.name === sscc) return said;
    work.blame(
      change.pathOf('location_id', item.id),
      `Goods stand on the handling unit ${sscc} or on ${named.fields.name}. Give one of them.`,
    );
    return said;
  }
  const place = named ?? dockOf(work);
  if (!place) return said;
  const unit = work
    .numbered(families.location, 'name', sscc)
    .find(({ fields }) => kindOf(fields) === 'unit' && fields.is_active !== false);
  if (!unit) return work.insert(families.location, { name: sscc, kind: 'unit', within_id: place.id }).id;
  if (unit.fields.within_id === place.id || (!named && typeof unit.fields.within_id === 'number'))
    return unit.id;
  if (isEmptyPlace(work.sql, unit.id)) {
    work.update(families.location, unit.id, inputOf({ within_id: place.id }));
    return unit.id;
  }
  work.blame(
    change.pathOf('sscc', item.id),
    `The handling unit ${sscc} stands in ${whereOf(work, unit)} with goods on it. Give that place as location_id, or carry the unit to ${place.fields.name} first.`,
  );
  return said;
}

function dockOf(work: UnitOfWork): StoredRecord | undefined {
  const [first] = work
    .findBy('location', 'kind', 'receiving')
    .filter(({ fields }) => fields.is_active !== false)
    .sort((one, other) => byWay(one.fields, other.fields) || one.id - other.id);
  return first;
}

function whereOf(work: UnitOfWork, { fields }: StoredRecord): string {
  const place = typeof fields.within_id === 'number' ? work.get('location', fields.within_id) : undefined;
  return String(place?.fields.name ?? 'no named place');
}
