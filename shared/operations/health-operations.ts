import { z } from 'zod';
import { successSchema } from '../contract/envelope.ts';
import { named } from '../contract/field-schemas.ts';
import { defineOperation } from '../contract/operation.ts';

/** What balancers and monitors ask. */
export function healthOperations() {
  return [
    defineOperation('x.health.read', 'GET', '/x/health', 'Status', {
      summary:
        'Whether this process answers requests: 503 says that it does not, and why. For balancers and monitors',
      answer: () => successSchema(healthSchema),
      errors: [503],
      scope: 'none',
    }),
    defineOperation('x.metrics.read', 'GET', '/x/metrics', 'Status', {
      summary:
        "Figures of this process for monitors, in Prometheus' text format. Needs a token that reads; one that is bounded to some families will do",
      answerType: 'text/plain',
    }),
  ];
}

export type Health = z.infer<typeof healthSchema>;

const healthSchema = named('Health', {
  is_ready: z.literal(true).describe('Requests are answered.'),
  journal: named('HealthJournal', {
    behind: z
      .int()
      .describe(
        'Groups of writes of other processes that were in the journal and not here yet when it was asked last, a second ago at most. A request waits for those before it.',
      ),
    is_worker: z
      .boolean()
      .describe('What is done at one process alone is done here: webhooks, daily backups, imports.'),
  })
    .nullable()
    .describe('Of a central that several processes serve; null for any other installation.'),
});
