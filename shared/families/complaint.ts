import { defineFamily } from '../contract/define-family.ts';
import {
  createdAt,
  date,
  flag,
  longText,
  recordId,
  reference,
  text,
  timestamp,
  updatedAt,
} from '../contract/fields.ts';
import { corrected } from '../contract/may.ts';

const byServer = { writable: false } as const;

/** What a customer is not content with: interface 2.15 and 4.13. */
export const complaint = defineFamily({
  name: 'complaint',
  title: 'Complaint',
  plural: 'Complaints',
  path: '/complaints',
  section: '2.15',
  description: 'What a customer is not content with.',
  fields: {
    id: recordId(),
    complaint_number: text({
      requiredOn: ['put'],
      description: 'Numbered by the server when absent, at `/x/complaints`.',
    }),
    complaint_date: date({ requiredOn: ['create', 'put'] }),
    part_id: reference('part'),
    error_code_id: reference('error-code'),
    received_by: text(),
    received_via: text(),
    strain_name: text(),
    batch_number: text({ label: 'Lot number' }),
    store_info: text(),
    comments: longText(),
    complainant_full_name: text(),
    complainant_address: text(),
    complainant_phone: text(),
    complainant_email: text(),
    complainant_fax: text(),
    investigator_user_id: reference('user', { ...byServer, label: 'Investigator' }),
    initiator_user_id: reference('user', { ...byServer, label: 'Initiator' }),
    closed_user_id: reference('user', { ...byServer, label: 'Closed by' }),
    investigated_at: timestamp(byServer),
    initiated_at: timestamp(byServer),
    closed_at: timestamp(byServer),
    is_investigated: flag({
      description: 'Setting it sets `investigated_at` and who did.',
      isAdditive: true,
      fallback: false,
      isVerdict: true,
    }),
    is_closed: flag({
      description: 'Setting it sets `closed_at` and who did.',
      isAdditive: true,
      fallback: false,
      isVerdict: true,
    }),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  operations: {
    documented: {
      section: '4.13',
      kinds: ['list', 'create', 'read', 'update'],
      requiredOnCreate: ['complaint_number'],
    },
    extensions: ['create'],
  },
  columns: [
    'complaint_number',
    'complaint_date',
    'part_id',
    'batch_number',
    'complainant_full_name',
    'closed_at',
  ],
  lists: ['complaint_date', 'is_closed'],
  search: ['complaint_number', 'batch_number', 'complainant_full_name', 'strain_name', 'comments'],
  filters: { part_id: { description: 'Only complaints about this part.', isAdditive: true } },
  indexes: ['batch_number'],
  unique: ['complaint_number'],
  detailFields: ['part_id', 'complainant_full_name'],
  numbered: { field: 'complaint_number', prefix: 'CMP' },
  rules: ['complaint-progress'],
  may: {
    create: 'quality',
    change: 'quality',
    isOpenToIntegrations: true,
    rules: {
      complaint_date: [corrected],
      batch_number: [corrected],
      is_investigated: [{ when: 'any', role: 'quality' }],
      is_closed: [
        { when: 'any', role: 'quality' },
        { when: 'fromTrue', needsReason: true },
      ],
    },
  },
});
