import type { z } from 'zod';
import { AppError } from '../../../shared/contract/errors.ts';
import { families } from '../../../shared/families/registry.ts';
import type { assignmentSchema } from '../../../shared/operations/station-people-operations.ts';
import type { Stations } from '../../enrolment/stations.ts';
import type { AssignedTo } from '../../identity/assignments.ts';
import type { StationPeople } from '../../identity/station-people.ts';
import { success } from '../reply.ts';
import { callerOf, idIn, type RequestContext } from '../request-context.ts';
import { requireRecord } from './family.ts';
import type { Handlers, Services } from './handler.ts';
import { bodyOf } from './parse-body.ts';

export interface StationPeopleHandlersOptions {
  isCentral: boolean;
  stations: Pick<Stations, 'enrolled' | 'list'>;
  people: Pick<StationPeople, 'of' | 'isOfGroup'>;
}

type Assignment = z.infer<typeof assignmentSchema>;

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
  /** @throws AppError 409 for a station of no group, and for who is there by the group alone */
  const assignedTo = (id: number, { user_id: user, whole_group: isWhole }: Assignment, isEnd: boolean) => {
    const { station, name, group } = stations.enrolled(id);
    if (!isWhole && isEnd && people.isOfGroup(group, user))
      throw new AppError(
        'conflict',
        `User ${user} is assigned to the group "${group}" of the station. Give whole_group to end that at all its stations.`,
      );
    if (!isWhole) return { station, name };
    if (group === null)
      throw new AppError('conflict', `The station "${name}" is in no group. Put it into one first.`);
    const all = stations.list().filter(each => each.group === group);
    return { group, stations: all.map(each => each.station) };
  };
  /** In the trail, which is where it stands. */
  const say = async (
    kind: 'person_assigned' | 'person_unassigned',
    services: Services,
    context: RequestContext<'x.stations.assign' | 'x.stations.unassign'>,
  ) => {
    const body = bodyOf(context);
    requireCentral();
    const id = idIn(context);
    requireRecord(services.store.records.get('user', body.user_id), families.user, body.user_id);
    const details = assignedTo(id, body, kind === 'person_unassigned') satisfies AssignedTo;
    const event = { ...callerOf(context), kind, subject: `user:${body.user_id}`, details };
    await services.trail.with([event], () => undefined);
    return success(await listed(services, id));
  };
  return {
    'x.stations.people': async (services, context) => {
      return success(await listed(services, idIn(context)));
    },
    'x.stations.assign': (services, context) => say('person_assigned', services, context),
    'x.stations.unassign': (services, context) => say('person_unassigned', services, context),
  } satisfies Partial<Handlers>;
}
