import { defineFamily } from '../contract/define-family.ts';
import {
  choice,
  createdAt,
  integer,
  longText,
  recordId,
  reference,
  text,
  timestamp,
} from '../contract/fields.ts';

const byServer = { writable: false } as const;

/** What a signature says of the version that it is of. */
export const MEANINGS = [
  'change',
  'verdict',
  'disposition',
  'closing',
  'reopening',
  'approval',
  'release',
  'acceptance',
  'correction',
  'result',
  'shipment',
  'certificate',
  'decision',
  'settings',
] as const;
export type Meaning = (typeof MEANINGS)[number];

/** A person's signature of one version of a record. It has no operation of its own: it is made with what it signs. */
export const signature = defineFamily({
  name: 'signature',
  title: 'Signature',
  plural: 'Signatures',
  path: '/signatures',
  description: 'Signatures of records, each of exactly one version.',
  fields: {
    id: recordId(),
    subject: text({ ...byServer, description: 'Family and id of the record: `ncr:17`.' }),
    user_id: reference('user', { ...byServer, label: 'Signer' }),
    user_name: text({ ...byServer, label: 'Signer', description: 'The name at that time.' }),
    at: timestamp({ ...byServer, as: 'iso', label: 'Signed at' }),
    meaning: choice(MEANINGS, { ...byServer, description: 'What the signature says.' }),
    reason: longText({ ...byServer, description: 'As the signer gave it.' }),
    version: integer({ ...byServer, description: 'Of the record, as the signer left it.' }),
    state: text({ ...byServer, description: 'Hash of all fields of the record at that version.' }),
    key: text({ ...byServer, description: "The signer's public key; null: made without one." }),
    proof: text({ ...byServer, description: 'Of that key over `signed`: Ed25519, 64 bytes, base64url.' }),
    signed: longText({ ...byServer, description: 'The text that the key has signed.' }),
    created_at: createdAt(),
  },
  operations: {},
  columns: ['subject', 'user_name', 'at', 'meaning', 'reason'],
  indexes: ['subject'],
  may: { create: null, restore: 'administrator', change: null },
});
