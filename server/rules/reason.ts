import { isSaid } from '../../shared/contract/permission.ts';
import type { UnitOfWork } from '../store/unit-of-work.ts';

/** Whether somebody says why. */
export function hasReason({ reason }: Pick<UnitOfWork, 'reason'>): boolean {
  return isSaid(reason);
}

/** What takes back a fact needs a reason (interface decisions, 5.5 and 5.7). */
export function requireReason(work: UnitOfWork): void {
  if (hasReason(work)) return;
  work.blame('reason', 'Taking this back needs a reason. Give it as "reason"; it is kept in history.');
}
