import { z } from 'zod';
import { answerSchema, requestSchema } from './answer-schema.ts';
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
      ...blank('x.inventory.facts', 'GET', '/x/inventory/{id}/facts', 'Stock'),
      summary: 'What stands behind a lot: every record that adds, takes, locks, and where it stands',
      parameters: lot,
      answer: successSchema(lotFactsSchema),
      errors: [404],
    },
    {
      ...blank('x.proposals.list', 'GET', '/x/proposals/{family}/{id}', 'Non-conformance reports'),
      summary: 'Non-conformance reports that a receipt or an inspection suggests, filled in, not yet created',
      parameters: record,
      answer: successSchema(z.array(requestSchema(families.ncr, 'create'))),
      errors: [404],
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
    ...transferOperations(),
  ];
}

/** Import and export. An import is made, given its files, then run; it can be watched and cancelled. */
function transferOperations(): Operation[] {
  const one = { id: { schema: z.string(), description: 'Id of the import', isRequired: true } };
  const job = successSchema(importJobSchema);
  const nothing: BodySpec = { ...body(z.object({})), isOptional: true };
  return [
    {
      ...blank('x.imports.list', 'GET', '/x/imports', 'Import and export'),
      summary: 'List imports since the server started',
      answer: successSchema(z.array(importJobSchema)),
      scope: 'admin',
    },
    {
      ...blank('x.imports.create', 'POST', '/x/imports', 'Import and export'),
      summary: 'Make an import from a mapping',
      body: body(
        z.object({
          mapping: z
            .looseObject({})
            .describe('Files, families, columns and constants, as a mapping file has them.'),
          skip_bad: z.boolean().optional().describe('Take the good rows. Absent: all rows or none.'),
          dry_run: z.boolean().optional().describe('Check every row and write none.'),
        }),
      ),
      answer: job,
      success: 201,
      errors: [409, 413, 415, 422],
      scope: 'admin',
    },
    {
      ...blank('x.imports.file', 'PUT', '/x/imports/{id}/files/{name}', 'Import and export'),
      summary: 'Give an import one of its files (CSV or JSON)',
      parameters: {
        ...one,
        name: { schema: z.string(), description: 'Name of the file in the mapping', isRequired: true },
      },
      body: { schema: z.string(), isOptional: false, limit: 2 ** 31, type: 'application/octet-stream' },
      answer: job,
      errors: [404, 409, 413, 415, 422, 507],
      scope: 'admin',
    },
    {
      ...blank('x.imports.run', 'POST', '/x/imports/{id}/run', 'Import and export'),
      summary: 'Run an import; watch it with its read operation',
      parameters: one,
      body: nothing,
      answer: job,
      errors: [404, 409, 422],
      scope: 'admin',
    },
    {
      ...blank('x.imports.cancel', 'POST', '/x/imports/{id}/cancel', 'Import and export'),
      summary: 'Cancel an import; what is not committed yet is not written',
      parameters: one,
      body: nothing,
      answer: job,
      errors: [404, 409],
      scope: 'admin',
    },
    {
      ...blank('x.imports.read', 'GET', '/x/imports/{id}', 'Import and export'),
      summary: 'How far an import is, and its bad rows',
      parameters: one,
      answer: job,
      errors: [404],
      scope: 'admin',
    },
    {
      ...blank('x.exports.read', 'GET', '/x/exports/{family}', 'Import and export'),
      summary: 'Export a family as CSV or JSON that import gives back unchanged',
      parameters: {
        family: {
          schema: z.string(),
          description: 'Family, as `supplier` or `suppliers`.',
          isRequired: true,
        },
      },
      query: {
        format: {
          schema: z.enum(['csv', 'json']),
          description: 'Form of the file; `json`, one object a line, when absent.',
        },
        items: {
          schema: z.string(),
          description: 'With `csv`: the items of this collection instead of the records.',
        },
        bom: {
          schema: z.boolean(),
          description: 'A byte order mark, by which spreadsheets know the file as UTF-8.',
        },
      },
      answerType: 'application/octet-stream',
      errors: [404, 422],
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

export const lotFactsSchema = z
  .object({
    unit: z.string().nullable().describe('The unit of the lot, in which the quantities are.'),
    quantity: z.number().describe('Over all places.'),
    locations: z
      .array(
        z.object({
          location_id: z.int().nullable().describe('Null: no place was named.'),
          name: z.string().nullable().describe('What people call the place.'),
          quantity: z.number().describe('What stands there.'),
        }),
      )
      .describe('Where the lot stands.'),
    locks: z
      .array(
        z.object({
          reason: z.string().describe('In words.'),
          family: z.string().describe('Of the record that locks it.'),
          id: z.int().describe('Of the record that locks it.'),
        }),
      )
      .describe('Why it cannot ship; empty: it is not locked.'),
    facts: z
      .array(
        z.object({
          family: z.string().describe('Of the record that says so.'),
          id: z.int().describe('Of the record that says so.'),
          item_id: z.int().nullable().describe('The line of the record; null: the record itself.'),
          location_id: z.int().nullable().describe('Null: no place was named.'),
          quantity: z.number().describe('Negative: taken away.'),
        }),
      )
      .describe('What the quantity is the sum of.'),
  })
  .meta({ id: 'LotFacts' });

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
