import { z } from 'zod';
import { isoTimestampSchema, named } from '../contract/field-schemas.ts';

/** What of central one station may not use without end. */
const QUOTAS = ['messages', 'commits', 'bytes', 'blocks', 'hashes', 'held'] as const;
export type QuotaName = (typeof QUOTAS)[number];

/** That a station has used up what it may of central, and waits. */
export const quotaStateSchema = named('StationQuota', {
  of: z
    .enum(QUOTAS)
    .describe(
      'What was used up: `messages`, `commits` or `bytes` in a minute or a day, `blocks` of ids in a day, `hashes` of records to compare with in a minute; `held`: too many of its changes wait for a decision at central.',
    ),
  until: isoTimestampSchema().describe('When it goes on by itself, or asks again.'),
});
export type QuotaState = z.infer<typeof quotaStateSchema>;
