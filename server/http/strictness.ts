import type { IncomingMessage } from 'node:http';
import type { Collection, Family } from '../../shared/contract/define-family.ts';
import { type FieldErrors, refuse } from '../../shared/contract/errors.ts';
import { shown } from '../../shared/contract/field-schemas.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import type { Reply } from './request-context.ts';

/** Members of answers that are no fields. */
const OF_ANSWERS = new Set(['id', 'corrections', 'corrections_count']);

/** How the client wants names treated that an operation does not know (RFC 7240, 4.4); undefined where it does not say. */
export function handlingOf({ headers }: Pick<IncomingMessage, 'headers'>): 'strict' | 'lenient' | undefined {
  const { prefer } = headers;
  if (prefer === undefined) return undefined;
  for (const each of String(prefer).split(',')) {
    const [, said] = /^\s*handling\s*=\s*"?(strict|lenient)"?\s*(?:;|$)/i.exec(each) ?? [];
    if (said !== undefined) return said.toLowerCase() === 'strict' ? 'strict' : 'lenient';
  }
  return undefined;
}

/** @throws AppError 422 on parameters of the address that the operation does not know */
export function refuseUnknownQuery({ ignored }: { ignored: readonly string[] }): void {
  refuse(faultsOf(ignored));
}

/**
 * Refuses what an answer names as ignored, but for what answers themselves hold: that comes back with a record that was read.
 * @throws AppError 422
 */
export function refuseUnknown(operation: Operation, { body }: Pick<Reply, 'body'>): void {
  const { ignored = [] } = (body.meta ?? {}) as { ignored?: readonly string[] };
  refuse(faultsOf(ignored.filter(path => !isOfRecord(operation, path))));
}

function faultsOf(names: readonly string[]): FieldErrors {
  const message = (name: string) =>
    `${shown(name)} is nothing that this operation knows. Leave it out, or send the request with Prefer: handling=lenient.`;
  return Object.fromEntries(names.map(name => [name, [message(name)]]));
}

function isOfRecord({ family, collection }: Operation, path: string): boolean {
  let described: Family | Collection | undefined = family ?? undefined;
  if (family && collection !== null) described = family.collections[collection];
  for (const name of path.split('.')) {
    if (/^\d+$/.test(name)) continue;
    if (!described) return false;
    if (name in described.fields || OF_ANSWERS.has(name)) return true;
    described = described.collections[name];
  }
  return described !== undefined;
}
