import { sameJson } from '../../shared/contract/canonical-json.ts';
import type { Collection, Family } from '../../shared/contract/define-family.ts';
import type { Field } from '../../shared/contract/fields.ts';
import {
  type ChangedValue,
  type Judged,
  judge,
  patternOf,
  type Rights,
} from '../../shared/contract/permission.ts';
import { hasRole, ROLES, type Role } from '../../shared/contract/role.ts';
import { mayCall } from '../../shared/contract/roles.ts';
import { listOperations } from '../../shared/operations/operations.ts';
import { useSession } from './session.ts';

/** As much of a family as permission is judged by. */
export type Ruled = Pick<Family, 'may' | 'fields' | 'collections'>;

/** Whether the signed-in user's roles allow an operation. What they do not is not offered; the server refuses it anyway. */
export function useMay(): (operation: string) => boolean {
  const { session } = useSession();
  const roles = session?.user?.roles ?? [];
  return id => {
    const operation = listOperations().find(each => each.id === id);
    return operation !== undefined && mayCall(roles, operation);
  };
}

/** Whether the signed-in user has this role or one that includes it: where the server decides by role and not by operation. */
export function useHasRole(role: Role): boolean {
  const { session } = useSession();
  return hasRole(session?.user?.roles ?? [], role);
}

/** The highest role that the signed-in user has; who has none sees what a viewer does. */
export function useHighestRole(): Role {
  const { session } = useSession();
  return ROLES.findLast(role => hasRole(session?.user?.roles ?? [], role)) ?? 'viewer';
}

/** What the write gate will say of the signed-in user's change: what they lack for it, and what it needs. */
export function useJudge(): (family: Ruled, changes: readonly ChangedValue[], isNew?: boolean) => Judged {
  const rights = useRights();
  return (family, changes, isNew = false) =>
    judge(
      family,
      changes.filter(change => !isFirstEntry(family, change)),
      isNew,
      rights,
    );
}

/**
 * The role without which the signed-in user cannot change a value in any direction; null: there is a change that they may
 * make. The value is `old` now; `isNew`: of a record that is not there yet.
 */
export function useLackedRole(): (family: Ruled, path: string, old: unknown, isNew?: boolean) => Role | null {
  const rights = useRights();
  return (family, path, old, isNew = false) => {
    const rules = family.may.rules?.[patternOf(path)] ?? [];
    if (!rules.some(({ role }) => role !== undefined)) {
      const lowest = isNew ? family.may.create : family.may.change;
      return lowest === null || hasRole(rights.roles, lowest) ? null : lowest;
    }
    const others = valuesOf(fieldAt(family, path), old).filter(value => !sameJson(value, old ?? null));
    const lacked = others.map(value => {
      const { lacks } = judge(family, [{ path, old: old ?? null, new: value }], isNew, rights);
      return lacks[0]?.role ?? null;
    });
    return lacked.every(role => role !== null) ? (lacked[0] ?? null) : null;
  };
}

/** The paths of what changes a fact and needs a reason; empty: none is due. */
export function pathsInNeed({ met }: Judged): string[] {
  return met.filter(({ rule }) => rule.needsReason).map(({ path }) => path);
}

function useRights(): Rights {
  const { session } = useSession();
  return { kind: 'person', roles: session?.user?.roles ?? [] };
}

/** The amount that the server filled in is no fact yet: nobody gave it. Where somebody has, the server asks. */
function isFirstEntry(family: Ruled, { path, old }: ChangedValue): boolean {
  return old === 0 && fieldAt(family, path)?.fallback === 0;
}

function fieldAt(family: Ruled, path: string): Field | undefined {
  const steps = patternOf(path).split('.*.');
  const name = steps.pop() ?? '';
  let described: Pick<Collection, 'fields' | 'collections'> | undefined = family;
  for (const step of steps) described = described?.collections[step];
  return described?.fields[name];
}

/** A value of the field for each direction into which it can change. */
function valuesOf(field: Field | undefined, old: unknown): unknown[] {
  switch (field?.kind) {
    case 'boolean':
      return [true, false, null];
    case 'choice':
      return [...(field.choices ?? []), null];
    case 'integer':
    case 'number':
      return [Number(old ?? 0) + 1, Number(old ?? 0) - 1, null];
    case 'date':
    case 'timestamp':
      return ['0001-01-01', '9999-12-31', null];
    default:
      return [`${old ?? ''} `, null];
  }
}
