import { defineFamily } from '../contract/define-family.ts';
import { createdAt, longText, recordId, reference, text, timestamp } from '../contract/fields.ts';

const byServer = { writable: false } as const;

/**
 * That a certificate does not hold any more, and why. A record of its own: the certificate stays what was signed, two
 * stations that withdraw it at the same time do not conflict, and no change makes it hold again.
 */
export const certificateWithdrawal = defineFamily({
  name: 'certificate-withdrawal',
  title: 'Withdrawal of a certificate',
  plural: 'Withdrawals of certificates',
  path: '/certificate-withdrawals',
  description: 'That a certificate was withdrawn, by whom and why.',
  fields: {
    id: recordId(),
    certificate_id: reference('certificate', { ...byServer, label: 'Certificate of analysis' }),
    reason: longText({ ...byServer }),
    at: timestamp({ ...byServer, as: 'iso', label: 'Withdrawn at' }),
    withdrawn_by: reference('user', { ...byServer }),
    withdrawer: text({ ...byServer, description: 'Login of the person who withdrew it.' }),
    withdrawer_name: text({ ...byServer, description: 'The name of that person then.' }),
    created_at: createdAt(),
  },
  operations: {},
  columns: ['certificate_id', 'withdrawer_name', 'at', 'reason'],
  indexes: ['certificate_id'],
  may: { create: 'quality', restore: 'administrator', change: null },
});
