import { z } from 'zod';
import { successSchema } from '../contract/envelope.ts';
import { isoTimestampSchema, named } from '../contract/field-schemas.ts';
import { defineOperation, type Operation } from '../contract/operation.ts';

/** What proves later that nothing was rewritten. */
export function checkpointOperations(): Operation[] {
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
  ];
}

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
