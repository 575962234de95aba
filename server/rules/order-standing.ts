import { itemsOf, type StoredRecord } from '../../shared/contract/present.ts';
import { type ArrivedGoods, arrivedOf, type OrderedLine } from '../../shared/families/arrived-lines.ts';
import { fromMicro, type Micro, toMicro } from '../../shared/quantities/quantity.ts';
import { inUnit } from './lot-state.ts';
import { type OrderReads, receiptsOfOrder } from './purchase-orders.ts';

/** How an order stands: worked out from the receipts that count against it, on every machine alike. */
export interface OrderStanding {
  isReceived: boolean;
  isOverReceived: boolean;
  /** By the line's id, in the line's own unit. */
  lines: Record<number, { quantity_received: number; quantity_open: number }>;
}

export function standingOfOrder(reads: OrderReads, order: StoredRecord): OrderStanding {
  const items = itemsOf({ position: 'order' }, order.fields.items);
  const counts = new Counts(reads);
  const lines = items.map((item): OrderedLine => {
    const ordered = toMicro(Number(item.quantity ?? 0));
    const { group, quantity } = counts.ordered(Number(item.part_id), ordered, item.unit_of_measure);
    return { id: item.id, group, quantity, lot: textOf(item.serial_number) };
  });
  const arrived = arrivedOf(lines, goodsOf(reads, order, counts));
  const standing: OrderStanding['lines'] = {};
  const standings = items.map((item, index) => {
    const ordered = toMicro(Number(item.quantity ?? 0));
    const came = arrived.get(item.id) ?? 0n;
    // Over the difference: what is exactly there is there, however its unit rounds.
    const missing = (lines[index]?.quantity ?? 0n) - came;
    const left = counts.inLine(Number(item.part_id), missing, lines[index]?.group, item.unit_of_measure);
    const there = came === 0n ? 0n : ordered - left;
    const isClosed = item.is_closed === true;
    const isDone = isClosed || order.fields.is_closed === true || there >= ordered;
    standing[item.id] = {
      quantity_received: fromMicro(there),
      quantity_open: isDone ? 0 : fromMicro(ordered - there),
    };
    return { ordered, there, isClosed };
  });
  return {
    isReceived:
      items.length > 0 && standings.every(({ ordered, there, isClosed }) => isClosed || there >= ordered),
    isOverReceived: standings.some(({ ordered, there }) => there > ordered),
    lines: standing,
  };
}

/** What the order's receipts accepted, in the order of the receipts and of their lines. */
function goodsOf(reads: OrderReads, order: StoredRecord, counts: Counts): ArrivedGoods[] {
  return receiptsOfOrder(reads, order).flatMap(receipt =>
    itemsOf({ position: 'order' }, receipt.fields.items).flatMap((item): ArrivedGoods[] => {
      const part = Number(item.part_id);
      const accepted = toMicro(Number(item.quantity_accepted ?? 0));
      if (accepted <= 0n || !counts.has(part)) return [];
      // A line that names no unit was received in its lot's.
      const lot = item.unit_of_measure
        ? undefined
        : reads.records.getShared('inventory', Number(item.inventory_id));
      const counted = counts.arrived(part, accepted, item.unit_of_measure ?? lot?.fields.lot_unit);
      return counted ? [{ ...counted, lot: textOf(item.serial_number) }] : [];
    }),
  );
}

/** Lines of one part whose units compare, counted in the unit of the first of them. */
interface Group {
  group: number;
  unit: unknown;
}

/** What of an order counts together. Each part is read once. */
class Counts {
  readonly #reads: OrderReads;
  readonly #parts = new Map<number, StoredRecord | undefined>();
  readonly #groups = new Map<number, Group[]>();
  #count = 0;

  constructor(reads: OrderReads) {
    this.#reads = reads;
  }

  has(part: number): boolean {
    return this.#groups.has(part);
  }

  /** Undefined where no line of the part compares. */
  arrived(part: number, quantity: Micro, unit: unknown): { group: number; quantity: Micro } | undefined {
    const own = this.#unitOf(part, unit);
    for (const { group, unit: counted } of this.#groups.get(part) ?? []) {
      const found = this.#inUnit(part, quantity, own, counted);
      if (found !== null) return { group, quantity: found };
    }
    return undefined;
  }

  ordered(part: number, quantity: Micro, unit: unknown): { group: number; quantity: Micro } {
    const known = this.arrived(part, quantity, unit);
    if (known) return known;
    const group = this.#count;
    this.#count += 1;
    this.#groups.set(part, [...(this.#groups.get(part) ?? []), { group, unit: this.#unitOf(part, unit) }]);
    return { group, quantity };
  }

  /** In the unit of a line of the group. */
  inLine(part: number, quantity: Micro, group: number | undefined, unit: unknown): Micro {
    const counted = this.#groups.get(part)?.find(each => each.group === group)?.unit;
    return this.#inUnit(part, quantity, counted, this.#unitOf(part, unit)) ?? quantity;
  }

  /** Units that are the same need no part: an order of a thousand parts is read with each scan at the dock. */
  #inUnit(part: number, quantity: Micro, from: unknown, to: unknown): Micro | null {
    return (from ?? null) === (to ?? null) ? quantity : inUnit(quantity, from, to, this.#partOf(part));
  }

  #unitOf(part: number, unit: unknown): unknown {
    return unit ?? this.#partOf(part)?.fields.unit_of_measure;
  }

  #partOf(part: number): StoredRecord | undefined {
    if (!this.#parts.has(part)) this.#parts.set(part, this.#reads.records.getShared('part', part));
    return this.#parts.get(part);
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
