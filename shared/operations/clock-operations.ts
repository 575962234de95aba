import { z } from 'zod';
import { pageMetaSchema, successSchema } from '../contract/envelope.ts';
import { isoTimestampSchema, named } from '../contract/field-schemas.ts';
import { defineOperation, jsonBody, pageQuery } from '../contract/operation.ts';
import { reasonSchema } from './exchange-operations.ts';

/** Whether this machine's clock is believed, and what was noticed of it. */
export function clockOperations() {
  return [
    defineOperation('x.clock.read', 'GET', '/x/clock', 'Maintenance', {
      summary: "What this machine's clock says, and whether it is believed",
      answer: () => successSchema(clockSchema),
    }),
    defineOperation('x.clock.facts', 'GET', '/x/clock/facts', 'Maintenance', {
      summary: "When this machine's clock was changed, from and to what, and what ended it; the newest first",
      query: pageQuery,
      answer: () => successSchema(z.array(clockFactSchema), { meta: pageMetaSchema }),
      errors: [422],
    }),
    defineOperation('x.clock.confirm', 'POST', '/x/clock/confirm', 'Maintenance', {
      summary: "Say that this machine's clock is right: what is written from then on is not marked",
      body: jsonBody(() => clockConfirmationSchema),
      answer: () => successSchema(clockFactSchema),
      errors: [409, 422, 507],
      scope: 'admin',
    }),
  ];
}

/** A clock that is not confirmed. */
export const clockStandingSchema = named('ClockStanding', {
  step: z
    .int()
    .nullable()
    .describe(
      'The id of the fact by which it was noticed, for confirming; null for the moment until it is kept.',
    ),
  at_least: isoTimestampSchema().describe('What the clock should at least say.'),
  offset_ms: z.int().describe('What it says minus that, in milliseconds.'),
  says: z.string().describe('How it stands, in a sentence.'),
});
export type ClockStandingAnswer = z.infer<typeof clockStandingSchema>;

const clockSchema = named('Clock', {
  now: isoTimestampSchema().describe('What the clock says.'),
  standing: clockStandingSchema.nullable().describe('Null: it is believed.'),
});
export type Clock = z.infer<typeof clockSchema>;

export const clockKinds = ['step_at_start', 'step', 'confirmed', 'set_right', 'as_central'] as const;

const clockFactSchema = named('ClockFact', {
  id: z.int().describe('Counts up.'),
  kind: z
    .enum(clockKinds)
    .describe(
      '`step_at_start`: at a start it stood before what was written last. `step`: it was changed while the server ran. `confirmed`: a person said that it is right. `set_right`: it was right again. `as_central`: it is as central’s.',
    ),
  clock: isoTimestampSchema().describe('What the clock said.'),
  at_least: isoTimestampSchema().describe('What it should at least have said.'),
  sequence: z.int().describe('The last commit of history then, in the order of this machine.'),
  user: z.string().nullable().describe('Who confirmed it; null for what the program noticed.'),
  reason: z.string().nullable().describe('Why it was taken for right.'),
});
export type ClockFactAnswer = z.infer<typeof clockFactSchema>;

export const clockConfirmationSchema = named('ClockConfirmation', {
  step: z
    .int({ error: 'Give the id of the step that you have seen: `standing.step` of GET /x/clock.' })
    .describe('The `step` of `GET /x/clock` that is confirmed.'),
  reason: reasonSchema,
});
