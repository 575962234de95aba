import { defineFamily } from '../contract/define-family.ts';
import { choice, integer, reference, text } from '../contract/fields.ts';
import { gln } from '../gs1/sscc.ts';
import { placeKinds, storageClasses } from './places.ts';
import { everyOperation, simpleFields } from './simple.ts';

const { id, name, is_active, ...stamps } = simpleFields();

/** A place where lots are kept: named by interface 2.5. A pallet is one, too: it stands in another (decisions/0059). */
export const location = defineFamily({
  name: 'location',
  title: 'Location',
  plural: 'Locations',
  path: '/locations',
  description:
    'A place where lots are kept. A handling unit (a pallet or case with an SSCC) is a place that stands in another one and takes what is on it along.',
  fields: {
    id,
    name,
    is_active,
    kind: choice(placeKinds, {
      description:
        'What it is for: goods are kept (storage, unless said), wait for their place (receiving), wait to go (shipping), or are kept apart (quarantine). A handling unit is a pallet or case, called by its SSCC.',
    }),
    storage_class: choice(storageClasses, {
      description: 'What goods that need it find there. A part that needs one is kept nowhere else.',
    }),
    walking_order: integer({
      minimum: 0,
      maximum: 1_000_000,
      description: 'People go by it: pick lists and proposals begin with the lowest. By name unless said.',
    }),
    within_id: reference('location', {
      label: 'Stands in',
      description: 'Of a handling unit: the place where it stands. It moves with all that is on it.',
    }),
    gln: gln({ description: 'Global location number on its label (AI 414), 13 digits.' }),
    gln_extension: text({
      label: 'GLN extension',
      maximum: 20,
      description: 'Tells places of one GLN apart (AI 254).',
    }),
    ...stamps,
  },
  operations: { extensions: everyOperation },
  columns: ['name', 'kind', 'storage_class', 'walking_order', 'within_id', 'is_active'],
  lists: ['name', 'kind', 'is_active'],
  search: ['name'],
  filters: { within_id: { description: 'Only handling units that stand in this place.', isAdditive: true } },
  codes: ['name', 'gln'],
  rules: ['placing'],
  may: { create: 'operator', change: 'operator' },
});
