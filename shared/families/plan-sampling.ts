import { z } from 'zod';
import { inspectionLevels, severities } from '../sampling/sampling-tables.ts';

/** The largest sample of ISO 2859-1:1999, table 2-A to 2-C: code letter R. */
export const MOST_SAMPLES = 2_000;

/** How a lot was sampled when its inspection was opened by a plan: kept with the inspection, whatever the plan says since. */
export const planSamplingSchema = z.object({
  plan_id: z.int().describe('Id of the inspection plan.'),
  lot_size: z.int().describe('Items in the lot, parts of one counted as one.'),
  level: z
    .enum(inspectionLevels)
    .nullable()
    .describe('Inspection level of ISO 2859-1; null: a fixed number.'),
  aql: z.number().nullable().describe('Acceptance quality limit in per cent; null: a fixed number.'),
  severity: z.enum(severities).nullable().describe('How strictly the lot is sampled; null: a fixed number.'),
  n: z.int().describe('Samples to inspect.'),
  ac: z.int().describe('The lot is accepted with up to so many nonconforming samples.'),
  re: z.int().describe('The lot is not accepted from so many on.'),
});

export type PlanSampling = z.infer<typeof planSamplingSchema>;

/** How many samples the plan of an inspection wants, and how many of them may fail; all of none where no plan opened it. */
export function acceptanceOf(kept: unknown): Pick<PlanSampling, 'n' | 'ac'> {
  const { n, ac } = Object(kept);
  return typeof n === 'number' && typeof ac === 'number' ? { n, ac } : { n: 0, ac: 0 };
}

/** What an inspection keeps of its plan; undefined where none opened it. */
export function planSamplingOf(kept: unknown): PlanSampling | undefined {
  return planSamplingSchema.safeParse(kept).data;
}
