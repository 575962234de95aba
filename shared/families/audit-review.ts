import { defineFamily } from '../contract/define-family.ts';
import { createdAt, integer, longText, recordId, reference, text, timestamp } from '../contract/fields.ts';

const byServer = { writable: false } as const;

/**
 * That a person has looked through the system's own trail, until when, and what they found. It is never changed: who looks
 * again makes another. At a central it is about the fleet's events; a station makes none.
 */
export const auditReview = defineFamily({
  name: 'audit-review',
  title: 'Review of the audit trail',
  plural: 'Reviews of the audit trail',
  path: '/audit-reviews',
  description: 'That a person looked through the audit trail, until when, and what they found.',
  fields: {
    id: recordId(),
    reviewed_from: timestamp({
      ...byServer,
      as: 'iso',
      description: 'Where the review before ended; null: there was none.',
    }),
    reviewed_until: timestamp({ ...byServer, as: 'iso', description: 'The last moment that was looked at.' }),
    events: integer({ ...byServer, description: 'How many events there were in between.' }),
    remarks: longText({ ...byServer, description: 'What was found; null: nothing to say.' }),
    at: timestamp({ ...byServer, as: 'iso', label: 'Reviewed at' }),
    reviewed_by: reference('user', { ...byServer }),
    reviewer: text({ ...byServer, description: 'Login of the person who reviewed.' }),
    reviewer_name: text({ ...byServer, description: 'The name of that person then.' }),
    created_at: createdAt(),
  },
  operations: { isAdministrative: true, readers: 'quality' },
  columns: ['reviewed_until', 'reviewer_name', 'at', 'events', 'remarks'],
  nameFields: ['reviewed_until'],
  may: { create: 'quality', restore: 'administrator', change: null },
});
