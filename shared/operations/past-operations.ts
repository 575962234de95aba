import { z } from 'zod';
import { pageMetaSchema, successSchema } from '../contract/envelope.ts';
import { isoTimestampSchema, listOf, named } from '../contract/field-schemas.ts';
import {
  defineOperation,
  familyParameter,
  idParameter,
  newestFirstQuery,
  pageQuery,
} from '../contract/operation.ts';
import { wholeRecordSchema } from './extension-schemas.ts';
import { languages } from './paper-operations.ts';

/** What an answer about the past cannot say by itself. */
export const pastNotes = ['more_may_come', 'not_sent_yet', 'clock_corrected', 'changed_since'] as const;

export const pastSchema = named('Past', {
  meaning: z
    .enum(['moment', 'place', 'here'])
    .describe(
      '`moment`: by all commits dated until then, in the order of the log. `place`: after so many entries of the log. `here`: as this machine showed it then.',
    ),
  at: isoTimestampSchema().nullable().describe('The moment; null for a place.'),
  place: z.int().nullable().describe('Entries of the log that count; null for a moment.'),
  log_end: z
    .int()
    .describe(
      'How far this machine has the log now: a place that gives the present state of what is decided.',
    ),
  notes: z
    .array(z.enum(pastNotes))
    .describe(
      '`more_may_come`: what others wrote until then may still arrive. `not_sent_yet`: a change counts that was written here and that central has not decided. `clock_corrected`: a change is dated by central’s clock, because its own was wrong. `changed_since`: today it is another.',
    ),
});
export type PastAnswer = z.infer<typeof pastSchema>;

export const recordThenSchema = wholeRecordSchema
  .extend({
    past: pastSchema.optional().describe('With `as_of`: what the answer means.'),
  })
  .meta({ id: 'RecordThen' });

const locationThenSchema = {
  location_id: z.int().nullable().describe('Null: no place was named.'),
  name: z.string().nullable().describe('What people called the place then.'),
  quantity: z.number().describe('What stood there.'),
};

/** A lot or, with `by=part`, what stood of a part in one unit. */
export const stockThenSchema = named('StockThen', {
  inventory_id: z.int().nullable().describe('The lot; null with `by=part`.'),
  batch_number: z.string().nullable().describe('Its number then.'),
  part_id: z.int().nullable().describe('The part.'),
  part: z.string().nullable().describe('What people called it then.'),
  identification: z.string().nullable().describe('Its part number then.'),
  unit: z.string().nullable().describe('The unit of the lot then; different units are never summed.'),
  quantity: z.number().describe('What stood, over all places.'),
  lots: z.int().describe('How many lots it is of.'),
  locations: listOf(locationThenSchema).describe('Where the lot stood; empty with `by=part`.'),
});
export type StockThen = z.infer<typeof stockThenSchema>;

export const knownBy = ['here'] as const;

const asOf = {
  schema: z.string().meta({ examples: ['12', '2026-03-03T10:00:00+01:00'] }),
  description:
    'The moment, ISO 8601 with its offset from UTC, or a place: how many entries of the log count (`place` and `log_end` of an answer, `sequence` of `/x/sync`). A moment counts every commit that is dated at or before it. Clocks that are known to have been wrong by two minutes or more are corrected to central’s; and no commit counts before what it was written over.',
};
const known = {
  schema: z.enum(knownBy),
  description:
    '`here`: as this machine showed it at the moment, by what had been written or had arrived here until then. Absent: by the whole log that is here now.',
};
const language = {
  schema: z.enum(languages),
  description: 'Language of the paper; `en` when absent. What people typed stays as it is.',
};

/** What was known: records, lists and stock as of a moment or a place in the log (interface decisions, 5.18). */
export function pastOperations() {
  const record = { family: familyParameter, id: idParameter('Id of the record') };
  const required = { as_of: { ...asOf, isRequired: true as const }, known };
  const meta = pageMetaSchema
    .extend({ past: pastSchema.describe('What the answer means.') })
    .meta({ id: 'PastPageMeta' });
  return [
    defineOperation('x.records.read', 'GET', '/x/records/{family}/{id}', 'Records', {
      summary: 'Read a whole record, write-only fields included; with `as_of` as it was then',
      parameters: record,
      query: { as_of: asOf, known },
      answer: () => successSchema(recordThenSchema),
      errors: [404, 422],
    }),
    defineOperation('x.records.list', 'GET', '/x/records/{family}', 'Records', {
      summary: 'List the records of a family as they were at a moment or place in the log',
      parameters: { family: familyParameter },
      query: { ...required, ...pageQuery, order: newestFirstQuery },
      answer: () => successSchema(z.array(wholeRecordSchema), { meta }),
      errors: [404, 422, 429],
    }),
    defineOperation('x.records.paper', 'GET', '/x/records/{family}/{id}/paper', 'Paper', {
      summary: 'Print a record as it was at a moment or place in the log, as PDF that says so',
      parameters: record,
      query: { ...required, language },
      answerType: 'application/pdf',
      errors: [404, 409, 422, 429],
    }),
    defineOperation('x.stock.list', 'GET', '/x/stock', 'Stock', {
      summary: 'What was in stock at a moment or place in the log, by lot or part',
      query: {
        ...required,
        by: {
          schema: z.enum(['lot', 'part']),
          description: '`lot`, each with its places, when absent; `part` sums lots of one part and unit.',
        },
        part_id: { schema: z.int().min(1), description: 'Lots of this part only.' },
        ...pageQuery,
      },
      answer: () => successSchema(z.array(stockThenSchema), { meta }),
      errors: [422, 429],
    }),
  ];
}
