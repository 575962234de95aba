import { AppError } from '../../../shared/contract/errors.ts';
import { families } from '../../../shared/families/registry.ts';
import { assignmentSchema } from '../../../shared/operations/station-people-operations.ts';
import type { Stations } from '../../enrolment/stations.ts';
import type { StationPeople } from '../../identity/station-people.ts';
import { success } from '../reply.ts';
import { callerOf, idIn, type RequestContext } from '../request-context.ts';
import { requireRecord } from './family.ts';
import type { Handlers, Services } from './handler.ts';
import { parseBody } from './parse-body.ts';

export interface StationPeopleHandlersOptions {
  isCentral: boolean;
  stations: Pick<Stations, 'enrolled'>;
  people: Pick<StationPeople, 'of'>;
}

/** At central: who signs in at a station, also while central is away. */
export function stationPeopleHandlers({ isCentral, stations, people }: StationPeopleHandlersOptions) {
  const requireCentral = () => {
    if (!isCentral)
      throw new AppError(
        'conflict',
        'This installation is a station. People are assigned to stations at central.',
      );
  };
  const listed = async ({ store }: Services, id: number) => {
    const all = await people.of(stations.enrolled(id));
    return [...all].flatMap(([userId, why]) => {
      const { login, name, is_active: isActive } = store.records.get('user', userId)?.fields ?? {};
      if (typeof login !== 'string' || isActive !== true) return [];
      return { user_id: userId, login, name: String(name ?? ''), why };
    });
  };
  /** In the trail, which is where it stands. */
  const say = async (
    kind: 'person_assigned' | 'person_unassigned',
    services: Services,
    context: RequestContext,
    userId: number,
  ) => {
    requireCentral();
    const id = idIn(context);
    const { station, name } = stations.enrolled(id);
    requireRecord(services.store.records.get('user', userId), families.user, userId);
    const event = { ...callerOf(context), kind, subject: `user:${userId}`, details: { station, name } };
    await services.trail.with([event], () => undefined);
    return success(await listed(services, id));
  };
  return {
    'x.stations.people': async (services, context) => {
      return success(await listed(services, idIn(context)));
    },
    'x.stations.assign': (services, context) => {
      const { user_id: userId } = parseBody(assignmentSchema, context.body);
      return say('person_assigned', services, context, userId);
    },
    'x.stations.unassign': (services, context) => {
      const { user_id: userId } = parseBody(assignmentSchema, context.body);
      return say('person_unassigned', services, context, userId);
    },
  } satisfies Partial<Handlers>;
}
