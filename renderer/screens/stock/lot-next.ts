import { lotLocks } from '../../../shared/families/lot-locks.ts';
import { recordPath } from '../../ui/record-path.ts';

/** What comes next with a lot: a name of what can be done from its page, or a record that has to be settled first. */
export type LotNext = { action: LotActionName } | { settle: SettleName; to: string };

export type LotActionName = 'move' | 'lock' | 'ncr' | 'recall';

export type SettleName =
  | 'inspection_open'
  | 'inspection_failed'
  | 'lab_failed'
  | 'receipt'
  | 'correction'
  | 'conflict';

interface LotLocked {
  reason: string;
  family: string;
  id: number;
}

interface LotSeen {
  locks: readonly LotLocked[];
  quantity: number;
  isExpired: boolean;
}

/** What is settled before what else: a decision of quality, then work at the dock, then a word of a person. */
const ORDER: readonly (readonly [reason: string, settle: SettleName | null])[] = [
  [lotLocks.conflict, 'conflict'],
  [lotLocks.inspection_failed, 'inspection_failed'],
  [lotLocks.lab_failed, 'lab_failed'],
  [lotLocks.inspection_open, 'inspection_open'],
  [lotLocks.certificate, 'receipt'],
  [lotLocks.correction, 'correction'],
  [lotLocks.quarantine, 'receipt'],
  [lotLocks.inactive, 'receipt'],
  [lotLocks.person, null],
];

/**
 * The main action of a lot's page. It hangs on nothing that is read later than the lot itself, so that it does not change
 * below a finger.
 */
export function lotNext({ locks, quantity, isExpired }: LotSeen): LotNext {
  if (quantity === 0) return { action: 'recall' };
  for (const [reason, settle] of ORDER) {
    const lock = locks.find(one => one.reason === reason);
    if (!lock) continue;
    if (settle === null) return { action: 'lock' };
    const to = settle === 'conflict' ? '/app/conflicts' : recordPath(lock.family, lock.id);
    return { settle, to };
  }
  return { action: isExpired ? 'ncr' : 'move' };
}
