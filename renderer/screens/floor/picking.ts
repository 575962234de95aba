import type { PickList } from '../../../shared/operations/place-operations.ts';
import type { Outcome } from '../../ui/scan/signal.ts';

export type PickLine = PickList['to_pick'][number];

/** Where a person is on the way: the place that was scanned last, null before that. */
export interface Way {
  place: number | null;
  /** Lines that were left for later, by lot and place. */
  later: readonly string[];
}

export interface PickStep {
  outcome: Outcome;
  why: string;
  way: Way;
  line?: PickLine;
  /** How much of the line is taken, in the lot's unit. */
  quantity?: number;
}

export function keyOf({ inventory_id: lot, location_id: place, item_id: item }: PickLine): string {
  return `${item} ${lot} ${place}`;
}

/** What comes next: at the place where the person is, else in the order of the way; what was left for later comes last. */
export function nextLine(lines: readonly PickLine[], way: Way): PickLine | undefined {
  const isLater = (line: PickLine) => way.later.includes(keyOf(line));
  const inTurn = [...lines.filter(line => !isLater(line)), ...lines.filter(isLater)];
  return inTurn.find(line => line.location_id === way.place && !isLater(line)) ?? inTurn[0];
}

/** @param units places of handling units that stand in the one that was scanned */
export function scanPlace(
  lines: readonly PickLine[],
  way: Way,
  place: number,
  units: ReadonlyMap<number, number>,
): PickStep {
  const isThere = (line: PickLine) =>
    line.location_id === place || (line.location_id !== null && units.get(line.location_id) === place);
  const line = lines.find(isThere);
  if (!line) return { outcome: 'refused', why: 'wrong-place', way };
  return { outcome: 'taken', why: 'right-place', way: { ...way, place: line.location_id }, line };
}

/** @param quantity what the label says is in it; null: it does not say */
export function scanLot(
  lines: readonly PickLine[],
  way: Way,
  lots: readonly number[],
  quantity: number | null,
): PickStep {
  const ofLot = lines.filter(line => lots.includes(line.inventory_id));
  const here = ofLot.find(line => line.location_id === way.place);
  const next = nextLine(lines, way);
  if (!next) return { outcome: 'refused', why: 'nothing-to-pick', way };
  // Goods of no named place have no label to be scanned before them.
  const unplaced = ofLot.find(line => line.location_id === null);
  const line = here ?? unplaced;
  if (!line) {
    const isPlaced = way.place !== null && lines.some(each => each.location_id === way.place);
    if (ofLot.length === 0) return { outcome: 'refused', why: 'wrong-lot', way, line: next };
    return {
      outcome: 'refused',
      why: isPlaced ? 'lot-elsewhere' : 'place-first',
      way,
      line: ofLot[0] ?? next,
    };
  }
  if (quantity !== null && quantity > line.quantity)
    return { outcome: 'question', why: 'package-larger', way, line, quantity: line.quantity };
  return { outcome: 'taken', why: 'picked', way, line, quantity: quantity ?? line.quantity };
}
