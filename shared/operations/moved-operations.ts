import { z } from 'zod';
import { successSchema } from '../contract/envelope.ts';
import { listOf, named } from '../contract/field-schemas.ts';
import { defineOperation, idParameter, jsonBody } from '../contract/operation.ts';

/** Bytes of a part of an archive: one commit may be of thousands of records. */
const PART_LIMIT = 32 * 1024 * 1024;

/** Where the records of an installation are that stood alone and joined a central. */
export function movedOperations() {
  return [
    defineOperation('x.moved.read', 'GET', '/x/moved/{family}/{old_id}', 'Stations', {
      summary: 'Read which id a record has since this installation joined a central',
      parameters: {
        family: {
          schema: z.string(),
          description: 'Family, as `supplier` or `suppliers`.',
          isRequired: true,
        },
        old_id: idParameter('Id that the record had here before'),
      },
      answer: () => successSchema(movedIdSchema),
      errors: [404],
    }),
    defineOperation('x.former-keys.claim', 'POST', '/x/former-keys/claim', 'Users', {
      summary: 'At a station that joined: say by your key of before who you are at central',
      body: jsonBody(() => claimRequestSchema),
      answer: () => successSchema(claimedSchema),
      errors: [404, 409, 422, 429, 503, 507],
      scope: 'write',
    }),
    defineOperation('x.stations.archive', 'POST', '/x/stations/archive', 'Stations', {
      summary: 'Send central a part of the history that an installation had before it joined',
      body: { ...jsonBody(() => archiveRequestSchema), limit: PART_LIMIT },
      answer: () => successSchema(archiveAnswerSchema),
      errors: [409, 413, 422, 429],
      scope: 'station',
    }),
  ];
}

/** Body of `x.former-keys.claim`. */
export const claimRequestSchema = named('FormerKeyClaim', {
  login: z
    .string({ error: 'Give the name that you sign in with.' })
    .min(1, 'Give the name that you sign in with.')
    .max(200)
    .describe('Who you are at central.'),
  password: passwordOf('Give your password.').describe('The one that you sign in with.'),
  former_login: z
    .string()
    .min(1, 'Give the name of then.')
    .max(200)
    .optional()
    .describe('What you signed in as before; the same unless it is given.'),
  former_password: passwordOf('Give the password of before this installation joined.').describe(
    'The one of before: it opens the key of then.',
  ),
});

/** Answer of `x.former-keys.claim`. */
export const claimedSchema = named('ClaimedFormerKey', {
  login: z.string().describe('Who you are at central.'),
  former_key: z.string().describe('SHA-256 of the public key of then, as verifiers tell it.'),
});

function passwordOf(says: string) {
  return z.string({ error: says }).min(1, says).max(1_000);
}

/** Body of `x.stations.archive`. */
export const archiveRequestSchema = z.object({
  chain: z.string().max(200).describe('The chain in which it was issued again when the installation joined.'),
  part: z.int().min(0).describe('How many parts came before this one.'),
  commits: z
    .array(z.looseObject({}))
    .max(1_000)
    .describe('Commits of the former chains, in the order in which they were written; none: only ask.'),
});
export type ArchiveRequest = z.input<typeof archiveRequestSchema>;

/** Answer of `x.stations.archive`. */
export const archiveAnswerSchema = named('ArchiveReceived', {
  parts: z.int().min(0).describe('How many parts central has: the next one to send.'),
  is_whole: z.boolean().describe('Whether it has all that the first commit after joining names.'),
});
export type ArchiveAnswer = z.infer<typeof archiveAnswerSchema>;

/** Answer of `x.moved.read`. */
export const movedIdSchema = named('MovedId', {
  family: z.string().describe('Name of the family.'),
  old_id: z.int().describe('The id that the record had.'),
  id: z.int().describe('The id that it has.'),
});

/** What was moved when an installation joined that had records of its own. */
export const movedSchema = named('Moved', {
  records: z.int().describe('How many records moved.'),
  commits: z.int().describe('How many commits of history were issued again under the new ids.'),
  blocks: listOf({
    from: z.int().min(0).describe('The block that ids had: from × 2^20 + n.'),
    to: z.int().min(0).describe('The block that they have: to × 2^20 + n.'),
  }).describe('Where each block of ids went.'),
  backup: z.string().describe('The backup that was made and checked before.'),
});
export type MovedAnswer = z.infer<typeof movedSchema>;
