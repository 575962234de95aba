import { AppError } from '../../../shared/contract/errors.ts';

/** Whether the server asks for nothing but the reason: another window has saved the value meanwhile. */
export function isAboutReason(failure: unknown): boolean {
  const fields = failure instanceof AppError ? Object.keys(failure.errors ?? {}) : [];
  return fields.length > 0 && fields.every(field => field === 'reason');
}
