import type { Family } from '../../shared/contract/define-family.ts';
import { AppError } from '../../shared/contract/errors.ts';
import { hasRole } from '../../shared/contract/role.ts';
import { families, familyOf } from '../../shared/families/registry.ts';
import { isAdministrator } from './authenticate.ts';
import type { RequestContext } from './request-context.ts';

/**
 * The family that the path names, as `supplier` or `suppliers`.
 * @throws AppError `not_found`
 */
export function familyIn({ parameters: { family: name = '' } }: RequestContext): Family {
  const family = familyOf(name);
  if (family) return family;
  const known = Object.keys(families).join(', ');
  throw new AppError('not_found', `There is no family ${JSON.stringify(name)}. Families: ${known}.`);
}

/**
 * Refuses records that are for administrators (users, settings), by whatever operation they are asked for. One's own
 * user record is one's to read.
 * @throws AppError `forbidden`
 */
export function requireReadable(context: RequestContext, family: Family, id: number | null): void {
  if (!family.operations.isAdministrative || isAdministrator(context.response)) return;
  if (family.name === 'user' && id !== null && id === context.userId) return;
  const { readers } = family.operations;
  if (isReader(context, family)) return;
  const message = `${family.plural} are for ${readers === null ? '' : `people of ${readers} and `}administrators: this needs their role, or a token with the scope admin.`;
  throw new AppError('forbidden', message);
}

/** Whether the caller may read every record of a family. */
export function canRead(context: RequestContext, family: Family): boolean {
  if (context.families && !context.families.has(family.name)) return false;
  return (
    !family.operations.isAdministrative || isAdministrator(context.response) || isReader(context, family)
  );
}

function isReader({ userId, roles = [] }: RequestContext, { operations: { readers } }: Family): boolean {
  return readers !== null && userId !== undefined && hasRole(roles, readers);
}

/** Whether a subject (`user:12`) is a record that is for administrators. */
export function isAdministrativeSubject(subject: string): boolean {
  return familyOf(subject.split(':')[0] ?? '')?.operations.isAdministrative === true;
}
