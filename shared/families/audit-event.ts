import { z } from 'zod';
import { defineFamily } from '../contract/define-family.ts';
import { createdAt, integer, json, recordId, text, timestamp } from '../contract/fields.ts';

const byServer = { writable: false } as const;

/** What the system notes of itself. A later version may send others: they are kept and shown by their name. */
export const AUDIT_KINDS = [
  'signed_in',
  'sign_in_failed',
  'locked_out',
  'sign_in_attacked',
  'signed_out',
  'session_expired',
  'session_ended',
  'session_certified',
  'former_key_claimed',
  'key_given',
  'person_assigned',
  'person_unassigned',
  'station_grouped',
  'hand_set',
  'user_created',
  'user_changed',
  'token_created',
  'token_revoked',
  'settings_changed',
  'exported',
  'printed',
  'downloaded',
  'import_started',
  'imported',
  'backup_made',
  'backup_failed',
  'backup_key_set',
  'backup_key_removed',
  'restore_practised',
  'restored',
  'rebuilt',
  'verified',
  'validation_started',
  'validated',
  'updated',
  'clock_stepped',
  'clock_believed',
  'authority_changed',
  'authority_certified',
  'damage_found',
  'code_created',
  'code_revoked',
  'station_enrolled',
  'station_signs',
  'archive_checked',
  'station_revoked',
  'station_backup_fetched',
  'machine_chosen',
  'certificate_renewed',
  'joined_central',
  'webhook_created',
  'webhook_changed',
  'webhook_removed',
  'webhook_rotated',
  'webhook_paused',
  'webhook_replayed',
  'webhook_discarded',
  'not_kept',
] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

/** What is particular to a kind of event, by name. Never a secret, and nothing that an unknown caller typed. */
export type AuditDetails = Readonly<
  Record<
    string,
    string | number | boolean | null | undefined | readonly string[] | Readonly<Record<string, number>>
  >
>;

const details = z.record(z.string(), z.json());

/**
 * The system's own trail: who signed in, what was exported, printed, granted or restored. Only the machine writes it, in
 * the same history as everything else, so that chain, checkpoints and exchange cover it; nobody changes or deletes it by
 * any door. Which machine wrote it says the chain, so that no station speaks for another.
 *
 * People of quality and administrators read it, by operations of its own. A token needs the scope `admin`: the trail says
 * who works when and from where, which is more than a program that reads stock has to know.
 */
export const auditEvent = defineFamily({
  name: 'audit-event',
  title: 'Audit event',
  plural: 'Audit events',
  path: '/audit',
  description: 'What the system noted of itself: sign-ins, exports, prints, grants, backups, restores.',
  fields: {
    id: recordId(),
    kind: text({ ...byServer, description: `What happened: ${AUDIT_KINDS.join(', ')}.` }),
    at: timestamp({
      ...byServer,
      as: 'iso',
      label: 'When',
      description: 'By the clock of the machine; of what is counted, the beginning of the hour.',
    }),
    author: text({
      ...byServer,
      label: 'Who',
      description: 'Login of the person, or name of the integration; null: the machine itself.',
    }),
    author_name: text({ ...byServer, label: 'Name', description: 'The name of that person then.' }),
    address: text({
      ...byServer,
      label: 'From',
      description: 'The address in the network that the call came from.',
    }),
    subject: text({
      ...byServer,
      label: 'Record',
      description: 'Family and id of the record that it concerns: `user:17`.',
    }),
    count: integer({ ...byServer, description: 'How often, where it is counted; null: once.' }),
    details: json(() => ({ input: z.never(), output: details }), {
      ...byServer,
      absent: {},
      description: 'What is particular to the kind of event.',
    }),
    created_at: createdAt(),
  },
  operations: { isAdministrative: true, readers: 'quality' },
  columns: ['at', 'kind', 'author', 'address', 'subject', 'details'],
  indexes: ['at', 'kind', 'author', 'subject'],
  nameFields: ['kind'],
  may: { create: null, change: null },
  isByMachine: true,
});
