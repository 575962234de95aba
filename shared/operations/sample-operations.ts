import { z } from 'zod';
import { successSchema } from '../contract/envelope.ts';
import { named } from '../contract/field-schemas.ts';
import { defineOperation, noBody } from '../contract/operation.ts';

/** A fresh installation can be filled with a sample company, to try everything on. */
export function sampleOperations() {
  return [
    defineOperation('x.sample-company.read', 'GET', '/x/sample-company', 'Maintenance', {
      summary: 'Whether the sample company can be loaded, and how far that is',
      answer: () => successSchema(sampleCompanySchema),
      scope: 'admin',
    }),
    defineOperation('x.sample-company.create', 'POST', '/x/sample-company', 'Maintenance', {
      summary:
        'Load the sample company into an installation without records; watch it with its read operation',
      body: noBody,
      answer: () => successSchema(sampleCompanySchema),
      success: 201,
      errors: [409],
      scope: 'admin',
    }),
  ];
}

export const sampleCompanySchema = named('SampleCompany', {
  state: z
    .enum(['possible', 'impossible', 'running', 'done', 'failed'])
    .describe('`impossible`: there are records already. The last two are those since the server started.'),
  message: z.string().describe('What is going on, in a sentence.'),
  done: z.int().describe('Steps done.'),
  steps: z.int().nullable().describe('Steps in all; null before the first is done.'),
});
export type SampleCompanyState = z.infer<typeof sampleCompanySchema>;
