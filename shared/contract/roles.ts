import type { Operation } from './operation.ts';
import { lowestWriter } from './permission.ts';
import { hasRole, type Role } from './role.ts';

/**
 * The lowest role that may call a writing operation of its own kind, by its id without `x.` and `.patch`, or by what
 * stands before its verb. What is not named here follows from the operation's scope; the operations that follow from a
 * family, from its `may`.
 */
const LOWEST: Readonly<Record<string, Role>> = {
  // What one types is one's own.
  drafts: 'viewer',
  'list-views': 'viewer',
  'inventory.moves': 'operator',
  parts: 'operator',
  // Each row is judged as its own operation judges it.
  bulk: 'operator',
  // Whoever receives.
  'open-scans': 'operator',
  'inventory.lock': 'inspector',
  // Who writes a result down may read in a table of them.
  'lab-results.import': 'inspector',
  // Beside it, programs need the scope of administrators: a person is to look.
  'clock.confirm': 'quality',
  // Who reviews the trail is of quality; programs need the scope of administrators (`audit-event.ts`).
  audit: 'quality',
  // Who validates the system is of quality; programs need the scope of administrators.
  validation: 'quality',
  'held.release': 'quality',
  'held.withdraw': 'quality',
  // One's own.
  sessions: 'viewer',
  'session.hand': 'viewer',
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

type Called = Pick<Operation, 'id' | 'scope'> & Partial<Pick<Operation, 'family' | 'kind'>>;

/** The lowest role whose users may call the operation; null where no user may. What it writes is judged value by value. */
export function lowestRole({ id, scope, family, kind }: Called): Role | null {
  const byScope = BY_SCOPE[scope];
  if (scope !== 'write' && scope !== 'admin') return byScope;
  if (family && kind !== 'custom') return lowestWriter(family, kind === 'create');
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
