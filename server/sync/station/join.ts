import { CHAIN_START, newChain } from '../../store/history.ts';
import type { Store } from '../../store/store.ts';
import { syncRules } from '../log/rules.ts';
import { StationStore } from './station-store.ts';

/**
 * Makes a store a station of a central, in one transaction: ids come from the block that central gave, and commits go
 * into a chain that is sent. What only the setup of a fresh installation has written is left behind; central has its own.
 */
export async function joinCentral(store: Store, block: number): Promise<void> {
  const { database, gate, ids, pending } = store;
  const station = new StationStore(store, syncRules, database);
  const chain = newChain(store.station);
  await gate.fold(() => {
    ids.adopt(block, true);
    station.enterChain(chain);
    const removals = database
      .all<{ entries: string }>("SELECT entries FROM history WHERE user = 'setup'")
      .flatMap(({ entries }) => JSON.parse(entries) as { subject: string }[])
      .map(({ subject }) => subject)
      .filter(key => pending.getByKey(key) !== undefined);
    return { removals, place: { chain, head: CHAIN_START }, result: undefined };
  });
}
