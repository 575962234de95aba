import { z } from 'zod';
import { invalid } from '../../../shared/contract/errors.ts';

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

/** The body of an operation that takes no input: none, or an object. @throws AppError 422 */
export function refuseInput(body: unknown): void {
  if (body !== undefined) parseBody(z.object({}), body);
}
