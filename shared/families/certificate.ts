import { z } from 'zod';
import { isTimeZone } from '../contract/dates.ts';
import { defineFamily } from '../contract/define-family.ts';
import { isoTimestampSchema } from '../contract/field-schemas.ts';
import {
  choice,
  createdAt,
  derived,
  json,
  recordId,
  reference,
  text,
  timestamp,
} from '../contract/fields.ts';
import { issuedPaperSchema } from './issued-paper.ts';

const byServer = { writable: false } as const;

/** What an issued certificate is today; the first that holds. */
export const CERTIFICATE_STATES = ['damaged', 'withdrawn', 'imported', 'changed', 'valid'] as const;
export type CertificateState = (typeof CERTIFICATE_STATES)[number];

/** A record that the certificate rests on, as it stood then. */
const basisSchema = z.object({
  subject: z.string().describe('Family and id: `lab-result:17`.'),
  version: z.int().describe('Its version then.'),
  at: z.string().describe('When that version was written.'),
});
export type CertificateBasis = z.infer<typeof basisSchema>;
export const certificateBasisSchema = z.array(basisSchema);

/**
 * A certificate of analysis of a lot as a person of quality issued it. The server writes it once, with the paper word for
 * word, so that any station prints the same later; nobody changes it. A wrong one is withdrawn by a record of its own.
 */
export const certificate = defineFamily({
  name: 'certificate',
  title: 'Certificate of analysis',
  plural: 'Certificates of analysis',
  path: '/certificates',
  description:
    'A certificate of analysis of a lot, as it was issued. It is never changed; a wrong one is withdrawn.',
  fields: {
    id: recordId(),
    number: text({
      ...byServer,
      description: 'With the code of the station that issued it: `COA-0-000001`.',
    }),
    inventory_id: reference('inventory', { ...byServer, label: 'Lot record' }),
    language: choice(['en', 'de'], { ...byServer, description: 'Of the paper.' }),
    time_zone: text({ ...byServer, description: 'In which the paper says times.' }),
    issued_at: timestamp({ ...byServer, as: 'iso' }),
    issued_by: reference('user', { ...byServer }),
    issuer: text({ ...byServer, description: 'Login of the person who issued it.' }),
    issuer_name: text({ ...byServer, description: 'The name of that person then.' }),
    digest: text({
      ...byServer,
      description:
        'SHA-256 of the canonical JSON of number, language, time_zone, issued_at, issuer, issuer_name and the paper; its beginning stands on the paper.',
    }),
    basis: json(() => ({ input: z.never(), output: certificateBasisSchema }), {
      ...byServer,
      absent: [],
      label: 'Rests on',
      description: 'The lot and what was known of it.',
    }),
    paper: json(() => ({ input: z.never(), output: issuedPaperSchema }), {
      ...byServer,
      returned: false,
      description: 'What it says, word for word.',
    }),
    state: {
      ...derived(() => z.enum(CERTIFICATE_STATES), {
        description:
          'valid; changed: what it rests on has changed since, or the lot is locked; withdrawn; imported: not issued by the person and at the time that it names; damaged: its digest does not match.',
      }),
      choices: CERTIFICATE_STATES,
    },
    changed: derived(() => z.array(z.string()), {
      absent: [],
      label: 'Changed since',
      description: 'Records that changed since it was issued, came, went, or lock the lot: `lab-result:17`.',
    }),
    withdrawn_at: derived(isoTimestampSchema),
    withdrawn_by: derived(() => z.string(), { description: 'Name of the person who withdrew it.' }),
    withdrawal_reason: derived(() => z.string()),
    created_at: createdAt(),
  },
  operations: { extensions: ['list', 'read'] },
  columns: ['number', 'inventory_id', 'issued_at', 'issuer_name', 'language', 'state'],
  lists: ['issued_at'],
  indexes: ['inventory_id'],
  filters: { inventory_id: { description: 'Only certificates of this lot.', isAdditive: true } },
  unique: ['number'],
  numbered: { field: 'number', prefix: 'COA' },
  detailFields: ['inventory_id', 'issued_at'],
  may: { create: 'quality', restore: 'administrator', change: null },
});

/** What the digest is of. */
export const certificateContentSchema = z.object({
  number: z.string(),
  language: z.enum(['en', 'de']),
  time_zone: z.string().refine(isTimeZone),
  issued_at: z.iso.datetime(),
  issuer: z.string(),
  issuer_name: z.string(),
  paper: issuedPaperSchema,
});
export type CertificateContent = z.infer<typeof certificateContentSchema>;

/** The findings that a certificate attests, by their keys: who wrote one last is no second person to it. */
export function findingsIn(basis: unknown): string[] {
  const subjects = certificateBasisSchema.safeParse(basis).data?.map(({ subject }) => subject) ?? [];
  return subjects.filter(subject => /^(?:lab-result|inspection):/.test(subject));
}
