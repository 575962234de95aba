import { defineFamily } from '../contract/define-family.ts';
import { createdAt, recordId, text, updatedAt } from '../contract/fields.ts';
import { contact } from './contact.ts';
import { everyOperation } from './simple.ts';

/** A company that buys; embedded in orders: interface 2.7. */
export const customer = defineFamily({
  name: 'customer',
  title: 'Customer',
  plural: 'Customers',
  path: '/customers',
  section: '2.7',
  description: 'A company that buys.',
  fields: {
    id: recordId(),
    name: text(),
    ...contact('primary'),
    ...contact('secondary'),
    street: text(),
    city: text(),
    province: text(),
    country: text(),
    postal_code: text(),
    custom_field_1: text({ label: 'Custom field 1' }),
    custom_field_2: text({ label: 'Custom field 2' }),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  operations: { extensions: everyOperation },
  columns: ['name', 'city', 'country', 'primary_name', 'primary_phone'],
  lists: ['name'],
  search: ['name', 'primary_name', 'secondary_name', 'city'],
  codes: ['name'],
  detailFields: ['city'],
  may: { create: 'operator', change: 'operator' },
});
