import { z } from 'zod';
import { answerSchema } from '../contract/answer-schema.ts';
import { defineFamily } from '../contract/define-family.ts';
import {
  createdAt,
  date,
  derived,
  flag,
  json,
  longText,
  recordId,
  reference,
  text,
  textList,
  updatedAt,
} from '../contract/fields.ts';
import { acceptedByQuality, corrected } from '../contract/may.ts';
import { inspection } from './inspection.ts';
import { isLabAnswer, labDataText, labNumbers } from './lab-data.ts';

/** What a laboratory measured of a lot: interface 2.14 and 4.12. */
export const labResult = defineFamily({
  name: 'lab-result',
  title: 'Lab result',
  plural: 'Lab results',
  path: '/lab-results',
  section: '2.14',
  description: 'What a laboratory measured of a lot.',
  fields: {
    id: recordId(),
    specification_id: reference('specification', { label: 'Inspection template' }),
    testing_id: text({ label: 'Testing number' }),
    testing_date: date(),
    inspector_name: text(),
    batch_number: text({ label: 'Lot number' }),
    package_id: text({ label: 'Package number' }),
    product_name: text(),
    lab_data: json(
      () => ({
        input: labDataText,
        output: z.record(z.string(), z.number()),
        request: z.union([z.string(), z.record(z.string(), z.union([z.number(), z.string()]))]),
      }),
      {
        emit: labNumbers,
        isAsAnswered: isLabAnswer,
        absent: {},
        description: 'JSON object text: measurement names and numbers as text. Kept as written.',
      },
    ),
    lab_data_qualified: derived(() => z.record(z.string(), z.string()), {
      isAdditive: true,
      absent: {},
      description: 'Values below or above a limit of quantification: <0.05, >100, ND.',
    }),
    inspection: derived(() => answerSchema(inspection), {
      description: 'The inspection of `inspection_id`.',
    }),
    inspection_id: reference('inspection', {
      isAdditive: true,
      description: 'The inspection that the result belongs to.',
    }),
    inventory_id: reference('inventory', {
      isAdditive: true,
      label: 'Lot record',
      description: 'The lot that was measured.',
    }),
    batch_part_id: reference('part', {
      writable: false,
      returned: false,
      description: 'The part whose lots the lot number named when the result was written.',
    }),
    failed_measurements: textList({
      isAdditive: true,
      writable: false,
      returned: false,
      description: "Measurements outside the limits of the template's characteristics of the same name.",
    }),
    is_settled: flag({
      isAdditive: true,
      writable: false,
      returned: false,
      description: 'The disposition of a report settled the failure: it locks the lot no more.',
    }),
    notes: longText({ isAdditive: true, returned: false }),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  operations: {
    documented: { section: '4.12', kinds: ['create', 'read', 'update'] },
    extensions: ['list'],
    acceptsId: true,
  },
  columns: ['testing_id', 'testing_date', 'batch_number', 'product_name', 'inspector_name'],
  lists: ['testing_id', 'testing_date'],
  search: ['testing_id', 'batch_number', 'package_id', 'product_name', 'inspector_name'],
  filters: {
    inventory_id: { description: 'Only results of this lot.', isAdditive: true },
    specification_id: { description: 'Only results by this template.', isAdditive: true },
  },
  indexes: ['batch_number'],
  nameFields: ['testing_id'],
  detailFields: ['batch_number', 'product_name'],
  codes: ['testing_id', 'package_id'],
  rules: ['lab-verdict'],
  may: {
    create: 'inspector',
    change: 'inspector',
    rules: {
      testing_date: [corrected],
      lab_data: [corrected],
      specification_id: [acceptedByQuality],
      batch_number: [acceptedByQuality],
      inventory_id: [acceptedByQuality],
      is_settled: [{ when: 'toTrue', role: 'quality' }],
    },
  },
});
