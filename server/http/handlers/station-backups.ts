import { createReadStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../../shared/contract/errors.ts';
import { AuditReader } from '../../audit/read-events.ts';
import type { StationBackups } from '../../backup/station-backups.ts';
import type { Stations } from '../../enrolment/stations.ts';
import { mapOf } from '../../store/changes.ts';
import { success } from '../reply.ts';
import { callerOf, idIn } from '../request-context.ts';
import type { Handlers, Services } from './handler.ts';
import { bodyOf } from './parse-body.ts';

export interface StationBackupHandlersOptions {
  stations: Pick<Stations, 'get'>;
  stationBackups: Pick<StationBackups, 'list' | 'take' | 'pathOf'>;
}

/** Backups of stations, at central. */
export function stationBackupHandlers({ stations, stationBackups }: StationBackupHandlersOptions) {
  return {
    'x.station-backups.send': async (_services, context) => {
      const { stationId } = context;
      const part = bodyOf(context);
      if (stationId === undefined) throw new AppError('forbidden', 'This needs the key of a station.');
      return success(await stationBackups.take(stations.get(stationId).station, part));
    },

    'x.station-backups.list': ({ store }, context) => {
      const { station } = stations.get(idIn(context));
      const fetched = fetchedOf(store, station);
      return success(
        stationBackups.list(station).map(one => ({
          ...one,
          fetched: fetched.flatMap(({ file, at, by }) => (file === one.file ? [{ at, by }] : [])),
        })),
      );
    },

    'x.station-backups.read': async ({ trail }, context) => {
      const { station, name } = stations.get(idIn(context));
      const { file = '' } = context.parameters;
      const path = stationBackups.pathOf(station, file);
      const { size } = statSync(path);
      // Before a byte of it leaves.
      const details = { station, name, file };
      await trail.with([{ ...callerOf(context), kind: 'station_backup_fetched', details }], () => undefined);
      const { response } = context;
      response.statusCode = 200;
      response.setHeader('Content-Type', 'application/octet-stream');
      response.setHeader('Content-Disposition', `attachment; filename="${file}"`);
      response.setHeader('Content-Length', size);
      try {
        await pipeline(createReadStream(path), response);
      } catch {
        // Half a file must not look like a whole one.
        response.destroy();
      }
      return undefined;
    },
  } satisfies Partial<Handlers>;
}

/** Who has fetched which backup of a station, the last first, by central's own trail: what a station says of it is not its word. */
function fetchedOf(store: Services['store'], station: string) {
  const selection = { kinds: ['station_backup_fetched'], station: store.station };
  return [...new AuditReader(store).all(selection)]
    .flatMap(({ fields }) => {
      const details = mapOf(fields.details);
      if (details.station !== station) return [];
      const by = typeof fields.author === 'string' ? fields.author : null;
      return [{ file: String(details.file), at: String(fields.at), by }];
    })
    .toSorted((a, b) => (a.at < b.at ? 1 : -1));
}
