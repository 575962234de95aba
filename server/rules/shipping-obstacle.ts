import type { StoredRecord } from '../../shared/contract/present.ts';
import { hasRole } from '../../shared/contract/role.ts';
import { lotLocks } from '../../shared/families/lot-locks.ts';
import { inUnit, isExpired, locksOf, type PlannedReads } from './lot-state.ts';
import { receivedOn } from './received-on.ts';
import { plannedToday } from './site.ts';

/** Why a lot may not ship on a day, in words that follow its name; null: it may. @param unit the one that is asked for */
export function obstacleOf(
  reads: PlannedReads,
  lot: StoredRecord,
  day: string,
  unit: unknown,
  part: StoredRecord | undefined,
): string | null {
  const [lock] = locksOf({ records: reads, sql: reads.sql }, lot);
  if (lock) return `is locked: ${lotLocks[lock.lock]}`;
  const days = entersThePast(reads) ? [day] : [day, plannedToday(reads)];
  if (days.some(one => isExpired(lot, one))) return `expired on ${lot.fields.expiry_date}`;
  const received = receivedOn(reads, lot);
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
function entersThePast({ actor }: PlannedReads): boolean {
  return actor.rights.kind === 'integration' && hasRole(actor.rights.roles, 'administrator');
}
