import { AppError } from '../../shared/errors.ts';
import { formatMicro, type Micro } from '../../shared/quantity.ts';
import type { Draft, DraftChange } from '../store/draft.ts';
import { lotFactsOf } from './lot-facts.ts';
import { draftBalances, total } from './lot-state.ts';

/**
 * Refuses a change that takes more from a lot than is there. Only a lot that the change reduces is looked at: stock
 * that a merge of two stations made negative is a task for a person, not a fault of this write.
 */
export function refuseNegativeStock(
  draft: Draft,
  change: DraftChange,
  explain: (lot: number, short: string) => string,
): void {
  const record = { family: change.family.name, id: change.id };
  const deltas = new Map<number, Micro>();
  const add = (fields: Record<string, unknown> | undefined, sign: bigint) => {
    if (!fields) return;
    for (const fact of lotFactsOf({ ...record, fields })) {
      if (fact.lot !== null) deltas.set(fact.lot, (deltas.get(fact.lot) ?? 0n) + sign * fact.quantity);
    }
  };
  add(draft.get(record.family, record.id)?.fields, -1n);
  add(change.fields, 1n);
  for (const [lot, delta] of deltas) {
    if (delta >= 0n) continue;
    const left = total(draftBalances(draft, lot)) + delta;
    if (left < 0n) throw new AppError('conflict', explain(lot, formatMicro(-left)));
  }
}

/** How people call a lot in a message. */
export function lotName(draft: Draft, lot: number): string {
  const number = draft.get('inventory', lot)?.fields.batch_number;
  return typeof number === 'string' && number !== '' ? `lot ${number}` : `lot record ${lot}`;
}
