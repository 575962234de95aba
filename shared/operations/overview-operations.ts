import { z } from 'zod';
import { answerSchema } from '../contract/answer-schema.ts';
import { successSchema } from '../contract/envelope.ts';
import { listOf, named } from '../contract/field-schemas.ts';
import { SCAN_LIMIT } from '../contract/limits.ts';
import { defineOperation, idParameter, jsonBody, pageQuery } from '../contract/operation.ts';
import { withCorrections } from '../families/record-corrections.ts';
import { families } from '../families/registry.ts';

/** What needs attention, in the order of the home page. */
export const attentionKinds = [
  'orders_late',
  'orders_over',
  'receipts_open',
  'counts_open',
  'counts_differ',
  'inspections_open',
  'inspections_failed',
  'lots_expiring',
  'lots_expired',
  'lots_locked',
  'corrections_awaiting',
  'ncrs_open',
  'cars_open',
  'complaints_open',
  'shipments_due',
  'shipments_open',
  'shipments_differ',
  'parts_low',
  'stock_negative',
  'counts_crossed',
  'conflicts_open',
  'commits_held',
  'commits_unsent',
  'numbers_twice',
  'backup',
  'certificate',
  'clock',
  'audit_review',
  'sign_in_attacked',
  'webhooks',
  'leavers_tokens',
  'authority',
] as const;

export type AttentionKind = (typeof attentionKinds)[number];

/** Titles that one call answers. */
export const TITLES_LIMIT = 200;
export const FIND_DEFAULT = 20;
export const FIND_LIMIT = 100;
export const BARCODE_LIMIT = 200;
/** Expected orders that one call answers. */
export const EXPECTED_LIMIT = 100;

const recordName = {
  family: z.string().describe('Family of the record.'),
  id: z.int().describe('Id of the record.'),
  title: z.string().describe('What people call it: its number or name.'),
};
const subtitle = z
  .string()
  .nullable()
  .describe('What tells records of one name apart; null: nothing to say.');

export const titleSchema = named('RecordTitle', { ...recordName, subtitle });
export type RecordTitle = z.infer<typeof titleSchema>;

export const foundSchema = named('FoundRecord', {
  ...recordName,
  subtitle,
  is_exact: z.boolean().describe('The text is its whole number, lot number, barcode, name or id.'),
});
export type FoundRecord = z.infer<typeof foundSchema>;

export const referencesSchema = named('References', {
  out: listOf({
    field: z.string().describe('Field that refers to it; of items `items.part_id`.'),
    family: z.string().describe('Family of the record referred to.'),
    id: z.int().describe('Its id.'),
    title: z.string().nullable().describe('What people call it; null: it is not here.'),
  }).describe('What the record refers to, each once for a field.'),
  in: listOf({
    family: z.string().describe('Family of the records that refer to this one.'),
    field: z
      .string()
      .describe('Field by which they do; of items `items.part_id`; `batch_number` names the lot.'),
    total: z.int().describe('How many they are.'),
    records: z.array(titleSchema).describe('The newest 10, or the page asked for, newest first.'),
  }).describe('What refers to the record; fields by which nothing does are left out.'),
});
export type References = z.infer<typeof referencesSchema>;

export const attentionSchema = listOf({
  kind: z.enum(attentionKinds).describe('What it is about.'),
  total: z.int().describe('How many there are.'),
  overdue: z
    .int()
    .nullable()
    .describe(
      'How many of them are late: reports, requests and complaints open for more than 30 days, receipts and shipments wanted before today. Null: the kind has no day.',
    ),
  is_complete: z.boolean().describe('False: still being counted; ask again.'),
  says: z.string().nullable().describe('In words, where there is more to say than a number.'),
  items: listOf({
    ...recordName,
    subtitle,
    date: z.string().nullable().describe('The day that it is dated by, YYYY-MM-DD; null: none.'),
  }).describe('The first 10, the most urgent first.'),
}).meta({ id: 'Attention' });
export type Attention = z.infer<typeof attentionSchema>;
export type AttentionGroup = Attention[number];

const expectedOrderSchema = named('ExpectedOrder', {
  id: z.int().describe('Id of the purchase order.'),
  po_number: z.string().describe('Its number.'),
  supplier_id: z.int().nullable().describe('Id of the supplier; null: none is said.'),
  supplier: z.string().nullable().describe('Name of the supplier; null: none is said, or it is not here.'),
  expected_date: z.iso.date().nullable().describe('The day that it is expected on; null: none was said.'),
  is_late: z.boolean().describe('Whether that day is past.'),
  has_receipts: z.boolean().describe('Whether some of it has been received, or is being received.'),
  receipt_id: z.int().nullable().describe('The newest receipt of it that is open; null: there is none.'),
});
export type ExpectedOrder = z.infer<typeof expectedOrderSchema>;

export const scanSchema = named('Scan', {
  kind: z
    .enum(['record', 'part', 'lot', 'location', 'unknown'])
    .describe('What the first match is; `unknown`: nothing matches.'),
  serial_number: z
    .string()
    .nullable()
    .describe('The number of the piece whose lot it is, where the code names a piece; else null.'),
  matches: z.array(titleSchema).describe('Records that the code names.'),
});
export type Scan = z.infer<typeof scanSchema>;

export const scanRequestSchema = named('ScanRequest', {
  data: z
    .string({ error: 'Give what the scanner read, as text.' })
    .min(1)
    .max(SCAN_LIMIT)
    .describe('What the scanner read.'),
  symbology: z
    .string()
    .max(100)
    .nullish()
    .describe('Kind of code, where the scanner says it: `ean13`, `]C1`.'),
});

export const barcodeRequestSchema = named('BarcodeLearn', {
  code: z
    .string({ error: 'Give the code as text.' })
    .trim()
    .min(1, { error: 'Give the code.' })
    .max(BARCODE_LIMIT, { error: `The code is too long. The most is ${BARCODE_LIMIT} characters.` })
    .describe(`The code, as scanned; at most ${BARCODE_LIMIT} characters.`),
  reason: z.string().max(10_000).nullish().describe('Why; kept in history.'),
});

/** What screens ask across families: finding, references, titles, scans, and what needs attention. */
export function overviewOperations() {
  const record = {
    family: { schema: z.string(), description: 'Family, as `supplier` or `suppliers`.', isRequired: true },
    id: idParameter('Id of the record'),
  };
  return [
    defineOperation('x.find.list', 'GET', '/x/find', 'Overview', {
      summary:
        'Find records of every family by number, name, lot number, barcode, serial number of a piece or id; exact matches first',
      query: {
        text: {
          schema: z.string().meta({ examples: ['LO-2603'] }),
          description:
            'A number, name, lot number, barcode, id or `family:id`, or a part of a text. Absent, with `family`: the newest records.',
        },
        family: {
          schema: z.string(),
          description: 'Only records of this family, as `supplier` or `suppliers`.',
        },
        limit: {
          schema: z.int().min(1).default(FIND_DEFAULT),
          description: `Most records in the answer; more than ${FIND_LIMIT} is read as ${FIND_LIMIT}.`,
        },
      },
      answer: () => successSchema(z.array(foundSchema)),
      errors: [422],
    }),
    defineOperation('x.references.read', 'GET', '/x/references/{family}/{id}', 'Overview', {
      summary: 'What a record refers to and what refers to it, items included',
      parameters: record,
      query: {
        ...pageQuery,
        family: { schema: z.string(), description: 'With `field`: only records of this family.' },
        field: {
          schema: z.string(),
          description: 'With `family`: only records that refer by this field, page by page.',
        },
      },
      answer: () => successSchema(referencesSchema),
      errors: [404, 422],
    }),
    defineOperation('x.attention.read', 'GET', '/x/attention', 'Overview', {
      summary: 'What needs attention today, kind by kind',
      answer: () => successSchema(attentionSchema),
    }),
    defineOperation('x.expected.list', 'GET', '/x/expected', 'Overview', {
      summary: `Purchase orders of which something is still expected, the earliest day first; at most ${EXPECTED_LIMIT}`,
      answer: () => successSchema(z.array(expectedOrderSchema)),
    }),
    defineOperation('x.titles.list', 'GET', '/x/titles', 'Overview', {
      summary: 'What people call the records, for references in lists; unknown ones are left out',
      query: {
        refs: {
          schema: z
            .string()
            .regex(/^[a-z-]+:\d+(,[a-z-]+:\d+)*$/)
            .meta({ examples: ['supplier:12,part:13'] }),
          description: `Records as \`supplier:12,part:13\`, at most ${TITLES_LIMIT}.`,
          isRequired: true,
        },
      },
      answer: () => successSchema(z.array(titleSchema)),
      errors: [422],
    }),
    defineOperation('x.scan', 'POST', '/x/scan', 'Overview', {
      summary: 'What a scanned code means here',
      body: jsonBody(() => scanRequestSchema),
      answer: () => successSchema(scanSchema),
      errors: [413, 415, 422],
    }),
    defineOperation('x.parts.barcodes', 'POST', '/x/parts/{id}/barcodes', 'Overview', {
      summary: 'Learn a code for a part; 409 when another part has it',
      parameters: { id: idParameter('Id of the part') },
      body: jsonBody(() => barcodeRequestSchema),
      answer: () => successSchema(withCorrections(families.part, answerSchema(families.part))),
      errors: [404, 409, 412, 413, 415, 422, 507],
      scope: 'write',
    }),
  ];
}
