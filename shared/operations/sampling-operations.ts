import { z } from 'zod';
import { answerSchema } from '../contract/answer-schema.ts';
import { successSchema } from '../contract/envelope.ts';
import { isoTimestampSchema, listOf, named } from '../contract/field-schemas.ts';
import { defineOperation, jsonBody } from '../contract/operation.ts';
import { families } from '../families/registry.ts';
import { inspectionLevels, severities } from '../sampling/sampling-tables.ts';

const ruleValues = z
  .record(z.string(), z.union([z.string(), z.number(), z.null()]))
  .describe('What the rule was applied to, for a sentence.');
const origin = z
  .enum(['query', 'part', 'default'])
  .describe('Where it is said: in the call, at the part, nowhere.');
const severity = z.enum(severities);

export const samplingSchema = named('Sampling', {
  part_id: z.int().describe('Id of the part.'),
  supplier_id: z.int().nullable().describe('Id of the supplier; null: lots of the part from anybody.'),
  level_from: origin,
  aql_from: origin,
  plan: z
    .object({
      lot_size: z.int().describe('Items in the lot.'),
      level: z.enum(inspectionLevels).describe('Inspection level.'),
      aql: z.number().describe('Acceptance quality limit, per cent nonconforming.'),
      severity: severity.describe('How strictly this lot is sampled.'),
      letter: z.string().describe('Code letter of the lot size (table 1).'),
      letter_used: z.string().describe('Code letter of the plan, after the arrows.'),
      n: z.int().describe('Items to inspect.'),
      ac: z.int().describe('The lot is accepted with up to so many nonconforming items.'),
      re: z.int().describe('The lot is not accepted from so many on.'),
      is_whole_lot: z.boolean().describe('Every item of the lot is inspected.'),
      steps: listOf({
        rule: z.enum(['letter', 'arrowDown', 'arrowUp', 'plan', 'wholeLot']).describe('Which step.'),
        values: ruleValues,
      }).describe('How the plan was found, in order.'),
    })
    .describe('The single sampling plan of ISO 2859-1:1999.'),
  state: z
    .object({
      severity: severity.describe('How strictly the next lot is sampled.'),
      is_discontinued: z
        .boolean()
        .describe('No lot may be accepted by sampling until the supplier has acted.'),
      switching_score: z.int().describe('Of normal inspection; 30 make reduced inspection possible.'),
      is_production_steady: z.boolean().describe('Nobody has said otherwise.'),
      is_reduced_possible: z.boolean().describe('Only the approval of reduced inspection is missing.'),
      rejected_on_tightened: z.int().describe('Lots not accepted on tightened inspection; 5 discontinue it.'),
      accepted_on_tightened: z.int().describe('Lots accepted in a row on tightened inspection; 5 end it.'),
      steps: listOf({
        rule: z
          .enum([
            'start',
            'twoOfFiveRejected',
            'fiveAccepted',
            'discontinued',
            'resumed',
            'reduced',
            'rejectedOnReduced',
            'productionIrregular',
            'reducedWithdrawn',
            'normalReinstated',
          ])
          .describe('Which rule changed the severity.'),
        clause: z.string().describe('Clause of ISO 2859-1:1999.'),
        at: z.int().nullable().describe('Place in `history` of what caused it, from 0; null: the start.'),
        severity: severity.describe('From then on.'),
        lots: z.array(z.int()).describe('Places in `history` of the lots that count for the rule.'),
        score: z.int().describe('The switching score then.'),
      }).describe('Every change of severity, oldest first.'),
    })
    .describe('The switching rules of ISO 2859-1:1999, 9, over `history`.'),
  history: listOf({
    kind: z.enum(['lot', 'ruling']).describe('A judged lot, or a decision of a person.'),
    family: z.enum(['inspection', 'sampling-ruling']).describe('Of the record.'),
    id: z.int().describe('Of the record.'),
    at: z.string().describe('When: the day that was given for it, else the moment (ISO 8601, UTC).'),
    inventory_id: z.int().nullable().describe('Id of the lot; null where none is named.'),
    label: z.string().describe('The lot number, or the decision.'),
    is_accepted: z.boolean().nullable().describe('The verdict; null: a decision.'),
    is_resubmitted: z.boolean().describe('Submitted again: it does not count.'),
    nonconforming: z.int().nullable().describe('Samples outside their limits; null: a decision.'),
    measured: z
      .int()
      .nullable()
      .describe('Samples of which all that the template asks for is known; null: a decision.'),
    reason: z.string().nullable().describe('Why a person decided so; null: a lot.'),
    lot_size: z
      .int()
      .nullable()
      .describe('Items received in the lot, else samples measured; null: a decision, or not known.'),
    severity: severity.describe('How strictly it was sampled.'),
    n: z.int().nullable().describe('Items that its plan asked for; null: a decision.'),
    ac: z.int().nullable().describe('Nonconforming items that its plan allowed; null: a decision.'),
  }).describe('Lots judged so far and decisions, oldest first: the newest 300 inspections of the part.'),
  inspections_total: z.int().describe('Inspections of the part, from any supplier.'),
});

const samplingStatesSchema = named('SamplingStates', {
  as_of: isoTimestampSchema().describe('When this was read, UTC.'),
  rows: listOf({
    part_id: z.int().describe('Id of the part.'),
    part: z.string().describe('What people call it.'),
    supplier_id: z.int().nullable().describe('Id of the supplier; null: lots whose supplier is not known.'),
    supplier: z.string().nullable().describe('Name of the supplier.'),
    severity: severity.describe('How strictly the next lot is sampled.'),
    is_discontinued: z.boolean().describe('No lot may be accepted by sampling.'),
    is_reduced_possible: z.boolean().describe('Only the approval of reduced inspection is missing.'),
    switching_score: z.int().describe('Of normal inspection; 30 make reduced inspection possible.'),
    lots: z.int().describe('Lots judged, of those that were read.'),
    newest_at: z
      .string()
      .describe(
        'When the last one was judged or decided about: a day where one was given, else a moment (ISO 8601, UTC).',
      ),
  }).describe('What waits for somebody first.'),
  inspections_total: z.int().describe('Inspections in all.'),
  inspections_read: z.int().describe('Of them the newest, by which this was worked out.'),
});
export type SamplingStates = z.infer<typeof samplingStatesSchema>;

/** Sampling of received lots by ISO 2859-1:1999. */
export function samplingOperations() {
  return [
    defineOperation('x.sampling.read', 'GET', '/x/sampling', 'Sampling', {
      summary: 'How many items of a lot to inspect, how many may be bad, and why',
      query: {
        part_id: { schema: z.int().min(1), description: 'Id of the part.', isRequired: true },
        supplier_id: {
          schema: z.int().min(1),
          description: "Id of the supplier; absent: the part's, else lots from anybody.",
        },
        lot_size: { schema: z.int().min(1), description: 'Items in the lot.', isRequired: true },
        level: {
          schema: z.enum(inspectionLevels),
          description: "Inspection level; absent: the part's, else II.",
        },
        aql: {
          schema: z.number(),
          description: "Acceptance quality limit in per cent; absent: the part's, else 1.",
        },
      },
      answer: () => successSchema(samplingSchema),
      errors: [404, 422],
    }),
    defineOperation('x.sampling.list', 'GET', '/x/sampling/states', 'Sampling', {
      summary: 'How strictly each part from each supplier is sampled now',
      answer: () => successSchema(samplingStatesSchema),
    }),
    defineOperation('x.sampling.reduced', 'POST', '/x/sampling/reduced', 'Sampling', {
      summary: 'Approve reduced inspection of a part from a supplier, or withdraw the approval',
      body: jsonBody(() =>
        named('SamplingReduced', {
          part_id: z.int().min(1).describe('Id of the part.'),
          supplier_id: z
            .int()
            .min(1)
            .nullable()
            .optional()
            .describe('Id of the supplier; absent: lots from anybody.'),
          is_allowed: z.boolean().describe('True approves, false withdraws.'),
          reason: z.string().min(1).describe('Why; kept with the decision.'),
        }),
      ),
      answer: () => successSchema(answerSchema(families['sampling-ruling'])),
      success: 201,
      errors: [422],
      scope: 'write',
    }),
  ];
}

export type Sampling = z.infer<typeof samplingSchema>;
