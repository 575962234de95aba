import { z } from 'zod';
import { successSchema } from '../contract/envelope.ts';
import { isoTimestampSchema, named } from '../contract/field-schemas.ts';
import { defineOperation, jsonBody } from '../contract/operation.ts';

/** Characters of JSON that one draft may have. */
export const DRAFT_LIMIT = 500_000;
const KEY_LIMIT = 200;

export const draftSchema = named('Draft', {
  data: z.unknown().describe('What was typed, as it was given; null takes the draft away.'),
});

export const draftKeySchema = z
  .string()
  .min(1)
  .max(KEY_LIMIT, `Give a key of at most ${KEY_LIMIT} characters.`);

/** What the caller has typed and not saved yet. It is no record: it stays here, and only who typed it can read it. */
export function draftOperations() {
  const key = {
    key: {
      schema: draftKeySchema,
      description: 'What is being typed, such as `supplier:12`',
      isRequired: true,
    },
  };
  const kept = z
    .object({ data: z.unknown().describe('As it was given.'), at: isoTimestampSchema() })
    .nullable()
    .describe('Null: there is none.');
  return [
    defineOperation('x.drafts.read', 'GET', '/x/drafts/{key}', 'Drafts', {
      summary: 'What the caller has typed and not saved',
      parameters: key,
      answer: () => successSchema(kept),
      errors: [422],
    }),
    defineOperation('x.drafts.update', 'PUT', '/x/drafts/{key}', 'Drafts', {
      summary: 'Keep what the caller is typing, over a crash and a power cut',
      parameters: key,
      body: jsonBody(() => draftSchema),
      answer: () => successSchema(kept),
      errors: [413, 415, 422, 507],
      scope: 'write',
    }),
  ];
}
