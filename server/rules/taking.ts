import { itemsOf, type StoredItem, type StoredRecord } from '../../shared/contract/present.ts';
import { lotNumberOf } from '../../shared/contract/shipped-line.ts';
import { type Micro, toMicro } from '../../shared/quantities/quantity.ts';
import { byExpiry, inUnit, lotsInStock, type PlannedReads, plannedBalances, total } from './lot-state.ts';
import { type Picked, pickedFor, standsFor } from './picking.ts';
import { obstacleOf } from './shipping-obstacle.ts';

/** What a shipment's item takes of a lot from one place. */
export interface Taking {
  lot: StoredRecord;
  /** 0: no place named. */
  location: number;
  /** In the unit of the lot. */
  amount: Micro;
  /** How much of the item that is. */
  covers: Micro;
  /** It was picked for the shipment, and waits to go. */
  isPicked: boolean;
}

export interface ItemPlan {
  item: StoredItem;
  part: StoredRecord | undefined;
  takings: Taking[];
  /** What is short, in the part's unit. */
  open: Micro;
  /** Why lots of it may not ship. */
  reasons: string[];
}

/**
 * What a shipment's items take on a day, by id: what was picked for it first, then first expired, first out. Items that
 * name a lot come first, so that the others leave it to them.
 */
export function planTaking(
  reads: PlannedReads,
  shipment: number,
  items: unknown,
  day: string,
): Map<number, ItemPlan> {
  const picked = pickedFor(reads, shipment);
  const used = new Map<number, Map<number, Micro>>();
  const all = itemsOf({ position: 'order' }, items);
  const isNamed = (item: StoredItem) => lotNumberOf(item.serial_number) !== null;
  const inTurn = [...all.filter(isNamed), ...all.filter(item => !isNamed(item))];
  return new Map(inTurn.map(item => [item.id, planItem(reads, shipment, item, day, picked, used)]));
}

/** `used`: what items before this one take from each lot and place. */
function planItem(
  reads: PlannedReads,
  shipment: number,
  item: StoredItem,
  day: string,
  picked: Picked,
  used: Map<number, Map<number, Micro>>,
): ItemPlan {
  const part = reads.get('part', Number(item.part_id));
  const lots = candidates(reads, item)
    .filter(lot => total(freeBalances(reads, lot.id, used)) > 0n)
    .map(lot => ({ lot, stands: standsFor(reads, lot.id, shipment, picked, used.get(lot.id)) }));
  const unit = part?.fields.unit_of_measure ?? lots[0]?.lot.fields.lot_unit;
  const reasons: string[] = [];
  const usable = lots.filter(({ lot }) => {
    const obstacle = obstacleOf(reads, lot, day, unit, part);
    if (obstacle) reasons.push(`lot ${lot.fields.batch_number ?? lot.id} ${obstacle}`);
    return obstacle === null;
  });
  let open = toMicro(Number(item.quantity ?? 0));
  const takings: Taking[] = [];
  for (const isPicked of [true, false]) {
    for (const { lot, stands } of usable) {
      for (const stand of stands) {
        if (open === 0n || stand.isPicked !== isPicked) continue;
        const { amount, covers } = portion(open, stand.quantity, unit, lot, part);
        if (amount === 0n) continue;
        takings.push({ lot, location: stand.location, amount, covers, isPicked });
        const ofLot = used.get(lot.id) ?? new Map<number, Micro>();
        used.set(lot.id, ofLot.set(stand.location, (ofLot.get(stand.location) ?? 0n) + amount));
        open -= covers;
      }
    }
  }
  return { item, part, takings, open, reasons: open === 0n ? [] : reasons };
}

/** How much to take of what stands in one place, in the lot's unit, and how much of the order that covers. */
function portion(
  open: Micro,
  quantity: Micro,
  unit: unknown,
  lot: StoredRecord,
  part: StoredRecord | undefined,
): { amount: Micro; covers: Micro } {
  const needed = inUnit(open, unit, lot.fields.lot_unit, part) ?? 0n;
  if (needed <= quantity) return { amount: needed, covers: open };
  return { amount: quantity, covers: inUnit(quantity, lot.fields.lot_unit, unit, part) ?? 0n };
}

function candidates(reads: PlannedReads, item: StoredItem): StoredRecord[] {
  return lotsInStock(reads, Number(item.part_id), lotNumberOf(item.serial_number)).sort(byExpiry);
}

function freeBalances(
  reads: PlannedReads,
  lot: number,
  used: ReadonlyMap<number, ReadonlyMap<number, Micro>>,
) {
  return plannedBalances(reads, lot).map(({ location, quantity }) => ({
    location,
    quantity: quantity - (used.get(lot)?.get(location) ?? 0n),
  }));
}
