import { patternOf } from '../../shared/contract/permission.ts';
import { itemsOf, type StoredRecord } from '../../shared/contract/present.ts';
import { differingLabData } from '../../shared/families/lab-data.ts';
import { type Fields, mapOf } from '../store/changes.ts';
import { headedTable } from './blocks.ts';
import { nameOf, type PaperContext, partOf, recordOf } from './context.ts';
import type { Block } from './paper.ts';
import type { TextKey } from './texts.ts';

/** What stood before a value of the record was replaced, who did it, when and why, and whether it counts; nothing where none was. */
export function correctionBlocks(context: PaperContext, record: StoredRecord): Block[] {
  const { reading, words } = context;
  const corrections = reading.records
    .findBy('correction', 'subject', record.key)
    .toSorted((one, other) => one.id - other.id);
  return headedTable(words, 'corrections', corrections, [
    ['correctedValue', 4, ({ fields }) => placeOf(context, record, String(fields.path))],
    ['original', 3, ({ fields }) => sayValue(context, fields, 'old_value')],
    ['corrected', 3, ({ fields }) => sayValue(context, fields, 'new_value')],
    ['correctedBy', 4, ({ fields: { author, at } }) => `${words.text(author)}\n${words.moment(String(at))}`],
    ['reason', 4, ({ fields }) => words.text(fields.reason)],
    ['valid', 4, ({ fields }) => stateOf(context, fields)],
  ]);
}

/** What paper calls a value, by its path without ids. */
const names: Readonly<Record<string, TextKey>> = {
  serial_number: 'lot',
  actual_arrival_date: 'receiptArrived',
  is_closed: 'closed',
  is_quarantined: 'receiptQuarantined',
  'items.*.part_id': 'part',
  'items.*.serial_number': 'lot',
  'items.*.unit_of_measure': 'unit',
  'items.*.received_date': 'received',
  'items.*.quantity_accepted': 'accepted',
  'items.*.quantity_rejected': 'rejected',
  'items.*.expiry_date': 'expiry',
  'items.*.is_active_batch': 'activeBatch',
  drawing_id: 'template',
  inspection_date: 'inspectionDate',
  inventory_id: 'lot',
  is_resubmitted: 'resubmitted',
  passed: 'verdict',
  testing_date: 'testingDate',
  lab_data: 'measurement',
  specification_id: 'template',
  batch_number: 'lot',
};

function placeOf({ words }: PaperContext, { fields }: StoredRecord, path: string): string {
  const { say } = words;
  const [collection = '', id, , result] = path.split('.');
  if (collection === 'samples') {
    const sample = mapOf(mapOf(fields.samples)[id ?? '']);
    const { name } = mapOf(mapOf(mapOf(fields.template).characteristics)[result ?? '']);
    return `${say('sample', { number: words.text(sample.sample_number) })}: ${words.text(name ?? result)}`;
  }
  const key = names[patternOf(path)];
  const name = key ? say(key) : path;
  if (collection !== 'items') return name;
  const place = itemsOf({ position: 'order' }, fields.items).findIndex(item => item.id === Number(id)) + 1;
  return `${say('position')} ${place || words.text(null)}: ${name}`;
}

function sayValue(context: PaperContext, fields: Fields, which: 'old_value' | 'new_value'): string {
  const { words } = context;
  const value = fields[which];
  const path = String(fields.path);
  const name = path.slice(path.lastIndexOf('.') + 1);
  if (path === 'lab_data') {
    const { old, now } = differingLabData(fields.old_value, fields.new_value);
    return words.text(which === 'old_value' ? old : now);
  }
  if (typeof value === 'boolean') {
    if (name === 'passed') return words.say(value ? 'passed' : 'failed');
    return words.flag(value);
  }
  if (name === 'part_id') return partOf(context, value);
  if (name === 'drawing_id' || name === 'specification_id') return nameOf(context, 'specification', value);
  if (name === 'inventory_id') return nameOf(context, 'inventory', value, 'batch_number');
  if (name === 'unit_of_measure') return words.unit(value);
  if (typeof value === 'number') return words.number(value);
  return /^\d{4}-\d\d-\d\d/.test(String(value)) ? words.moment(String(value)) : words.text(value);
}

function stateOf(context: PaperContext, fields: Fields) {
  const { words } = context;
  const { say } = words;
  if (fields.status === 'awaiting')
    return { text: '', shape: 'cross', words: say('correctionAwaiting') } as const;
  if (fields.status !== 'accepted') return say('correctionRecorded');
  const name = words.text(recordOf(context, 'user', fields.accepted_by)?.fields.name ?? fields.acceptor);
  const at = words.moment(String(fields.accepted_at));
  return say('correctionAccepted', { name, at, reason: words.text(fields.acceptance_reason) });
}
