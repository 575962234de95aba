import type { PackedOperation } from '../shared/client/holdpoint.ts';
import type { Operation } from '../shared/contract/operation.ts';
import { listOperations } from '../shared/operations/operations.ts';

/** The operations that programs call: all but those between stations and their central. */
export function clientOperations(): Operation[] {
  return listOperations().filter(({ scope }) => scope !== 'station');
}

/** What a client package keeps of each operation. */
export function packedOperations(): PackedOperation[] {
  return clientOperations().map(({ id, method, path, body, answerType, query }) => ({
    id,
    method,
    path,
    body: body && { type: body.type },
    answerType,
    ...(query.as && query.page && { hasForms: true as const }),
  }));
}
