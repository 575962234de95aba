import { type Disposition, dispositions } from '../../../shared/families/ncr.ts';
import type { FamilyName } from '../../../shared/families/registry.ts';
import type { Fields } from '../../store/changes.ts';
import { facts, headedTable, paragraph } from '../blocks.ts';
import { type Describe, nameOf, type PaperContext, partOf, recordOf } from '../context.ts';
import { correctionBlocks, statuses } from '../correction-blocks.ts';
import type { Block, Fact } from '../paper.ts';
import type { TextKey } from '../texts.ts';

/** A non-conformance report, with what raised it and the requests that it raised. */
export const ncr: Describe = (context, record) => {
  const { words } = context;
  const { say } = words;
  const { fields } = record;
  const lot = recordOf(context, 'inventory', fields.inventory_id);
  return {
    title: 'ncr',
    number: words.text(fields.ncr_number),
    blocks: [
      facts(
        [say('status'), say(statuses[String(fields.status)] ?? 'notSaid')],
        [say('source'), say(sources[String(fields.source)] ?? 'notSaid')],
        [say('opened'), words.date(fields.date_opened)],
        [say('part'), partOf(context, fields.part_id)],
        [say('lot'), words.text(fields.lot_number)],
        [say('quantity'), words.number(fields.quantity)],
        [say('rootCause'), words.flag(fields.is_root_cause_determined)],
        [say('openActions'), words.flag(fields.has_incomplete_action_items)],
        [say('cause'), nameOf(context, 'error-code', fields.error_code_id)],
        ...dispositionOf(context, fields),
        ...originsOf(context, fields),
      ),
      paragraph(say('description'), words.text(fields.description)),
      paragraph(say('immediateAction'), words.text(fields.immediate_action)),
      ...requestsOf(context, record.id),
      ...correctionBlocks(context, record, lot ? [lot] : []),
    ],
  };
};

const sources: Record<string, TextKey> = {
  internal: 'sourceInternal',
  customer: 'sourceCustomer',
  supplier: 'sourceSupplier',
};

const decided: Record<Disposition, TextKey> = {
  'use-as-is': 'dispositionUseAsIs',
  rework: 'dispositionRework',
  return: 'dispositionReturn',
  scrap: 'dispositionScrap',
};

function dispositionOf(context: PaperContext, fields: Fields): Fact[] {
  const { say, text, number } = context.words;
  const disposition = dispositions.find(known => known === fields.disposition);
  const quantity = fields.disposition_quantity;
  return [
    [say('disposition'), disposition === undefined ? text(null) : say(decided[disposition])],
    ...(typeof quantity === 'number' ? [[say('dispositionQuantity'), number(quantity)] as const] : []),
  ];
}

interface Origin {
  field: string;
  family: FamilyName;
  label: TextKey;
  /** What people call the record. */
  name: string;
}

const origins: readonly Origin[] = [
  { field: 'receiving_inspection_id', family: 'receiving-inspection', label: 'receipt', name: 'po_number' },
  { field: 'inspection_id', family: 'inspection', label: 'inspection', name: 'id' },
  { field: 'inventory_id', family: 'inventory', label: 'lotRecord', name: 'batch_number' },
  { field: 'lab_result_id', family: 'lab-result', label: 'labResults', name: 'testing_id' },
  { field: 'complaint_id', family: 'complaint', label: 'complaint', name: 'complaint_number' },
];

function originsOf(context: PaperContext, fields: Fields): Fact[] {
  const { say, text } = context.words;
  return origins.flatMap(({ field, family, label, name }): Fact[] => {
    const id = fields[field];
    if (typeof id !== 'number') return [];
    const called = recordOf(context, family, id)?.fields[name];
    return [[`${say('origin')}: ${say(label)}`, called ? `${text(called)} (${id})` : String(id)]];
  });
}

function requestsOf({ words, reading }: PaperContext, id: number): Block[] {
  return headedTable(words, 'cars', reading.records.findBy('car', 'ncr_id', id), [
    ['number', 3, ({ fields }) => words.text(fields.car_number)],
    ['initiator', 4, ({ fields }) => words.text(fields.initiator_name)],
    ['opened', 3, ({ fields }) => words.date(fields.date_opened)],
    ['closedOn', 3, ({ fields }) => words.date(fields.date_closed)],
  ]);
}
