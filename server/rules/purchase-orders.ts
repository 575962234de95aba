import type { StoredRecord } from '../../shared/contract/present.ts';
import { isSameNumber } from '../../shared/contract/typed-number.ts';
import { families } from '../../shared/families/registry.ts';
import { diffFields, type Fields, type PlannedChange } from '../store/changes.ts';
import { numberedAs } from '../store/numbered.ts';
import type { Records } from '../store/records.ts';
import type { SqlReader } from '../store/sqlite/connection.ts';
import type { UnitOfWork } from '../store/unit-of-work.ts';

export interface OrderReads {
  records: Pick<Records, 'get' | 'getShared' | 'findBy' | 'ofSubject' | 'subjectNumber'>;
  sql: SqlReader;
}

/**
 * The order that a receipt counts against: the one that it names, else the one with its number, from its supplier where it
 * says one. What the order knows and the receipt does not say is filled in. An order that came later than its receipt is
 * named with the receipt's next change.
 */
export function countAgainstOrder(work: UnitOfWork, change: PlannedChange): void {
  const { family, before, fields, pathOf } = change;
  const old = before?.fields ?? {};
  const isOther = (name: string) => (fields[name] ?? null) !== (old[name] ?? null);
  if (before && diffFields(family, old, fields).length === 0) return;
  const isNamed = isOther('purchase_order_id');
  if (before && !isNamed && hasLeft(work, fields, isOther)) delete fields.purchase_order_id;
  if (fields.purchase_order_id === undefined) {
    const order = orderFor(fields, number => work.numbered(families['purchase-order'], 'po_number', number));
    // It would count by its number all the same: a refusal that nothing holds is none.
    if (order && isNamed && order.id === old.purchase_order_id)
      work.blame(
        pathOf('purchase_order_id'),
        `A receipt with the number ${fields.po_number} counts against the purchase order ${order.fields.po_number}. If it is not of that order, correct or clear its po_number as well, or name another order.`,
      );
    if (order) fields.purchase_order_id = order.id;
  }
  if (isOther('purchase_order_id')) agreeWithOrder(work, change, isOther('po_number'));
}

/** Who corrects the number or the supplier of a receipt knows no order: it is of the one that these say, or of none. */
function hasLeft(work: UnitOfWork, fields: Fields, isOther: (name: string) => boolean): boolean {
  const order = work.get('purchase-order', Number(fields.purchase_order_id));
  if (!order) return isOther('po_number');
  const isNumberOther = isOther('po_number') && !isSameNumber(fields.po_number, order.fields.po_number);
  return isNumberOther || (isOther('supplier_id') && !isFrom(fields.supplier_id, order.fields.supplier_id));
}

/** A receipt has the number and the supplier of the order that it names from now on. */
function agreeWithOrder(work: UnitOfWork, { fields, pathOf }: PlannedChange, isNumberGiven: boolean): void {
  const order = work.get('purchase-order', Number(fields.purchase_order_id));
  if (!order) return;
  const { po_number: number, supplier_id: supplier } = order.fields;
  if (!isFrom(fields.supplier_id, supplier)) {
    work.blame(
      pathOf('purchase_order_id'),
      `The purchase order ${number} is of the supplier ${supplier}, and the receipt says ${fields.supplier_id}. Name another order, or that supplier.`,
    );
  }
  fields.supplier_id ??= supplier;
  if (isSameNumber(fields.po_number, number)) return;
  if (isNumberGiven && fields.po_number !== undefined) {
    work.blame(
      pathOf('po_number'),
      `The purchase order ${order.id} has the number ${number}, and the receipt says ${fields.po_number}. Leave po_number out, or name the order with that number.`,
    );
  }
  fields.po_number = number;
}

/** More receipts than came under one number before its order was known. */
const MOST = 10_000;

/** The order with the receipt's number, from its supplier where it says one. Of two, a person says which one it is. */
function orderFor(
  { po_number: number, supplier_id: supplier }: Fields,
  numbered: (number: string) => readonly StoredRecord[],
): StoredRecord | undefined {
  if (typeof number !== 'string') return undefined;
  const found = numbered(number).filter(({ fields }) => isFrom(fields.supplier_id, supplier));
  return found.length === 1 ? found[0] : undefined;
}

/** Orders with this number, as people compare numbers; by id. */
export function ordersNumbered({ records, sql }: OrderReads, number: unknown): StoredRecord[] {
  if (typeof number !== 'string') return [];
  return numberedAs(sql, records, families['purchase-order'], 'po_number', number);
}

/** Id of the order that a receipt with these fields counts against: the one that it names, else the one with its number. */
export function orderOfReceipt(reads: OrderReads, fields: Fields): number | undefined {
  const { purchase_order_id: named } = fields;
  if (typeof named === 'number') return named;
  return orderFor(fields, number => ordersNumbered(reads, number))?.id;
}

/** By id: those that name the order, and those that count by its number because they came before it was known here. */
export function receiptsOfOrder(reads: OrderReads, order: StoredRecord): StoredRecord[] {
  const { records, sql } = reads;
  const naming = records.findBy('receiving-inspection', 'purchase_order_id', order.id);
  const { po_number: number } = order.fields;
  if (typeof number !== 'string') return naming;
  const orders = ordersNumbered(reads, number);
  const earlier = numberedAs(sql, records, families['receiving-inspection'], 'po_number', number, MOST)
    .filter(({ fields }) => fields.purchase_order_id === undefined)
    .filter(({ fields }) => orderFor(fields, () => orders)?.id === order.id);
  return [...naming, ...earlier].sort((a, b) => a.id - b.id);
}

/** Whether two suppliers are the same one, as far as both are said. */
function isFrom(one: unknown, other: unknown): boolean {
  return one === undefined || other === undefined || one === other;
}
