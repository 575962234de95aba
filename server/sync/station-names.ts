import type { Stations } from '../enrolment/stations.ts';
import type { Store } from '../store/store.ts';
import type { NameOf } from './held-answer.ts';
import type { SyncService } from './sync-service.ts';

const CENTRAL = 'Central';

/** What people call the installations: at a station those that central told of when they last spoke. */
export function stationNames({
  store,
  stations,
  service,
}: {
  store: Store;
  stations: Stations;
  service: SyncService;
}): NameOf {
  return installation => {
    if (service.role === 'central') {
      if (installation === store.station) return CENTRAL;
      return stations.names().nameOf(installation);
    }
    const data = service.station?.enrolmentData;
    if (installation === data?.central) return CENTRAL;
    if (installation === store.station) return data?.name ?? null;
    return service.station?.names.nameOf(installation) ?? null;
  };
}
