import { isSaid } from '../../shared/contract/permission.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { type LotLock, lotLocks } from '../../shared/families/lot-locks.ts';
import { byWay, kindOf, suitsPart } from '../../shared/families/places.ts';
import type { PlannedChange } from '../store/changes.ts';
import type { Records } from '../store/records.ts';
import type { SqlReader } from '../store/sqlite/connection.ts';
import type { UnitOfWork } from '../store/unit-of-work.ts';
import { locksOf } from './lot-state.ts';
import { lotName } from './stock-check.ts';

/** Goods that are locked for these reasons are kept apart, where there is a place for that. */
const KEPT_APART: ReadonlySet<LotLock> = new Set([
  'quarantine',
  'inactive',
  'inspection_failed',
  'lab_failed',
  'person',
]);

/** Why the lot is kept apart; undefined: it is not. */
export function whyApart(
  reads: { records: Pick<Records, 'get' | 'findBy'>; sql: SqlReader },
  lot: StoredRecord,
): LotLock | undefined {
  return locksOf(reads, lot).find(({ lock }) => KEPT_APART.has(lock))?.lock;
}

/** Places in which locked goods are kept. */
export function placesApart(records: Pick<Records, 'findBy'>): StoredRecord[] {
  return records.findBy('location', 'kind', 'quarantine').filter(({ fields }) => fields.is_active !== false);
}

/**
 * What is kept apart goes anywhere else for a reason only, on a pallet too (interface decisions, 5.20).
 * @param where the place itself, not the handling unit in it
 */
export function askWhyNotApart(
  work: UnitOfWork,
  change: PlannedChange,
  where: StoredRecord,
  lots: readonly number[],
): void {
  const { reason } = change.fields;
  if (isSaid(work.reason ?? '') || (typeof reason === 'string' && isSaid(reason))) return;
  if (kindOf(where.fields) === 'quarantine') return;
  const places = placesApart(work).toSorted((one, other) => byWay(one.fields, other.fields));
  if (places.length === 0) return;
  for (const id of lots) {
    const lot = work.get('inventory', id);
    const lock = lot && whyApart({ records: work, sql: work.sql }, lot);
    if (!lock) continue;
    const part = work.get('part', Number(lot.fields.part_id));
    const apart = places.find(({ fields }) => suitsPart(fields, part?.fields)) ?? places[0];
    work.blame(
      change.pathOf('reason'),
      `${lotName(work, id)} is locked: ${lotLocks[lock]}. Put it apart (${apart?.fields.name}), or give the reason why it goes to ${where.fields.name}.`,
    );
  }
}
