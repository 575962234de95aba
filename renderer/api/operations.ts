import type { Family, OperationKind } from '../../shared/contract/define-family.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { listOperations } from '../../shared/operations/operations.ts';

/** The operation of a family, the documented one where there are two; undefined where it has none. */
export function operationOf(family: Family, kind: OperationKind): Operation | undefined {
  return listOperations().find(
    each => each.family?.name === family.name && each.kind === kind && each.collection === null,
  );
}

/** The list that takes `page`: the shipments' documented one goes by date range. */
export function listOperationOf(family: Family): Operation | undefined {
  return listOperations().find(
    each => each.family?.name === family.name && each.kind === 'list' && 'page' in each.query,
  );
}
