import { isOfLotFormat } from '../../../shared/families/lot-format.ts';
import { fromMicro, toMicro } from '../../../shared/quantities/quantity.ts';
import { convert } from '../../../shared/quantities/units.ts';
import { amount, type Label, type Line, type Objection, receivingUnitOf } from './line.ts';
import { type Lookups, partOf, type Reading } from './read-label.ts';

/** An ordered line, as far as the dock compares with it. */
export interface ExpectedLine {
  id: number;
  part: number;
  unit: string | null;
  ordered: number;
  received: number;
  open: number;
  lot: string | null;
  expiry: string | null;
  sscc: string | null;
  lotFormat: string | null;
  /** Its own day; null: that of the order. */
  day: string | null;
  /** Nothing more of it is expected. */
  isClosed: boolean;
}

export interface Expected {
  lines: readonly ExpectedLine[];
  /** Nobody at the dock is told how much is expected, so that it is counted. */
  isBlind: boolean;
}

/** What the purchase order of a receipt still expects, with all that was saved by now. @param order null: there is none */
export async function readExpected(
  client: Lookups,
  order: { id: number; isBlind: boolean } | null,
): Promise<Expected | null> {
  if (order === null) return null;
  const { data } = await client.read('purchase-order', order.id);
  return { lines: expectedLinesOf(data), isBlind: order.isBlind };
}

/** Ordered lines of a part that name no unit are in the part's own. */
export async function withUnitOf(
  client: Lookups,
  expected: Expected | null,
  part: number | null,
): Promise<Expected | null> {
  const isBare = (line: ExpectedLine) => line.part === part && line.unit === null;
  if (expected === null || part === null || !expected.lines.some(isBare)) return expected;
  const { unit } = await partOf(client, part);
  return { ...expected, lines: expected.lines.map(line => (isBare(line) ? { ...line, unit } : line)) };
}

/** @param order the answer of `GET /x/purchase-orders/{id}` */
export function expectedLinesOf(order: object): ExpectedLine[] {
  return itemsOf(order).map(item => ({
    id: Number(item.id),
    part: Number(item.part_id),
    unit: textOf(item.unit_of_measure),
    ordered: Number(item.quantity ?? 0),
    received: Number(item.quantity_received ?? 0),
    open: Number(item.quantity_open ?? 0),
    lot: textOf(item.serial_number),
    expiry: textOf(item.expiry_date),
    sscc: textOf(item.sscc),
    lotFormat: textOf(item.lot_format),
    day: textOf(item.expected_date),
    isClosed: item.is_closed === true,
  }));
}

function itemsOf(data: object): Record<string, unknown>[] {
  return 'items' in data && Array.isArray(data.items) ? data.items : [];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A label that names nothing but an announced pallet is read as what was announced of it. */
export async function withAnnounced(
  client: Lookups,
  expected: Expected | null,
  reading: Reading,
): Promise<Reading> {
  if (reading.kind !== 'label') return reading;
  const goods = goodsOn(expected, reading.label);
  if (goods.length > 1)
    return { kind: 'mixed', goods: await Promise.all(goods.map(one => wordsOf(client, expected, one))) };
  const label = announced(expected, reading.label);
  if (label.part === null || label === reading.label) return reading;
  return { ...reading, label: { ...label, unit: label.unit ?? (await partOf(client, label.part)).unit } };
}

/** What was announced under the SSCC of a label that names no part; lines of the same goods are one. */
function goodsOn(expected: Expected | null, label: Label): ExpectedLine[] {
  if (expected === null || label.part !== null || label.serial === null) return [];
  const found = new Map<string, ExpectedLine>();
  for (const line of expected.lines.filter(({ sscc }) => sscc === label.serial)) {
    const { part, unit, lot, expiry, ordered } = line;
    const name = JSON.stringify([part, unit, lot, expiry]);
    const sum = fromMicro(toMicro(ordered) + toMicro(found.get(name)?.ordered ?? 0));
    found.set(name, { ...line, ordered: sum });
  }
  return [...found.values()];
}

async function wordsOf(client: Lookups, expected: Expected | null, line: ExpectedLine): Promise<string> {
  const { data } = await client.read('part', line.part);
  const quantity = expected?.isBlind ? null : `× ${line.ordered}`;
  return [data.name, line.lot, quantity].filter(Boolean).join(' ');
}

/** The label of a pallet that was announced says what is on it, though its code names nothing else; blind, not how much. */
export function announced(expected: Expected | null, label: Label): Label {
  const [line] = goodsOn(expected, label);
  if (!line) return label;
  const { part, unit, lot, expiry, ordered } = line;
  return {
    ...label,
    part,
    unit,
    lot: label.lot ?? lot,
    expiry: label.expiry ?? expiry,
    ...(expected?.isBlind && label.quantity === null && label.weight === null
      ? { isToCount: true }
      : { quantity: label.quantity ?? ordered }),
  };
}

/**
 * What is otherwise than ordered about a line as it would stand.
 * @param allowed what a person has said yes to already
 * @param before the line that is saved first: what it accepts is expected no more
 */
export function objectionTo(
  expected: Expected | null,
  line: Line,
  allowed: readonly Objection[],
  before: Line | null = null,
): { why: Objection; open: number | null } | null {
  if (expected === null || line.part === null) return null;
  const own = expected.lines.filter(({ part, isClosed }) => part === line.part && !isClosed);
  const asks = (why: Objection) => !allowed.includes(why);
  if (own.length === 0) return asks('unordered') ? { why: 'unordered', open: null } : null;
  const formats = own.flatMap(({ lotFormat }) => lotFormat ?? []);
  const isOther =
    line.lot !== '' && formats.length > 0 && !formats.some(each => isOfLotFormat(each, line.lot));
  if (isOther && asks('format')) return { why: 'format', open: null };
  const open = expected.isBlind ? null : openIn(own, line.unit, before);
  if (open !== null && amount(line.accepted) > open && asks('over')) return { why: 'over', open };
  return null;
}

/** Of the lines whose units compare with the line's, in its unit, without what `before` accepts of them; null where none does. */
function openIn(lines: readonly ExpectedLine[], unit: string | null, before: Line | null): number | null {
  const inUnit = (quantity: number, of: string | null) => {
    const [micro, own] = [toMicro(quantity), receivingUnitOf(of) ?? of];
    return own === null || unit === null || own === unit ? micro : convert(micro, own, unit)?.quantity;
  };
  const open = lines.flatMap(line => inUnit(line.open, line.unit) ?? []);
  if (open.length === 0) return null;
  const isOfPart = lines.some(({ part }) => part === before?.part);
  const taken = (isOfPart && before && inUnit(amount(before.accepted), before.unit)) || 0n;
  const left = open.reduce((sum, one) => sum + one) - taken;
  return left > 0n ? fromMicro(left) : 0;
}
