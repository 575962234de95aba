import type { UnitOfWork } from '../store/unit-of-work.ts';

/** What takes back a fact needs a reason (interface decisions, 5.5 and 5.7). */
export function requireReason(work: UnitOfWork): void {
  if (work.reason !== null && work.reason.trim() !== '') return;
  work.blame('reason', 'Taking this back needs a reason. Give it as "reason"; it is kept in history.');
}
