import { z } from 'zod';
import { successSchema } from '../contract/envelope.ts';
import { named } from '../contract/field-schemas.ts';
import { BULK_BODY_LIMIT, defineOperation } from '../contract/operation.ts';
import { signatureInput } from './signature-input.ts';

/** Rows of one file at most. */
export const LAB_IMPORT_LIMIT = 1_000;

const column = (what: string) => z.string().min(1).optional().describe(`Column with ${what}.`);

/** An instrument's table: one lab result a row. */
export const labImportRequestSchema = named('LabImportRequest', {
  csv: z
    .string()
    .min(1, 'Give the text of the file.')
    .describe('The text of the file; its first line names the columns.'),
  template_id: z.int().min(1).describe('Id of the inspection template whose characteristics are measured.'),
  columns: z
    .object({
      batch_number: column('the lot number; absent: `batch_number`'),
      testing_id: column('the testing number; absent: `testing_id`, where there is one'),
      testing_date: column('the day, YYYY-MM-DD or DD.MM.YYYY; absent: `testing_date`, where there is one'),
      inspector_name: column('who measured; absent: `inspector_name`, where there is one'),
    })
    .optional()
    .describe('Columns that are no measurement.'),
  measurements: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'Measurement by column; absent: columns that are called like a characteristic of the template.',
    ),
  delimiter: z.enum([',', ';', '\t']).optional().describe('Between values; absent: a comma.'),
  has_decimal_comma: z.boolean().optional().describe('12,5 is twelve and a half.'),
  date_order: z
    .enum(['day_first', 'month_first'])
    .optional()
    .describe('Of days that are written with slashes: 21/11/2026 or 11/21/2026. Absent: they are refused.'),
  skip_bad: z
    .boolean()
    .optional()
    .describe('Take the good rows and leave out those at fault; absent: all or none.'),
  dry_run: z.boolean().optional().describe('Tell what is in every row, and write nothing.'),
  ...signatureInput,
});

export const labImportSchema = named('LabImport', {
  is_written: z.boolean().describe('False: it was a dry run.'),
  rows: z
    .array(
      named('LabImportRow', {
        line: z.int().describe('Line in the file, from 1.'),
        batch_number: z.string().describe('Lot number in the row.'),
        inventory_id: z.int().nullable().describe('Id of the lot; null: none, or several of the part.'),
        measurements: z.record(z.string(), z.string()).describe('Values by measurement, as they are kept.'),
        failed_measurements: z.array(z.string()).describe('Outside the limits: the lot will be locked.'),
        repeats: z
          .int()
          .nullable()
          .describe(
            'Id of the result that is here with the same lot, template, day, testing number and measurements, 0: of an earlier row of the file. The row is not written. Null: none.',
          ),
        faults: z.array(z.string()).describe('What is wrong with the row and how to put it right.'),
        id: z.int().nullable().describe('Id of the lab result; null: not written.'),
      }),
    )
    .describe('In the order of the file.'),
  bad: z.int().describe('Rows that cannot be taken.'),
  repeated: z.int().describe('Rows that are here already: they are not written again.'),
  failing: z.int().describe('Rows with a measurement outside its limits.'),
  unused_columns: z.array(z.string()).describe('Columns that nothing is read from.'),
});

export function labImportOperation() {
  return defineOperation('x.lab-results.import', 'POST', '/x/lab-results/import', 'Lab results', {
    summary:
      "Lab results from an instrument's CSV, one a row, all or none unless `skip_bad`; a dry run tells what is in each row",
    body: {
      schema: () => labImportRequestSchema,
      isOptional: false,
      limit: BULK_BODY_LIMIT,
      type: 'application/json',
    },
    answer: () => successSchema(labImportSchema),
    errors: [404, 422, 429],
    scope: 'write',
  });
}

export type LabImportRequest = z.infer<typeof labImportRequestSchema>;
export type LabImport = z.infer<typeof labImportSchema>;
