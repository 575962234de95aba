import type { Handlers } from '../../../server/http/handlers/handler.ts';
import { bodyOf, choiceIn } from '../../../server/http/handlers/parse-body.ts';
import { success } from '../../../server/http/reply.ts';
import type { RequestContext } from '../../../server/http/request-context.ts';
import type { Client } from '../../../shared/operations/client.ts';
import type { AnswerOf, ListedBy } from '../../../shared/operations/operation-types.ts';

/** What the type checker refuses: nothing here runs. */
export async function refused(client: Client) {
  // @ts-expect-error There is no such operation.
  await client.call('suppliers.destroy');
  // @ts-expect-error The path has a name that is not given.
  await client.call('x.trace.inventory');
  // @ts-expect-error Another name than the path has.
  await client.call('x.trace.inventory', { params: { lot: 1 } });
  // @ts-expect-error The query lacks what it must say.
  await client.call('x.trends.list', { query: {} });
  // @ts-expect-error The body lacks its reason.
  await client.call('x.corrections.accept', { params: { id: 1 }, body: {} });
  // @ts-expect-error A name that the body does not have.
  await client.call('x.session.unlock', { body: { password: 'a', user: 1 } });
  const { data } = await client.call('x.trends.list', { query: { part_id: 1 } });
  // @ts-expect-error A list, no record.
  data.name;
  const supplier = await client.call('suppliers.read', { params: { id: 1 } });
  // @ts-expect-error A supplier has none.
  supplier.data.batch_number;
  const kind: ListedBy<'x.titles.list'>['title'] = 'text';
  // @ts-expect-error Text, no number.
  const number: AnswerOf<'x.rebuild'>['records'] = kind;
  return number;
}

/** A handler is of an operation of the table, and answers what it says. */
export const handlers = {
  // @ts-expect-error Records are counted in numbers.
  'x.rebuild': () => success({ records: 'many', differences: 0, seconds: 1 }),
  // @ts-expect-error It lacks what its place names.
  'x.clock.facts': () => success([{ id: 1 }]),
} satisfies Partial<Handlers>;

/** What it is given is what the table says of its body and its path. */
export function taken(context: RequestContext<'x.corrections.accept'>): string {
  const body = bodyOf(context);
  // @ts-expect-error The body has no such member.
  body.why;
  // @ts-expect-error Nor has the query.
  context.query.get('why');
  // @ts-expect-error Nor has the path.
  context.parameters.commit_id;
  // @ts-expect-error Text, no number.
  const number: number = body.reason;
  return `${number} ${body.reason} ${context.parameters.id}`;
}

/** What may be chosen is what the table says of the parameter. */
export function choosing(context: RequestContext<'x.trends.characteristics'>): string {
  // @ts-expect-error No such choice.
  choiceIn(context, 'by', 'mean');
  const by = choiceIn(context, 'by', 'lot-mean');
  // @ts-expect-error Nor can it be this.
  if (by === 'last') return by;
  return by;
}

export const unknown = {
  // @ts-expect-error There is no such operation.
  'x.rebuilt': () => success({}),
} satisfies Partial<Handlers>;

// @ts-expect-error An operation without a handler.
export const all: Handlers = {};
