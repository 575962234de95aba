import { defineFamily } from '../contract/define-family.ts';
import {
  choice,
  createdAt,
  decimal,
  flag,
  recordId,
  reference,
  text,
  textList,
  updatedAt,
} from '../contract/fields.ts';
import { corrected } from '../contract/may.ts';
import { massUnits, partUnits, volumeUnits } from '../quantities/units.ts';
import { aqlTexts, inspectionLevels } from '../sampling/sampling-tables.ts';
import { storageClasses } from './places.ts';

/** Something that is bought, made, kept or sold: interface 2.9 and 4.7. */
export const part = defineFamily({
  name: 'part',
  title: 'Part',
  plural: 'Parts',
  path: '/parts',
  section: '2.9',
  description: 'Something that is bought, made, kept or sold.',
  fields: {
    id: recordId(),
    name: text(),
    identification: text({ label: 'Part number' }),
    company_id: reference('company'),
    is_activity: flag({ fallback: false, description: 'False for a part, true for an activity.' }),
    is_finished_product: flag({ fallback: true }),
    supplier_id: reference('supplier'),
    parent_part_id: reference('part', { label: 'Parent part' }),
    batch_ids: textList({ fallback: [], description: 'Free text; what it names is not checked.' }),
    unit_type: choice(['Volume', 'Mass', 'Length']),
    unit_of_measure: choice(partUnits),
    density: decimal({ minimum: 0, description: 'Mass per volume; converts between the two.' }),
    density_mass_unit: choice(massUnits),
    density_volume_unit: choice(volumeUnits),
    part_type_id: reference('part-type', { isAdditive: true }),
    reorder_point: decimal({
      isAdditive: true,
      minimum: 0,
      description: 'Stock below it is to be ordered again.',
    }),
    sampling_level: choice(inspectionLevels, {
      isAdditive: true,
      returned: false,
      description: 'Inspection level of ISO 2859-1; II unless said.',
    }),
    sampling_aql: choice(aqlTexts, {
      isAdditive: true,
      returned: false,
      label: 'Sampling AQL',
      description: 'Acceptance quality limit of ISO 2859-1, per cent nonconforming; 1 unless said.',
    }),
    storage_class: choice(storageClasses, {
      isAdditive: true,
      description: 'What it needs of the place that it is kept in; it is kept in no other.',
    }),
    usual_location_id: reference('location', {
      isAdditive: true,
      label: 'Usual place',
      description: 'Where it is put away where none of it lies.',
    }),
    barcodes: textList({ isAdditive: true, fallback: [] }),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  operations: { documented: { section: '4.7', kinds: ['list', 'create', 'read', 'update'] } },
  columns: ['identification', 'name', 'supplier_id', 'unit_of_measure', 'reorder_point'],
  lists: ['name', 'identification'],
  search: ['name', 'identification'],
  filters: { supplier_id: { description: 'Only parts of this supplier.', isAdditive: true } },
  nameFields: ['name', 'identification'],
  detailFields: ['identification'],
  codes: ['identification', 'barcodes'],
  rules: ['part-units'],
  may: {
    create: 'operator',
    change: 'operator',
    rules: {
      // What the amounts of its lots and open shipments mean.
      unit_of_measure: [corrected],
      density: [corrected],
      density_mass_unit: [corrected],
      density_volume_unit: [corrected],
      sampling_level: [{ when: 'any', role: 'quality' }, corrected],
      sampling_aql: [{ when: 'any', role: 'quality' }, corrected],
    },
  },
});
