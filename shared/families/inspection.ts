import { z } from 'zod';
import { defineCollection, defineFamily } from '../contract/define-family.ts';
import {
  choice,
  date,
  derived,
  flag,
  integer,
  json,
  measurement,
  recordId,
  reference,
  text,
  timestamp,
} from '../contract/fields.ts';
import { acceptedByQuality, corrected, freeing } from '../contract/may.ts';
import { MOST_SAMPLES, planSamplingSchema } from './plan-sampling.ts';

/** One characteristic of a sample: interface 2.10. Its id is that of the template's characteristic. */
const result = defineCollection({
  name: 'characteristic',
  title: 'Result',
  plural: 'Results',
  fields: {
    id: recordId(),
    order: integer({ label: 'Position', minimum: 0 }),
    value: measurement({ isAdditive: true, description: 'What was measured.' }),
    passed: flag({
      isAdditive: true,
      description: 'Worked out from the limits; a verdict by hand where none parse.',
    }),
    comment: text({ isAdditive: true }),
  },
  position: 'order',
  shownIn: ['one'],
  idsFromClient: true,
});

/** One inspected piece: interface 2.10. */
export const sample = defineCollection({
  name: 'sample',
  title: 'Sample',
  plural: 'Samples',
  fields: {
    id: recordId(),
    sample_number: integer({ minimum: 1, description: 'Place among the samples, from 1.' }),
    sample_serial: text(),
    passed: derived(() => z.boolean(), {
      isAdditive: true,
      description: 'Every non-optional characteristic lies within limits.',
    }),
  },
  collections: { results: result },
  position: 'sample_number',
  shownIn: ['items'],
  isAdditiveOnWrite: true,
  operations: {
    section: '4.8',
    segment: 'samples',
    parentParameter: 'id',
    itemParameter: 'sample_id',
    isBodyOptional: true,
  },
});

/** Measuring samples of a part or lot against a template: interface 2.10 and 4.8. Ids are answered as text. */
export const inspection = defineFamily({
  name: 'inspection',
  title: 'Inspection',
  plural: 'Inspections',
  path: '/inspections',
  section: '2.10',
  description: 'Measuring samples of a part or lot against a template.',
  fields: {
    id: recordId({ as: 'text' }),
    entity_id: reference('entity', {
      as: 'text',
      label: 'Inspected entity',
      description: 'The inspected part or equipment.',
    }),
    entity_type: choice(['part', 'equipment'], { fallback: 'part', description: 'What `entity_id` names.' }),
    drawing_id: reference('specification', { as: 'text', label: 'Inspection template' }),
    sample_size: integer({
      minimum: 1,
      maximum: MOST_SAMPLES,
      fallback: 1,
      description: 'How many samples are made from the template.',
    }),
    is_create_batch_records: flag({ fallback: true, description: 'Stored; makes no stock.' }),
    passed: flag({
      isVerdict: true,
      description: "Null: not finalised. Setting it is the inspector's word.",
    }),
    inventory_id: reference('inventory', {
      isAdditive: true,
      label: 'Lot record',
      description: 'The lot that the inspection judges.',
    }),
    inspection_date: date({ isAdditive: true, returned: false, description: 'Today unless given.' }),
    is_against_measurements: flag({
      isAdditive: true,
      writable: false,
      description: 'The verdict goes against the measurements.',
    }),
    finalised_at: timestamp({
      isAdditive: true,
      writable: false,
      returned: false,
      description: 'When the verdict was given.',
    }),
    is_resubmitted: flag({
      isAdditive: true,
      returned: false,
      description: 'The lot failed before and was submitted again: sampling does not count it.',
    }),
    is_settled: flag({
      isAdditive: true,
      writable: false,
      returned: false,
      description: 'The disposition of a report settled the failure: it locks the lot no more.',
    }),
    sampling: json(() => ({ input: z.never(), output: planSamplingSchema }), {
      isAdditive: true,
      writable: false,
      returned: false,
      description: 'How the inspection plan that opened it samples the lot; absent: no plan did.',
    }),
    template: json(() => ({ input: z.never(), output: z.looseObject({}) }), {
      writable: false,
      returned: false,
      description: 'The template as it was when the inspection was created.',
    }),
  },
  collections: { samples: sample },
  operations: {
    documented: { section: '4.8', kinds: ['list', 'create', 'read', 'update'] },
    extensions: ['read'],
    listForm: 'first-record',
    acceptsId: true,
  },
  columns: ['id', 'entity_id', 'drawing_id', 'sample_size', 'passed', 'inventory_id'],
  lists: ['inspection_date', 'passed'],
  searchThrough: ['drawing_id', 'inventory_id'],
  filters: {
    inventory_id: { description: 'Only inspections of this lot.', isAdditive: true },
    drawing_id: { description: 'Only inspections by this template.', isAdditive: true },
  },
  detailFields: ['drawing_id', 'inventory_id'],
  rules: ['inspecting'],
  may: {
    create: 'inspector',
    change: 'inspector',
    rules: {
      drawing_id: [acceptedByQuality],
      inspection_date: [corrected],
      inventory_id: [acceptedByQuality],
      is_resubmitted: [{ when: 'fromTrue', needsReason: true }],
      passed: [
        corrected,
        // By way of being reopened as well: what failed is measured again by the word of another.
        { when: 'leavesFailed', role: 'quality', needsReason: true, needsAnother: true, isFreeing: true },
      ],
      is_settled: [{ when: 'toTrue', role: 'quality' }],
      'samples.*.results.*.value': [freeing],
      'samples.*.results.*.passed': [freeing],
    },
  },
});

/** The paths of all that was measured or judged by hand of samples as they are stored. */
export function measuredPaths(samples: unknown): string[] {
  return Object.entries(Object(samples)).flatMap(([sample, entry]) =>
    Object.entries(Object(Object(entry).results)).flatMap(([result, said]) =>
      ['value', 'passed']
        .filter(name => (Object(said)[name] ?? null) !== null)
        .map(name => `samples.${sample}.results.${result}.${name}`),
    ),
  );
}
