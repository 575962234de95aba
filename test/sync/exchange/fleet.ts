import { proof } from '../../../server/proof.ts';
import { rules } from '../../../server/rules/registry.ts';
import type { Store } from '../../../server/store/store.ts';
import { verify } from '../../../server/store/verify.ts';
import { type CentralExchange, createCentralExchange } from '../../../server/sync/central/exchange.ts';
import { plain } from '../../../server/sync/log/decided-store.ts';
import { createSyncTables } from '../../../server/sync/log/tables.ts';
import type { Answer, Request } from '../../../server/sync/protocol/wire.ts';
import { StationEngine } from '../../../server/sync/station/engine.ts';
import { joinCentral } from '../../../server/sync/station/join.ts';
import { canonicalJson } from '../../../shared/canonical-json.ts';
import type { StoredRecord } from '../../../shared/present.ts';
import { recordsOf } from '../../store/audit.ts';
import { temporaryStore } from '../../store/temporary-store.ts';

export interface Peer {
  store: Store;
  engine: StationEngine;
  /** Stops its requests from arriving. */
  isOffline: boolean;
}

export interface Fleet {
  central: Store;
  exchange: CentralExchange;
  stations: Peer[];
  /** Every station asks and says what it has, until none has anything left. */
  settle(): Promise<void>;
}

/** A central and stations in this process, each with a store of its own; messages pass as JSON. */
export async function fleet(count: number): Promise<Fleet> {
  const central = await temporaryStore({ rules });
  createSyncTables(central.database);
  const exchange = await createCentralExchange(central);
  const stations: Peer[] = [];
  for (let index = 0; index < count; index += 1) {
    const store = await temporaryStore({ rules });
    createSyncTables(store.database);
    const peer: Peer = { store, isOffline: false, engine: undefined as unknown as StationEngine };
    peer.engine = new StationEngine({
      store,
      clock: () => new Date(0),
      transport: {
        async exchange(request: Request): Promise<Answer> {
          if (peer.isOffline) throw new TypeError('offline');
          return JSON.parse(JSON.stringify(await exchange.answer(JSON.parse(JSON.stringify(request)))));
        },
      },
    });
    await joinCentral(store, index + 1);
    stations.push(peer);
  }
  return {
    central,
    exchange,
    stations,
    async settle() {
      for (let round = 0; round < 3; round += 1) {
        for (const { engine, isOffline } of stations) {
          if (isOffline) continue;
          engine.poke();
          while (await engine.step());
        }
      }
    },
  };
}

/** The records as shown, by key, without what belongs to one machine. */
export function shown(store: Store): Record<string, StoredRecord> {
  return Object.fromEntries(recordsOf(store).map(record => [record.key, plain(record)]));
}

export function sameOf(stores: readonly Store[]): boolean {
  return new Set(stores.map(store => canonicalJson(shown(store)))).size === 1;
}

/** What is wrong with a store; it stays open. */
export async function faultsOf({ database }: Store): Promise<string[]> {
  const { findings } = await verify(database.folder, proof);
  return findings.map(({ what, where }) => `${what} ${where}`);
}
