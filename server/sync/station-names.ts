import type { Stations } from '../central/stations.ts';
import type { Store } from '../store/store.ts';
import type { NameOf } from './held-answer.ts';
import type { SyncService } from './sync-service.ts';

const CENTRAL = 'Central';

/** What people call the installations that this one knows by name: at central all, at a station itself and central. */
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
      return stations.list().find(({ station }) => station === installation)?.name ?? null;
    }
    const data = service.station?.linkData;
    if (installation === data?.central) return CENTRAL;
    return installation === store.station ? (data?.name ?? null) : null;
  };
}
