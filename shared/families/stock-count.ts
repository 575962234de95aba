import { z } from 'zod';
import { countReasons, countStandings } from '../contract/count-standing.ts';
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
import { corrected } from '../contract/may.ts';

/** One lot that was counted in a place, or that should have been there. */
const stockCountItem = defineCollection({
  name: 'stock-count-item',
  title: 'Counted lot',
  plural: 'Counted lots',
  fields: {
    id: recordId(),
    inventory_id: reference('inventory', { required: true, label: 'Lot record' }),
    quantity_counted: decimal({
      minimum: 0,
      required: true,
      description: 'What was counted, in the unit of the lot. 0: it is not there.',
    }),
    quantity_recounted: decimal({
      minimum: 0,
      description: 'What was counted once more, where the first count differed. It is the one that counts.',
    }),
    reason: choice(countReasons, {
      label: 'Why it differs',
      description: 'Given before the difference is posted.',
    }),
    quantity_expected: decimal({
      writable: false,
      returned: false,
      description: 'What the books said of the lot in this place when it was counted.',
    }),
    is_recount_due: flag({ writable: false, description: 'It differed, and is to be counted once more.' }),
    quantity_difference: derived(() => z.number(), {
      label: 'Difference',
      description: 'Counted less expected; null until the count is finished: whoever counts is not told.',
    }),
    unit_of_measure: derived(() => z.string(), { isUnit: true, description: 'The unit of the lot.' }),
    order: integer({ label: 'Position', minimum: 0 }),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  position: 'order',
  shownIn: ['one'],
});

/**
 * All lots of one place, counted without being told what the books say. What differs is counted once more; what differs
 * still is posted by who may correct stock, as adjustments (decisions/0059).
 */
export const stockCount = defineFamily({
  name: 'stock-count',
  title: 'Count',
  plural: 'Counts',
  path: '/stock-counts',
  description:
    'What was counted in one place, blind. `is_finished` compares it with the books: what differs is counted once more, and what differs still waits to be posted.',
  fields: {
    id: recordId(),
    count_number: text({ description: 'The place and how many times it was counted, unless said.' }),
    location_id: reference('location', { required: true }),
    count_date: date({ description: 'Today unless given.' }),
    is_finished: flag({
      fallback: false,
      isVerdict: true,
      description:
        'All that stands there is counted. It stays open while something is to be counted once more.',
    }),
    is_withdrawn: flag({
      fallback: false,
      isVerdict: true,
      description: 'It does not count. Nothing is posted of it.',
    }),
    is_posted: flag({
      fallback: false,
      isVerdict: true,
      writable: false,
      description: 'Its differences were corrected in stock.',
    }),
    corrections_before: integer({
      writable: false,
      returned: false,
      description: 'How many corrections counts of the place had made when this one was begun.',
    }),
    standing: {
      ...derived(() => z.enum(countStandings), {
        description: 'How far it is: counting, recounting, agreed, differs, posted or withdrawn.',
      }),
      choices: countStandings,
    },
    notes: longText(),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  collections: { items: stockCountItem },
  operations: { extensions: ['list', 'create', 'read', 'update'] },
  columns: ['count_number', 'location_id', 'count_date', 'standing'],
  lists: ['count_date', 'is_finished', 'is_posted'],
  search: ['count_number', 'notes'],
  filters: { location_id: { description: 'Only counts of this place.', isAdditive: true } },
  unique: ['count_number'],
  detailFields: ['location_id', 'count_date'],
  rules: ['counting'],
  may: {
    create: 'operator',
    change: 'operator',
    rules: {
      is_posted: [
        { when: 'toTrue', role: 'quality' },
        { when: 'fromTrue', role: 'quality' },
      ],
      is_withdrawn: [corrected],
    },
  },
});
