import { AppError } from '../../../shared/contract/errors.ts';

/** Whether the server asks for nothing but the reason: another window has saved the value meanwhile. */
export function isAboutReason(failure: unknown): boolean {
  const fields = failure instanceof AppError ? Object.keys(failure.errors ?? {}) : [];
  return fields.length > 0 && fields.every(field => field === 'reason');
}

/** Whether the server wants a signature, or a right one. */
export function isAboutSigning(failure: unknown): boolean {
  return failure instanceof AppError && failure.errors?.esignature_password !== undefined;
}

/** What the controls of reason and signature say themselves. */
const SAID_IN_PLACE = ['reason', 'esignature_reason', 'esignature_password'];

/** Whether the controls of reason and signature say all that was refused. */
export function isSaidInPlace(failure: unknown): boolean {
  const fields = failure instanceof AppError ? Object.keys(failure.errors ?? {}) : [];
  return fields.length > 0 && fields.every(field => SAID_IN_PLACE.includes(field));
}
