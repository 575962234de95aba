import type { Trace } from '../../../shared/operations/trace-schemas.ts';
import { type Describe, type PaperContext, recordOf } from '../context.ts';
import { lockText } from '../lock-text.ts';
import type { Block, Cell, Column } from '../paper.ts';
import type { TextKey } from '../texts/en.ts';

/** Rows of a table on paper: whom to call and what they got stand whole for longer than the rest. */
const MOST_CUSTOMERS = 400;
const MOST_SHIPMENTS = 300;
const MOST_ROWS = 90;

/** Everything that stands around a lot or a part, for whoever must call it back: customers first. */
export const recall: Describe = (context, record) => {
  const { words, trace } = context;
  const { say, text } = words;
  if (!trace) throw new Error(`The recall of ${record.key} was not given its trace.`);
  const [lot] = trace.subject.family === 'inventory' ? trace.lots : [];
  return {
    title: 'recall',
    number: trace.subject.title,
    blocks: [
      {
        kind: 'facts',
        facts: [
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
        ],
      },
      ...(lot && lot.locks.length > 0
        ? [
            {
              kind: 'notice',
              tone: 'wrong',
              text: `${say('locked')}: ${lot.locks.map(({ reason }) => lockText(words, reason)).join('; ')}`,
            } as const,
          ]
        : []),
      { kind: 'notice', tone: 'plain', text: say('recallNotice') },
      ...trace.left_out.map(
        ({ group, shown, total }): Block => ({
          kind: 'notice',
          tone: 'wrong',
          text: say('recallLeftOut', { group: groupName(context, group), shown, total }),
        }),
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

function groupName({ words }: PaperContext, group: string): string {
  const key = groupTexts[group];
  return key === undefined ? group : words.say(key, { count: '' }).replace(/ \(\)$/, '');
}

function customers(context: PaperContext, trace: Trace): Block[] {
  const { say, text, quantity } = context.words;
  return section(context, 'recallCustomers', trace.customers, MOST_CUSTOMERS, [
    [say('customer'), 4, one => text(one.name)],
    [say('contact'), 3, one => text(recordOf(context, 'customer', one.id)?.fields.primary_name)],
    [say('telephone'), 3, one => text(recordOf(context, 'customer', one.id)?.fields.primary_phone)],
    [say('email'), 4, one => text(recordOf(context, 'customer', one.id)?.fields.primary_email)],
    [
      say('quantity'),
      3,
      one => one.quantities.map(({ quantity: sum, unit }) => quantity(sum, unit)).join('\n'),
    ],
  ]);
}

function shipments(context: PaperContext, trace: Trace): Block[] {
  const { say, text, date, quantity } = context.words;
  return section(context, 'recallShipments', trace.shipments, MOST_SHIPMENTS, [
    [say('shipment'), 3, one => text(one.shipment_number ?? one.id)],
    [say('date'), 3, one => date(one.date)],
    [say('customer'), 5, one => text(one.customer)],
    [say('lot'), 4, one => text(trace.lots.find(({ id }) => id === one.inventory_id)?.batch_number)],
    [say('quantity'), 3, one => quantity(one.quantity, one.unit)],
  ]);
}

/** What came in, and what of it is still there. */
function origins(context: PaperContext, trace: Trace): Block[] {
  const { say, text, date, number, quantity } = context.words;
  return [
    ...section(context, 'recallLots', trace.lots, MOST_ROWS, [
      [say('lot'), 4, lot => text(lot.batch_number ?? lot.id)],
      [say('expiry'), 3, lot => date(lot.expiry_date)],
      [say('opening'), 2, lot => number(lot.opening)],
      [say('received'), 2, lot => number(lot.received)],
      [say('shippedQuantity'), 2, lot => number(lot.shipped)],
      [say('adjusted'), 2, lot => number(lot.adjusted)],
      [say('onHand'), 3, lot => quantity(lot.on_hand, lot.unit)],
    ]),
    ...section(context, 'recallReceipts', trace.receipts, MOST_ROWS, [
      [say('poNumber'), 3, one => text(one.po_number ?? one.id)],
      [say('date'), 3, one => date(one.date)],
      [say('supplier'), 4, one => text(one.supplier)],
      [say('lot'), 3, one => text(one.lot_number)],
      [say('accepted'), 3, one => quantity(one.quantity_accepted, one.unit)],
      [say('rejected'), 2, one => number(one.quantity_rejected)],
    ]),
    ...section(context, 'recallRelated', trace.related_lots, MOST_ROWS, [
      [say('part'), 5, one => text(one.part)],
      [say('lot'), 5, one => text(one.batch_number ?? one.id)],
    ]),
  ];
}

/** What was measured, reported and complained about. */
function findings(context: PaperContext, trace: Trace): Block[] {
  const { say, text, date, number, moment } = context.words;
  const failed = (words: string): Cell => ({ text: words, shape: 'cross', words: say('failed') });
  return [
    ...section(context, 'recallInspections', trace.inspections, MOST_ROWS, [
      [say('number'), 2, one => String(one.id)],
      [say('template'), 5, one => text(one.template)],
      [say('date'), 4, one => moment(one.date ?? one.finalised_at ?? one.created_at)],
      [say('samples'), 2, one => number(one.samples)],
      [
        say('verdict'),
        3,
        one => (one.passed === false ? failed('') : say(one.passed === true ? 'passed' : 'open')),
      ],
    ]),
    ...section(context, 'recallLab', trace.lab_results, MOST_ROWS, [
      [say('testing'), 3, one => text(one.testing_id ?? one.id)],
      [say('template'), 5, one => text(one.template)],
      [say('date'), 3, one => date(one.date)],
      [
        say('verdict'),
        5,
        one =>
          one.failed_measurements.length > 0 ? failed(one.failed_measurements.join(', ')) : say('passed'),
      ],
    ]),
    ...section(context, 'recallComplaints', trace.complaints, MOST_ROWS, [
      [say('number'), 3, one => text(one.complaint_number)],
      [say('date'), 3, one => date(one.date)],
      [say('complainant'), 4, one => text(one.complainant)],
      [say('description'), 6, one => text(one.comments)],
    ]),
    ...section(context, 'recallReports', trace.ncrs, MOST_ROWS, [
      [say('number'), 3, one => text(one.ncr_number)],
      [say('date'), 4, one => moment(one.at)],
      [say('status'), 2, one => say(one.status === 'closed' ? 'statusClosed' : 'statusOpen')],
      [say('description'), 7, one => text(one.description)],
    ]),
    ...section(context, 'recallRequests', trace.cars, MOST_ROWS, [
      [say('number'), 4, one => text(one.car_number)],
      [say('opened'), 4, one => date(one.date_opened)],
      [say('closedOn'), 4, one => date(one.date_closed)],
    ]),
  ];
}

type Shown<Row> = readonly [label: string, share: number, cell: (row: Row) => Cell];

/** A heading that says how many there are, and a table of as many as paper holds; what it does not is said. */
function section<Row>(
  context: PaperContext,
  key: TextKey,
  rows: readonly Row[],
  most: number,
  shown: readonly Shown<Row>[],
): Block[] {
  const { say } = context.words;
  const text = say(key, { count: rows.length });
  const columns = shown.map(([label, share]): Column => ({ label, share }));
  if (rows.length === 0) return [{ kind: 'heading', text }];
  const printed = rows.slice(0, most);
  return [
    { kind: 'heading', text },
    { kind: 'table', columns, rows: printed.map(row => shown.map(([, , cell]) => cell(row))) },
    ...(printed.length < rows.length
      ? [
          {
            kind: 'notice',
            tone: 'wrong',
            text: say('recallLeftOut', {
              group: say(key, { count: '' }).replace(/ \(\)$/, ''),
              shown: printed.length,
              total: rows.length,
            }),
          } as const,
        ]
      : []),
  ];
}
