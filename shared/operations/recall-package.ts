import { z } from 'zod';
import { isoTimestampSchema, named } from '../contract/field-schemas.ts';
import { traceSchema } from './trace-schemas.ts';

/**
 * A recall package: what a station knows about a lot or a part, with hashes by which anybody can check it without the
 * station. `sha256` of a section is that of the canonical JSON of its `content`; `package_sha256` that of the canonical
 * JSON of the package without it, and `signed` is the word of the installation. Canonical JSON: keys in order, no blanks, members that are null left out.
 */

export const RECALL_FORMAT = 'holdpoint-recall';
export const RECALL_VERSION = 1;

const sha256 = z.string();

export const packagedRecordSchema = z
  .looseObject({
    key: z.string().describe('Family and id: `inventory:12`.'),
    version: z.int().describe('One more with every change.'),
    state: z.string().describe('SHA-256 of the canonical JSON of the fields.'),
    fields: z.looseObject({}).describe('Every stored field, items by their ids.'),
    created_at: isoTimestampSchema(),
    updated_at: isoTimestampSchema(),
    user: z.string().describe('Who changed it last.'),
  })
  .meta({ id: 'PackagedRecord' });

export const packagedCommitSchema = z
  .looseObject({
    chain: z.string().describe('The station that wrote it, and its incarnation.'),
    number: z.int().describe("Place in that station's chain."),
    commit_id: z.string().describe('Permanent id of the commit.'),
    at: z.string().describe('When, by the clock of the station: ISO 8601, UTC.'),
    clock_offset: z.number().nullable().describe("Milliseconds from central's clock; null: not compared."),
    clock_at_least: z
      .string()
      .exactOptional()
      .describe('Where the clock was not confirmed: what it should at least have said.'),
    user: z.string().describe('Who wrote it.'),
    reason: z.string().nullable().describe('Why, where a reason was given.'),
    entries: z
      .array(
        z.looseObject({
          subject: z.string().describe('The record: `inventory:12`.'),
          changes: z
            .array(
              z.looseObject({
                path: z.string().describe('`name`, `items.5.quantity`; `items.5` is an added item.'),
                old: z.unknown().describe('The value before.'),
                new: z.unknown().describe('The value after.'),
              }),
            )
            .describe('What changed.'),
        }),
      )
      .describe('Records that it changed, others than those of the package included: the hash covers them.'),
    previous_hash: z.string().describe('Hash of the commit before it in the chain; empty: it is the first.'),
    hash: z.string().describe('SHA-256 of the canonical JSON of the commit without it.'),
  })
  .meta({ id: 'PackagedCommit' });

const section = <Content extends z.ZodType>(content: Content, description: string) =>
  z
    .object({
      count: z.int().describe('Entries in it.'),
      sha256: sha256.describe('SHA-256 of the canonical JSON of `content`.'),
      content: content.describe(description),
    })
    .describe(description);

export const recallPackageSchema = named('RecallPackage', {
  format: z.literal(RECALL_FORMAT).describe('What this file is.'),
  format_version: z.literal(RECALL_VERSION).describe('Version of the format.'),
  subject: z.string().describe('What it is about: `inventory:12`, `part:3`.'),
  title: z.string().describe('What people call it.'),
  made_at: isoTimestampSchema().describe('When it was made, UTC.'),
  made_by: z.string().describe('Who made it.'),
  station: z.string().describe('The station that made it.'),
  is_exchanging: z
    .boolean()
    .describe('Whether the station exchanges with a central, which then decides the order of the commits.'),
  left_out: z
    .array(z.string())
    .describe('What a limit left out, in words; empty: everything that the station knows is here.'),
  trace: section(traceSchema, 'The summary: what the trace of the subject answers.'),
  records: section(z.array(packagedRecordSchema), 'Every record concerned, whole.'),
  history: section(
    z.array(packagedCommitSchema),
    'Every commit that wrote these records, in the order of arrival.',
  ),
  signed: z
    .object({
      says: z.literal('holdpoint: recall package').describe('What the signature is for.'),
      installation: z.string().describe('The installation that signed.'),
      key: z.string().describe('Its public key: Ed25519, 32 bytes, base64url.'),
      sha256: sha256.describe('SHA-256 of the canonical JSON of all other members before it.'),
      signature: z
        .string()
        .describe('Ed25519 over the canonical JSON of the other four members, 64 bytes, base64url.'),
    })
    .exactOptional()
    .describe('Who stands for the package. Those of former versions are not signed.'),
  package_sha256: sha256.describe('SHA-256 of the canonical JSON of everything before it.'),
});

export type RecallPackage = z.infer<typeof recallPackageSchema>;
export type PackagedRecord = z.infer<typeof packagedRecordSchema>;
export type PackagedCommit = z.infer<typeof packagedCommitSchema>;
