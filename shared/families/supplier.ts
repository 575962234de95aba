import { defineFamily } from '../contract/define-family.ts';
import { createdAt, longText, recordId, text, updatedAt } from '../contract/fields.ts';
import { contact } from './contact.ts';

/** A company that parts are bought from: interface 2.4 and 4.3. */
export const supplier = defineFamily({
  name: 'supplier',
  title: 'Supplier',
  plural: 'Suppliers',
  path: '/suppliers',
  section: '2.4',
  description: 'A company that parts are bought from.',
  fields: {
    id: recordId(),
    name: text(),
    ...contact('primary'),
    ...contact('secondary'),
    notes: longText({ returned: false }),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  operations: { documented: { section: '4.3', kinds: ['list', 'create', 'read', 'update'] } },
  columns: ['name', 'primary_name', 'primary_phone', 'primary_email'],
  lists: ['name'],
  search: ['name', 'primary_name', 'secondary_name'],
  codes: ['name'],
  detailFields: ['primary_name'],
  may: { create: 'operator', change: 'operator' },
});
