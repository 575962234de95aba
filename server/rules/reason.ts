import type { UnitOfWork } from '../store/unit-of-work.ts';

/** Blanks of no width are no words either. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Whether somebody says why. */
export function hasReason({ reason }: Pick<UnitOfWork, 'reason'>): boolean {
  return reason !== null && VISIBLE.test(reason);
}

/** What takes back a fact needs a reason (interface decisions, 5.5 and 5.7). */
export function requireReason(work: UnitOfWork): void {
  if (hasReason(work)) return;
  work.blame('reason', 'Taking this back needs a reason. Give it as "reason"; it is kept in history.');
}
