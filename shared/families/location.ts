import { defineFamily } from '../contract/define-family.ts';
import { everyOperation, simpleFields } from './simple.ts';

/** A place where lots are kept: named by interface 2.5. */
export const location = defineFamily({
  name: 'location',
  title: 'Location',
  plural: 'Locations',
  path: '/locations',
  description: 'A place where lots are kept.',
  fields: simpleFields(),
  operations: { extensions: everyOperation },
  columns: ['name', 'is_active'],
  lists: ['name', 'is_active'],
  search: ['name'],
  codes: ['name'],
  may: { create: 'operator', change: 'operator' },
});
