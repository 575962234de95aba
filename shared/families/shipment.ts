import { z } from 'zod';
import { defineCollection, defineFamily } from '../contract/define-family.ts';
import { isoTimestampSchema } from '../contract/field-schemas.ts';
import {
  createdAt,
  date,
  decimal,
  derived,
  flag,
  integer,
  json,
  longText,
  recordId,
  reference,
  text,
  timestamp,
  updatedAt,
} from '../contract/fields.ts';
import { corrected } from '../contract/may.ts';
import { isQuantity } from '../quantities/quantity.ts';

const takenQuantity = z
  .number()
  .refine(taken => isQuantity(taken) && taken >= 0, { error: 'Nothing takes that much.' });

/**
 * What a closing took, a fact that is never worked out again: quantities in the unit of each lot, and how much of which
 * line that is, as the closing read the line.
 */
export const takenSchema = z.array(
  z.object({
    inventory_id: z.int(),
    location_id: z.int().nullable(),
    quantity: takenQuantity,
    line: z
      .object({ part_id: z.int(), serial_number: z.string().nullable(), quantity: takenQuantity })
      .optional(),
  }),
);

/** One shipped line: interface 2.12. */
const shipmentItem = defineCollection({
  name: 'shipment-item',
  title: 'Shipment item',
  plural: 'Shipment items',
  fields: {
    id: recordId(),
    shipment_id: derived(() => z.int(), { label: 'Shipment (id)' }),
    part_id: reference('part', { required: true }),
    serial_number: text({ label: 'Lot number' }),
    quantity: decimal({ minimum: 0, required: true }),
    is_inventory_calculated: flag({
      as: 'integer',
      writable: false,
      fallback: false,
      description: 'The stock of this item has been taken.',
    }),
    shipped_date: timestamp({ as: 'iso', writable: false, description: 'Null while the shipment is open.' }),
    created_at: createdAt({ as: 'iso' }),
    updated_at: updatedAt({ as: 'iso' }),
    nearest_expiry_date: derived(isoTimestampSchema, {
      description: 'The earliest last usable day of the lots that were taken.',
    }),
    drawing_id: reference('specification', { returned: false, label: 'Inspection template' }),
    order: integer({ label: 'Position', minimum: 0, returned: false }),
    taken: json(() => ({ input: z.never(), output: takenSchema }), { writable: false, returned: false }),
  },
  position: 'order',
  shownIn: ['one'],
  isAdditiveOnWrite: true,
  operations: {
    section: '4.10',
    parentParameter: 'shipment_id',
    answers: {
      kind: 'item',
      fields: ['id', 'shipment_id', 'part_id', 'quantity', 'serial_number', 'drawing_id', 'order'],
      updateUnderMeta: false,
    },
  },
});

/** What goes to a customer: interface 2.12 and 4.10. Its ship date closes it and takes the stock. */
export const shipment = defineFamily({
  name: 'shipment',
  title: 'Shipment',
  plural: 'Shipments',
  path: '/shipments',
  section: '2.12',
  description: 'What goes to a customer. `actual_ship_date` closes it and takes the stock.',
  fields: {
    id: recordId({ isAdditive: true }),
    shipment_number: text({ description: 'Numbered by the server when absent.' }),
    requested_ship_date: date(),
    actual_ship_date: date({
      isVerdict: true,
      description: 'Giving it closes the shipment and takes the stock.',
    }),
    po_number: text({ label: 'Lot or serial number' }),
    contact_id: reference('customer', { returned: false, label: 'Customer' }),
    order_id: reference('order', { returned: false, description: 'Links the shipment to the order.' }),
    notes: longText({ returned: false }),
    is_ship_all_items: flag({ returned: false, description: 'All items ship at the same date and time.' }),
  },
  collections: { items: shipmentItem },
  operations: {
    documented: { section: '4.10', kinds: ['create', 'read', 'update'] },
    extensions: ['list'],
    isSummaryOnWrite: true,
    hasMetaId: true,
  },
  columns: ['shipment_number', 'requested_ship_date', 'actual_ship_date', 'po_number', 'contact_id'],
  lists: ['requested_ship_date', 'actual_ship_date'],
  search: ['shipment_number', 'po_number'],
  filters: {
    contact_id: { description: 'Only shipments to this customer.', isAdditive: true },
    order_id: { description: 'Only shipments of this order.', isAdditive: true },
  },
  unique: ['shipment_number'],
  detailFields: ['contact_id', 'requested_ship_date'],
  numbered: { field: 'shipment_number', prefix: 'SH' },
  rules: ['shipping'],
  may: { create: 'operator', change: 'operator', rules: { actual_ship_date: [corrected] } },
});
