import { z } from 'zod';
import { defineFamily } from '../contract/define-family.ts';
import { shown } from '../contract/field-schemas.ts';
import { createdAt, date, json, recordId, reference, text, updatedAt } from '../contract/fields.ts';
import { depthOf, VALUE_DEPTH } from '../contract/limits.ts';
import { corrected } from '../contract/may.ts';

const anyObject = z
  .record(z.string(), z.unknown(), {
    error: issue => `${shown(issue.input)} is not an object. Give an object, for example {"text": "…"}.`,
  })
  .refine(value => depthOf(value) <= VALUE_DEPTH, {
    error: `The object is nested too deeply. The most is ${VALUE_DEPTH} objects and lists within each other.`,
  });

/** A corrective action request: interface 2.11 and 4.9. A create has only `car_number`; the rest is additive. */
export const car = defineFamily({
  name: 'car',
  title: 'Corrective action request',
  plural: 'Corrective action requests',
  path: '/cars',
  section: '2.11',
  description: 'A request to remove the cause of a non-conformance.',
  fields: {
    id: recordId(),
    car_number: text({ label: 'CAR number', description: 'Numbered by the server when absent.' }),
    initiator_name: text({ description: 'The caller unless given.' }),
    date_opened: date({ description: 'Today unless given.' }),
    date_closed: date({ isVerdict: true }),
    po_number: text(),
    source: text(),
    description: json(() => ({ input: anyObject, output: z.record(z.string(), z.unknown()) }), {
      fallback: {},
      description: 'An object of any members.',
    }),
    type: text(),
    ncr_id: reference('ncr', {
      isAdditive: true,
      returned: false,
      label: 'Non-conformance report',
      description: 'The report that raised the request.',
    }),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  operations: { documented: { section: '4.9', kinds: ['list', 'create', 'read', 'update'] } },
  columns: ['car_number', 'initiator_name', 'date_opened', 'date_closed', 'source', 'type'],
  lists: ['date_opened', 'date_closed'],
  search: ['car_number', 'po_number', 'initiator_name'],
  filters: { ncr_id: { description: 'Only requests raised by this report.', isAdditive: true } },
  unique: ['car_number'],
  detailFields: ['source', 'initiator_name'],
  numbered: { field: 'car_number', prefix: 'CAR' },
  rules: ['car-opening'],
  may: {
    create: 'quality',
    change: 'quality',
    isOpenToIntegrations: true,
    rules: { date_opened: [corrected], date_closed: [{ when: 'any', role: 'quality' }, corrected] },
  },
});
