import { z } from 'zod';
import { successSchema } from '../contract/envelope.ts';
import { isoTimestampSchema, listOf, named } from '../contract/field-schemas.ts';
import { defineOperation, noBody } from '../contract/operation.ts';
import { languages } from './paper-operations.ts';

/** The validation kit: qualification of this installation, and the reports of it. */
export function validationOperations() {
  const one = {
    name: {
      schema: z.string().max(100),
      description: 'Name of the report, as the list has it.',
      isRequired: true,
    },
  };
  return [
    defineOperation('x.validation.list', 'GET', '/x/validation', 'Maintenance', {
      summary: 'Whether a validation runs and how far it is, and the reports of former ones',
      answer: () => successSchema(validationStateSchema),
      scope: 'admin',
    }),
    defineOperation('x.validation.create', 'POST', '/x/validation', 'Maintenance', {
      summary:
        'Validate this installation: each requirement is tried in a scratch folder, beside all other work, in some minutes',
      body: noBody,
      answer: () => successSchema(validationStateSchema),
      success: 201,
      errors: [409, 503],
      scope: 'admin',
    }),
    defineOperation('x.validation.cancel', 'POST', '/x/validation/cancel', 'Maintenance', {
      summary: 'End the validation that runs; it gives no report',
      body: noBody,
      answer: () => successSchema(validationStateSchema),
      errors: [409],
      scope: 'admin',
    }),
    defineOperation('x.validation.read', 'GET', '/x/validation/{name}', 'Maintenance', {
      summary: 'A report as JSON, as it was signed: what is answered is the file',
      parameters: one,
      answer: () => validationReportSchema,
      errors: [404, 503],
      scope: 'admin',
    }),
    defineOperation('x.validation.paper', 'GET', '/x/validation/{name}/paper', 'Maintenance', {
      summary: 'A report as PDF, with the digest and the signature of the JSON',
      parameters: one,
      query: {
        language: { schema: z.enum(languages), description: 'Language of the paper; `en` when absent.' },
      },
      answerType: 'application/pdf',
      errors: [404, 422, 429, 503],
      scope: 'admin',
    }),
  ];
}

/** A sentence in each language. */
const said = z.object({ en: z.string().describe('English.'), de: z.string().describe('German.') });

export const VERDICTS = ['passed', 'failed', 'not_tried'] as const;
export type Verdict = (typeof VERDICTS)[number];

const step = z.object({
  done: said.describe('What was done or looked at.'),
  expected: z.string().describe('What must be seen.'),
  seen: z.string().describe('What was seen.'),
  is_right: z.boolean().describe('Whether that is what must be.'),
});
export type ValidationStep = z.infer<typeof step>;

const tried = z.object({
  id: z.string().describe('Of the requirement: `AT-01`.'),
  topic: z.string().describe('What it belongs to.'),
  requirement: said,
  references: z
    .array(z.string())
    .describe('Paragraphs of 21 CFR Part 11 and of EU GMP Annex 11 that it answers.'),
  check: said.describe('How it is tried.'),
  steps: z.array(step),
  verdict: z
    .enum(VERDICTS)
    .describe('`not_tried`: there is no such thing here, and `note` says why; it did not pass.'),
  note: said.nullable().describe('Why it was not tried, or what kept it from going on.'),
  seconds: z.number().describe('How long it took.'),
});
export type TriedRequirement = z.infer<typeof tried>;

const counts = z.object({
  passed: z.int().describe('Requirements that are met.'),
  failed: z.int().describe('Requirements that are not.'),
  not_tried: z.int().describe('Requirements that could not be tried here.'),
});

/** All but the signature is what is signed, as canonical JSON. */
export const validationReportSchema = named('ValidationReport', {
  says: z.literal('holdpoint: validation').describe('What the signature is for.'),
  format: z.literal('holdpoint validation 1').describe('Of this report.'),
  installation: z.string().describe('The installation that was validated; empty: it has no data yet.'),
  company: z.string().describe('Whose it is.'),
  version: z.string().describe('Of the program.'),
  machine: z
    .object({
      name: z.string().describe('Of the computer.'),
      system: z.string().describe('Operating system and processor.'),
      runtime: z.string().describe('Node.js, and Electron where it is the desktop app.'),
      sqlite: z.string().describe('Version of SQLite.'),
      data: z.string().describe('The data folder.'),
    })
    .describe('On what it was tried.'),
  files: z
    .object({
      count: z.int().describe('Files of the program.'),
      sha256: z.string().describe('SHA-256 of the list of their digests.'),
    })
    .nullable()
    .describe('The program as it was built; null: it runs from its sources.'),
  by: z.string().describe('Who started it: login of a person, or the command line.'),
  began_at: isoTimestampSchema().describe('When it began.'),
  ended_at: isoTimestampSchema().describe('When it ended.'),
  verdict: z.enum(['passed', 'failed']).describe('`passed`: no requirement failed.'),
  counts: counts.describe('How many there are of each.'),
  requirements: z.array(tried).describe('Each requirement, in the order in which they were tried.'),
  key: z.string().describe('Public key of the installation: Ed25519, 32 bytes, base64url.'),
  signature: z.string().describe('Ed25519 over the canonical JSON of all else; base64url.'),
});
export type ValidationReport = z.infer<typeof validationReportSchema>;

const summarySchema = {
  name: z.string().describe('Of the report.'),
  began_at: isoTimestampSchema().describe('When it began.'),
  by: z.string().describe('Who started it.'),
  version: z.string().describe('Of the program.'),
  verdict: z.enum(['passed', 'failed']),
  counts,
  sha256: z.string().describe('SHA-256 of the file.'),
};

export const validationStateSchema = named('ValidationState', {
  running: z
    .object({
      began_at: isoTimestampSchema().describe('When it began.'),
      by: z.string().describe('Who started it.'),
      done: z.int().describe('Requirements that were tried.'),
      total: z.int().describe('Requirements in all; 0: it has only begun.'),
      doing: said.nullable().describe('The requirement that is being tried.'),
    })
    .nullable()
    .describe('Null: none runs.'),
  failure: z
    .string()
    .nullable()
    .describe('Why the last one gave no report; null: it gave one, or there was none since the start.'),
  reports: listOf(summarySchema).describe('The newest first, a hundred at most.'),
});
export type ValidationState = z.infer<typeof validationStateSchema>;
