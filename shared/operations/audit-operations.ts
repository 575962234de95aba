import { z } from 'zod';
import { answerSchema } from '../contract/answer-schema.ts';
import { pageMetaSchema, successSchema } from '../contract/envelope.ts';
import { isoTimestampSchema, named } from '../contract/field-schemas.ts';
import {
  defineOperation,
  idParameter,
  jsonBody,
  newestFirstQuery,
  pageQuery,
} from '../contract/operation.ts';
import { auditEvent } from '../families/audit-event.ts';
import { auditReview } from '../families/audit-review.ts';
import { languages } from './paper-operations.ts';

/** What the trail is narrowed to, in lists and exports alike. */
const selection = {
  from: {
    schema: z.string(),
    description:
      'Events of this moment and later: `2026-03-03T10:00:00+01:00`, or a day, which begins at midnight UTC.',
  },
  to: {
    schema: z.string(),
    description: 'Events of this moment and earlier; of a day, to its end in UTC.',
  },
  person: {
    schema: z.string(),
    description:
      'Login of a person, or name of an integration: what they did, and of a person what was done to their account. Former logins count too.',
  },
  station: {
    schema: z.string(),
    description:
      'The installation that wrote it. A station shows its own events, central those of the fleet.',
  },
  kind: { schema: z.string(), description: 'One kind of event, such as `signed_in`; several with commas.' },
  record: { schema: z.string(), description: 'Family and id of the record that it concerns: `user:17`.' },
};

/** The system's own trail. */
export function auditOperations() {
  return [
    defineOperation('x.audit.list', 'GET', '/x/audit', 'Audit trail', {
      summary: 'What the system noted of itself: sign-ins, exports, prints, grants, backups; by time',
      query: { ...pageQuery, ...selection, order: newestFirstQuery },
      answer: () => successSchema(z.array(auditEventSchema()), { meta: pageMetaSchema }),
      errors: [422],
      scope: 'admin',
    }),
    defineOperation('x.audit.export', 'GET', '/x/audit/export', 'Audit trail', {
      summary: 'The events of a period as CSV or as JSON, one object a line; by time',
      query: {
        ...selection,
        format: {
          schema: z.enum(['csv', 'json']),
          description: 'Form of the file; `json`, one object a line, when absent.',
        },
        bom: {
          schema: z.boolean(),
          description: 'A byte order mark, by which spreadsheets know the file as UTF-8.',
        },
      },
      answerType: 'application/octet-stream',
      errors: [422],
      scope: 'admin',
    }),
    defineOperation('x.audit.paper', 'GET', '/x/audit/paper', 'Audit trail', {
      summary: 'The events of a period as PDF; of more than a paper holds, narrow the period',
      query: {
        ...selection,
        language: {
          schema: z.enum(languages),
          description: 'Language of the paper; `en` when absent. What people typed stays as it is.',
        },
      },
      answerType: 'application/pdf',
      errors: [409, 422, 429],
      scope: 'admin',
    }),
    defineOperation('x.audit.package', 'GET', '/x/audit/package', 'Audit trail', {
      summary:
        'What proves the events of a period: history from its first day on, with a signed checkpoint at its end',
      query: {
        from: {
          schema: z.string(),
          description:
            'History from the first commit of this moment or later, to now: all that follows is needed to reach the signed end. Absent, or of an installation that stands alone: all of it. `docs/verify` says how it is checked.',
        },
      },
      answerType: 'application/jsonl',
      errors: [422, 503],
      scope: 'admin',
    }),
    defineOperation('x.audit.reviews', 'GET', '/x/audit/reviews', 'Audit trail', {
      summary: 'Reviews of the audit trail, the newest first, and when the next one is due',
      query: pageQuery,
      answer: () =>
        successSchema(z.array(auditReviewSchema()), {
          meta: pageMetaSchema
            .extend({
              reviewed_until: isoTimestampSchema()
                .nullable()
                .describe('Until when this trail was reviewed; null: nobody has.'),
              due: z.string().nullable().describe('That a review is due, in words; null: none is.'),
            })
            .meta({ id: 'AuditReviewMeta' }),
        }),
      errors: [422],
      scope: 'admin',
    }),
    defineOperation('x.audit.review', 'POST', '/x/audit/reviews', 'Audit trail', {
      summary: 'Say that you have reviewed the audit trail until a moment, and what you found',
      body: jsonBody(() => auditReviewRequestSchema),
      answer: () => successSchema(auditReviewSchema()),
      success: 201,
      errors: [409, 413, 415, 422, 507],
      scope: 'admin',
    }),
    defineOperation('x.audit.read', 'GET', '/x/audit/{id}', 'Audit trail', {
      summary: 'One event, and its place in history',
      parameters: { id: idParameter('Id of the event') },
      answer: () => successSchema(auditEventInHistorySchema()),
      errors: [404],
      scope: 'admin',
    }),
  ];
}

const auditEventSchema = () =>
  answerSchema(auditEvent)
    .extend({
      station: z.string().describe('The installation that wrote it, as its chain says.'),
      station_name: z.string().nullable().describe('What people call it; null where that is not known here.'),
    })
    .meta({ id: 'AuditEventOfStation' });

const auditEventInHistorySchema = () =>
  auditEventSchema()
    .extend({
      commit: z
        .object({
          id: z.string().describe('The commit that wrote it.'),
          chain: z.string().describe('In which it stands.'),
          number: z.int().describe('Its number there.'),
          hash: z.string().describe('Of the commit and all before it in the chain.'),
        })
        .nullable()
        .describe('Null where the history from then is not on this machine.'),
    })
    .meta({ id: 'AuditEventInHistory' });

const auditReviewSchema = () => answerSchema(auditReview);

export const auditReviewRequestSchema = named('AuditReviewRequest', {
  reviewed_until: z.iso
    .datetime({ offset: true, error: 'Give a moment with its offset from UTC: 2026-03-03T10:00:00+01:00.' })
    .describe('The last moment that you looked at; not one that is still to come.'),
  remarks: z
    .string({ error: 'Give the remarks as text.' })
    .max(10_000, { error: 'The remarks are too long. The most is 10,000 characters.' })
    .nullable()
    .optional()
    .describe('What you found.'),
});

/** A review as operations answer it. */
export type AuditReviewAnswer = z.infer<ReturnType<typeof auditReviewSchema>>;

/** An event as operations answer it. */
export type AuditEventAnswer = z.infer<ReturnType<typeof auditEventSchema>>;

/** Columns of an export, in their order. */
export const AUDIT_COLUMNS = [
  'id',
  'at',
  'kind',
  'author',
  'author_name',
  'address',
  'subject',
  'count',
  'details',
  'station',
  'station_name',
] as const;
