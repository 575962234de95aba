import { newChain } from '../../store/history.ts';
import type { Store } from '../../store/store.ts';
import { syncRules } from '../log/rules.ts';
import { StationStore } from './station-store.ts';

/**
 * Makes a copy of a station's disk a station of its own, in one transaction: another installation, with blocks of its own. It
 * keeps all that it has; what central has not is issued again, once the whole log was read (`IssuingAgain`).
 * @param keep writes in the same transaction what else belongs to it
 */
export function separateStation(
  store: Store,
  { station, block }: { station: string; block: number },
  keep: () => void = () => {},
): Promise<void> {
  return new StationStore(store, syncRules, store.database).becomeOwn(station, newChain(station), () => {
    store.ids.adopt(block, true);
    keep();
  });
}
