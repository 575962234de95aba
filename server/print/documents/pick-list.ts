import { AppError } from '../../../shared/contract/errors.ts';
import type { PickList } from '../../../shared/operations/place-operations.ts';
import { facts, headedTable, heading, notes, notice, type Shown, table } from '../blocks.ts';
import { type Describe, nameOf } from '../context.ts';
import type { Words } from '../words.ts';

type Line = PickList['too_much'][number];

/**
 * What is to be fetched for a shipment, place by place, for who has no screen at hand: each line with room to tick it. It
 * is as of the moment at which it was printed.
 */
export const pickList: Describe = (context, shipment) => {
  const { words, picks: list } = context;
  const { say } = words;
  const { fields } = shipment;
  const number = words.text(fields.shipment_number ?? shipment.id);
  if (!list?.is_open)
    throw new AppError('conflict', `The shipment ${number} has gone. Pick for one that is open.`);
  return {
    title: 'pickList',
    number,
    blocks: [
      facts(
        [say('shipTo'), nameOf(context, 'customer', fields.contact_id)],
        [say('requested'), words.date(fields.requested_ship_date)],
        [say('pickTo'), words.text(list.staging[0]?.name)],
      ),
      heading(say('toPick')),
      list.to_pick.length === 0
        ? notice('plain', say('nothingToPick'))
        : table(words, list.to_pick, [
            ['position', 1, (_, index) => String(index + 1)],
            ...goodsIn(words),
            ['picked', 2, () => ''],
          ]),
      ...headedTable(words, 'pickShort', list.short, [
        ['part', 8, ({ part, part_id }) => words.text(part ?? part_id)],
        ['quantity', 3, ({ quantity, unit }) => words.quantity(quantity, unit), 'number'],
      ]),
      ...headedTable(words, 'pickedAlready', list.picked, goodsIn(words)),
      ...headedTable(words, 'pickBack', list.too_much, goodsIn(words)),
      ...notes(words, fields),
    ],
  };
};

function goodsIn(words: Words): Shown<Line>[] {
  return [
    ['location', 4, ({ within, location }) => words.text([within, location].filter(Boolean).join(' · '))],
    ['part', 5, ({ part, part_id }) => words.text(part ?? part_id)],
    ['lot', 4, ({ batch_number: lot, inventory_id: id }) => words.text(lot ?? id)],
    ['expiry', 3, ({ expiry_date: day }) => words.date(day)],
    ['quantity', 3, ({ quantity, unit }) => words.quantity(quantity, unit), 'number'],
  ];
}
