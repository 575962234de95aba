import { z } from 'zod';
import { successSchema } from '../contract/envelope.ts';
import { isoTimestampSchema, named } from '../contract/field-schemas.ts';
import { MOST_VIEWS } from '../contract/list-view.ts';
import { defineOperation, familyParameter, jsonBody } from '../contract/operation.ts';

const NAME_LIMIT = 80;
const ADDRESS_LIMIT = 4_000;

const name = z
  .string()
  .min(1)
  .max(NAME_LIMIT, `Give a name of at most ${NAME_LIMIT} characters.`)
  .describe('What its owner calls it.');
const columns = z
  .array(z.string().max(100))
  .max(200)
  .nullable()
  .describe('The columns; null: the usual ones.');

export const listViewInputSchema = named('ListViewInput', {
  name,
  address: z
    .string()
    .max(ADDRESS_LIMIT)
    .nullable()
    .describe(
      'Conditions, order and search, as a query: `sort=-name&filter[is_active]=true`. Null takes the view away.',
    ),
  columns: columns.optional(),
});

const listViewSchema = named('ListView', {
  name,
  address: z.string().describe('Conditions, order and search, as a query.'),
  columns,
  at: isoTimestampSchema(),
});

/** Lists as the caller wants to see them again: conditions, order and columns under a name. No records: they are the caller's own. */
export function listViewOperations() {
  const list = { family: familyParameter };
  return [
    defineOperation('x.list-views.list', 'GET', '/x/list-views/{family}', 'Drafts', {
      summary: "The caller's views of a list, by name",
      parameters: list,
      answer: () => successSchema(z.array(listViewSchema)),
      errors: [404],
    }),
    defineOperation('x.list-views.update', 'PUT', '/x/list-views/{family}', 'Drafts', {
      summary: `Keep a view of a list under a name, or take it away; at most ${MOST_VIEWS} of one person`,
      parameters: list,
      body: jsonBody(() => listViewInputSchema),
      answer: () => successSchema(listViewSchema.nullable().describe('Null: it was taken away.')),
      errors: [404, 409, 413, 415, 422, 507],
      scope: 'write',
    }),
  ];
}
