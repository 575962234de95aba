import { defineFamily } from '../contract/define-family.ts';
import { everyOperation, simpleFields } from './simple.ts';

/** A kind of part: interface 2.3 and 4.15. */
export const partType = defineFamily({
  name: 'part-type',
  title: 'Part type',
  plural: 'Part types',
  path: '/part-types',
  section: '2.3',
  description: 'A kind of part.',
  fields: simpleFields(),
  operations: { documented: { section: '4.15', kinds: ['read'] }, extensions: everyOperation },
  columns: ['name', 'is_active'],
  lists: ['name', 'is_active'],
  search: ['name'],
  may: { create: 'quality', change: 'quality' },
});
