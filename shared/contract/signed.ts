import type { Family } from './define-family.ts';

/** Whether changes of the family's records are signed where the settings ask for it (interface 2.6). */
export function isSigned({ operations }: Pick<Family, 'operations'>): boolean {
  return operations.passes.includes('esignature_password');
}

/**
 * Whether the fields of a new record of a signed family say what an update of it would be signed for: a disposition, a
 * closure. That is for quality, needs a reason and is signed like the update.
 */
export function isDecided(
  family: Pick<Family, 'operations'>,
  fields: Readonly<Record<string, unknown>>,
): boolean {
  const { disposition = null, status = null } = fields;
  return isSigned(family) && (disposition !== null || (status !== null && status !== 'open'));
}
