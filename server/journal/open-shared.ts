import { JOURNAL } from '../store/shared-folder.ts';
import type { Store } from '../store/store.ts';
import { readLocal } from '../store/tables.ts';
import { createCentralExchange } from '../sync/central/exchange.ts';
import { noteMissing } from '../sync/log/noted-names.ts';
import { createSyncTables } from '../sync/log/tables.ts';
import { type JournalDriver, JournalLostError } from './connection.ts';
import { Journal, type JournalOptions } from './journal.ts';
import { SharedStore, type SharedStoreOptions } from './shared-store.ts';

/** How often a journal is asked for that is not reached at the start. In milliseconds. */
const AWAY_MS = 1_000;

export type OpenSharedOptions = Omit<SharedStoreOptions, 'store' | 'journal'> & {
  url: string;
  driver?: JournalDriver;
  open: () => Promise<Store>;
  /** The journal is not reached at the start: with it, it is tried again until it is. */
  onAway?: (error: JournalLostError) => void;
  onWaited?: JournalOptions['onWaited'];
};

export interface Shared {
  store: Store;
  shared: SharedStore;
  close(): Promise<void>;
}

/**
 * Opens a central's store as one of those that a journal keeps in step: a new folder gets all that the journal has, and a
 * journal that has not begun begins with what the folder has.
 * @throws AppError as `SharedStore.join`, and as opening the store does
 */
export async function openShared({
  url,
  driver,
  open,
  onAway,
  onWaited,
  ...options
}: OpenSharedOptions): Promise<Shared> {
  const journal = new Journal({ url, driver, onWaited, onNews: position => shared?.news(position) });
  let shared: SharedStore | undefined;
  await prepare(journal, onAway);
  let store = await open();
  try {
    const join = async () => {
      const { gate, database } = store;
      await gate.applyRemote(() => ({ result: createSyncTables(database) }));
      await noteMissing(store);
      const begin = async () => void (await createCentralExchange(store, options.clock));
      shared = await SharedStore.join({ ...options, store, journal }, begin);
      return shared;
    };
    const isKnown = readLocal(store.database.reader, JOURNAL) !== undefined;
    let joined = await join();
    if (!isKnown) {
      // Which station it is, its chain and its ids were read before they were given.
      joined.close();
      await store.close();
      store = await open();
      joined = await join();
    }
    return {
      store,
      shared: joined,
      async close() {
        joined.close();
        journal.close();
        await store.close();
      },
    };
  } catch (error) {
    shared?.close();
    journal.close();
    await store.close();
    throw error;
  }
}

async function prepare(journal: Journal, onAway: OpenSharedOptions['onAway']): Promise<void> {
  for (;;) {
    try {
      return await journal.prepare();
    } catch (error) {
      if (!onAway || !(error instanceof JournalLostError)) {
        journal.close();
        throw error;
      }
      onAway(error);
      await new Promise(resolve => setTimeout(resolve, AWAY_MS));
    }
  }
}
