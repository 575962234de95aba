import { AppError, invalid } from '../../shared/contract/errors.ts';
import { isSaid } from '../../shared/contract/permission.ts';
import { formatMicro, fromMicro, quantityBound, toMicro } from '../../shared/quantities/quantity.ts';
import type { PlannedChange } from '../store/changes.ts';
import type { Balance } from '../store/lots.ts';
import type { Rule, UnitOfWork } from '../store/unit-of-work.ts';
import { askWhyNotApart } from './kept-apart.ts';
import { plannedBalances } from './lot-state.ts';
import { refuseWrongPick } from './picking.ts';
import { placeOfUnit, refuseHarm, requireInUse } from './placing.ts';
import { lotName } from './stock-check.ts';

/** A correction names its place where the lot stands in several; it never takes more than stands there. */
export const adjusting: Rule = (work, change) => {
  const { fields } = change;
  if (typeof fields.reason === 'string' && !isSaid(fields.reason)) {
    work.blame('reason', 'A correction needs a reason. Say why the count differs.');
  }
  if (fields.quantity === 0)
    work.blame('quantity', '0 corrects nothing. Give what to add, or take away with a minus.');
  if (work.isAtFault()) return;
  const balances = plannedBalances(work, Number(fields.inventory_id));
  const place = placeOf(change, balances, 'location_id');
  if (place !== 0) fields.location_id = place;
  const quantity = toMicro(Number(fields.quantity));
  if (quantity < 0n) refuseShort(work, change, balances, place, -quantity);
};

/** A move carries what stands in one place to another, all of it unless said. */
export const moving: Rule = (work, change) => {
  const { fields } = change;
  if (work.isAtFault()) return;
  const balances = plannedBalances(work, Number(fields.inventory_id));
  const from = placeOf(change, balances, 'from_location_id');
  if (from !== 0) fields.from_location_id = from;
  if (from === fields.to_location_id) {
    work.blame(change.pathOf('to_location_id'), 'The lot stands there already. Give another location.');
  }
  const there = balances.find(balance => balance.location === from)?.quantity ?? 0n;
  if (fields.quantity === undefined && there > toMicro(quantityBound)) {
    throw invalid({
      [change.pathOf('quantity')]: [`More than ${quantityBound} stands there. Say how much goes.`],
    });
  }
  // Less than nothing, as a merge of two stations may leave it, cannot be carried.
  fields.quantity ??= there > 0n ? fromMicro(there) : 0;
  if (fields.quantity === 0) {
    const message = '0 moves nothing. Give a quantity, or another place to move from.';
    work.blame(change.pathOf('quantity'), message);
  }
  refuseShort(work, change, balances, from, toMicro(Number(fields.quantity)));
  const to = work.get('location', Number(fields.to_location_id));
  if (to) {
    requireInUse(work, change, 'to_location_id', to);
    refuseHarm(work, change, 'to_location_id', to, Number(fields.inventory_id));
    askWhyNotApart(work, change, placeOfUnit(work, to), [Number(fields.inventory_id)]);
  }
  refuseWrongPick(work, change);
};

/** The named place; else the only one where the lot stands; 0: no place was ever named. */
function placeOf(change: PlannedChange, balances: readonly Balance[], field: string): number {
  const named = change.fields[field];
  if (typeof named === 'number') return named;
  const isUnnamedMeant = change.isGiven(field) && balances.some(({ location }) => location === 0);
  if (isUnnamedMeant) return 0;
  if (balances.length > 1) {
    const places = balances
      .map(({ location }) => (location === 0 ? 'null (no named place)' : location))
      .join(', ');
    throw invalid({ [change.pathOf(field)]: [`The lot stands in several places. Give one of ${places}.`] });
  }
  return balances[0]?.location ?? 0;
}

function refuseShort(
  work: UnitOfWork,
  change: PlannedChange,
  balances: readonly Balance[],
  place: number,
  wanted: bigint,
): void {
  const there = balances.find(balance => balance.location === place)?.quantity ?? 0n;
  if (wanted <= there) return;
  const lot = lotName(work, Number(change.fields.inventory_id));
  const where = place === 0 ? '' : ` at location ${place}`;
  throw new AppError(
    'conflict',
    `Only ${formatMicro(there)} of ${lot} is there${where}, not ${formatMicro(wanted)}. Give at most that quantity.`,
  );
}
