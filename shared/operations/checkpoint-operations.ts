import { z } from 'zod';
import { successSchema } from '../contract/envelope.ts';
import { isoTimestampSchema, named } from '../contract/field-schemas.ts';
import { defineOperation, jsonBody } from '../contract/operation.ts';

/** What proves later that nothing was rewritten. */
export function checkpointOperations() {
  return [
    defineOperation('x.checkpoints.read', 'GET', '/x/checkpoints', 'Sync', {
      summary: 'Signed checkpoints: where history stands now, and what central signed before',
      answer: () => successSchema(checkpointFileSchema),
      errors: [503],
    }),
    defineOperation('x.trail.read', 'GET', '/x/trail', 'Sync', {
      summary: 'All history in its order, line by line, with a signed checkpoint at its end',
      answerType: 'application/jsonl',
      errors: [503],
      scope: 'admin',
    }),
    defineOperation('x.authority.read', 'GET', '/x/authority', 'Sync', {
      summary: 'The key by which this installation signs, and whether it is another one than before',
      answer: () => successSchema(authoritySchema),
    }),
    defineOperation('x.authority.certify', 'POST', '/x/authority/certify', 'Sync', {
      summary: 'Say as an administrator, by your own key, that this installation signs by another key since',
      body: jsonBody(() => certifyingSchema),
      answer: () => successSchema(authoritySchema),
      errors: [409, 422, 429, 507],
      scope: 'admin',
    }),
  ];
}

const fingerprint = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'Give the SHA-256 of the key, 64 digits of hex.')
  .meta({ examples: ['21fe31dfa154a261626bf854046fd2271b7bed4b6abe45aa58877ef47f9721b9'] });

const authoritySchema = named('Authority', {
  key: fingerprint.describe('SHA-256 of the public key by which this installation signs.'),
  former: fingerprint
    .nullable()
    .describe('Of the key that counted before, while the present one is not certified; null: it counts.'),
  since: isoTimestampSchema().nullable().describe('When it was noticed that the key is another one.'),
  certified_by: z.array(z.string()).describe('Logins of those who have certified it so far: it takes two.'),
  says: z.string().nullable().describe('The same in words, with what to do; null: nothing to do.'),
});
export type AuthorityAnswer = z.infer<typeof authoritySchema>;

/** Body of `x.authority.certify`. */
export const certifyingSchema = named('CertifyingAuthority', {
  login: z.string().max(200).optional().describe('Who certifies; left out by who is signed in.'),
  password: z
    .string({ error: 'Give your password: it opens the key that you sign with.' })
    .min(1, 'Give your password: it opens the key that you sign with.')
    .max(1_000)
    .describe('Of that administrator: it opens the key to sign with.'),
  fingerprint: fingerprint.describe(
    'SHA-256 of the key that is certified, as the start of the server or `holdpoint authority` told it at the machine.',
  ),
  reason: z
    .string({ error: 'Say why the key is another one.' })
    .trim()
    .min(1, 'Say why the key is another one.')
    .max(400)
    .describe('Why the key is another one; kept in history.'),
});

const hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] });

/** So many characters of base64url. */
const base64url = (length: number) =>
  z
    .string()
    .regex(new RegExp(`^[A-Za-z0-9_-]{${length}}$`))
    .meta({ examples: ['A'.repeat(length)] });

const chainEnd = z.object({
  chain: z.string().max(100).describe('A chain.'),
  number: z.int().min(1).describe('The last commit in it.'),
  hash: hash.describe('Of that commit, and of all before it in the chain.'),
});

/** A place in history, signed by the installation that was there. All but the signature is what is signed, as canonical JSON. */
export const checkpointSchema = named('Checkpoint', {
  says: z.literal('holdpoint: checkpoint').describe('What the signature is for.'),
  installation: z.string().max(100).describe('The installation that signed.'),
  key: base64url(43).describe('Its public key: Ed25519, 32 bytes, base64url.'),
  at: isoTimestampSchema().describe('When, by its clock.'),
  clock_at_least: isoTimestampSchema()
    .optional()
    .describe('What the clock should at least have said then, where it was not confirmed.'),
  log: z
    .object({
      epoch: z.string().max(100).describe("Central's name for its log, anew with every restore."),
      sequence: z.int().min(1).describe('The last entry.'),
      hash: hash.describe('Of that entry, and of all before it.'),
    })
    .nullable()
    .describe("How far it had central's log; null: it had none of it."),
  chain: chainEnd
    .nullable()
    .describe('How far the chain had come in which it writes; null: nothing was written in it.'),
  others: z
    .array(chainEnd)
    .optional()
    .describe(
      'Ends of other chains that are there and not in the log: from before a restore, or before it joined.',
    ),
  signature: base64url(86).describe('Ed25519, 64 bytes, base64url.'),
});
export type Checkpoint = z.infer<typeof checkpointSchema>;

/** Answer of `x.checkpoints.read`, and the content of a file of checkpoints. */
export const checkpointFileSchema = named('CheckpointFile', {
  format: z.literal('holdpoint checkpoints 1').describe('What the file is.'),
  checkpoints: z
    .array(checkpointSchema)
    .describe(
      "The installation's own, made now; at a station after it those of central that it keeps, the newest first.",
    ),
});
export type CheckpointFile = z.infer<typeof checkpointFileSchema>;
