import { defineFamily } from '../contract/define-family.ts';
import { choice, createdAt, longText, recordId, reference } from '../contract/fields.ts';

/** What a person can decide between lots (ISO 2859-1:1999, 9.3 and 9.4). */
export const rulings = [
  'reducedApproved',
  'reducedWithdrawn',
  'productionIrregular',
  'productionSteady',
  'normalReinstated',
  'resumed',
] as const;

/** A person's decision on how strictly the next lots of a part from a supplier are sampled. Never changed. */
export const samplingRuling = defineFamily({
  name: 'sampling-ruling',
  title: 'Sampling decision',
  plural: 'Sampling decisions',
  path: '/sampling-rulings',
  description:
    'A decision on how strictly the next lots of a part from a supplier are sampled. To undo one, decide again.',
  fields: {
    id: recordId(),
    part_id: reference('part', { required: true }),
    supplier_id: reference('supplier', { description: 'Absent: lots of the part from anybody.' }),
    ruling: choice(rulings, {
      required: true,
      description: 'What is decided, by ISO 2859-1:1999, 9.3 and 9.4.',
    }),
    reason: longText({ required: true }),
    created_at: createdAt(),
  },
  operations: { extensions: ['list', 'create', 'read'] },
  columns: ['part_id', 'supplier_id', 'ruling', 'reason', 'created_at'],
  filters: {
    part_id: { description: 'Only decisions about this part.', isAdditive: true },
    supplier_id: { description: 'Only decisions about this supplier.', isAdditive: true },
  },
  may: { create: 'quality', change: null },
});
