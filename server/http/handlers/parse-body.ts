import { z } from 'zod';
import { invalid } from '../../../shared/contract/errors.ts';
import type { CustomOperation, TakenBy } from '../../../shared/operations/operation-types.ts';
import type { RequestContext } from '../request-context.ts';

/**
 * The body of a request as the table of operations has it; one that may be left out is empty then.
 * @throws AppError 422 that names each member at fault
 */
export function bodyOf<Id extends CustomOperation['id']>({
  operation,
  body,
}: Pick<RequestContext<Id>, 'operation' | 'body'>): TakenBy<Id> {
  const { schema = () => z.unknown(), isOptional = false } = operation.body ?? {};
  return parseBody(schema(), body === undefined && isOptional ? {} : body) as TakenBy<Id>;
}

/** @throws AppError 422 that names each member at fault */
export function parseBody<Out>(schema: z.ZodType<Out>, body: unknown): Out {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const errors: Record<string, string[]> = {};
  for (const issue of result.error.issues) {
    const path = issue.path.length === 0 ? 'body' : issue.path.join('.');
    errors[path] = [...(errors[path] ?? []), issue.message];
  }
  throw invalid(errors);
}
