import { defineFamily } from '../contract/define-family.ts';
import { everyOperation, simpleFields } from './simple.ts';

/** The company that records belong to; the paged simple list of interface 4.2. */
export const company = defineFamily({
  name: 'company',
  title: 'Company',
  plural: 'Companies',
  path: '/companies',
  section: '2.3',
  description: 'The company that records belong to. A fresh installation has one.',
  fields: simpleFields(),
  operations: { documented: { section: '4.2', kinds: ['list'] }, extensions: everyOperation },
  columns: ['name', 'is_active'],
  lists: ['name', 'is_active'],
  search: ['name'],
  may: { create: 'quality', change: 'quality' },
});
