import { z } from 'zod';
import { answerSchema } from '../contract/answer-schema.ts';
import { successSchema } from '../contract/envelope.ts';
import { named } from '../contract/field-schemas.ts';
import { defineOperation, idParameter, jsonBody } from '../contract/operation.ts';
import { families } from '../families/registry.ts';
import { languages } from './paper-operations.ts';
import { signatureInput } from './signature-input.ts';

export const certificateIssueSchema = named('CertificateIssue', {
  language: z.enum(languages).default('en').describe('Of the paper; `en` when absent.'),
  ...signatureInput,
});

export const certificateWithdrawSchema = named('CertificateWithdraw', {
  reason: z.string().trim().min(1).max(10_000).describe('Why it does not hold; stands on its paper.'),
});

/** What is done with certificates beside listing and reading them, which follows from the family. */
export function certificateOperations() {
  const { certificate } = families;
  const one = { id: idParameter('Id of the certificate') };
  const answer = () => successSchema(answerSchema(certificate));
  return [
    defineOperation('x.certificates.issue', 'POST', '/x/inventory/{id}/certificates', certificate.plural, {
      summary:
        'Issue a certificate of analysis of a lot: numbered, kept as issued; refused (409) while the lot is locked or has no passing results',
      parameters: { id: idParameter('Id of the lot') },
      body: jsonBody(() => certificateIssueSchema),
      answer,
      success: 201,
      errors: [404, 409, 412, 422, 429],
      scope: 'write',
    }),
    defineOperation('x.certificates.paper', 'GET', '/x/certificates/{id}/paper', certificate.plural, {
      summary: 'Print an issued certificate as PDF, with the words that it was issued with',
      parameters: one,
      answerType: 'application/pdf',
      errors: [404, 409, 429],
    }),
    defineOperation('x.certificates.withdraw', 'POST', '/x/certificates/{id}/withdraw', certificate.plural, {
      summary: 'Withdraw an issued certificate, for good',
      parameters: one,
      body: jsonBody(() => certificateWithdrawSchema),
      answer,
      errors: [404, 409, 422],
      scope: 'write',
    }),
  ];
}
