import { AppError } from '../../../shared/contract/errors.ts';
import { itemsOf, type StoredRecord } from '../../../shared/contract/present.ts';
import { type LabValue, readLabData } from '../../../shared/families/lab-data.ts';
import { lotLocks } from '../../../shared/families/lot-locks.ts';
import { failedMeasurements, limitsOf } from '../../../shared/families/measured.ts';
import type { Limits } from '../../../shared/quantities/tolerance.ts';
import { labResultsOf } from '../../rules/certificates.ts';
import { isExpired, locksOf } from '../../rules/lot-state.ts';
import { todayOf } from '../../rules/site.ts';
import type { Fields } from '../../store/changes.ts';
import { receiptsOf } from '../../store/lots.ts';
import { facts, headedTable, heading, notice, paragraph, table } from '../blocks.ts';
import { type Describe, nameOf, type PaperContext, recordOf } from '../context.ts';
import { correctionBlocks } from '../correction-blocks.ts';
import { limitsText } from '../limits-text.ts';
import type { Block, Fact } from '../paper.ts';

/** What a certificate would say of the lot now: for looking at. It counts once it is issued, which gives it its number. */
export const certificatePreview: Describe = (context, lot) => {
  const described = describeCertificate(context, lot);
  const mark = notice('wrong', context.words.say('certificatePreview'));
  return { ...described, blocks: [mark, ...described.blocks] };
};

/**
 * What a laboratory found of a lot, for its buyer. Refused while the lot is locked or a result lies outside its limits:
 * a certificate must not say of a lot what is not so.
 */
export const describeCertificate: Describe = (context, lot) => {
  const { words } = context;
  const { say } = words;
  const results = labResultsOf(context.reading, lot);
  refuse(context, lot, results);
  const part = recordOf(context, 'part', lot.fields.part_id);
  const blocks = [
    facts(
      [say('part'), words.text(part?.fields.name)],
      [say('partNumber'), words.text(part?.fields.identification)],
      [say('lot'), words.text(lot.fields.batch_number)],
      [say('expiry'), words.date(lot.fields.expiry_date)],
      ...originOf(context, lot, part),
    ),
    notice('plain', say('certificateStatement')),
  ];
  if (isExpired(lot, todayOf(context.reading.records, context.reading.now))) {
    const date = words.date(lot.fields.expiry_date);
    blocks.push(notice('wrong', say('certificateExpired', { date })));
  }
  blocks.push(heading(say('labResults')));
  for (const result of results)
    blocks.push(...resultBlocks(context, result), ...correctionBlocks(context, result));
  blocks.push(...inspectionsOf(context, lot));
  return { title: 'certificate', number: words.text(lot.fields.batch_number ?? lot.id), blocks };
};

function refuse({ reading, words }: PaperContext, lot: StoredRecord, results: readonly StoredRecord[]): void {
  const name = `The lot ${words.text(lot.fields.batch_number ?? lot.id)}`;
  const outside = (result: StoredRecord) => outsideOf(reading.records, result);
  const failed = results.find(result => outside(result).length > 0);
  if (failed) {
    const measurements = outside(failed).join(', ');
    throw new AppError(
      'conflict',
      `${name} gets no certificate: in the lab result ${failed.id}, ${measurements} lies outside its limits.`,
    );
  }
  const [lock] = locksOf(reading, lot);
  if (lock) {
    throw new AppError(
      'conflict',
      `${name} gets no certificate while it is locked: ${lotLocks[lock.lock]} (${lock.source}).`,
    );
  }
  if (results.length === 0) {
    throw new AppError('conflict', `${name} gets no certificate: it has no lab result. Record one first.`);
  }
}

/** By the limits of the day that it was measured, and by those that the paper would print beside it. */
function outsideOf(records: PaperContext['reading']['records'], { fields }: StoredRecord): unknown[] {
  const { failed_measurements: then, specification_id: id, lab_data: data } = fields;
  const now = failedMeasurements(records.get('specification', Number(id)), data);
  return [...new Set([...(Array.isArray(then) ? then : []), ...now])];
}

/** Where the lot came from: the suppliers and days of its receipts, else the part's supplier. */
function originOf(context: PaperContext, lot: StoredRecord, part: StoredRecord | undefined): Fact[] {
  const { say, date, text } = context.words;
  const receipts = receiptsOf(context.reading.sql, lot.id).flatMap(
    key => recordOf(context, 'receiving-inspection', Number(key.split(':')[1])) ?? [],
  );
  const suppliers = receipts.map(({ fields }) => nameOf(context, 'supplier', fields.supplier_id));
  const days = receipts.map(({ fields }) => date(fields.actual_arrival_date));
  const supplier =
    suppliers.length > 0
      ? [...new Set(suppliers)].join(', ')
      : nameOf(context, 'supplier', part?.fields.supplier_id);
  return [
    [say('supplier'), supplier],
    [say('received'), text([...new Set(days)].join(', '))],
  ];
}

function resultBlocks(context: PaperContext, { id, fields }: StoredRecord): Block[] {
  const { words } = context;
  const { say, text, number } = words;
  const template = recordOf(context, 'specification', fields.specification_id);
  // Its limits are nobody's yet, and decide nothing.
  const isDraft = template !== undefined && template.fields.is_approved !== true;
  const characteristics = new Map(
    itemsOf({ position: 'order' }, template?.fields.characteristics).map(each => [each.name, each]),
  );
  const said = [
    say('labResult', { number: text(fields.testing_id ?? id) }),
    words.date(fields.testing_date),
    ...(fields.inspector_name ? [`${say('laboratory')}: ${fields.inspector_name}`] : []),
    ...(template ? [`${say('template')}: ${text(template.fields.name ?? template.id)}`] : []),
  ];
  const rows = [...readLabData(fields.lab_data)].map(([name, value]) => {
    const characteristic = characteristics.get(name);
    return { name, value, characteristic, read: characteristic ? limitsOf(characteristic) : null };
  });
  return [
    paragraph('', said.join(' · ')),
    table(words, rows, [
      ['measurement', 4, ({ name }) => name],
      // What is no number (`<0.05`, `ND`) stands as it was written.
      ['value', 2, ({ value }) => (value.kind === 'number' ? number(value.value) : value.text), 'number'],
      [
        'limits',
        5,
        ({ characteristic: of, read }) =>
          of ? `${isDraft ? `${say('draft')}: ` : ''}${limitsText(of, read, words)}` : say('noLimits'),
      ],
      [
        'verdict',
        3,
        ({ read, value }) =>
          read ? say(!isDraft && isWithin(read, value) ? 'within' : 'undecided') : text(null),
      ],
    ]),
  ];
}

/** That it is not outside is known. A value beyond a limit of quantification is within where each that it stands for is. */
function isWithin({ lower, upper }: Limits, value: LabValue): boolean {
  if (value.kind === 'number') return true;
  if (value.limit === null) return false;
  if (value.relation === '<') return lower === null && upper !== null && value.limit <= upper;
  return upper === null && lower !== null && value.limit >= lower;
}

function inspectionsOf(context: PaperContext, lot: StoredRecord): Block[] {
  const { words, reading } = context;
  const verdict = ({ passed }: Fields) => (passed === true ? 'passed' : passed === false ? 'failed' : 'open');
  return headedTable(words, 'inspections', reading.records.findBy('inspection', 'inventory_id', lot.id), [
    ['number', 2, ({ id }) => String(id)],
    ['template', 6, ({ fields }) => nameOf(context, 'specification', fields.drawing_id)],
    ['samples', 2, ({ fields }) => words.text(fields.sample_size), 'number'],
    ['verdict', 3, ({ fields }) => words.say(verdict(fields))],
  ]);
}
