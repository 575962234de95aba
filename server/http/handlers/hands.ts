import { AppError, invalid } from '../../../shared/contract/errors.ts';
import type { AnswerOf } from '../../../shared/operations/operation-types.ts';
import type { Present } from '../../identity/hands.ts';
import type { Identity } from '../../identity/identity.ts';
import { secretIn } from '../../identity/session-cookies.ts';
import { idOf } from '../../identity/sessions.ts';
import { sessionOf } from '../authenticate.ts';
import { addressOf, callerOf, type Reply } from '../request-context.ts';
import { presentIn, takePlace } from './browser-sessions.ts';
import type { Handlers, Services } from './handler.ts';
import { bodyOf } from './parse-body.ts';

export interface HandHandlersOptions {
  identity: Identity;
  isSecure: boolean;
  /** What a session is told of itself and of those that rest beside it. */
  answer: (
    services: Services,
    session: Present['identity'],
    present: readonly Present[],
  ) => Reply<AnswerOf<'x.session.read'>>;
}

/** PINs and badges: how people change at a machine where they signed in. */
export function handHandlers(options: HandHandlersOptions) {
  const { identity, answer } = options;
  const { sessions, hands } = identity;
  return {
    'x.session.hand': async (services, context) => {
      const { password, pin, badge } = bodyOf(context);
      const session = sessionOf(context.response);
      const errors = { ...(typeof pin === 'string' && pinFaults(pin)) };
      if (Object.keys(errors).length > 0) throw invalid(errors);
      const present = presentIn(context, sessions);
      const secret = secretIn(context.request.headers.cookie ?? '') ?? '';
      const from = { door: 'signature', session: session.session, address: addressOf(context) } as const;
      if (!(await identity.unlock(session.userId, password, from)).isRight)
        throw invalid({ password: ['The password is wrong. Give the one that you sign in with.'] });
      const others = present.filter(other => other.identity.userId !== session.userId);
      const owner = typeof badge === 'string' ? hands.ownerOf(badge, others) : undefined;
      if (owner) {
        const { name } = owner.identity.user.fields;
        throw invalid({ badge: [`This badge is that of ${name} here. Give another one.`] });
      }
      await hands.set({ secret, identity: session }, { pin, badge });
      await services.trail.note({
        ...callerOf(context),
        kind: 'hand_set',
        subject: `user:${session.userId}`,
        details: { session: idOf(session.session), ...saidOf({ pin, badge }) },
      });
      return answer(services, session, present);
    },

    'x.session.resume': async (services, context) => {
      const { code, session: id } = bodyOf(context);
      const present = presentIn(context, sessions);
      const named = present.find(({ identity: { session } }) => idOf(session) === id);
      if (present.length === 0 || (id !== undefined && !named))
        throw new AppError('unauthenticated', 'The session is over. Sign in with your password.');
      const { secret, identity: resumed } = await hands.resume({ code, named, present });
      const session = { ...resumed, isLocked: false };
      const now = await takePlace(options, context, { secret, identity: session });
      return answer(services, session, now);
    },
  } satisfies Partial<Handlers>;
}

/** What anybody tries first is none. */
function pinFaults(pin: string): Record<string, string[]> {
  const steps = new Set([...pin].slice(1).map((digit, at) => (Number(digit) - Number(pin[at]) + 10) % 10));
  const isPlain = steps.size === 1 && [0, 1, 9].some(step => steps.has(step));
  return isPlain ? { pin: ['This PIN is tried first. Give digits that do not follow each other.'] } : {};
}

function saidOf(given: { pin: string | null | undefined; badge: string | null | undefined }) {
  const said = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value === null ? 'removed' : 'set'] as const],
  );
  return Object.fromEntries(said);
}

/** Who rests in the browser beside the session that works there. */
export function restingOf(
  { hands }: Pick<Identity, 'hands'>,
  present: readonly Present[],
  active: string | undefined,
) {
  return present
    .filter(({ identity }) => identity.session !== active)
    .map(({ identity }) => ({
      session: idOf(identity.session),
      user: {
        id: identity.userId,
        name: String(identity.user.fields.name),
        login: identity.name,
      },
      ...hands.stateOf(identity),
    }));
}
