import { shippedLineOf, type Taken, takenOf } from '../../../shared/contract/shipped-line.ts';
import { type Fields, mapOf } from '../../store/changes.ts';
import type { Pushed } from './pushed.ts';

/**
 * What a station says that a closing took for a line, in words where no closing writes it. Which line it says that was is
 * what people are shown once the line asks for something else: it is one that stood, and as much of it as of the goods.
 */
export function takenFault(pushed: Pushed, id: string, item: Fields): string | undefined {
  const path = `items.${id}.taken`;
  const taken = takenOf(item.taken);
  // Version 0.1.0 keeps the lots only.
  if (taken.every(({ line }) => line === undefined)) return undefined;
  const shipped = shippedLineOf(item);
  for (const { line } of taken) {
    const isOne =
      shipped && line?.part_id === shipped.part_id && line.serial_number === shipped.serial_number;
    if (!isOne) return `${path} says that it was taken for several lines.`;
  }
  for (const name of ['part_id', 'serial_number', 'quantity'] as const) {
    if (!isOrWas(pushed, id, item, name, shipped?.[name]))
      return `${path}: the line did not ask for ${name} ${shipped?.[name]}.`;
  }
  const odd = taken.find(each => each.quantity !== each.line?.quantity && isOfOneUnit(pushed, each));
  return odd && `${path}: ${odd.quantity} of lot record ${odd.inventory_id} is not ${odd.line?.quantity}.`;
}

/** Value by value: the author may have seen the line before some of what others made of it. */
function isOrWas(
  { entry, authors }: Pushed,
  id: string,
  item: Fields,
  name: string,
  value: unknown,
): boolean {
  const of = (line: Fields) => line[name] || null;
  const isSo = (line: Fields) => of(line) === (value || null);
  return isSo(item) || authors.statesOf(entry.subject).some(({ items }) => isSo(mapOf(mapOf(items)[id])));
}

/** Whether the lot and the part have, and had, the same unit: what is taken of the lot is then that much of the line. */
function isOfOneUnit({ read, authors }: Pushed, { inventory_id: lot, line }: Taken): boolean {
  const unitsOf = (subject: string, name: string) =>
    [read.value(subject, name), ...authors.statesOf(subject).map(state => state[name])].map(
      unit => unit ?? null,
    );
  const units = [
    ...unitsOf(`inventory:${lot}`, 'lot_unit'),
    ...unitsOf(`part:${line?.part_id}`, 'unit_of_measure'),
  ];
  return new Set(units).size === 1;
}
