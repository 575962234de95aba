import { defineFamily } from '../contract/define-family.ts';
import { createdAt, flag, longText, recordId, text, textList, updatedAt } from '../contract/fields.ts';
import { everyOperation } from './simple.ts';

/** A view of a list that everybody is offered, at every station (decisions/0093); one's own are no records. */
export const sharedView = defineFamily({
  name: 'shared-view',
  title: 'Shared view',
  plural: 'Shared views',
  path: '/shared-views',
  description: 'A view of a list for everybody: conditions, order, search and columns under a name.',
  fields: {
    id: recordId(),
    name: text({ required: true, maximum: 80 }),
    list: text({ required: true, description: 'The family whose list it is of, as `part`.' }),
    address: longText({
      label: 'Conditions',
      description: 'Conditions, order and search, as a query: `sort=-name&filter[is_active]=true`.',
    }),
    columns: textList({ fallback: [], description: 'Fields, in their order; none: the usual ones.' }),
    is_active: flag({ fallback: true, description: 'False: it is offered no more.' }),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  operations: { extensions: everyOperation },
  columns: ['name', 'list', 'is_active'],
  lists: ['name', 'is_active'],
  search: ['name'],
  filters: { list: { description: 'Only views of the list of this family.', isAdditive: true } },
  may: { create: 'operator', change: 'operator' },
});
