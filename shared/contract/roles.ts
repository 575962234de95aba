import type { Operation } from './operation.ts';

/** What a user may be, each role including those before it. */
export const ROLES = ['viewer', 'operator', 'inspector', 'quality', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

/**
 * The lowest role that may write, by the operation's id without `x.` and `.patch`, or by what stands before its verb.
 * What is not named here follows from the operation's scope.
 */
const LOWEST: Readonly<Record<string, Role>> = {
  // What one types is one's own.
  drafts: 'viewer',
  'receiving-inspections': 'operator',
  orders: 'operator',
  shipments: 'operator',
  moves: 'operator',
  'inventory.moves': 'operator',
  locations: 'operator',
  suppliers: 'operator',
  customers: 'operator',
  parts: 'operator',
  'ncrs.create': 'operator',
  inspections: 'inspector',
  'lab-results': 'inspector',
  equipment: 'inspector',
  // Lifting a lock is for quality: the handler sees which of the two is asked for.
  'inventory.lock': 'inspector',
  'held.release': 'quality',
  'held.withdraw': 'quality',
  // One's own; another's is for administrators, which the handler sees.
  'users.password': 'viewer',
  'users.language': 'viewer',
};

const BY_SCOPE: Readonly<Record<Operation['scope'], Role | null>> = {
  none: 'viewer',
  read: 'viewer',
  write: 'quality',
  admin: 'administrator',
  station: null,
};

type Called = Pick<Operation, 'id' | 'scope'>;

/** The lowest role whose users may call the operation; null where no user may. */
export function lowestRole({ id, scope }: Called): Role | null {
  const byScope = BY_SCOPE[scope];
  if (scope !== 'write' && scope !== 'admin') return byScope;
  const plain = id.replace(/^x\./, '').replace(/\.patch$/, '');
  for (let name = plain; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
    const role = LOWEST[name];
    if (role !== undefined) return role;
  }
  return byScope;
}

/** Whether a user with these roles may call the operation. */
export function mayCall(roles: readonly string[], operation: Called): boolean {
  const lowest = lowestRole(operation);
  return lowest !== null && hasRole(roles, lowest);
}

/** Whether one of the roles is this one or one that includes it. */
export function hasRole(roles: readonly string[], wanted: Role): boolean {
  return ROLES.slice(ROLES.indexOf(wanted)).some(role => roles.includes(role));
}
