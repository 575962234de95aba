import { defineCollection, defineFamily } from '../contract/define-family.ts';
import {
  createdAt,
  date,
  flag,
  integer,
  longText,
  recordId,
  reference,
  text,
  updatedAt,
} from '../contract/fields.ts';

/** One thing that an inspection measures or judges: interface 2.13. */
const characteristic = defineCollection({
  name: 'characteristic',
  title: 'Characteristic',
  plural: 'Characteristics',
  fields: {
    id: recordId(),
    name: text({ required: true }),
    operation: text({ description: 'The step of the work that makes it.' }),
    dimensions: text({ description: 'The nominal value, as free text: 12.5 mm.' }),
    tolerance: text({
      description: 'Relative to the nominal (±0.1, +0.2/-0.1, ±5%) or absolute (min 5, 5-10, <=10).',
    }),
    order: integer({ label: 'Position', minimum: 0 }),
    is_optional: flag({ fallback: false }),
    is_approval_required: flag({ fallback: false }),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  position: 'order',
  shownIn: ['one'],
  isWholeList: true,
  limit: 500,
});

/** An inspection template (drawing, specification): interface 2.13 and 4.11; written under `/x`. */
export const specification = defineFamily({
  name: 'specification',
  title: 'Inspection template',
  plural: 'Inspection templates',
  path: '/specifications',
  section: '2.13',
  description: 'What an inspection measures, with limits. A change after approval makes a new revision.',
  fields: {
    id: recordId(),
    name: text(),
    identification: text({ label: 'Drawing number' }),
    revision: integer({ minimum: 0, fallback: 1 }),
    revision_date: date(),
    notes: longText(),
    is_approved: flag({ fallback: false, isVerdict: true }),
    approved_by: reference('user', { writable: false, description: 'Id of the user' }),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  collections: { characteristics: characteristic },
  operations: {
    documented: { section: '4.11', kinds: ['list', 'read'] },
    extensions: ['list', 'create', 'read', 'update'],
  },
  columns: ['identification', 'name', 'revision', 'revision_date', 'is_approved'],
  lists: ['name', 'is_approved'],
  search: ['name', 'identification'],
  filters: { identification: { description: 'Exactly this identification.', isAdditive: false } },
  nameFields: ['name', 'identification'],
  detailFields: ['identification'],
  codes: ['identification'],
  rules: ['revision'],
  may: {
    create: 'quality',
    change: 'quality',
    rules: { is_approved: [{ when: 'fromTrue', needsReason: true }] },
  },
});
