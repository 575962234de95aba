import type { Logger } from 'pino';
import type { Trail } from '../audit/trail.ts';
import type { Stations } from '../enrolment/stations.ts';
import type { SyncServiceOptions } from '../sync/sync-service.ts';

/** What central finds out about its stations stands in the trail; what is wrong with it in the log too. */
export function noteExchange(parts: {
  trail: Trail;
  stations: Pick<Stations, 'list'>;
  log: Logger;
}): Required<Pick<SyncServiceOptions, 'onStationKey' | 'onArchiveChecked'>> {
  const { trail, stations, log } = parts;
  const nameOf = (station: string) => stations.list().find(one => one.station === station)?.name ?? station;
  return {
    onStationKey(station, key) {
      void trail.note({ kind: 'station_signs', details: { station, name: nameOf(station), key } });
    },
    async onArchiveChecked(chain, { station, commits, checked }, keep) {
      const name = nameOf(station);
      const reason = checked?.fault ?? null;
      if (reason !== null)
        log.warn(
          { station: name, chain },
          `What this station had before it joined is not what it sent: ${reason}`,
        );
      const details = { station, name, chain, commits, is_same: reason === null, reason };
      await trail.with([{ kind: 'archive_checked', details }], keep);
    },
  };
}
