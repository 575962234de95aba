import { itemsOf, type StoredItem } from '../../../shared/contract/present.ts';
import { takenOf } from '../../rules/lot-facts.ts';
import type { Fields } from '../../store/changes.ts';
import { type Describe, nameOf, type PaperContext, partOf, recordOf } from '../context.ts';
import type { Block } from '../paper.ts';

/** What a shipment holds for its customer, with the lots that were taken for it. */
export const packingList: Describe = (context, record) => {
  const { words } = context;
  const { say } = words;
  const { fields } = record;
  const items = itemsOf({ position: 'order' }, fields.items);
  const customer = recordOf(context, 'customer', fields.contact_id)?.fields ?? {};
  return {
    title: 'packingList',
    number: words.text(fields.shipment_number ?? record.id),
    blocks: [
      { kind: 'text', label: say('shipTo'), text: words.text(addressOf(customer)) },
      {
        kind: 'facts',
        facts: [
          [say('order'), nameOf(context, 'order', fields.order_id, 'order_number')],
          [say('poNumber'), nameOf(context, 'order', fields.order_id, 'po_number')],
          [say('requested'), words.date(fields.requested_ship_date)],
          [say('shipped'), words.date(fields.actual_ship_date)],
          [say('lotReference'), words.text(fields.po_number)],
        ],
      },
      ...(fields.actual_ship_date
        ? []
        : [{ kind: 'notice', tone: 'wrong', text: say('notShipped') } as const]),
      { kind: 'heading', text: say('lines') },
      items.length === 0
        ? { kind: 'notice', tone: 'plain', text: say('noLines') }
        : itemTable(context, items),
      ...takenTable(context, items),
      ...(fields.notes ? [{ kind: 'text', label: say('notes'), text: String(fields.notes) } as const] : []),
    ],
  };
};

/** As it stands on an envelope; what is missing leaves no gap. */
function addressOf({ name, street, postal_code: code, city, province, country }: Fields): string {
  const line = (...parts: unknown[]) =>
    parts.filter(part => typeof part === 'string' && part !== '').join(' ');
  return [line(name), line(street), line(code, city), line(province), line(country)]
    .filter(text => text !== '')
    .join('\n');
}

function itemTable(context: PaperContext, items: readonly StoredItem[]): Block {
  const { words } = context;
  const { say } = words;
  return {
    kind: 'table',
    columns: [
      { label: say('position'), share: 1 },
      { label: say('part'), share: 7 },
      { label: say('lot'), share: 4 },
      { label: say('quantity'), share: 3, isNumber: true },
    ],
    rows: items.map((item, index) => [
      String(index + 1),
      partOf(context, item.part_id),
      words.text(item.serial_number),
      words.quantity(item.quantity, recordOf(context, 'part', item.part_id)?.fields.unit_of_measure),
    ]),
  };
}

function takenTable(context: PaperContext, items: readonly StoredItem[]): Block[] {
  const { words } = context;
  const { say } = words;
  const rows = items.flatMap((item, index) =>
    takenOf(item.taken).map(({ inventory_id: id, location_id: location, quantity }) => {
      const lot = recordOf(context, 'inventory', id)?.fields ?? {};
      return [
        String(index + 1),
        words.text(lot.batch_number ?? id),
        words.date(lot.expiry_date),
        nameOf(context, 'location', location),
        words.quantity(quantity, lot.lot_unit),
      ];
    }),
  );
  if (rows.length === 0) return [];
  return [
    { kind: 'heading', text: say('lotsTaken') },
    {
      kind: 'table',
      columns: [
        { label: say('position'), share: 1 },
        { label: say('lot'), share: 5 },
        { label: say('expiry'), share: 3 },
        { label: say('location'), share: 4 },
        { label: say('quantity'), share: 3, isNumber: true },
      ],
      rows,
    },
  ];
}
