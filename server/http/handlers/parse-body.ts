import { z } from 'zod';
import { invalid } from '../../../shared/contract/errors.ts';
import { shown } from '../../../shared/contract/field-schemas.ts';
import type {
  ChoiceOf,
  CustomOperation,
  QueryNamesOf,
  TakenBy,
} from '../../../shared/operations/operation-types.ts';
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

/**
 * What the query chooses of the values that the table has for a parameter.
 * @param usual where it chooses none
 * @throws AppError 422 that names them
 */
export function choiceIn<Id extends CustomOperation['id'], Name extends QueryNamesOf<Id>>(
  { operation, query }: Pick<RequestContext<Id>, 'operation' | 'query'>,
  name: Name,
  usual: ChoiceOf<Id, Name> & string,
): ChoiceOf<Id, Name> & string {
  const schema = operation.query[name]?.schema;
  const of = schema instanceof z.ZodDefault ? schema.unwrap() : schema;
  const choices = of instanceof z.ZodEnum ? of.options : [];
  return chosen(query.get(name) ?? usual, choices as (typeof usual)[], name);
}

/** @throws AppError 422 on the parameter for what is none of the choices */
export function chosen<Choice extends string | number>(
  given: string | number | undefined,
  choices: readonly Choice[],
  name: string,
): Choice {
  const found = choices.find(choice => choice === given);
  if (found !== undefined) return found;
  throw invalid({ [name]: [`${shown(given)} is none of: ${choices.join(', ')}. Give one of them.`] });
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
