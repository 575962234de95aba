import { z } from 'zod';
import { defineFamily } from '../contract/define-family.ts';
import { createdAt, date, decimal, derived, longText, recordId, reference } from '../contract/fields.ts';

/** A quantity of a lot carried from one place to another: interface decisions, 1 and 3. */
export const move = defineFamily({
  name: 'move',
  title: 'Move',
  plural: 'Moves',
  path: '/moves',
  description: 'A quantity of a lot carried from one place to another. To undo one, move it back.',
  fields: {
    id: recordId(),
    inventory_id: reference('inventory', { required: true, label: 'Lot record' }),
    from_location_id: reference('location', { description: 'Absent: the place where all of it stands.' }),
    to_location_id: reference('location', { required: true, aliases: ['location_id'] }),
    quantity: decimal({ minimum: 0, description: 'In the unit of the lot; absent: all that stands there.' }),
    shipment_id: reference('shipment', {
      description:
        'A pick: goods go to the place (kind shipping) where they wait for this shipment, or from there back.',
    }),
    reason: longText(),
    move_date: date({ description: 'Today unless given.' }),
    unit_of_measure: derived(() => z.string(), { isUnit: true, description: 'The unit of the lot.' }),
    created_at: createdAt(),
  },
  operations: { extensions: ['list', 'create', 'read'] },
  columns: ['inventory_id', 'from_location_id', 'to_location_id', 'quantity', 'created_at'],
  lists: ['move_date'],
  search: ['reason'],
  searchThrough: ['inventory_id'],
  filters: {
    inventory_id: { description: 'Only moves of this lot.', isAdditive: true },
    shipment_id: { description: 'Only picks for this shipment.', isAdditive: true },
  },
  detailFields: ['inventory_id', 'quantity'],
  rules: ['moving'],
  may: { create: 'operator', change: null },
});
