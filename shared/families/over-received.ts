import { sum } from '../quantities/quantity.ts';

/** Whether more was accepted than `total_order_quantity` says was ordered; never where nobody has said how much that is. */
export function isOverReceived({ total_order_quantity: ordered, items }: Record<string, unknown>): boolean {
  if (typeof ordered !== 'number') return false;
  const lines: Record<string, unknown>[] = Object.values(items ?? {});
  return sum(lines.map(({ quantity_accepted: accepted }) => Number(accepted ?? 0))) > ordered;
}
