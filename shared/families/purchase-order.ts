import { z } from 'zod';
import { defineCollection, defineFamily } from '../contract/define-family.ts';
import {
  choice,
  createdAt,
  date,
  decimal,
  derived,
  flag,
  integer,
  longText,
  recordId,
  reference,
  text,
  updatedAt,
} from '../contract/fields.ts';
import { sscc } from '../gs1/sscc.ts';
import { normaliseUnit, receivingUnits } from '../quantities/units.ts';

/** One line of an order: how much of which part is expected. */
const purchaseOrderItem = defineCollection({
  name: 'purchase-order-item',
  title: 'Ordered line',
  plural: 'Ordered lines',
  fields: {
    id: recordId(),
    part_id: reference('part', { required: true }),
    quantity: decimal({ minimum: 0.000001, required: true, label: 'Quantity ordered' }),
    unit_of_measure: choice(receivingUnits, {
      fold: normaliseUnit,
      description: "The part's own unit unless said.",
    }),
    expected_date: date({ label: 'Expected on', description: "The order's day unless said." }),
    serial_number: text({ label: 'Lot number', description: 'The lot that the supplier announced.' }),
    expiry_date: date({ description: 'Announced: the last usable day.' }),
    sscc: sscc({
      description: 'Number of the announced pallet or case, 18 digits: its label alone says what is on it.',
    }),
    lot_format: text({
      maximum: 40,
      description:
        'How the supplier writes lot numbers: # is a digit, @ a letter, ? anything. A lot that is written otherwise is asked about.',
    }),
    is_closed: flag({
      isVerdict: true,
      label: 'Line closed',
      description: 'Nothing more of this line is expected: the supplier or the buyer gave it up.',
    }),
    order: integer({ label: 'Position', minimum: 0 }),
    quantity_received: derived(() => z.number(), {
      label: 'Quantity received',
      description: 'What receipts accepted of it. What was rejected is still expected.',
    }),
    quantity_open: derived(() => z.number(), {
      label: 'Quantity open',
      description:
        'Still expected; 0 once all of it, or more, has arrived or the line or the order is closed.',
    }),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  position: 'order',
  shownIn: ['one'],
});

/** What was ordered from a supplier, or what the supplier announced: receipts count against it. */
export const purchaseOrder = defineFamily({
  name: 'purchase-order',
  title: 'Purchase order',
  plural: 'Purchase orders',
  path: '/purchase-orders',
  description:
    'What was ordered from a supplier, or what an advance shipping notice announced. Receipts with its number count against it; what is short stays open until it arrives or the order is closed.',
  fields: {
    id: recordId(),
    po_number: text({ required: true, label: 'PO number' }),
    supplier_id: reference('supplier'),
    order_date: date(),
    expected_date: date({ label: 'Expected on' }),
    is_closed: flag({
      fallback: false,
      isVerdict: true,
      description: 'Nothing more is expected, whatever is short.',
    }),
    is_received: derived(() => z.boolean(), {
      label: 'All received',
      description: 'Of every line that is not closed all of it, or more, was accepted.',
    }),
    is_over_received: derived(() => z.boolean(), {
      label: 'Over received',
      description: 'Of some line more was accepted than ordered.',
    }),
    notes: longText(),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  collections: { items: purchaseOrderItem },
  operations: { extensions: ['list', 'create', 'read', 'update'] },
  columns: ['po_number', 'supplier_id', 'expected_date', 'is_received', 'is_over_received', 'is_closed'],
  lists: ['order_date', 'expected_date', 'is_closed'],
  search: ['po_number', 'notes'],
  searchThrough: ['supplier_id'],
  filters: {
    supplier_id: { description: 'Only orders from this supplier.', isAdditive: true },
  },
  unique: ['po_number'],
  detailFields: ['supplier_id', 'expected_date'],
  may: {
    create: 'operator',
    change: 'operator',
    rules: {
      is_closed: [{ when: 'fromTrue', needsReason: true }],
      'items.*.is_closed': [{ when: 'fromTrue', needsReason: true }],
    },
  },
});
