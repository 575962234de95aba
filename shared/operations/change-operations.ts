import { z } from 'zod';
import { ANY_CHANGE_PLACE } from '../contract/change-place.ts';
import { successSchema } from '../contract/envelope.ts';
import { isoTimestampSchema, listOf, named } from '../contract/field-schemas.ts';
import { defineOperation } from '../contract/operation.ts';

/** Changes in an answer unless asked otherwise, and at most. */
export const CHANGES_PER_ANSWER = 100;
export const CHANGES_LIMIT = 500;
/** Seconds. */
export const LONGEST_WAIT = 55;

const ofSchema = named('ChangeOf', {
  family: z.string().describe('Its family.'),
  id: z.int().describe('Its id.'),
});

const changeSchema = named('Change', {
  family: z.string().describe('The family of the record.'),
  id: z.int().nullable().describe('The record; null for all records of the family that belong to `of`.'),
  change: z
    .enum(['created', 'changed', 'removed', 'answer'])
    .describe(
      '`created`, `changed`: the record itself. `removed`: its id went to another record, and it is here no more. `answer`: the record is as it was, but its answer shows `of`, which has changed (a lot shows its part).',
    ),
  version: z.int().nullable().describe('The version that the record has now; null for what is not there.'),
  at: isoTimestampSchema().nullable().describe('When it was written.'),
  user: z.string().nullable().describe('Who wrote it.'),
  of: ofSchema.nullable().describe('The record that has changed, where it is another one.'),
  commit: z.string().nullable().describe('The commit; null where the exchange decided something otherwise.'),
  station: z.string().nullable().describe('The station that wrote it.'),
  reason: z.string().nullable().describe('Why, where somebody said so.'),
  record: z
    .record(z.string(), z.unknown())
    .nullable()
    .optional()
    .describe('With `as=now`: the answer of the record as it is now.'),
  fields: z
    .record(z.string(), z.unknown())
    .nullable()
    .optional()
    .describe('With `as=then`: the stored fields after this change; null where this machine cannot say.'),
  changes: listOf({
    path: z.string().describe('Which value: `items.1048601.quantity`.'),
    old: z.unknown().describe('Before.'),
    new: z.unknown().describe('After.'),
  })
    .optional()
    .describe('With `as=then`: what this change wrote.'),
});
export type ListedChange = z.infer<typeof changeSchema>;

const changesMetaSchema = named('ChangesMeta', {
  cursor: z.string().describe('Where the next question goes on (`since`).'),
  is_reset: z
    .boolean()
    .describe(
      'The place that was named leads nowhere any more (a restore, another central): list everything again, then go on from `cursor`.',
    ),
  is_more: z.boolean().describe('There is more already: ask again at once.'),
});

const since = {
  schema: z
    .string()
    .regex(ANY_CHANGE_PLACE)
    .meta({ examples: ['0'] }),
  description:
    'The `cursor` of the last answer, or the id of an event; `0` for everything that history here has. Absent: from now on.',
};
const chosenFamilies = {
  schema: z.array(z.string()).meta({ examples: [['part', 'inventory']] }),
  description: 'Only these families, with a comma between them.',
};
const chosenFields = {
  schema: z.array(z.string()).meta({ examples: [['name', 'updated_at']] }),
  description: 'Only these fields of the record as it is now, with a comma between them.',
};

/** What changes: as a stream, and page by page. */
export function changeOperations() {
  return [
    defineOperation('x.events', 'GET', '/x/events', 'Events', {
      summary:
        'Server-sent events: `cursor` (or `reset`) first; `change` for each changed record, with its family, id, version, user, time, and whether it was created; `change-of-many` for all records that show a changed one; `sync` when the exchange with central, or the clock of the machine, stands otherwise than before',
      query: { since, families: chosenFamilies, fields: chosenFields },
      answerType: 'text/event-stream',
      errors: [422, 429],
    }),
    defineOperation('x.changes.list', 'GET', '/x/changes', 'Events', {
      summary: 'What has changed since a place, in the order in which it came to stand here',
      query: {
        since,
        families: chosenFamilies,
        fields: chosenFields,
        as: {
          schema: z.enum(['now', 'then']),
          description: '`now`: with each record as it is now. `then`: as it was after the change.',
        },
        limit: {
          schema: z.int().min(1).default(CHANGES_PER_ANSWER),
          description: `Changes in the answer; more than ${CHANGES_LIMIT} is read as ${CHANGES_LIMIT}.`,
        },
        wait: {
          schema: z.int().min(0).max(LONGEST_WAIT),
          description: 'Seconds to wait for a change where there is none yet. It counts as an event stream.',
        },
      },
      answer: () => successSchema(z.array(changeSchema), { meta: changesMetaSchema }),
      errors: [422, 429],
    }),
  ];
}
