import { hasRole, type Role } from '../../shared/contract/role.ts';
import { mayCall } from '../../shared/contract/roles.ts';
import { listOperations } from '../../shared/operations/operations.ts';
import { useSession } from './session.ts';

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
