import type { Trace } from '../../../shared/operations/trace-schemas.ts';
import { facts, heading, notice, type Shown, table } from '../blocks.ts';
import { type Describe, type PaperContext, recordOf } from '../context.ts';
import { lockText } from '../lock-text.ts';
import type { Block, Cell } from '../paper.ts';
import type { TextKey } from '../texts.ts';
import type { Words } from '../words.ts';

/** Rows of a table on paper: whom to call and what they got stand whole for longer than the rest. */
const MOST_CUSTOMERS = 400;
const MOST_SHIPMENTS = 300;
const MOST_ROWS = 90;
/** Serial numbers in one row, and rows of them. */
const SERIALS_IN_ROW = 12;
const MOST_SERIALS = 200;

/** Everything that stands around a lot or a part, for whoever must call it back: customers first. */
export const recall: Describe = (context, record) => {
  const { words, trace } = context;
  const { say, text } = words;
  if (!trace) throw new Error(`The recall of ${record.key} was not given its trace.`);
  const [lot] = trace.subject.family === 'inventory' ? trace.lots : [];
  const locks = lot?.locks.map(({ reason }) => lockText(words, reason)) ?? [];
  return {
    title: 'recall',
    number: trace.subject.title,
    blocks: [
      facts(
        [say('part'), text(trace.part?.name)],
        [say('partNumber'), text(trace.part?.identification)],
        ...(lot
          ? ([
              [say('lot'), text(lot.batch_number)],
              [say('expiry'), words.date(lot.expiry_date)],
            ] as const)
          : []),
        [say('supplier'), text(trace.suppliers.map(({ name }) => text(name)).join(', '))],
        [say('recallSince'), words.moment(trace.as_of)],
      ),
      ...(locks.length > 0 ? [notice('wrong', `${say('locked')}: ${locks.join('; ')}`)] : []),
      notice('plain', say('recallNotice')),
      ...trace.left_out.map(({ group, shown, total }) =>
        leftOut(words, groupTexts[group], shown, total, group),
      ),
      ...customers(context, trace),
      ...shipments(context, trace),
      ...origins(context, trace),
      ...findings(context, trace),
    ],
  };
};

const groupTexts: Record<string, TextKey> = {
  lots: 'recallLots',
  receipts: 'recallReceipts',
  inspections: 'recallInspections',
  lab_results: 'recallLab',
  shipments: 'recallShipments',
  complaints: 'recallComplaints',
  ncrs: 'recallReports',
  cars: 'recallRequests',
  related_lots: 'recallRelated',
};

/** A group without a text of its own is named as it is. */
function leftOut({ say }: Words, key: TextKey | undefined, shown: number, total: number, name = ''): Block {
  const group = key === undefined ? name : say(key, { count: '' }).replace(/ \(\)$/, '');
  return notice('wrong', say('recallLeftOut', { group, shown, total }));
}

function customers(context: PaperContext, trace: Trace): Block[] {
  const { text, quantity } = context.words;
  return section(context, 'recallCustomers', trace.customers, MOST_CUSTOMERS, [
    ['customer', 4, one => text(one.name)],
    ['contact', 3, one => text(recordOf(context, 'customer', one.id)?.fields.primary_name)],
    ['telephone', 3, one => text(recordOf(context, 'customer', one.id)?.fields.primary_phone)],
    ['email', 4, one => text(recordOf(context, 'customer', one.id)?.fields.primary_email)],
    ['quantity', 3, one => one.quantities.map(({ quantity: sum, unit }) => quantity(sum, unit)).join('\n')],
  ]);
}

function shipments(context: PaperContext, trace: Trace): Block[] {
  const { text, date, quantity } = context.words;
  return section(context, 'recallShipments', trace.shipments, MOST_SHIPMENTS, [
    ['shipment', 3, one => text(one.shipment_number ?? one.id)],
    ['date', 3, one => date(one.date)],
    ['customer', 5, one => text(one.customer)],
    ['lot', 4, one => text(trace.lots.find(({ id }) => id === one.inventory_id)?.batch_number)],
    ['quantity', 3, one => quantity(one.quantity, one.unit)],
  ]);
}

/** What came in, and what of it is still there. */
function origins(context: PaperContext, trace: Trace): Block[] {
  const { text, date, number, quantity } = context.words;
  return [
    ...section(context, 'recallLots', trace.lots, MOST_ROWS, [
      ['lot', 4, lot => text(lot.batch_number ?? lot.id)],
      ['expiry', 3, lot => date(lot.expiry_date)],
      ['opening', 2, lot => number(lot.opening)],
      ['received', 2, lot => number(lot.received)],
      ['shippedQuantity', 2, lot => number(lot.shipped)],
      ['adjusted', 2, lot => number(lot.adjusted)],
      ['onHand', 3, lot => quantity(lot.on_hand, lot.unit)],
    ]),
    ...section(context, 'recallReceipts', trace.receipts, MOST_ROWS, [
      ['poNumber', 3, one => text(one.po_number ?? one.id)],
      ['date', 3, one => date(one.date)],
      ['supplier', 4, one => text(one.supplier)],
      ['lot', 3, one => text(one.lot_number)],
      ['accepted', 3, one => quantity(one.quantity_accepted, one.unit)],
      ['rejected', 2, one => number(one.quantity_rejected)],
    ]),
    ...serials(context, trace),
    ...section(context, 'recallRelated', trace.related_lots, MOST_ROWS, [
      ['part', 5, one => text(one.part)],
      ['lot', 5, one => text(one.batch_number ?? one.id)],
    ]),
  ];
}

/** Which pieces came with which receipt; no heading where pieces have no numbers. */
function serials(context: PaperContext, trace: Trace): Block[] {
  const { text } = context.words;
  const rows = trace.receipts.flatMap(({ serial_numbers = [], ...receipt }) =>
    Array.from({ length: Math.ceil(serial_numbers.length / SERIALS_IN_ROW) }, (_, row) => ({
      ...receipt,
      pieces: serial_numbers.slice(row * SERIALS_IN_ROW, (row + 1) * SERIALS_IN_ROW),
    })),
  );
  if (rows.length === 0) return [];
  const total = rows.reduce((sum, { pieces }) => sum + pieces.length, 0);
  const shown: readonly Shown<(typeof rows)[number]>[] = [
    ['poNumber', 3, one => text(one.po_number ?? one.id)],
    ['lot', 3, one => text(one.lot_number)],
    ['serials', 12, one => text(one.pieces.join(', '))],
  ];
  const whole = rows.slice(0, MOST_SERIALS);
  const left = rows.slice(MOST_SERIALS).reduce((sum, { pieces }) => sum + pieces.length, 0);
  return [
    heading(context.words.say('recallSerials', { count: total })),
    table(context.words, whole, shown),
    ...(left > 0 ? [leftOut(context.words, 'recallSerials', total - left, total)] : []),
  ];
}

/** What was measured, reported and complained about. */
function findings(context: PaperContext, trace: Trace): Block[] {
  const { say, text, date, number, moment } = context.words;
  const failed = (words: string): Cell => ({ text: words, shape: 'cross', words: say('failed') });
  return [
    ...section(context, 'recallInspections', trace.inspections, MOST_ROWS, [
      ['number', 2, one => String(one.id)],
      ['template', 5, one => text(one.template)],
      ['date', 4, one => moment(one.date ?? one.finalised_at ?? one.created_at)],
      ['samples', 2, one => number(one.samples)],
      [
        'verdict',
        3,
        one => (one.passed === false ? failed('') : say(one.passed === true ? 'passed' : 'open')),
      ],
    ]),
    ...section(context, 'recallLab', trace.lab_results, MOST_ROWS, [
      ['testing', 3, one => text(one.testing_id ?? one.id)],
      ['template', 5, one => text(one.template)],
      ['date', 3, one => date(one.date)],
      [
        'verdict',
        5,
        one =>
          one.failed_measurements.length > 0 ? failed(one.failed_measurements.join(', ')) : say('passed'),
      ],
    ]),
    ...section(context, 'recallComplaints', trace.complaints, MOST_ROWS, [
      ['number', 3, one => text(one.complaint_number)],
      ['date', 3, one => date(one.date)],
      ['complainant', 4, one => text(one.complainant)],
      ['description', 6, one => text(one.comments)],
    ]),
    ...section(context, 'recallReports', trace.ncrs, MOST_ROWS, [
      ['number', 3, one => text(one.ncr_number)],
      ['date', 4, one => moment(one.at)],
      ['status', 2, one => say(one.status === 'closed' ? 'statusClosed' : 'statusOpen')],
      ['description', 7, one => text(one.description)],
    ]),
    ...section(context, 'recallRequests', trace.cars, MOST_ROWS, [
      ['number', 4, one => text(one.car_number)],
      ['opened', 4, one => date(one.date_opened)],
      ['closedOn', 4, one => date(one.date_closed)],
    ]),
  ];
}

/** A heading that says how many there are, and a table of as many as paper holds; what it does not is said. */
function section<Row>(
  { words }: PaperContext,
  key: TextKey,
  rows: readonly Row[],
  most: number,
  shown: readonly Shown<Row>[],
): Block[] {
  const title = heading(words.say(key, { count: rows.length }));
  if (rows.length === 0) return [title];
  return [
    title,
    table(words, rows.slice(0, most), shown),
    ...(rows.length > most ? [leftOut(words, key, most, rows.length)] : []),
  ];
}
