import { itemsOf, type StoredItem } from '../../../shared/contract/present.ts';
import { answerOf } from '../../rules/answers.ts';
import { facts, heading, notes, notice, table } from '../blocks.ts';
import { type Describe, nameOf, partOf } from '../context.ts';
import { correctionBlocks } from '../correction-blocks.ts';
import type { Block, Cell } from '../paper.ts';

/** What a supplier delivered, line by line accepted and rejected. */
export const receipt: Describe = (context, record) => {
  const { words, reading } = context;
  const { say } = words;
  const { fields } = record;
  const notices: Block[] = [];
  if (fields.is_quarantined === true) notices.push(notice('wrong', say('receiptQuarantineNotice')));
  if (answerOf(reading, record, { fields: ['is_over_received'] }).is_over_received === true) {
    notices.push(notice('wrong', say('receiptOver')));
  }
  const all = itemsOf({ position: 'order' }, fields.items);
  const placeOf = new Map(all.map((line, index) => [line, index + 1]));
  // A scan that was undone after it was saved has left nothing; history keeps it.
  const lines = all.filter(
    line => Number(line.quantity_accepted ?? 0) > 0 || Number(line.quantity_rejected ?? 0) > 0,
  );
  const rejectedOf = ({ quantity_rejected: quantity }: StoredItem): Cell => {
    const text = words.number(quantity);
    return Number(quantity ?? 0) > 0 ? { text, shape: 'cross', words: say('rejected') } : text;
  };
  return {
    title: 'receipt',
    number: words.text(fields.po_number ?? record.id),
    blocks: [
      facts(
        [say('supplier'), nameOf(context, 'supplier', fields.supplier_id)],
        [say('poNumber'), words.text(fields.po_number)],
        [say('receiptExpected'), words.date(fields.requested_shipment_arrival_date)],
        [say('receiptArrived'), words.date(fields.actual_arrival_date)],
        [say('receiptOrdered'), words.number(fields.total_order_quantity)],
        [say('lot'), words.text(fields.serial_number)],
        [say('receiptQuarantined'), words.flag(fields.is_quarantined)],
        [say('closed'), words.flag(fields.is_closed)],
      ),
      ...notices,
      heading(say('lines')),
      lines.length === 0
        ? notice('plain', say('noLines'))
        : table(words, lines, [
            ['position', 1, line => String(placeOf.get(line))],
            ['part', 6, line => partOf(context, line.part_id)],
            ['lot', 4, line => words.text(line.serial_number ?? fields.serial_number)],
            ['accepted', 3, line => words.number(line.quantity_accepted), 'number'],
            ['rejected', 3, rejectedOf, 'number'],
            ['unit', 2, line => words.unit(line.unit_of_measure)],
            ['expiry', 3, line => words.date(line.expiry_date)],
            ['location', 3, line => nameOf(context, 'location', line.location_id)],
          ]),
      ...notes(words, fields),
      ...correctionBlocks(context, record),
    ],
  };
};
