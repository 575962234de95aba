/** What a user may be, each role including those before it. */
export const ROLES = ['viewer', 'operator', 'inspector', 'quality', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

/** Whether one of the roles is this one or one that includes it. */
export function hasRole(roles: readonly string[], wanted: Role): boolean {
  const least = RISING.indexOf(wanted);
  return roles.some(role => RISING.indexOf(role) >= least);
}

const RISING: readonly string[] = ROLES;
