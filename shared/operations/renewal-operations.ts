import { z } from 'zod';
import { successSchema } from '../contract/envelope.ts';
import { isoTimestampSchema, listOf, named, shown } from '../contract/field-schemas.ts';
import { defineOperation, jsonBody } from '../contract/operation.ts';

/** The certificate by which stations know their central: how long it holds, and its renewal. */
export function renewalOperations() {
  return [
    defineOperation('x.central-certificate.read', 'GET', '/x/central-certificate', 'Stations', {
      summary: "Central's certificate, until when it holds, and who has not heard of the next one",
      answer: () => successSchema(centralCertificateSchema),
      errors: [404],
      scope: 'admin',
    }),
    defineOperation('x.central-certificate.renew', 'POST', '/x/central-certificate/renew', 'Stations', {
      summary:
        "Renew central's certificate: announce the next one, say when central goes over to it, or go over",
      body: jsonBody(() => renewalRequestSchema),
      answer: () => successSchema(centralCertificateSchema),
      errors: [409, 422, 507],
      scope: 'admin',
    }),
    defineOperation('x.central-certificate.chain', 'GET', '/x/central-certificate/chain', 'Stations', {
      summary: "Central's certificates, each signed by the key of the one before: for who knows a former one",
      answer: () => successSchema(shownCertificatesSchema),
      errors: [404],
      scope: 'none',
    }),
  ];
}

/** A central keeps its last 100 certificates. */
export const CHAIN_LIMIT = 100;

/** One certificate of a central. */
export const chainLinkSchema = named('CertificateLink', {
  certificate: z.string().max(20_000).describe('PEM text.'),
  signature: z
    .string()
    .max(2_000)
    .nullable()
    .describe(
      "Of the former certificate's key over both fingerprints (`docs/sync.md`), base64; null for the first one.",
    ),
});
export type ChainLink = z.infer<typeof chainLinkSchema>;

/** Answer of `x.central-certificate.chain`, and beside answers of the exchange. */
export const shownCertificatesSchema = named('ShownCertificates', {
  certificates: z
    .array(chainLinkSchema)
    .min(1)
    .max(CHAIN_LIMIT)
    .describe('The oldest first; one that is announced is the last.'),
  present: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] })
    .describe('SHA-256 of the one that central speaks with, in hex.'),
});
export type ShownCertificates = z.infer<typeof shownCertificatesSchema>;

const TIME = {
  error: ({ input }: { input?: unknown }) =>
    `${input === undefined ? 'Nothing' : shown(input)} cannot be used. Give a time to come, such as 2026-06-15T12:00:00.000Z.`,
};
const YES_NO = { error: 'Give true or false.' };

/** Body of `x.central-certificate.renew`. */
export const renewalRequestSchema = named('CertificateRenewal', {
  goes_over_at: z.iso
    .datetime({ offset: true, ...TIME })
    .optional()
    .describe(
      'When central goes over. Left out: as soon as every station has heard of the next one, after 30 days at the latest.',
    ),
  now: z
    .boolean(YES_NO)
    .optional()
    .describe('Go over at once. Stations that have not heard follow when they come.'),
  compromised: z
    .boolean(YES_NO)
    .optional()
    .describe(
      'The present key may be known to others: go over at once to a certificate that no former one vouches for. Every station needs a new code.',
    ),
});
export type RenewalRequest = z.infer<typeof renewalRequestSchema>;

const waitingSchema = listOf({
  id: z.int().describe('Id of the station at central.'),
  name: z.string().describe('What people call it.'),
  last_seen_at: isoTimestampSchema().nullable().describe('When it last called.'),
});

/** Answer of `x.central-certificate.read` and `x.central-certificate.renew`. */
export const centralCertificateSchema = named('CentralCertificate', {
  origin: z
    .enum(['own', 'given', 'none'])
    .describe(
      '`own`: central made it and renews it. `given`: by HOLDPOINT_CERTIFICATE. `none`: plain HTTP, on this machine only or behind a proxy.',
    ),
  fingerprint: z.string().nullable().describe('SHA-256 in upper-case hex with colons, as people compare it.'),
  valid_until: isoTimestampSchema().nullable().describe('Until when it is valid.'),
  is_ending: z
    .boolean()
    .describe('Whether it ends within 60 days, or has ended, and no next one is announced.'),
  says: z.string().describe('How it stands, in a sentence.'),
  next: z
    .object({
      fingerprint: z.string().describe('As above.'),
      valid_until: isoTimestampSchema().describe('Until when it will be valid.'),
      announced_at: isoTimestampSchema().describe('Since when stations are told of it.'),
      goes_over_at: isoTimestampSchema().describe(
        'When central goes over to it at the latest; both hold until then.',
      ),
      is_once_heard: z.boolean().describe('Whether it goes over before, once every station has heard.'),
      not_heard: waitingSchema.describe('Stations that have not heard of it yet.'),
    })
    .nullable()
    .describe('The certificate to come; null while none is announced.'),
});
export type CentralCertificate = z.infer<typeof centralCertificateSchema>;
