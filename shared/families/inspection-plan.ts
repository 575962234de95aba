import { defineFamily } from '../contract/define-family.ts';
import {
  choice,
  createdAt,
  flag,
  integer,
  longText,
  recordId,
  reference,
  text,
  updatedAt,
} from '../contract/fields.ts';
import { corrected } from '../contract/may.ts';
import { aqlTexts, inspectionLevels } from '../sampling/sampling-tables.ts';
import { MOST_SAMPLES } from './plan-sampling.ts';

/**
 * What is inspected of goods that arrive, so that nothing depends on memory. Receipts apply the plan that says most about
 * a line: of its part from its supplier, of its part, of its part's type from its supplier, of the type, of the supplier.
 */
export const inspectionPlan = defineFamily({
  name: 'inspection-plan',
  title: 'Inspection plan',
  plural: 'Inspection plans',
  path: '/inspection-plans',
  description:
    'What is inspected of goods that arrive. The plan that says most about a line is applied to it: of part and supplier, part, part type and supplier, part type, supplier; of several of one kind the newest.',
  fields: {
    id: recordId(),
    name: text({ required: true }),
    part_id: reference('part', { description: 'At least one of part, part type and supplier is given.' }),
    part_type_id: reference('part-type', { description: 'All parts of the type.' }),
    supplier_id: reference('supplier', { description: 'Absent: from anybody.' }),
    specification_id: reference('specification', {
      label: 'Inspection template',
      description: 'Each lot gets an inspection by it; absent: nothing is measured.',
    }),
    sampling: choice(['lot-size', 'fixed'], {
      fallback: 'lot-size',
      description: 'Samples by the size of the lot (ISO 2859-1), or a fixed number.',
    }),
    sampling_level: choice(inspectionLevels, {
      description: "Inspection level of ISO 2859-1; the part's unless said.",
    }),
    sampling_aql: choice(aqlTexts, {
      label: 'Sampling AQL',
      description: "Acceptance quality limit of ISO 2859-1, per cent nonconforming; the part's unless said.",
    }),
    sample_count: integer({
      minimum: 1,
      maximum: MOST_SAMPLES,
      label: 'Number of samples',
      description: 'If fixed: so many, or the whole lot where it is smaller. All of them must conform.',
    }),
    inspect_every: integer({
      minimum: 1,
      maximum: 100,
      fallback: 1,
      label: 'Inspect one lot of',
      description:
        'Of so many lots in a row one is inspected, as long as the last one inspected was accepted.',
    }),
    is_certificate_required: flag({
      fallback: false,
      label: 'Certificate required',
      description: "The lot is locked until the line names the supplier's certificate.",
    }),
    is_quarantined_first: flag({
      fallback: false,
      label: 'Quarantine first',
      description: 'The lot is locked until quality frees its line.',
    }),
    is_active: flag({
      fallback: true,
      isVerdict: true,
      description: 'What is received from now on follows it.',
    }),
    notes: longText(),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  operations: { extensions: ['list', 'create', 'read', 'update'] },
  columns: ['name', 'part_id', 'part_type_id', 'supplier_id', 'specification_id', 'is_active'],
  lists: ['name', 'is_active'],
  search: ['name', 'notes'],
  searchThrough: ['part_id', 'supplier_id'],
  filters: {
    part_id: { description: 'Only plans for this part.', isAdditive: true },
    part_type_id: { description: 'Only plans for this part type.', isAdditive: true },
    supplier_id: { description: 'Only plans for this supplier.', isAdditive: true },
  },
  detailFields: ['part_id', 'supplier_id'],
  rules: ['planning'],
  may: {
    create: 'quality',
    change: 'quality',
    rules: {
      part_id: [corrected],
      part_type_id: [corrected],
      supplier_id: [corrected],
      specification_id: [corrected],
      sampling: [corrected],
      sampling_level: [corrected],
      sampling_aql: [corrected],
      sample_count: [corrected],
      inspect_every: [corrected],
      is_certificate_required: [{ when: 'fromTrue', needsReason: true }],
      is_quarantined_first: [{ when: 'fromTrue', needsReason: true }],
      is_active: [{ when: 'fromTrue', needsReason: true }],
    },
  },
});
