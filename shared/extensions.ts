import { z } from 'zod';
import { answerSchema } from './answer-schema.ts';
import { pageMetaSchema, successSchema } from './envelope.ts';
import { inventoryDetailSchema } from './families/inventory.ts';
import { families } from './families/registry.ts';
import { isoTimestampSchema } from './fields.ts';
import { BODY_LIMIT, type BodySpec, blank, idParameter, type Operation, pageQuery } from './operation.ts';

/** Operations under `/x` that do not follow from a family, and the description of the interface itself. */
export function extensionOperations(): Operation[] {
  const familyParameter = {
    schema: z.string(),
    description: 'Family, as `supplier` or `suppliers`.',
    isRequired: true,
  };
  const record = { family: familyParameter, id: idParameter('Id of the record') };
  const lot = { id: idParameter('Id of the lot') };
  return [
    {
      ...blank('openapi.read', 'GET', '/openapi.json', 'Interface'),
      summary: 'This interface as an OpenAPI 3.1 document',
      answerType: 'application/json',
    },
    {
      ...blank('x.records.read', 'GET', '/x/records/{family}/{id}', 'Records'),
      summary: 'Read a whole record, write-only fields included',
      parameters: record,
      answer: successSchema(wholeRecordSchema),
      errors: [404],
    },
    {
      ...blank('x.history.list', 'GET', '/x/history/{family}/{id}', 'Records'),
      summary: 'Who changed what of a record, when and why, newest last',
      parameters: record,
      query: pageQuery,
      answer: successSchema(z.array(historyEntrySchema), { meta: pageMetaSchema }),
      errors: [404, 422],
    },
    {
      ...blank('x.inventory.lock', 'POST', '/x/inventory/{id}/lock', 'Stock'),
      summary: 'Lock or unlock a lot by hand',
      parameters: lot,
      body: body(
        z
          .object({
            is_locked: z.boolean().describe('True locks the lot, false lifts the lock.'),
            reason: z.string().min(1).describe('Why; kept in history.'),
          })
          .meta({ id: 'LotLock' }),
      ),
      answer: successSchema(lotSchema),
      errors: [404, 412, 422],
      scope: 'write',
    },
    {
      ...blank('x.inventory.moves.list', 'GET', '/x/inventory/{id}/moves', 'Stock'),
      summary: 'List the moves of a lot',
      parameters: lot,
      query: pageQuery,
      answer: successSchema(z.array(answerSchema(families.move)), { meta: pageMetaSchema }),
      errors: [404, 422],
    },
    {
      ...blank('x.inventory.moves.create', 'POST', '/x/inventory/{id}/moves', 'Stock'),
      summary: 'Move a quantity of a lot to another location',
      parameters: lot,
      body: body(
        z
          .object({
            to_location_id: z.int().min(1).describe('Where it goes: id of the location.'),
            from_location_id: z
              .int()
              .min(1)
              .nullable()
              .optional()
              .describe('Where it comes from: id of the location. Absent: the place where all of it stands.'),
            quantity: z
              .number()
              .min(0)
              .nullable()
              .optional()
              .describe('In the unit of the lot. Absent: all that stands there.'),
            reason: z.string().nullable().optional().describe('Why; kept in history.'),
          })
          .meta({ id: 'LotMove' }),
      ),
      answer: successSchema(answerSchema(families.move)),
      success: 201,
      errors: [404, 409, 422],
      scope: 'write',
    },
    {
      ...blank('x.settings.read', 'GET', '/x/settings', 'Settings'),
      summary: "Read the site's settings",
      answer: successSchema(settingsSchema),
    },
    {
      ...blank('x.settings.update', 'PUT', '/x/settings', 'Settings'),
      summary: "Change the site's settings",
      body: body(settingsSchema.partial()),
      answer: successSchema(settingsSchema),
      errors: [412, 422],
      scope: 'admin',
    },
    {
      ...blank('x.events', 'GET', '/x/events', 'Events'),
      summary: 'Server-sent events: one for each changed record, with its family, id and version',
      answerType: 'text/event-stream',
      errors: [429],
    },
    {
      ...blank('x.tokens.list', 'GET', '/x/tokens', 'Tokens'),
      summary: 'List the tokens of the interface',
      answer: successSchema(z.array(tokenSchema)),
      scope: 'admin',
    },
    {
      ...blank('x.tokens.create', 'POST', '/x/tokens', 'Tokens'),
      summary: 'Create a token; its secret is in this answer only',
      body: body(z.object(tokenShape).meta({ id: 'TokenCreate' })),
      answer: successSchema(
        tokenSchema
          .extend({ secret: z.string().describe('What a client sends after `Bearer`.') })
          .meta({ id: 'NewToken' }),
      ),
      success: 201,
      errors: [422],
      scope: 'admin',
    },
    {
      ...blank('x.tokens.revoke', 'POST', '/x/tokens/{id}/revoke', 'Tokens'),
      summary: 'Revoke a token; it is refused from the next call on',
      parameters: { id: idParameter('Id of the token') },
      body: { ...body(z.object({})), isOptional: true },
      answer: successSchema(tokenSchema),
      errors: [404],
      scope: 'admin',
    },
    {
      ...blank('x.rebuild', 'POST', '/x/rebuild', 'Maintenance'),
      summary: 'Work out stock, search and counters anew from the records',
      body: { ...body(z.object({})), isOptional: true },
      answer: successSchema(
        z.object({
          records: z.int().describe('Records that were read.'),
          differences: z.int().describe('Derived values that were wrong and are mended.'),
          seconds: z.number().describe('How long it took.'),
        }),
      ),
      scope: 'admin',
    },
  ];
}

export const wholeRecordSchema = z
  .object({
    family: z.string().describe('Name of the family.'),
    id: z.int().describe('Id of the record.'),
    version: z.int().describe('One more with every change.'),
    state: z.string().describe('Hash of the fields; with `version` the ETag.'),
    fields: z.looseObject({}).describe('Every stored field, items by their ids.'),
    created_at: isoTimestampSchema(),
    updated_at: isoTimestampSchema(),
    station: z.string().describe('The station that changed it last.'),
    user: z.string().describe('Who changed it last.'),
  })
  .meta({ id: 'WholeRecord' });

export const historyEntrySchema = z
  .object({
    commit: z.string().describe('Permanent id of the commit.'),
    chain: z.string().describe('The station that wrote it, and its incarnation.'),
    number: z.int().describe("Place in that station's chain, without gaps."),
    at: isoTimestampSchema(),
    user: z.string().describe('Who changed the record.'),
    reason: z.string().nullable().describe('Why, where a reason was given.'),
    changes: z
      .array(
        z.object({
          path: z.string().describe('`name`, `items.5.quantity`; `items.5` is an added item.'),
          old: z.unknown().describe('The value before.'),
          new: z.unknown().describe('The value after.'),
          over: z.array(z.string()).describe('The commits that wrote what the author saw.'),
        }),
      )
      .describe('What changed.'),
    hash: z.string().describe('Hash of the commit and of the one before it in the chain.'),
  })
  .meta({ id: 'HistoryEntry' });

export const settingsSchema = z
  .object({
    time_zone: z.string().describe('What "today" is: an IANA name such as Europe/Berlin.'),
    expiry_soon_days: z.int().min(0).max(3_650).describe('A lot expires soon within these days.'),
  })
  .meta({ id: 'Settings' });

const tokenShape = {
  name: z.string().describe('Who or what uses the token; the name stands in history.'),
  scopes: z
    .array(z.enum(['read', 'write', 'admin']))
    .describe('What it may do: read records, write records, administer the installation.'),
};

export const tokenSchema = z
  .object({
    id: z.string().describe('Id of the token.'),
    ...tokenShape,
    created_at: isoTimestampSchema(),
    revoked_at: isoTimestampSchema().nullable().describe('Null while the token is valid.'),
  })
  .meta({ id: 'Token' });

export const importJobSchema = z
  .object({
    id: z.string().describe('Id of the import.'),
    state: z
      .enum(['waiting', 'running', 'done', 'failed', 'cancelled'])
      .describe('`waiting`: for files or for its run.'),
    message: z.string().describe('What is going on, in a sentence.'),
    missing_files: z.array(z.string()).describe('Files that the mapping names and that have not been given.'),
    rows_read: z.int().describe('Rows read so far.'),
    rows_total: z.int().nullable().describe('Null while unknown.'),
    created: z.int().describe('Records created.'),
    updated: z.int().describe('Records changed.'),
    unchanged: z.int().describe('Records that were already so.'),
    bad: z.int().describe('Rows that cannot be taken.'),
    bad_rows: z
      .array(
        z.object({
          file: z.string().describe('Name of the file.'),
          line: z.int().describe('Line in the file, from 1.'),
          column: z.string().nullable().describe('Column, where the fault lies in one.'),
          value: z.string().nullable().describe('The value at fault.'),
          message: z.string().describe('What is wrong and how to put it right.'),
        }),
      )
      .describe('The first 1,000.'),
    unmapped_columns: z
      .record(z.string(), z.array(z.string()))
      .describe('By file: columns that the mapping leaves out.'),
  })
  .meta({ id: 'ImportJob' });

const lotSchema = inventoryDetailSchema();

function body(schema: z.ZodType): BodySpec {
  return { schema, isOptional: false, limit: BODY_LIMIT, type: 'application/json' };
}
