import { patternOf } from '../../shared/contract/permission.ts';
import { itemsOf, type StoredRecord } from '../../shared/contract/present.ts';
import { differingLabData } from '../../shared/families/lab-data.ts';
import { type Fields, mapOf } from '../store/changes.ts';
import { receiptsOf } from '../store/lots.ts';
import { headedTable, paragraph } from './blocks.ts';
import { nameOf, type PaperContext, partOf, recordOf } from './context.ts';
import type { Block } from './paper.ts';
import type { TextKey } from './texts.ts';

interface Row {
  record: StoredRecord;
  fields: Fields;
  /** The lot that it is of, where the paper is not the record's own. */
  lot: string | null;
}

/** What papers of other records say of a lot: its own values where it was opened, else those of the lines that fed it. */
const OF_LOTS: readonly string[] = ['batch_number', 'expiry_date'];
const OF_LINES: readonly string[] = ['serial_number', 'expiry_date'];

/**
 * What stood before a value of the record was replaced, who did it, when and why, and whether it counts; nothing where
 * none was.
 * @param lots whose number and expiry the paper shows as well
 */
export function correctionBlocks(
  context: PaperContext,
  record: StoredRecord,
  lots: readonly StoredRecord[] = [],
): Block[] {
  const { words } = context;
  const own = rowsOf(context, record).map(fields => ({ record, fields, lot: null }));
  const rows: Row[] = [...own, ...lots.flatMap(lot => rowsOfLot(context, lot))];
  const shown = headedTable(words, 'corrections', rows, [
    ['correctedValue', 4, row => placeOf(context, row)],
    ['original', 3, ({ fields }) => sayValue(context, fields, 'old_value')],
    ['corrected', 3, ({ fields }) => sayValue(context, fields, 'new_value')],
    ['correctedBy', 4, ({ fields: { author, at } }) => `${words.text(author)}\n${words.moment(String(at))}`],
    ['reason', 4, ({ fields }) => words.text(fields.reason)],
    ['valid', 4, ({ fields }) => stateOf(context, fields)],
  ]);
  return rows.length === 0 ? [] : [...shown, paragraph(words.say('correctionCount'), String(rows.length))];
}

function rowsOfLot(context: PaperContext, lot: StoredRecord): Row[] {
  const name = context.words.text(lot.fields.batch_number ?? lot.id);
  const rowsAt = (record: StoredRecord, paths: readonly string[]) =>
    rowsOf(context, record).flatMap(fields =>
      paths.includes(String(fields.path)) ? [{ record, fields, lot: name }] : [],
    );
  const receipts = receiptsOf(context.reading.sql, lot.id).flatMap(
    key => recordOf(context, 'receiving-inspection', Number(key.split(':')[1])) ?? [],
  );
  const lines = receipts.flatMap(receipt => {
    const fed = itemsOf({ position: 'order' }, receipt.fields.items).filter(
      item => item.inventory_id === lot.id,
    );
    return rowsAt(
      receipt,
      fed.flatMap(({ id }) => OF_LINES.map(path => `items.${id}.${path}`)),
    );
  });
  return [...rowsAt(lot, OF_LOTS), ...lines];
}

function rowsOf({ reading }: PaperContext, record: StoredRecord): Fields[] {
  const found = reading.records.findBy('correction', 'subject', record.key);
  return found.toSorted((one, other) => one.id - other.id).map(({ fields }) => fields);
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
  lot_number: 'lot',
  expiry_date: 'expiry',
  actual_ship_date: 'shipped',
  status: 'status',
  date_opened: 'opened',
  date_closed: 'closedOn',
};

function placeOf({ words }: PaperContext, { record: { fields }, fields: correction, lot }: Row): string {
  const { say } = words;
  const path = String(correction.path);
  const [collection = '', id, , result] = path.split('.');
  if (collection === 'samples') {
    const sample = mapOf(mapOf(fields.samples)[id ?? '']);
    const { name } = mapOf(mapOf(mapOf(fields.template).characteristics)[result ?? '']);
    return `${say('sample', { number: words.text(sample.sample_number) })}: ${words.text(name ?? result)}`;
  }
  const key = names[patternOf(path)];
  const name = key ? say(key) : path;
  if (lot !== null) return say('valueOfLot', { lot, name });
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
  if (name === 'status') return words.say(statuses[String(value)] ?? 'notSaid');
  if (name === 'part_id') return partOf(context, value);
  if (name === 'drawing_id' || name === 'specification_id') return nameOf(context, 'specification', value);
  if (name === 'inventory_id') return nameOf(context, 'inventory', value, 'batch_number');
  if (name === 'unit_of_measure') return words.unit(value);
  if (typeof value === 'number') return words.number(value);
  return /^\d{4}-\d\d-\d\d/.test(String(value)) ? words.moment(String(value)) : words.text(value);
}

/** Of a report. */
export const statuses: Readonly<Record<string, TextKey>> = {
  open: 'statusOpen',
  in_review: 'statusInReview',
  closed: 'statusClosed',
};

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
