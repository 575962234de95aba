import { z } from 'zod';
import { AppError } from '../../../shared/contract/errors.ts';
import { putEvent } from '../../audit/event.ts';
import type { StationBackups } from '../../backup/station-backups.ts';
import type { Enrolment } from '../../enrolment/enrolment.ts';
import type { CentralRenewal } from '../../enrolment/renewal.ts';
import { stationNeeds } from '../../enrolment/station-needs.ts';
import type { StationSummary, Stations } from '../../enrolment/stations.ts';
import { groupsOf, isRevoked, peopleAt, revokePassword } from '../../identity/revocation.ts';
import type { Commit } from '../../store/changes.ts';
import { PROGRAM_VERSION } from '../../store/program-version.ts';
import { keepStationKey } from '../../store/station-ends.ts';
import type { CentralSync } from '../../sync/central/central-sync.ts';
import type { StationMachines } from '../../sync/central/station-machines.ts';
import { commitSize } from '../../sync/protocol/message-size.ts';
import { commitSchema } from '../../sync/protocol/wire-schemas.ts';
import { API_PREFIX, success } from '../reply.ts';
import { addressOf, callerOf, idIn } from '../request-context.ts';
import type { Handlers } from './handler.ts';
import { bodyOf, parseBody } from './parse-body.ts';

export interface CentralHandlersOptions {
  stations: Stations;
  enrolment: Enrolment;
  isCentral: boolean;
  clock: () => Date;
  renewal: CentralRenewal;
  /** A code that is none, and from where. */
  noteRefused: (address: string) => void;
  /** What central keeps of stations' backups. */
  stationBackups: Pick<StationBackups, 'summary'>;
  /** The version that a ring offers; null: none. */
  offered: (ring: string) => Promise<string | null>;
  /** Undefined while there is no exchange. */
  sync: () => CentralSync | undefined;
}

/** Stations and their enrolment, at central. Writes wait in the gate's queue, so that no other's failure undoes them. */
export function centralHandlers({
  stations,
  enrolment,
  isCentral,
  clock,
  renewal,
  noteRefused,
  stationBackups,
  offered,
  sync,
}: CentralHandlersOptions) {
  const requireCentral = () => {
    if (isCentral) return;
    const message = 'This installation is a station. Stations enrol at a central (npm run central).';
    throw new AppError('conflict', message);
  };
  const machines = () => sync()?.machines;
  const quotaOf = ({ id }: StationSummary) => {
    const met = sync()?.quotas.metBy(id);
    return met ? { of: met.of, until: new Date(clock().getTime() + met.left).toISOString() } : null;
  };
  /** By their rings, for `described`. */
  const offers = async () => {
    const rings = new Set(stations.list().flatMap(({ machine }) => machine?.update_ring ?? []));
    return new Map(await Promise.all([...rings].map(async ring => [ring, await offered(ring)] as const)));
  };
  const described = (station: StationSummary, versions: ReadonlyMap<string, string | null>) => {
    const { updates = null, update_ring: ring = null } = station.machine ?? {};
    const version = ring === null || updates === 'off' ? null : (versions.get(ring) ?? null);
    const told = { ...station, offered_version: version, ...machinesOf(station, machines()) };
    return {
      ...told,
      kept_backup: stationBackups.summary(station.station),
      needs: stationNeeds(told, { now: clock(), version: PROGRAM_VERSION }),
      quota: quotaOf(station),
      has_heard: renewal.hasHeard(station.id),
    };
  };
  return {
    'x.enrolment-codes.create': async ({ trail }, context) => {
      const request = bodyOf(context);
      requireCentral();
      const { name, hours, brings_records, uses, group } = request;
      const event = {
        ...callerOf(context),
        kind: 'code_created',
        details: { name, hours, brings_records, ...(uses > 1 && { uses }), ...(group && { group }) },
      } as const;
      const code = await trail.with([event], () => enrolment.createCode({ ...request, by: context.user }));
      return success(code, { status: 201, headers: { Location: `${API_PREFIX}/x/enrolment-codes` } });
    },

    'x.enrolment-codes.list': () => success(enrolment.listCodes()),

    'x.enrolment-codes.revoke': async ({ trail }, context) => {
      const id = idIn(context);
      bodyOf(context);
      const { name } = enrolment.getCode(id);
      const event = { ...callerOf(context), kind: 'code_revoked', details: { name } } as const;
      await trail.with([event], () => enrolment.revokeCode(id));
      return success(enrolment.getCode(id));
    },

    'x.enrolment.create': async ({ store, trail }, context) => {
      const request = bodyOf(context);
      requireCentral();
      const address = addressOf(context);
      try {
        enrolment.check(request, address);
      } catch (error) {
        noteRefused(address);
        throw error;
      }
      const station = request.station.toLowerCase();
      const { version, key } = request;
      // Which name it gets is known in its turn.
      const events = () => {
        const name = enrolment.nameOf(request);
        const details = { station, name, ...(version && { version }), ...(key && { key }) };
        const enrolled = { kind: 'station_enrolled', address, details } as const;
        const groups = enrolment.groupsOf(request);
        if (groups.before === groups.group || groups.before === null) return [enrolled];
        return [enrolled, { kind: 'station_grouped', details: { station, name, ...groups } } as const];
      };
      const answer = await trail.with(events, () => {
        const isKnown = stations.isKnown(station);
        const enrolled = enrolment.enrol(request);
        keepStationKey(store.database, station, key);
        machines()?.enrolling({ ...request, station }, isKnown);
        return enrolled;
      });
      return success(answer, { status: 201, headers: { Location: `${API_PREFIX}/x/stations` } });
    },

    'x.stations.list': async () => {
      const versions = await offers();
      return success(stations.list().map(station => described(station, versions)));
    },

    'x.stations.choose': async ({ trail }, context) => {
      const id = idIn(context);
      const { machine } = bodyOf(context);
      const station = stations.get(id);
      requireCentral();
      const central = sync();
      if (!central)
        throw new AppError(
          'unavailable',
          'The store is damaged and can only be read. Restore a backup first.',
        );
      await central.chooseMachine(station, machine);
      const details = { station: station.station, name: station.name, machine };
      await trail.note({ ...callerOf(context), kind: 'machine_chosen', details });
      return success(described(stations.get(id), await offers()));
    },

    'x.stations.group': async ({ trail }, context) => {
      const id = idIn(context);
      const { group } = bodyOf(context);
      const { station, name, group: before } = stations.get(id);
      requireCentral();
      if (group === before) return success(described(stations.get(id), await offers()));
      const event = {
        ...callerOf(context),
        kind: 'station_grouped',
        details: { station, name, group, before },
      } as const;
      await trail.with([event], () => stations.setGroup(id, group));
      return success(described(stations.get(id), await offers()));
    },

    'x.stations.revoke': async ({ store, write }, context) => {
      const id = idIn(context);
      const { keeps_passwords: isKeeping = false, reason } = bodyOf(context);
      const { station, name, group, revoked_at: revokedAt } = stations.get(id);
      const people = isKeeping ? [] : await peopleAt(store, station, groupsOf(store, { station, group }));
      const versions = await offers();
      return write(context, {
        reason: reason?.trim() || null,
        work: work => {
          // Asked for again, it is about those who have not renewed what they had then.
          const due = people.filter(person => {
            const { fields } = work.require('user', person);
            const since = String(fields.password_changed_at ?? '');
            return !isRevoked(fields) && (revokedAt === null || since <= revokedAt);
          });
          for (const person of due) revokePassword(work, person);
          const logins = due.map(person => String(work.require('user', person).fields.login));
          const details = { station, name, people: logins };
          if (revokedAt === null || due.length > 0)
            putEvent(work, { ...callerOf(context), kind: 'station_revoked', details });
          return logins;
        },
        answer: (_reads, logins) => {
          stations.revoke(id);
          machines()?.forget(station);
          const revoked = { ...described(stations.pending(id), versions), people: logins };
          return success(revoked);
        },
      });
    },

    'x.stations.archive': async (_services, context) => {
      const { stationId } = context;
      const { chain, part, commits } = bodyOf(context);
      const central = sync();
      if (stationId === undefined || !central)
        throw new AppError('forbidden', 'This needs the key of a station.');
      const own: Commit[] = parseBody(z.array(commitSchema), commits);
      central.quotas.take(stationId, {
        messages: 1,
        commits: own.length,
        bytes: own.reduce((sum, one) => sum + commitSize(one), 0),
      });
      return success(
        await central.archives.take(stations.get(stationId).station, { chain, part, commits: own }),
      );
    },

    'x.stations.block': async ({ store }, context) => {
      const { stationId } = context;
      bodyOf(context);
      if (stationId === undefined) throw new AppError('forbidden', 'This needs the key of a station.');
      sync()?.quotas.take(stationId, { blocks: 1 });
      const given = await store.gate.together(async () => stations.takeBlock(stationId));
      return success(given, { status: 201, headers: { Location: `${API_PREFIX}/x/stations` } });
    },
  } satisfies Partial<Handlers>;
}

/** What a machine said that came with a code: who made the code, the code's own event says. */
/** The machines that call as a station, where there are several. */
function machinesOf({ station }: StationSummary, machines: StationMachines | undefined) {
  const known = machines?.of(station);
  if (!known || known.noticed_at === null)
    return { doubled_at: null, chosen_at: null, machines: [], forgotten: null };
  const { present, noticed_at: doubledAt, decided_at: chosenAt, forgotten } = known;
  return {
    doubled_at: doubledAt,
    chosen_at: chosenAt,
    machines: known.machines.map(({ id, first_seen_at, last_seen_at, unsent, version }) => {
      return { machine: id, goes_on: id === present, first_seen_at, last_seen_at, unsent, version };
    }),
    forgotten: forgotten ? { machine: forgotten.id, at: forgotten.at } : null,
  };
}
