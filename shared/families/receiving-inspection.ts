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
  textList,
  timestamp,
  updatedAt,
} from '../contract/fields.ts';
import { corrected, freeing } from '../contract/may.ts';
import { sscc } from '../gs1/sscc.ts';
import { normaliseUnit, receivingUnits } from '../quantities/units.ts';

/** One received line: interface 2.16. Its accepted quantity goes into a lot; the rejected never becomes available. */
const receiptItem = defineCollection({
  name: 'receiving-inspection-item',
  title: 'Receipt line',
  plural: 'Receipt lines',
  fields: {
    id: recordId(),
    inventory_id: reference('inventory', { writable: false, label: 'Lot record' }),
    part_id: reference('part', { required: true }),
    serial_number: text({ label: 'Lot number' }),
    quantity_accepted: decimal({ minimum: 0, fallback: 0, description: 'Goes into the lot.' }),
    quantity_rejected: decimal({ minimum: 0, fallback: 0, description: 'Never becomes available.' }),
    unit_of_measure: choice(receivingUnits, { fold: normaliseUnit }),
    order: integer({ label: 'Position', minimum: 0 }),
    expiry_date: date({ description: 'The last usable day.' }),
    created_at: createdAt(),
    updated_at: updatedAt(),
    is_active_batch: flag({ returned: false, fallback: true, description: 'False keeps the lot locked.' }),
    cost: decimal({ returned: false, minimum: 0, isMoney: true, description: 'Cost of one unit.' }),
    received_date: timestamp({ returned: false }),
    drawing_id: reference('specification', {
      returned: false,
      label: 'Inspection template',
      description: 'Opens an inspection of the lot.',
    }),
    location_id: reference('location', { returned: false, isAdditive: true }),
    sscc: sscc({
      returned: false,
      isAdditive: true,
      description:
        'Number of the pallet on which the goods came (AI 00). They stand on it: it becomes a handling unit in that place, else in the first receiving place.',
    }),
    serial_numbers: textList({
      returned: false,
      isAdditive: true,
      description: 'Of the pieces, where each has its own (AI 21). A piece is received once.',
    }),
    certificate_number: text({
      returned: false,
      isAdditive: true,
      description: "Number of the supplier's certificate that came with the goods.",
    }),
    plan_id: reference('inspection-plan', {
      returned: false,
      isAdditive: true,
      writable: false,
      description: 'The inspection plan that was applied when the goods came.',
    }),
    is_certificate_missing: flag({
      returned: false,
      isAdditive: true,
      writable: false,
      description: 'The plan wants a certificate, and none is named yet: the lot is locked.',
    }),
    is_inspection_skipped: flag({
      returned: false,
      isAdditive: true,
      writable: false,
      description: 'The plan inspects one lot of several, and this was another.',
    }),
  },
  position: 'order',
  codes: ['serial_numbers'],
  shownIn: ['list', 'one', 'items'],
  operations: {
    section: '4.14',
    parentParameter: 'receiving_inspection_id',
    answers: { kind: 'item', fields: null, updateUnderMeta: true },
  },
});

/** What a supplier delivered, line by line accepted or rejected: interface 2.16 and 4.14. */
export const receivingInspection = defineFamily({
  name: 'receiving-inspection',
  title: 'Receipt',
  plural: 'Receipts',
  path: '/receiving-inspections',
  section: '2.16',
  description: 'What a supplier delivered, line by line accepted or rejected.',
  fields: {
    id: recordId(),
    supplier_id: reference('supplier'),
    serial_number: text({ label: 'Lot number' }),
    po_number: text({ label: 'PO number' }),
    requested_shipment_arrival_date: date({ hasTime: true }),
    actual_arrival_date: date({ hasTime: true }),
    is_closed: flag({
      as: 'integer',
      fallback: false,
      isVerdict: true,
      description: 'A mark; it forbids nothing.',
    }),
    is_quarantined: flag({
      as: 'integer',
      fallback: false,
      isVerdict: true,
      description: 'Locks every lot of the receipt.',
    }),
    purchase_order_id: reference('purchase-order', {
      isAdditive: true,
      description:
        'The order that it counts against; the one with its number unless said. It is taken away together with that number.',
    }),
    total_order_quantity: decimal({ minimum: 0 }),
    is_over_received: derived(() => z.boolean(), {
      isAdditive: true,
      description: 'More was received than `total_order_quantity`.',
    }),
    is_receive_all_items: flag({
      returned: false,
      description: 'All items arrived at the same date and time.',
    }),
    notes: longText(),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  collections: { items: receiptItem },
  operations: { documented: { section: '4.14', kinds: ['list', 'create', 'read', 'update'] } },
  columns: [
    'po_number',
    'supplier_id',
    'serial_number',
    'actual_arrival_date',
    'is_quarantined',
    'is_closed',
  ],
  lists: ['serial_number', 'actual_arrival_date', 'is_quarantined', 'is_closed'],
  search: ['po_number', 'serial_number', 'notes'],
  filters: {
    supplier_id: { description: 'Only receipts from this supplier.', isAdditive: true },
  },
  indexes: ['po_number'],
  nameFields: ['po_number', 'serial_number'],
  detailFields: ['supplier_id', 'actual_arrival_date'],
  codes: ['po_number', 'serial_number'],
  rules: ['receiving'],
  may: {
    create: 'operator',
    change: 'operator',
    rules: {
      serial_number: [corrected],
      actual_arrival_date: [corrected],
      is_closed: [{ when: 'fromTrue', needsReason: true }],
      is_quarantined: [{ when: 'fromTrue', role: 'quality', needsReason: true, isFreeing: true }],
      'items.*.part_id': [freeing],
      'items.*.serial_number': [corrected],
      'items.*.unit_of_measure': [freeing],
      'items.*.received_date': [corrected],
      'items.*.quantity_accepted': [corrected, { when: 'more', needsReason: true, isFreeing: true }],
      'items.*.quantity_rejected': [
        corrected,
        { when: 'less', acceptedBy: 'quality', needsReason: true, isFreeing: true },
      ],
      'items.*.expiry_date': [
        corrected,
        { when: 'later', acceptedBy: 'quality', needsReason: true, isFreeing: true },
      ],
      'items.*.certificate_number': [corrected],
      'items.*.is_active_batch': [{ when: 'fromFalse', role: 'quality', needsReason: true, isFreeing: true }],
    },
  },
});

/** Which field of a receipt line says what its lot is called, by the lot's. */
export const LOT_NAMED_BY: Readonly<Record<string, string>> = {
  part_id: 'part_id',
  batch_number: 'serial_number',
  expiry_date: 'expiry_date',
  lot_unit: 'unit_of_measure',
};

/** What of a line says which lot it feeds. */
export const LOT_NAMING = Object.values(LOT_NAMED_BY);
