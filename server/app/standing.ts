import { statSync } from 'node:fs';
import type { EventStreams } from '../http/event-stream.ts';
import type { Standing } from '../metrics/standing-metrics.ts';
import { lastSequence } from '../store/history.ts';
import { PROGRAM_VERSION } from '../store/program-version.ts';
import type { Store } from '../store/store.ts';
import { lateMessages } from '../store/webhook-table.ts';
import { countHeld } from '../sync/log/held-commits.ts';
import type { SyncService } from '../sync/sync-service.ts';

export interface StandingOptions {
  store: Store;
  streams: Pick<EventStreams, 'count'>;
  sync: Pick<SyncService, 'central' | 'isExchanging'>;
  journalStanding: () => Standing['journal'];
}

/** How this process stands, for monitors. */
export function standingOf({ store, streams, sync, journalStanding }: StandingOptions): Standing {
  return {
    version: PROGRAM_VERSION,
    streams: streams.count(),
    store: store.database.damage ? undefined : storeStanding(store, sync.isExchanging()),
    stations: sync.central?.listening,
    journal: journalStanding(),
  };
}

function storeStanding({ database }: Store, isExchanging: boolean): Standing['store'] {
  const { reader, file } = database;
  return {
    commits: lastSequence(reader),
    held: isExchanging ? countHeld(reader) : undefined,
    webhooks: lateMessages(reader),
    files: { database: sizeOf(file), wal: sizeOf(`${file}-wal`) },
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
