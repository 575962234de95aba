import { itemsOf, type StoredItem, type StoredRecord } from '../../../shared/contract/present.ts';
import { differsFromTaken, shippedLineOf, takenOf } from '../../../shared/contract/shipped-line.ts';
import type { FamilyName } from '../../../shared/families/registry.ts';
import { sum } from '../../../shared/quantities/quantity.ts';
import type { Fields } from '../../store/changes.ts';
import { facts, headedTable, heading, notes, notice, paragraph, table } from '../blocks.ts';
import { type Describe, nameOf, type PaperContext, partOf, recordOf } from '../context.ts';
import { correctionBlocks } from '../correction-blocks.ts';
import type { Block } from '../paper.ts';

/** What a shipment holds for its customer, with the lots that were taken for it. */
export const packingList: Describe = (context, record) => {
  const { words } = context;
  const { say } = words;
  const { fields } = record;
  const items = itemsOf({ position: 'order' }, fields.items);
  const lines = fields.actual_ship_date ? items.flatMap(item => shippedItem(context, item)) : items;
  const customer = recordOf(context, 'customer', fields.contact_id)?.fields ?? {};
  return {
    title: 'packingList',
    number: words.text(fields.shipment_number ?? record.id),
    blocks: [
      paragraph(say('shipTo'), words.text(addressOf(customer))),
      facts(
        [say('order'), nameOf(context, 'order', fields.order_id, 'order_number')],
        [say('poNumber'), nameOf(context, 'order', fields.order_id, 'po_number')],
        [say('requested'), words.date(fields.requested_ship_date)],
        [say('shipped'), words.date(fields.actual_ship_date)],
        [say('lotReference'), words.text(fields.po_number)],
      ),
      ...(fields.actual_ship_date ? [] : [notice('wrong', say('notShipped'))]),
      heading(say('lines')),
      lines.length === 0 ? notice('plain', say('noLines')) : itemTable(context, lines),
      ...takenTable(context, lines),
      ...notes(words, fields),
      ...correctionBlocks(context, record, lotsIn(context, items)),
    ],
  };
};

/** Each lot once that something was taken from. */
function lotsIn(context: PaperContext, items: readonly StoredItem[]): StoredRecord[] {
  const ids = new Set(items.flatMap(({ taken }) => takenOf(taken).map(({ inventory_id: id }) => id)));
  return [...ids].flatMap(id => recordOf(context, 'inventory', id) ?? []);
}

/** As it stands on an envelope; what is missing leaves no gap. */
function addressOf({ name, street, postal_code: code, city, province, country }: Fields): string {
  const line = (...parts: unknown[]) =>
    parts.filter(part => typeof part === 'string' && part !== '').join(' ');
  return [line(name), line(street), line(code, city), line(province), line(country)]
    .filter(text => text !== '')
    .join('\n');
}

/**
 * An item as it was shipped, whatever another station made of it meanwhile; none where nothing was taken for what it asks.
 * Of goods that version 0.1.0 took in the unit of the part, as much as it took.
 */
function shippedItem(context: PaperContext, item: StoredItem): StoredItem[] {
  const shipped = shippedLineOf(item);
  if (shipped === null) return differsFromTaken(item) ? [] : [item];
  if (shipped !== undefined) return [{ ...item, ...shipped }];
  const taken = takenOf(item.taken);
  const unitOf = (family: FamilyName, id: unknown, name: string) =>
    recordOf(context, family, id)?.fields[name] ?? null;
  const unit = unitOf('part', item.part_id, 'unit_of_measure');
  const isOfOneUnit = taken.every(({ inventory_id: lot }) => unitOf('inventory', lot, 'lot_unit') === unit);
  return [isOfOneUnit ? { ...item, quantity: sum(taken.map(({ quantity }) => quantity)) } : item];
}

function itemTable(context: PaperContext, items: readonly StoredItem[]): Block {
  const { words } = context;
  const unitOf = (part: unknown) => recordOf(context, 'part', part)?.fields.unit_of_measure;
  return table(words, items, [
    ['position', 1, (_, index) => String(index + 1)],
    ['part', 7, item => partOf(context, item.part_id)],
    ['lot', 4, item => words.text(item.serial_number)],
    ['quantity', 3, item => words.quantity(item.quantity, unitOf(item.part_id)), 'number'],
  ]);
}

function takenTable(context: PaperContext, items: readonly StoredItem[]): Block[] {
  const { words } = context;
  const rows = items.flatMap((item, index) =>
    takenOf(item.taken).map(taken => ({
      ...taken,
      position: index + 1,
      lot: recordOf(context, 'inventory', taken.inventory_id)?.fields ?? {},
    })),
  );
  return headedTable(words, 'lotsTaken', rows, [
    ['position', 1, ({ position }) => String(position)],
    ['lot', 5, ({ lot, inventory_id: id }) => words.text(lot.batch_number ?? id)],
    ['expiry', 3, ({ lot }) => words.date(lot.expiry_date)],
    ['location', 4, ({ location_id: location }) => nameOf(context, 'location', location)],
    ['quantity', 3, ({ quantity, lot }) => words.quantity(quantity, lot.lot_unit), 'number'],
  ]);
}
