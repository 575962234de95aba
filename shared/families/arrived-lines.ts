import type { Micro } from '../quantities/quantity.ts';
import { foldCode } from './secondary-index.ts';

/** A line of a purchase order. All quantities of one part are in one unit. */
export interface OrderedLine {
  id: number;
  part: number;
  quantity: Micro;
  /** The lot that was announced; absent: any. */
  lot?: string | undefined;
}

/** What a receipt accepted. */
export interface ArrivedGoods {
  part: number;
  quantity: Micro;
  lot?: string | undefined;
}

/**
 * How much of each ordered line has arrived. Goods of an announced lot fill the line that announces it; what is left fills
 * the part's other lines in their order; what is more than all of them ask for stands on the part's last line. Goods of
 * parts that nobody ordered count on no line.
 * @param lines in their order
 */
export function arrivedOf(
  lines: readonly OrderedLine[],
  goods: readonly ArrivedGoods[],
): ReadonlyMap<number, Micro> {
  const arrived = new Map<number, Micro>(lines.map(({ id }) => [id, 0n]));
  const rest = goods.map(({ quantity }) => quantity);
  const fill = ({ id, quantity }: OrderedLine, index: number, isLimited: boolean) => {
    const there = arrived.get(id) ?? 0n;
    const left = rest[index] ?? 0n;
    const room = quantity > there ? quantity - there : 0n;
    const taken = isLimited && left > room ? room : left;
    arrived.set(id, there + taken);
    rest[index] = left - taken;
  };
  for (const [index, { part, lot }] of goods.entries())
    for (const line of lines) if (line.part === part && isSameLot(line.lot, lot)) fill(line, index, true);
  for (const [index, { part }] of goods.entries()) {
    const own = lines.filter(line => line.part === part);
    for (const line of own) fill(line, index, true);
    const last = own.at(-1);
    if (last) fill(last, index, false);
  }
  return arrived;
}

function isSameLot(announced: string | undefined, lot: string | undefined): boolean {
  return !!announced && !!lot && foldCode(announced) === foldCode(lot);
}
