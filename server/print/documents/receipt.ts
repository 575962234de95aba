import { itemsOf } from '../../../shared/contract/present.ts';
import { answerOf } from '../../rules/answers.ts';
import { type Describe, nameOf, partOf } from '../context.ts';
import type { Block } from '../paper.ts';

/** What a supplier delivered, line by line accepted and rejected. */
export const receipt: Describe = (context, record) => {
  const { words, reading } = context;
  const { say } = words;
  const { fields } = record;
  const notices: Block[] = [];
  if (fields.is_quarantined === true) {
    notices.push({ kind: 'notice', tone: 'wrong', text: say('receiptQuarantineNotice') });
  }
  if (answerOf(reading, record, { fields: ['is_over_received'] }).is_over_received === true) {
    notices.push({ kind: 'notice', tone: 'wrong', text: say('receiptOver') });
  }
  const lines = itemsOf({ position: 'order' }, fields.items);
  return {
    title: 'receipt',
    number: words.text(fields.po_number ?? record.id),
    blocks: [
      {
        kind: 'facts',
        facts: [
          [say('supplier'), nameOf(context, 'supplier', fields.supplier_id)],
          [say('poNumber'), words.text(fields.po_number)],
          [say('receiptExpected'), words.date(fields.requested_shipment_arrival_date)],
          [say('receiptArrived'), words.date(fields.actual_arrival_date)],
          [say('receiptOrdered'), words.number(fields.total_order_quantity)],
          [say('lot'), words.text(fields.serial_number)],
          [say('receiptQuarantined'), words.flag(fields.is_quarantined)],
          [say('closed'), words.flag(fields.is_closed)],
        ],
      },
      ...notices,
      { kind: 'heading', text: say('lines') },
      lines.length === 0
        ? { kind: 'notice', tone: 'plain', text: say('noLines') }
        : {
            kind: 'table',
            columns: [
              { label: say('position'), share: 1 },
              { label: say('part'), share: 6 },
              { label: say('lot'), share: 4 },
              { label: say('accepted'), share: 3, isNumber: true },
              { label: say('rejected'), share: 3, isNumber: true },
              { label: say('unit'), share: 2 },
              { label: say('expiry'), share: 3 },
              { label: say('location'), share: 3 },
            ],
            rows: lines.map((line, index) => [
              String(index + 1),
              partOf(context, line.part_id),
              words.text(line.serial_number ?? fields.serial_number),
              words.number(line.quantity_accepted),
              Number(line.quantity_rejected ?? 0) > 0
                ? { text: words.number(line.quantity_rejected), shape: 'cross', words: say('rejected') }
                : words.number(line.quantity_rejected),
              words.unit(line.unit_of_measure),
              words.date(line.expiry_date),
              nameOf(context, 'location', line.location_id),
            ]),
          },
      ...(fields.notes ? [{ kind: 'text', label: say('notes'), text: String(fields.notes) } as const] : []),
    ],
  };
};
