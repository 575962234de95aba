import { z } from 'zod';
import { successSchema } from '../contract/envelope.ts';
import { named } from '../contract/field-schemas.ts';
import { defineOperation, idParameter, jsonBody } from '../contract/operation.ts';

/** Body of `x.stations.assign` and `x.stations.unassign`. */
export const assignmentSchema = named('StationAssignment', {
  user_id: z.int().min(1).describe('Id of the user.'),
  whole_group: z
    .boolean()
    .default(false)
    .describe("Whether it is about the station's whole group: all stations that are in it, or come to it."),
});

/** Somebody whose password a station has. */
export const stationPersonSchema = named('StationPerson', {
  user_id: z.int().describe('Id of the user.'),
  login: z.string().describe("The user's login."),
  name: z.string().describe("The user's name."),
  why: z
    .enum(['signed_in', 'assigned', 'group', 'before'])
    .describe(
      '`signed_in`: gave the password there while central was in reach. `assigned`: by an administrator. `group`: assigned to its group. `before`: signed in there, as the station says, while stations were given all passwords.',
    ),
});

/** Who signs in at a station, also while central is away. */
export function stationPeopleOperations() {
  const parameters = { id: idParameter('Id of the station') };
  const answer = () => successSchema(z.array(stationPersonSchema));
  const assigning = {
    parameters,
    body: jsonBody(() => assignmentSchema),
    answer,
    errors: [404, 409, 422],
    scope: 'admin',
  } as const;
  return [
    defineOperation('x.stations.people', 'GET', '/x/stations/{id}/people', 'Stations', {
      summary:
        'List who can sign in at a station while central is away: their passwords lie there, stretched',
      parameters,
      answer,
      errors: [404],
      scope: 'admin',
    }),
    defineOperation('x.stations.assign', 'POST', '/x/stations/{id}/assign', 'Stations', {
      summary:
        'Let somebody sign in at a station, or at all of its group, for the first time while central is away: it is given the password, stretched',
      ...assigning,
    }),
    defineOperation('x.stations.unassign', 'POST', '/x/stations/{id}/unassign', 'Stations', {
      summary:
        "Take somebody's password from a station, or from all of its group, until they sign in there with central in reach or are assigned again",
      ...assigning,
    }),
  ];
}
