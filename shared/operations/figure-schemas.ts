import { z } from 'zod';
import { isoTimestampSchema, listOf, named } from '../contract/field-schemas.ts';

/** What charts are drawn from: points of trends, and figures over months. */

/** Points of a trend at most; older ones are left out, and `total` says so. */
export const TREND_LIMIT = 500;

const limitShape = {
  dimensions: z.string().nullable().describe('Nominal as the template has it, with its unit; null: none.'),
  tolerance: z.string().nullable().describe('Tolerance as the template has it; null: none.'),
  nominal: z.number().nullable().describe('The nominal value; null where none is said.'),
  lower: z.number().nullable().describe('Lower limit of specification; null: none.'),
  upper: z.number().nullable().describe('Upper limit of specification; null: none.'),
  is_lower_inclusive: z.boolean().describe('Whether the lower limit itself passes.'),
  is_upper_inclusive: z.boolean().describe('Whether the upper limit itself passes.'),
};

const specification = named('TrendLimits', {
  from_point: z.int().describe('Place of the first point that they were used for, from 0.'),
  template_id: z.int().nullable().describe('Id of the template; null where none is known.'),
  template: z.string().nullable().describe('Name of the template; null where none is known.'),
  revision: z.int().nullable().describe('Revision of the template; null where none is known.'),
  ...limitShape,
});

const point = named('TrendPoint', {
  family: z.enum(['inspection', 'lab-result']).describe('Of the record that was measured.'),
  id: z.int().describe('Of the record that was measured; of a lot, its newest inspection.'),
  inventory_id: z.int().nullable().describe('Id of the lot; null where none is named.'),
  sample_id: z.int().nullable().describe('Id of the sample; null where the point is not one sample.'),
  at: z.string().describe('When: a day where one was given, else the moment of writing (ISO 8601, UTC).'),
  value: z.number().describe('The value, in the unit of `dimensions`.'),
  n: z.int().describe('How many measurements it is the mean of.'),
  label: z.string().describe('The lot number, else the record; with the number of the sample.'),
  is_within: z.boolean().nullable().describe('Within the limits of its own time; null: there were none.'),
});

export const trendSchema = named('Trend', {
  characteristic: z.string().describe('Name of the characteristic or measurement.'),
  by: z.enum(['lot-mean', 'sample', 'first']).describe('What one point is.'),
  points: z.array(point).describe('In order of time, the newest 500.'),
  total: z.int().describe('Points that there are, as far as records were read.'),
  records_total: z.int().describe('Inspections or lab results of the part or template.'),
  records_read: z.int().describe('How many of them were looked at, the newest.'),
  qualified: z
    .int()
    .describe('Results left out because they are no number: below or above a limit of quantification.'),
  limits: z
    .object(limitShape)
    .nullable()
    .describe('The latest limits; null where no template of a point has the characteristic.'),
  limits_over_time: z
    .array(specification)
    .describe('The limits as they changed; more than one: they differ over time.'),
});

export const trendListSchema = named('TrendName', {
  family: z.enum(['inspection', 'lab-result']).describe('Which trend has it.'),
  name: z.string().describe('Name of the characteristic or measurement.'),
  operation: z.string().nullable().describe('The step of the work that makes it; null: not said.'),
  records: z.int().describe('Records with a number for it.'),
  newest_at: z.string().describe('The newest of them: a moment or a day.'),
  has_limits: z.boolean().describe('Whether the newest template has limits for it.'),
});

const money = 'Quantity times cost, summed in the currency of the site';

export const stockValueSchema = named('StockValue', {
  as_of: isoTimestampSchema().describe('When it was worked out, UTC.'),
  value: z.number().describe(`${money}, today.`),
  lots: z.int().describe('Lots in stock.'),
  lots_without_cost: z.int().describe('Lots in stock without a cost: not in any sum.'),
  expired: z.number().describe('Value of lots past their last usable day.'),
  locked: z.number().describe('Value of lots that cannot ship.'),
  by_month: z
    .array(
      named('StockMonth', {
        month: z.string().describe('YYYY-MM.'),
        value: z.number().describe("At the month's end, at today's cost; of this month, today."),
        received: z.number().describe('Value received or found in the month.'),
        shipped: z.number().describe('Value shipped or lost in the month.'),
      }),
    )
    .describe('Oldest first.'),
  by_expiry: z
    .array(
      named('StockExpiry', {
        month: z.string().nullable().describe('YYYY-MM; null: no expiry.'),
        value: z.number().describe('Of what is in stock today and expires in the month.'),
        lots: z.int().describe('Lots of it.'),
      }),
    )
    .describe('By month, oldest first, lots without expiry last.'),
});

const count = z.int().describe('How many.');

export const ncrFiguresSchema = named('NcrFigures', {
  as_of: isoTimestampSchema().describe('When it was worked out, UTC.'),
  total: z.int().describe('All reports.'),
  open: z.int().describe('Those that are not closed.'),
  by_status: z
    .array(z.object({ status: z.string().describe('open, in_review or closed.'), count }))
    .describe('By where they stand.'),
  by_source: z
    .array(z.object({ source: z.string().describe('internal, customer or supplier.'), count, open: count }))
    .describe('By where they come from.'),
  by_cause: listOf({
    error_code_id: z.int().nullable().describe('Id of the error code; null: no cause is named.'),
    cause: z.string().nullable().describe('The error code in words; null: no cause is named.'),
    count,
    open: count,
  }).describe('By cause, most first.'),
  by_supplier: listOf({
    supplier_id: z.int().nullable().describe('Id of the supplier; null: none is known.'),
    supplier: z.string().nullable().describe('Name of the supplier; null: none is known.'),
    count,
    open: count,
  }).describe("By the supplier of the receipt, else of the lot's receipt, else of the part; most first."),
  by_age: listOf({
    from_days: z.int().describe('Youngest, in days.'),
    to_days: z.int().nullable().describe('Oldest, in days; null: no end.'),
    count: z.int().describe('Open reports of this age.'),
  }).describe('Those that are not closed, by days since they were raised.'),
  by_month: listOf({
    month: z.string().describe('YYYY-MM.'),
    raised: z.int().describe('Reports raised in the month.'),
  }).describe('The last 12 months, oldest first.'),
});

export const supplierFiguresSchema = named('SupplierFigures', {
  as_of: isoTimestampSchema().describe('When it was worked out, UTC.'),
  from: z.iso.date().describe('First day of arrival that is counted.'),
  suppliers: z
    .array(
      named('SupplierFigure', {
        supplier_id: z.int().nullable().describe('Id of the supplier; null: the receipt names none.'),
        supplier: z.string().nullable().describe('Name of the supplier; null: the receipt names none.'),
        receipts: z.int().describe('Receipts.'),
        lines: z.int().describe('Lines with a quantity.'),
        lines_with_rejects: z.int().describe('Lines of which something was rejected.'),
        accepted_share: z
          .number()
          .nullable()
          .describe(
            'Mean of accepted / (accepted + rejected) over the lines, 0 to 1, so that units never mix; null: no lines.',
          ),
        by_unit: listOf({
          unit: z.string().nullable().describe('The unit; null: none.'),
          accepted: z.number().describe('Sum of what was accepted.'),
          rejected: z.number().describe('Sum of what was rejected.'),
        }).describe('Quantities by unit.'),
        lots_inspected: z.int().describe('Lots with a verdict.'),
        lots_failed: z.int().describe('Lots with a failed inspection, settled or not.'),
      }),
    )
    .describe('Lowest accepted share first.'),
});

export type Trend = z.infer<typeof trendSchema>;
export type TrendPoint = z.infer<typeof point>;
export type TrendLimits = z.infer<typeof specification>;
export type TrendName = z.infer<typeof trendListSchema>;
export type StockValue = z.infer<typeof stockValueSchema>;
export type NcrFigures = z.infer<typeof ncrFiguresSchema>;
export type SupplierFigures = z.infer<typeof supplierFiguresSchema>;
