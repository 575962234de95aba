import { z } from 'zod';
import { defineFamily } from '../contract/define-family.ts';
import {
  choice,
  createdAt,
  json,
  longText,
  recordId,
  reference,
  text,
  timestamp,
  updatedAt,
} from '../contract/fields.ts';

const byServer = { writable: false } as const;
const anything = () => ({ input: z.never(), output: z.json() });

/**
 * A saved value that was replaced, a verdict that the measurements do not carry, or a lab result that nobody signed yet:
 * what stood before, who changed it and why. The server writes it in the same commit. While one is awaiting, its lots are locked until quality accepts it.
 */
export const correction = defineFamily({
  name: 'correction',
  title: 'Correction',
  plural: 'Corrections',
  path: '/corrections',
  description:
    'A saved value that was replaced, a verdict that the measurements do not carry, or a lab result that nobody signed yet: what stood before, by whom and why.',
  fields: {
    id: recordId(),
    subject: text({
      ...byServer,
      label: 'Record',
      description: 'Family and id of the record: `inspection:17`.',
    }),
    path: text({ ...byServer, label: 'Value', description: 'Of the record: `items.17.expiry_date`.' }),
    old_value: json(anything, {
      ...byServer,
      label: 'Before',
      description: 'What stood before; null: nothing.',
    }),
    new_value: json(anything, { ...byServer, label: 'After', description: 'What was put in its place.' }),
    author: text({ ...byServer, description: 'Login of the person, or name of the integration.' }),
    author_id: reference('user', { ...byServer, label: 'Person', description: 'Null: an integration.' }),
    at: timestamp({ ...byServer, as: 'iso', label: 'Changed at' }),
    reason: longText({ ...byServer, description: 'Null: an integration gave none.' }),
    status: choice(['recorded', 'awaiting', 'accepted'], {
      ...byServer,
      isVerdict: true,
      description:
        'recorded: it counts; awaiting: its lots are locked until quality accepts it; accepted: it was.',
    }),
    lots: json(() => ({ input: z.never(), output: z.array(z.int()) }), {
      ...byServer,
      absent: [],
      label: 'Lots',
      description: 'Ids of the lots that it could free.',
    }),
    batch_number: text({ ...byServer, returned: false, label: 'Lot number' }),
    batch_part_id: reference('part', { ...byServer, returned: false }),
    accepted_by: reference('user', { ...byServer, label: 'Accepted by' }),
    acceptor: text({ ...byServer, description: 'Login of the person who accepted it.' }),
    accepted_at: timestamp({ ...byServer, as: 'iso' }),
    acceptance_reason: longText({ ...byServer }),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  operations: { extensions: ['list', 'read'] },
  columns: ['subject', 'path', 'old_value', 'new_value', 'author', 'at', 'reason', 'status'],
  lists: ['at'],
  indexes: ['subject'],
  filters: {
    subject: { description: 'Only corrections of this record: `inspection:17`.', isAdditive: true },
    status: { description: 'Only those that are recorded, awaiting or accepted.', isAdditive: true },
  },
  nameFields: [],
  detailFields: ['subject', 'author'],
  rules: ['accepting'],
  may: { create: null, restore: 'administrator', change: 'quality' },
});
