import { AppError } from '../../../shared/errors.ts';
import { CHAIN_START, newChain } from '../../store/history.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import type { Store } from '../../store/store.ts';
import { syncRules } from '../log/rules.ts';
import { createSyncTables } from '../log/tables.ts';
import { StationStore } from './station-store.ts';

/**
 * Makes a store a station of a central, in one transaction: ids come from the block that central gave, and commits go
 * into a chain that is sent. What only the setup of a fresh installation has written is left behind; central has its own.
 * @param keep writes in the same transaction what else belongs to it
 * @throws AppError `conflict` when the installation holds records of its own; nothing is changed then
 */
export async function joinCentral(store: Store, block: number, keep: () => void = () => {}): Promise<void> {
  const { database, gate, ids, pending } = store;
  const chain = newChain(store.station);
  await gate.fold(() => {
    refuseOwnRecords(database);
    createSyncTables(database);
    ids.adopt(block, true);
    new StationStore(store, syncRules, database).enterChain(chain);
    keep();
    const removals = database
      .all<{ entries: string }>('SELECT entries FROM history')
      .flatMap(({ entries }) => JSON.parse(entries) as { subject: string }[])
      .map(({ subject }) => subject)
      .filter(key => pending.getByKey(key) !== undefined);
    return { removals, place: { chain, head: CHAIN_START }, result: undefined };
  });
}

/** @throws AppError `conflict` when the store holds more than the setup of a fresh installation has written. */
export function refuseOwnRecords(sql: Pick<SqlReader, 'get'>): void {
  const own = sql.get("SELECT 1 FROM history WHERE user <> 'setup' OR number > 1 LIMIT 1");
  if (own === undefined) return;
  const message =
    'This installation has records of its own; moving them is not built yet. Enrol a fresh installation (an empty HOLDPOINT_DATA).';
  throw new AppError('conflict', message);
}
