import { AppError } from '../../shared/contract/errors.ts';
import { formatMicro, type Micro } from '../../shared/quantities/quantity.ts';
import type { PlannedChange } from '../store/changes.ts';
import type { UnitOfWork } from '../store/unit-of-work.ts';
import { lotFactsOf } from './lot-facts.ts';
import { plannedBalances } from './lot-state.ts';

/**
 * Refuses a change that takes more from a lot than is there, place by place. Only what the change reduces is looked at:
 * stock that a merge of two stations made negative is a task for a person, not a fault of this write.
 */
export function refuseNegativeStock(
  work: UnitOfWork,
  change: PlannedChange,
  explain: (lot: number, short: string) => string,
): void {
  const record = { family: change.family.name, id: change.id };
  const deltas = new Map<number, Map<number, Micro>>();
  const add = (fields: Record<string, unknown> | undefined, sign: bigint) => {
    if (!fields) return;
    for (const { lot, location, quantity } of lotFactsOf({ ...record, fields })) {
      if (lot === null) continue;
      const places = deltas.get(lot) ?? new Map<number, Micro>();
      deltas.set(lot, places.set(location, (places.get(location) ?? 0n) + sign * quantity));
    }
  };
  add(work.get(record.family, record.id)?.fields, -1n);
  add(change.fields, 1n);
  for (const [lot, places] of deltas) {
    if (![...places.values()].some(delta => delta < 0n)) continue;
    const there = new Map(plannedBalances(work, lot).map(({ location, quantity }) => [location, quantity]));
    for (const [location, delta] of places) {
      const left = (there.get(location) ?? 0n) + delta;
      if (delta < 0n && left < 0n) throw new AppError('conflict', explain(lot, formatMicro(-left)));
    }
  }
}

/** How people call a lot in a message. */
export function lotName(work: UnitOfWork, lot: number): string {
  const number = work.get('inventory', lot)?.fields.batch_number;
  return typeof number === 'string' && number !== '' ? `lot ${number}` : `lot record ${lot}`;
}
