import { answerSchema } from '../contract/answer-schema.ts';
import { defineCollection, defineFamily } from '../contract/define-family.ts';
import {
  createdAt,
  date,
  decimal,
  derived,
  flag,
  integer,
  longText,
  numberText,
  recordId,
  reference,
  text,
  updatedAt,
} from '../contract/fields.ts';
import { customer } from './customer.ts';

/** One line of a customer's order: interface 2.8. `drawing_id` on write is `specification_id` in answers. */
const orderItem = defineCollection({
  name: 'order-item',
  title: 'Order item',
  plural: 'Order items',
  fields: {
    id: recordId(),
    part_id: reference('part', { required: true }),
    specification_id: reference('specification', { label: 'Inspection template', aliases: ['drawing_id'] }),
    serial_number: text({ label: 'Lot' }),
    quantity: decimal({ minimum: 0, required: true }),
    is_low_inventory: flag({ fallback: false, returned: false }),
    is_low_materials: flag({ fallback: false, returned: false }),
    order: integer({ label: 'Position', minimum: 0, returned: false }),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  position: 'order',
  shownIn: ['list', 'one', 'items'],
  isAdditiveOnWrite: true,
  operations: {
    section: '4.6',
    parentParameter: 'order_id',
    required: ['order_id', 'part_id', 'quantity', 'serial_number'],
  },
});

/** What a customer wants delivered: interface 2.8 and 4.6. `contact_id` on write is `customer_id` in answers. */
export const order = defineFamily({
  name: 'order',
  title: 'Order',
  plural: 'Orders',
  path: '/orders',
  section: '2.8',
  description: 'What a customer wants delivered.',
  fields: {
    id: recordId(),
    customer_id: reference('customer', { aliases: ['contact_id'] }),
    serial_number: text({ label: 'Lot' }),
    po_number: text({ label: "Customer's PO number" }),
    order_date: date({ hasTime: true }),
    order_number: numberText({ description: 'Numbered by the server when absent.' }),
    start_date: date(),
    due_date: date(),
    requested_ship_date: date(),
    actual_ship_date: date(),
    notes: longText(),
    is_closed: flag({ fallback: false, isAdditive: true, isVerdict: true }),
    created_at: createdAt(),
    updated_at: updatedAt(),
    customer: derived(() => answerSchema(customer), { description: 'The customer as it is now.' }),
  },
  collections: { items: orderItem },
  operations: { documented: { section: '4.6', kinds: ['list', 'create', 'read', 'update'] } },
  columns: ['order_number', 'customer_id', 'po_number', 'order_date', 'due_date', 'is_closed'],
  lists: ['po_number', 'order_date', 'due_date', 'is_closed'],
  search: ['order_number', 'po_number', 'serial_number'],
  filters: { customer_id: { description: 'Only orders of this customer.', isAdditive: true } },
  unique: ['order_number'],
  detailFields: ['customer_id', 'po_number'],
  codes: ['order_number', 'po_number'],
  numbered: { field: 'order_number', prefix: 'OR' },
  may: { create: 'operator', change: 'operator' },
});
