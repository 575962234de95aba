import type { Family } from '../../shared/contract/define-family.ts';
import { AppError } from '../../shared/contract/errors.ts';
import { familyOf } from '../../shared/families/registry.ts';
import { isAdministrator } from './authenticate.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Refuses records that are for administrators (users, settings), by whatever operation they are asked for. One's own
 * user record is one's to read.
 * @throws AppError `forbidden`
 */
export function requireReadable(context: RequestContext, family: Family, id: number | null): void {
  if (!family.operations.isAdministrative || isAdministrator(context.response)) return;
  if (family.name === 'user' && id !== null && id === context.userId) return;
  const message = `${family.plural} are for administrators: this needs their role, or a token with the scope admin.`;
  throw new AppError('forbidden', message);
}

/** Whether a subject (`user:12`) is a record that is for administrators. */
export function isAdministrativeSubject(subject: string): boolean {
  return familyOf(subject.split(':')[0] ?? '')?.operations.isAdministrative === true;
}
