import { invalid } from '../../shared/contract/errors.ts';
import type { Draft } from '../store/unit-of-work.ts';

/** What takes back a fact needs a reason (interface decisions, 5.5 and 5.7). @throws AppError 422 on `reason` */
export function requireReason(draft: Draft): void {
  if (draft.reason !== null && draft.reason.trim() !== '') return;
  throw invalid({ reason: ['Taking this back needs a reason. Give it as "reason"; it is kept in history.'] });
}
