import { defineFamily } from '../contract/define-family.ts';
import { everyOperation, simpleFields } from './simple.ts';

/** What a complaint is about, from a list: named by interface 2.15. */
export const errorCode = defineFamily({
  name: 'error-code',
  title: 'Error code',
  plural: 'Error codes',
  path: '/error-codes',
  description: 'What a complaint is about, from a list.',
  fields: simpleFields(),
  operations: { extensions: everyOperation },
  columns: ['name', 'is_active'],
  lists: ['name', 'is_active'],
  search: ['name'],
  may: { create: 'quality', change: 'quality' },
});
