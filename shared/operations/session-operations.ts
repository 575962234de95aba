import { z } from 'zod';
import { successSchema } from '../contract/envelope.ts';
import { isoTimestampSchema, named } from '../contract/field-schemas.ts';
import { defineOperation, idParameter, jsonBody, noBody } from '../contract/operation.ts';

export const sessionListedSchema = named('ListedSession', {
  id: z.string().describe('What the audit trail calls it.'),
  address: z
    .string()
    .nullable()
    .describe('The address in the network that it was begun from; null: not noted, as by earlier versions.'),
  agent: z.string().nullable().describe('What the browser calls itself; null: not noted.'),
  began_at: isoTimestampSchema().describe('When its user signed in.'),
  used_at: isoTimestampSchema().describe('When it was last used, to a minute.'),
  ends_at: isoTimestampSchema().describe(
    'When it ends unless it is used; seven days after its begin it ends.',
  ),
  is_locked: z.boolean().describe('Whether it waits for its password, PIN or badge.'),
  is_own: z.boolean().describe('Whether it is the one that asks.'),
});
export type SessionListed = z.infer<typeof sessionListedSchema>;

export const endSessionsSchema = named('EndSessions', {
  session: z.string().max(100).optional().describe('Its `id`; absent: all of the user.'),
});

/** Sessions at this installation, and how they are ended. */
export function sessionOperations() {
  const listed = () => successSchema(z.array(sessionListedSchema));
  const ofUser = { id: idParameter('Id of the user') };
  return [
    defineOperation('x.sessions.list', 'GET', '/x/sessions', 'Session', {
      summary: "List one's own sessions at this installation",
      answer: listed,
      errors: [403],
    }),
    defineOperation('x.sessions.end', 'POST', '/x/sessions/{session}/end', 'Session', {
      summary: "End one of one's own sessions",
      parameters: {
        session: { schema: z.string(), description: 'Its `id`.', isRequired: true },
      },
      body: noBody,
      answer: listed,
      errors: [403, 404, 503],
      scope: 'write',
    }),
    defineOperation('x.sessions.end-others', 'POST', '/x/sessions/end-others', 'Session', {
      summary: "End all of one's own sessions but the one that asks",
      body: noBody,
      answer: listed,
      errors: [403, 503],
      scope: 'write',
    }),
    defineOperation('x.users.sessions.list', 'GET', '/x/users/{id}/sessions', 'Users', {
      summary: "List a user's sessions at this installation",
      parameters: ofUser,
      answer: listed,
      errors: [404],
      scope: 'admin',
    }),
    defineOperation('x.users.sessions.end', 'POST', '/x/users/{id}/sessions/end', 'Users', {
      summary: "End a user's sessions at this installation, all or one",
      parameters: ofUser,
      body: jsonBody(() => endSessionsSchema),
      answer: listed,
      errors: [404, 422, 503],
      scope: 'admin',
    }),
  ];
}
