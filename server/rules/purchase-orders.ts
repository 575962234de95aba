import { itemsOf, type StoredRecord } from '../../shared/contract/present.ts';
import { type ArrivedGoods, arrivedOf, type OrderedLine } from '../../shared/families/arrived-lines.ts';
import { families } from '../../shared/families/registry.ts';
import { fromMicro, type Micro, toMicro } from '../../shared/quantities/quantity.ts';
import { diffFields, type Fields, type PlannedChange } from '../store/changes.ts';
import type { UnitOfWork } from '../store/unit-of-work.ts';
import { inUnit, type Reads } from './lot-state.ts';

/**
 * The order that a receipt counts against: the one that it names, else the one with its number, from its supplier where it
 * says one. What the order knows and the receipt does not say is filled in. An order that came later than its receipt is
 * named with the receipt's next change.
 */
export function countAgainstOrder(work: UnitOfWork, { family, before, fields, pathOf }: PlannedChange): void {
  const old = before?.fields ?? {};
  const isOther = (name: string) => (fields[name] ?? null) !== (old[name] ?? null);
  if (before && diffFields(family, old, fields).length === 0) return;
  const isTakenAway = isOther('purchase_order_id') && fields.purchase_order_id === undefined;
  if (before && isOther('po_number') && !isOther('purchase_order_id')) delete fields.purchase_order_id;
  if (fields.purchase_order_id === undefined) {
    const order = orderWithNumber(work, fields);
    // It would count by its number all the same: a refusal that nothing holds is none.
    if (order && isTakenAway && order.id === old.purchase_order_id)
      work.blame(
        pathOf('purchase_order_id'),
        `A receipt with the number ${fields.po_number} counts against the purchase order ${order.fields.po_number}. If it is not of that order, correct or clear its po_number as well, or name another order.`,
      );
    if (order) fields.purchase_order_id = order.id;
  }
  if (!isOther('purchase_order_id') && !isOther('supplier_id')) return;
  const order = work.get('purchase-order', Number(fields.purchase_order_id));
  if (!order) return;
  const { po_number: number, supplier_id: supplier } = order.fields;
  if (!isFrom(fields.supplier_id, supplier)) {
    work.blame(
      pathOf(isOther('purchase_order_id') ? 'purchase_order_id' : 'supplier_id'),
      `The purchase order ${number} is of the supplier ${supplier}, and the receipt says ${fields.supplier_id}. Name another order, or that supplier.`,
    );
  }
  fields.supplier_id ??= supplier;
  fields.po_number ??= number;
}

function orderWithNumber(work: UnitOfWork, { po_number: number, supplier_id: supplier }: Fields) {
  if (typeof number !== 'string') return undefined;
  const found = work
    .numbered(families['purchase-order'], 'po_number', number)
    .filter(({ fields }) => isFrom(fields.supplier_id, supplier));
  // Two stations may have given a number twice: then a person says which one it is.
  return found.length === 1 ? found[0] : undefined;
}

/** How an order stands: worked out from the receipts that count against it, on every machine alike. */
export interface OrderStanding {
  isReceived: boolean;
  isOverReceived: boolean;
  /** By the line's id, in the line's own unit. */
  lines: Record<number, { quantity_received: number; quantity_open: number }>;
}

export function standingOfOrder(reads: Reads, order: StoredRecord): OrderStanding {
  const items = itemsOf({ position: 'order' }, order.fields.items);
  const unitOf = new Map<number, unknown>();
  const partOf = (id: unknown) => reads.records.get('part', Number(id));
  /** All of a part is counted in the unit of its first line. */
  const counted = (part: number, quantity: Micro, unit: unknown) => {
    const own = unit ?? partOf(part)?.fields.unit_of_measure;
    if (!unitOf.has(part)) unitOf.set(part, own);
    return inUnit(quantity, own, unitOf.get(part), partOf(part));
  };
  const lines = items.flatMap((item): OrderedLine[] => {
    const part = Number(item.part_id);
    const quantity = counted(part, toMicro(Number(item.quantity ?? 0)), item.unit_of_measure);
    return quantity === null ? [] : [{ id: item.id, part, quantity, lot: textOf(item.serial_number) }];
  });
  const arrived = arrivedOf(
    lines,
    goodsOf(reads, order, (part, ...rest) => (unitOf.has(part) ? counted(part, ...rest) : null)),
  );
  const standing: OrderStanding['lines'] = {};
  for (const item of items) {
    const part = Number(item.part_id);
    const unit = item.unit_of_measure ?? partOf(part)?.fields.unit_of_measure;
    const there = inUnit(arrived.get(item.id) ?? 0n, unitOf.get(part), unit, partOf(part)) ?? 0n;
    const left = toMicro(Number(item.quantity ?? 0)) - there;
    standing[item.id] = {
      quantity_received: fromMicro(there),
      quantity_open: order.fields.is_closed === true || left <= 0n ? 0 : fromMicro(left),
    };
  }
  const against = (is: (arrived: Micro, ordered: Micro) => boolean) => (line: OrderedLine) =>
    is(arrived.get(line.id) ?? 0n, line.quantity);
  return {
    isReceived: items.length > 0 && lines.length === items.length && lines.every(against((a, b) => a >= b)),
    isOverReceived: lines.some(against((a, b) => a > b)),
    lines: standing,
  };
}

/** What the order's receipts accepted, in the order of the receipts and of their lines. */
function goodsOf(
  reads: Reads,
  order: StoredRecord,
  counted: (part: number, quantity: Micro, unit: unknown) => Micro | null,
): ArrivedGoods[] {
  return receiptsOfOrder(reads, order).flatMap(receipt =>
    itemsOf({ position: 'order' }, receipt.fields.items).flatMap((item): ArrivedGoods[] => {
      const part = Number(item.part_id);
      // A line that names no unit was received in its lot's.
      const lot = item.unit_of_measure
        ? undefined
        : reads.records.get('inventory', Number(item.inventory_id));
      const unit = item.unit_of_measure ?? lot?.fields.lot_unit;
      const quantity = counted(part, toMicro(Number(item.quantity_accepted ?? 0)), unit);
      return quantity === null || quantity <= 0n ? [] : [{ part, quantity, lot: textOf(item.serial_number) }];
    }),
  );
}

/** By id: those that name the order, and those that came before it was known here, with its number and no other order. */
export function receiptsOfOrder({ records }: Reads, order: StoredRecord): StoredRecord[] {
  const naming = records.findBy('receiving-inspection', 'purchase_order_id', order.id);
  const { po_number: number, supplier_id: supplier } = order.fields;
  if (typeof number !== 'string' || records.findBy('purchase-order', 'po_number', number).length > 1)
    return naming;
  const earlier = records
    .findBy('receiving-inspection', 'po_number', number)
    .filter(({ fields }) => fields.purchase_order_id === undefined)
    .filter(({ fields }) => isFrom(fields.supplier_id, supplier));
  return [...naming, ...earlier].sort((a, b) => a.id - b.id);
}

/** Whether two suppliers are the same one, as far as both are said. */
function isFrom(one: unknown, other: unknown): boolean {
  return one === undefined || other === undefined || one === other;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
