import type { Micro } from '../quantities/quantity.ts';
import { foldCode } from './secondary-index.ts';

/** A line of a purchase order. */
export interface OrderedLine {
  id: number;
  /** What counts together: lines of one part whose units compare. All quantities of it are in one unit. */
  group: number;
  quantity: Micro;
  /** The lot that was announced; absent: any. */
  lot?: string | undefined;
}

/** What a receipt accepted. */
export interface ArrivedGoods {
  group: number;
  quantity: Micro;
  lot?: string | undefined;
}

/**
 * How much of each ordered line has arrived. Goods of an announced lot fill the line that announces it; what is left fills
 * the other lines of its group in their order; what is more than all of them ask for stands on the group's last line. Goods
 * of which nobody ordered anything count on no line.
 * @param lines in their order
 */
export function arrivedOf(
  lines: readonly OrderedLine[],
  goods: readonly ArrivedGoods[],
): ReadonlyMap<number, Micro> {
  const arrived = new Map<number, Micro>(lines.map(({ id }) => [id, 0n]));
  const rest = goods.map(({ quantity }) => quantity);
  const fill = ({ id, quantity }: OrderedLine, index: number): boolean => {
    const there = arrived.get(id) ?? 0n;
    const left = rest[index] ?? 0n;
    const room = quantity > there ? quantity - there : 0n;
    const taken = left > room ? room : left;
    arrived.set(id, there + taken);
    rest[index] = left - taken;
    return left > taken;
  };
  const lots = Map.groupBy(
    lines.filter(({ lot }) => !!lot),
    line => lotKey(line),
  );
  for (const [index, each] of goods.entries())
    if (each.lot) for (const line of lots.get(lotKey(each)) ?? []) fill(line, index);
  const groups = Map.groupBy(lines, ({ group }) => group);
  /** What goods do not fit into: the first line of each group that has room. */
  const first = new Map<number, number>();
  for (const [index, { group }] of goods.entries()) {
    const own = groups.get(group) ?? [];
    let next = first.get(group) ?? 0;
    for (let line = own[next]; line && fill(line, index); line = own[next]) next += 1;
    first.set(group, next);
    const last = own.at(-1);
    if (last) arrived.set(last.id, (arrived.get(last.id) ?? 0n) + (rest[index] ?? 0n));
  }
  return arrived;
}

function lotKey({ group, lot = '' }: Pick<OrderedLine, 'group' | 'lot'>): string {
  return `${group} ${foldCode(lot)}`;
}
