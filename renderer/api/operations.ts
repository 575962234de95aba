import type { Family, OperationKind } from '../../shared/contract/define-family.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { listOperations } from '../../shared/operations/operations.ts';

/**
 * The operation of a family, the documented one where there are two, but for a create: the document's insists on a number that
 * the server gives at the other one. Undefined where it has none.
 */
export function operationOf(family: Family, kind: OperationKind): Operation | undefined {
  const isIt = (each: Operation) =>
    each.family?.name === family.name && each.kind === kind && each.collection === null;
  return kind === 'create' ? listOperations().findLast(isIt) : listOperations().find(isIt);
}

/** The list that takes `page`: the shipments' documented one goes by date range. */
export function listOperationOf(family: Family): Operation | undefined {
  return listOperations().find(
    each => each.family?.name === family.name && each.kind === 'list' && 'page' in each.query,
  );
}
