import { z } from 'zod';
import type { Family } from '../contract/define-family.ts';
import { successSchema } from '../contract/envelope.ts';
import { listOf, named } from '../contract/field-schemas.ts';
import { defineOperation, familyParameter, jsonBody } from '../contract/operation.ts';

/** Rows of one request: as many records as one commit may change. */
export const BULK_ROWS_LIMIT = 10_000;
/** Bytes: a receipt with its items has some kilobytes. */
const BULK_ROWS_BODY_LIMIT = 16 * 1024 * 1024;

export const bulkRequestSchema = z.object({
  rows: z
    .array(z.unknown(), 'rows is no list. Give a list of records.')
    .max(
      BULK_ROWS_LIMIT,
      `The list is too long. The most is ${BULK_ROWS_LIMIT} rows; send the rest in further calls.`,
    )
    .meta({
      description:
        'The records, each as its own operation takes it. To change one, give its `id` beside what changes, and its `etag` where a change of somebody else must not be written over.',
      examples: [[{ id: 1, name: 'Provence Botanicals' }]],
    }),
  mode: z
    .enum(['all', 'each'], 'mode is neither all nor each. Give one of them, or leave it out.')
    .default('all')
    .describe(
      '`all`: all rows or none, in one transaction. `each`: every row by itself; the answer says what became of each, and with an `Idempotency-Key` a repeated call does only those that were not done.',
    ),
  reason: z.string().max(10_000).nullable().optional().describe('Why; kept in the history of each record.'),
});

const bulkRowSchema = named('BulkRow', {
  index: z.int().describe('Place of the row in the list, from 0.'),
  outcome: z
    .enum(['created', 'changed', 'unchanged', 'refused'])
    .describe('What became of it. `unchanged`: it said what stands there.'),
  id: z.int().nullable().describe('Id of the record; null: there is none.'),
  etag: z
    .string()
    .nullable()
    .describe('ETag of the record as it is now, for `If-Match`; null: there is none.'),
  status: z.int().describe('What its own operation would have answered: 201, 200, 422 …'),
  code: z.string().nullable().describe('`code` of the error of a refused row; else null.'),
  message: z.string().nullable().describe('Why it was refused; else null.'),
  errors: z
    .record(z.string(), z.array(z.string()))
    .nullable()
    .describe('Faults by field of the row (`items.0.part_id`); null: none by field.'),
});
export type BulkRow = z.infer<typeof bulkRowSchema>;

const bulkMetaSchema = z.object({
  created: z.int().describe('Rows that made a record.'),
  changed: z.int().describe('Rows that changed one.'),
  unchanged: z.int().describe('Rows that said what stands there.'),
  refused: z.int().describe('Rows that were refused.'),
});
export type BulkMeta = z.infer<typeof bulkMetaSchema>;

/** Whether records of the family are made, or changed, many at once. */
export function isBulkFamily(family: Family, kind: 'create' | 'update'): boolean {
  const { documented, extensions, isAdministrative } = family.operations;
  const kinds = [...(documented?.kinds ?? []), ...extensions];
  return !isAdministrative && !family.isByMachine && kinds.includes(kind);
}

export function bulkOperations() {
  const define = <Kind extends 'create' | 'update'>(kind: Kind) =>
    defineOperation(`x.bulk.${kind}`, kind === 'create' ? 'POST' : 'PUT', '/x/bulk/{family}', 'Records', {
      summary: kind === 'create' ? 'Create many records of a family' : 'Change many records of a family',
      parameters: { family: familyParameter },
      body: { ...jsonBody(() => bulkRequestSchema), limit: BULK_ROWS_BODY_LIMIT },
      answer: () => successSchema(listOf(bulkRowSchema.shape), { meta: bulkMetaSchema }),
      errors: [403, 404, 409, 413, 415, 422, 507],
      scope: 'write',
    });
  return [define('create'), define('update')];
}
