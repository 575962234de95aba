import { defineFamily } from '../contract/define-family.ts';
import { text } from '../contract/fields.ts';
import { everyOperation, simpleFields } from './simple.ts';

/** A machine or gauge that can be inspected like a part: named by interface 2.10. */
export const equipment = defineFamily({
  name: 'equipment',
  title: 'Equipment',
  plural: 'Equipment',
  path: '/equipment',
  description: 'A machine or gauge that can be inspected like a part.',
  fields: { ...simpleFields(), identification: text() },
  operations: { extensions: everyOperation },
  columns: ['name', 'identification', 'is_active'],
  lists: ['name', 'identification', 'is_active'],
  search: ['name', 'identification'],
  codes: ['identification', 'name'],
  detailFields: ['identification'],
  may: { create: 'inspector', change: 'inspector' },
});
