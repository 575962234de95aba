import { type SyncStateOptions, syncState } from './sync-state.ts';

const PACE_MS = 1_000;

/** Calls back whenever how the exchange stands, or this machine's clock, has changed. Returns the way to stop it. */
export type FollowSync = (listener: () => void) => () => void;

export interface SyncWatchOptions extends SyncStateOptions {
  /** How the renewal of central's certificate stands. */
  certificate: () => unknown;
}

/**
 * How the exchange stands changes without any record: central goes away and comes back, what was sent arrives, something
 * is held or decided. It is looked at as long as somebody listens.
 */
export function createSyncWatch(options: SyncWatchOptions): FollowSync {
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let seen = '';

  const look = () => {
    const now = fingerprintOf(options);
    if (now === seen) return;
    seen = now;
    for (const listener of listeners) listener();
  };

  return listener => {
    if (listeners.size === 0) {
      seen = fingerprintOf(options);
      timer = setInterval(look, PACE_MS).unref();
    }
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) clearInterval(timer);
    };
  };
}

/**
 * All but the times of contact, which come with every message; and how often the exchange failed, since somebody may have
 * read of a failure that began and ended between two looks.
 */
function fingerprintOf(options: SyncWatchOptions): string {
  const clock = options.store.clockWatch.standing()?.step;
  if (!options.service.isExchanging()) return String(clock);
  const { last_contact_at: _contact, ...state } = syncState(options);
  const stations = options.stations.list().map(({ id, station, revoked_at, unsent, behind, held }) => {
    const met = options.service.central?.quotas.metBy(id);
    return [station, revoked_at, unsent, behind, held, met?.of];
  });
  const { certificate, service } = options;
  return JSON.stringify([state, stations, certificate(), clock, service.station?.state()?.faults]);
}
