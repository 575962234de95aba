import { z } from 'zod';
import { defineFamily } from '../contract/define-family.ts';
import { createdAt, date, decimal, derived, longText, recordId, reference } from '../contract/fields.ts';

/** A correction of a lot's quantity, with its reason: interface decisions, 5.1. An adjustment is never changed. */
export const adjustment = defineFamily({
  name: 'adjustment',
  title: 'Adjustment',
  plural: 'Adjustments',
  path: '/adjustments',
  description: "A correction of a lot's quantity. To undo one, adjust the other way.",
  fields: {
    id: recordId(),
    inventory_id: reference('inventory', { required: true, label: 'Lot record' }),
    quantity: decimal({
      required: true,
      description: 'Added to the lot; negative takes away. In the unit of the lot.',
    }),
    location_id: reference('location', { description: 'Needed where the lot stands in several places.' }),
    reason: longText({ required: true }),
    stock_count_id: reference('stock-count', {
      writable: false,
      description: 'The count that found it; its own posting says so.',
    }),
    adjustment_date: date({
      description: 'Today unless given.',
    }),
    unit_of_measure: derived(() => z.string(), { isUnit: true, description: 'The unit of the lot.' }),
    created_at: createdAt(),
  },
  operations: { extensions: ['list', 'create', 'read'] },
  columns: ['inventory_id', 'quantity', 'reason', 'created_at'],
  lists: ['adjustment_date'],
  search: ['reason'],
  searchThrough: ['inventory_id'],
  filters: { inventory_id: { description: 'Only adjustments of this lot.', isAdditive: true } },
  detailFields: ['inventory_id', 'quantity'],
  rules: ['adjusting'],
  may: { create: 'quality', change: null },
});
