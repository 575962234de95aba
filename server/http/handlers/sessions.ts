import { AppError } from '../../../shared/contract/errors.ts';
import { families } from '../../../shared/families/registry.ts';
import type { SessionListed } from '../../../shared/operations/session-operations.ts';
import type { Identity } from '../../identity/identity.ts';
import type { SessionSummary } from '../../identity/session-summary.ts';
import type { SessionIdentity } from '../../identity/sessions.ts';
import { isSession, optionalIdentityOf } from '../authenticate.ts';
import { success } from '../reply.ts';
import { addressOf, idIn, type RequestContext } from '../request-context.ts';
import { requireRecord } from './family.ts';
import type { Handlers } from './handler.ts';
import { bodyOf } from './parse-body.ts';

/** Sessions at this installation: one's own, and for administrators somebody's. */
export function sessionListHandlers({ sessions }: Pick<Identity, 'sessions'>) {
  const listed = (userId: number, own?: string) =>
    success(sessions.listOf(userId).map(session => shown(session, own)));
  const endSome = (
    context: RequestContext,
    userId: number,
    which: (hash: string) => boolean,
    cause: string,
  ) => sessions.endOf(userId, { cause, author: context.user, address: addressOf(context) }, which);
  return {
    'x.sessions.list': (_services, context) => {
      const own = ownSession(context);
      return listed(own.userId, own.session);
    },

    'x.sessions.end': async (_services, context) => {
      bodyOf(context);
      const own = ownSession(context);
      const { hash } = found(sessions.listOf(own.userId), context.parameters.session);
      if (hash === own.session) await sessions.end(hash, { kind: 'signed_out', address: addressOf(context) });
      else await endSome(context, own.userId, each => each === hash, 'ended by its user');
      return listed(own.userId, own.session);
    },

    'x.sessions.end-others': async (_services, context) => {
      bodyOf(context);
      const own = ownSession(context);
      await endSome(context, own.userId, each => each !== own.session, 'ended by its user');
      return listed(own.userId, own.session);
    },

    'x.users.sessions.list': ({ store }, context) => {
      const id = idIn(context);
      requireRecord(store.records.get('user', id), families.user, id);
      return listed(id, callerSession(context));
    },

    'x.users.sessions.end': async ({ store }, context) => {
      const id = idIn(context);
      requireRecord(store.records.get('user', id), families.user, id);
      const { session } = bodyOf(context);
      const hash = session === undefined ? undefined : found(sessions.listOf(id), session).hash;
      const which = (each: string) => hash === undefined || each === hash;
      await endSome(context, id, which, 'ended by an administrator');
      return listed(id, callerSession(context));
    },
  } satisfies Partial<Handlers>;
}

function shown({ hash, ...session }: SessionSummary, own: string | undefined): SessionListed {
  return { ...session, is_own: hash === own };
}

/** @throws AppError `not_found` for one that is over, or another's */
function found(listed: readonly SessionSummary[], id: string | undefined): SessionSummary {
  const session = listed.find(one => one.id === id);
  if (session) return session;
  throw new AppError('not_found', 'There is no such session any more.');
}

function callerSession({ response }: RequestContext): string | undefined {
  const caller = optionalIdentityOf(response);
  return caller && isSession(caller) ? caller.session : undefined;
}

/** @throws AppError `forbidden` for programs */
function ownSession({ response }: RequestContext): SessionIdentity {
  const caller = optionalIdentityOf(response);
  if (caller && isSession(caller)) return caller;
  throw new AppError('forbidden', 'A token has no sessions. Sign in as a user to see your own.');
}
