import type { StoredRecord } from '../../shared/contract/present.ts';
import { fromMicro, type Micro, multiplyMicro, toMicro } from '../../shared/quantities/quantity.ts';
import type { PlannedChange } from '../store/changes.ts';
import { inUnit } from './lot-state.ts';

const ONE: Micro = 1_000_000n;

/** What so much of a lot, in the lot's unit, has cost; nothing where no cost is known. */
export function worthOf(quantity: Micro, lot: StoredRecord, part: StoredRecord | undefined): Micro {
  const { cost, lot_unit } = lot.fields;
  if (typeof cost !== 'number') return 0n;
  return multiplyMicro(inUnit(quantity, lot_unit, costUnit(lot), part) ?? quantity, toMicro(cost));
}

/** Cost of one unit as the quantity is shown, so that quantity times cost is the value. */
export function shownCost(lot: StoredRecord, part: StoredRecord | undefined): number {
  const one = inUnit(ONE, shownUnit(lot, part), costUnit(lot), part) ?? ONE;
  return fromMicro(multiplyMicro(one, toMicro(Number(lot.fields.cost))));
}

/**
 * Who corrects a cost has read it of one unit as it is shown. It is kept so, with that unit: divided into the lot's own,
 * it would read back as another number. The one that was read, sent back, changes nothing.
 */
export function takeShownCost(change: PlannedChange, part: StoredRecord | undefined): void {
  const { before, fields } = change;
  if (!before || !change.isGiven('cost') || typeof fields.cost !== 'number') return;
  const { cost, part_id, lot_unit } = before.fields;
  const meansTheSame = part_id === fields.part_id && lot_unit === fields.lot_unit;
  if (meansTheSame && typeof cost === 'number' && fields.cost === shownCost(before, part)) {
    fields.cost = cost;
    return;
  }
  const unit = shownUnit(change, part);
  if (unit === fields.lot_unit) delete fields.cost_unit;
  else fields.cost_unit = unit;
}

function costUnit({ fields }: StoredRecord): unknown {
  return fields.cost_unit ?? fields.lot_unit;
}

/** The part's unit where the lot's converts to it. */
function shownUnit({ fields }: Pick<StoredRecord, 'fields'>, part: StoredRecord | undefined): unknown {
  const unit = part?.fields.unit_of_measure;
  return inUnit(ONE, fields.lot_unit, unit, part) === null ? fields.lot_unit : unit;
}
