import { hostname } from 'node:os';
import { AppError, noting, refuse } from '../../../shared/contract/errors.ts';
import { text } from '../../../shared/contract/fields.ts';
import { type ParseOptions, parseInput, readInput } from '../../../shared/contract/parse-input.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { families } from '../../../shared/families/registry.ts';
import type { Session } from '../../../shared/operations/identity-operations.ts';
import { DEVICE_COOKIE } from '../../identity/devices.ts';
import type { Present } from '../../identity/hands.ts';
import { type Identity, passwordIn } from '../../identity/identity.ts';
import { passwordRules } from '../../identity/password-rules.ts';
import { secretIn } from '../../identity/session-cookies.ts';
import { idOf, type SessionIdentity } from '../../identity/sessions.ts';
import { inputOf } from '../../rules/input-of.ts';
import { FIRST_COMPANY } from '../../rules/paperwork.ts';
import { siteSettings } from '../../rules/site.ts';
import { FIRST_ADMINISTRATOR } from '../../store/authors.ts';
import { ownLanguage } from '../../store/own-language.ts';
import type { UnitOfWork } from '../../store/unit-of-work.ts';
import { isSession, isStation, optionalIdentityOf, sessionOf } from '../authenticate.ts';
import { API_PREFIX, success } from '../reply.ts';
import { addressOf, type RequestContext } from '../request-context.ts';
import { presentIn, sessionCookie, takePlace } from './browser-sessions.ts';
import { clockStanding } from './clock.ts';
import type { Handlers, Services } from './handler.ts';
import { handHandlers, restingOf } from './hands.ts';
import { bodyOf } from './parse-body.ts';

export interface SessionHandlersOptions {
  identity: Identity;
  /** Of the enrolled station; undefined where it stands alone or is central. */
  stationName: () => string | undefined;
  isCentral: boolean;
  /** Browsers reach the server by TLS, its own or a proxy's: the cookie goes no other way. */
  isSecure: boolean;
  /** By the machine's policy. */
  machineLanguage?: 'en' | 'de' | undefined;
}

/** What needs no identity, as `createAuthenticate` takes it: the handlers look for the session themselves. */
export const openToSessions = [
  `GET ${API_PREFIX}/x/session`,
  ...[
    '/x/session',
    '/x/session/unlock',
    '/x/session/resume',
    '/x/session/lock',
    '/x/session/end',
    '/x/first-administrator',
  ].map(path => `POST ${API_PREFIX}${path}`),
];

/** Signing in and out, and the first administrator. */
export function sessionHandlers(options: SessionHandlersOptions) {
  const { identity, isSecure } = options;
  const { sessions, firstAdministrator } = identity;
  const answer = (services: Services, session: SessionIdentity | undefined, more: Partial<Answered> = {}) =>
    success(
      { ...sessionAnswer(services, options, session, more.present ?? []), ...more.data },
      { status: more.status ?? 200, ignored: more.ignored ?? [], headers: more.headers ?? {} },
    );
  /** What a browser had before is void with its cookie. */
  const begin = async (
    services: Services,
    context: RequestContext,
    start: () => ReturnType<Identity['signIn']>,
    ignored: readonly string[],
  ) => {
    const { secret, identity: session } = await start();
    const device = identity.deviceFor(context.request.headers.cookie, session.userId);
    context.response.appendHeader('Set-Cookie', deviceCookie(device, isSecure));
    const present = await takePlace({ identity, isSecure }, context, { secret, identity: session });
    const headers = { Location: `${API_PREFIX}/x/session` };
    return answer(services, session, { status: 201, ignored, headers, present });
  };

  return {
    ...handHandlers({
      identity,
      isSecure,
      answer: (services, session, present) => answer(services, session, { present }),
    }),

    'x.session.read': (services, context) => {
      const caller = optionalIdentityOf(context.response);
      const present = presentIn(context, sessions);
      if (!caller || isSession(caller)) return answer(services, caller, { present });
      const token = isStation(caller) ? undefined : { name: caller.name, scopes: caller.scopes };
      return answer(services, undefined, { data: { token } });
    },

    'x.session.create': async (services, context) => {
      const { body, faults } = context;
      const { fields, ignored } = readInput(signInRequest, body, withPassword(context), faults);
      const password = noting(faults, () => passwordIn(body, 'password')) ?? '';
      refuse(faults);
      const { cookie: cookies, 'user-agent': agent = '' } = context.request.headers;
      const caller = { address: addressOf(context), cookies, agent };
      const start = () => identity.signIn(String(fields.login), password, caller);
      return begin(services, context, start, ignored);
    },

    'x.session.unlock': async (services, context) => {
      const { ignored } = parseInput(nothingElse, context.body, withPassword(context));
      const session = sessionOf(context.response);
      const password = passwordIn(context.body, 'password');
      const from = { door: 'unlock', session: session.session, address: addressOf(context) } as const;
      const { isRight, key } = await identity.unlock(session.userId, password, from);
      if (!isRight) throw new AppError('unauthenticated', 'The password is wrong. Try again.');
      const secret = secretIn(context.request.headers.cookie ?? '');
      if (key && secret !== undefined) await sessions.certify(secret, key);
      await sessions.unlock(session.session);
      await identity.hands.release(session.session);
      return answer(
        services,
        { ...session, isLocked: false },
        { ignored, present: presentIn(context, sessions) },
      );
    },

    'x.session.lock': async (services, context) => {
      bodyOf(context);
      const session = sessionOf(context.response);
      await sessions.lock(session.session);
      const present = presentIn(context, sessions);
      return answer(services, { ...session, isLocked: true }, { present });
    },

    'x.session.end': async (services, context) => {
      bodyOf(context);
      const session = sessionOf(context.response);
      await sessions.end(session.session, { kind: 'signed_out', address: addressOf(context) });
      const present = presentIn(context, sessions);
      return answer(services, undefined, { present, headers: { 'Set-Cookie': sessionCookie('', isSecure) } });
    },

    'x.first-administrator.create': async (services, context) => {
      const { body, faults } = context;
      const { fields, ignored } = readInput(firstRequest, body, withPassword(context), faults);
      const login = String(fields.login ?? '');
      const name = String(fields.name ?? '');
      const check = await passwordRules();
      const password = noting(faults, () => check(passwordIn(body, 'password'), { login, name })) ?? '';
      refuse(faults);
      const address = addressOf(context);
      const redeemed = firstAdministrator.redeem(String(fields.code), address, async () => {
        const credential = await identity.credentials.of(password);
        const id = await services.store.gate.commit({
          actor: { user: FIRST_ADMINISTRATOR, rights: BY_SERVER },
          reason: null,
          work: work => makeFirst(work, { ...fields, login, name, public_key: credential.publicKey }),
          answer: made => {
            identity.credentials.keep(made, credential, services.clock().toISOString());
            return made;
          },
        });
        return { id, key: credential.key };
      });
      const first = await redeemed.catch((error: unknown) => {
        if (error instanceof AppError && error.errors?.code) identity.noteRefused(address);
        throw error;
      });
      const user = services.store.records.get('user', first.id);
      if (!user) throw new AppError('unauthenticated', 'The user is not here any more.');
      return begin(
        services,
        context,
        () => sessions.start(user, address, first.key, context.request.headers['user-agent']),
        ignored,
      );
    },

    'x.first-administrator.link': (_services, context) => {
      bodyOf(context);
      const made = firstAdministrator.newCode();
      if (!made) {
        const message =
          'There is a user already, or users come from central. An administrator makes further ones.';
        throw new AppError('conflict', message);
      }
      const { protocol, headers } = context.request;
      const link = `${protocol}://${headers.host}/first#${made.code}`;
      return success({ link, expires_at: made.expires_at });
    },
  } satisfies Partial<Handlers>;
}

interface Answered {
  status: 200 | 201;
  ignored: readonly string[];
  present: readonly Present[];
  headers: Record<string, string>;
  data: object;
}

function withPassword({ zone }: RequestContext): ParseOptions {
  return { mode: 'create', zone, passes: ['password'] };
}

const signInRequest = {
  fields: { login: text({ label: 'The login', required: true, maximum: 200 }) },
  collections: {},
};

const nothingElse = { fields: {}, collections: {} };

const firstRequest = {
  fields: {
    code: text({ label: 'The code of the link', required: true, maximum: 200 }),
    name: families.user.fields.name,
    login: families.user.fields.login,
    company_name: text({ label: 'The name of the company' }),
  },
  collections: {},
};

function sessionAnswer(
  { store, centralAddress }: Services,
  { identity, stationName, isCentral, machineLanguage }: SessionHandlersOptions,
  session: SessionIdentity | undefined,
  present: readonly Present[],
): Session {
  const { id, fields }: Pick<StoredRecord, 'id' | 'fields'> = session?.user ?? { id: 0, fields: {} };
  const address = centralAddress();
  const chosen = address === undefined ? undefined : ownLanguage(store.database.reader, id);
  const language = chosen === undefined ? fields.language : chosen;
  const user = {
    id,
    name: String(fields.name),
    login: String(fields.login),
    roles: (session?.roles ?? []) as NonNullable<Session['user']>['roles'],
    language: language === 'en' || language === 'de' ? language : null,
  } as const;
  const name = stationName();
  const company = store.records.get('company', FIRST_COMPANY)?.fields.name;
  return {
    user: session ? user : null,
    session: session ? idOf(session.session) : null,
    hand: session ? identity.hands.stateOf(session) : null,
    resting: restingOf(identity, present, session?.session),
    needs_password: session?.needsPassword ?? false,
    is_locked: session?.isLocked ?? false,
    is_first_administrator_missing: identity.isFirstAdministratorMissing(),
    password_due: session ? identity.passwordDue(session.user) : null,
    machine_language: machineLanguage ?? null,
    idle_lock_minutes: siteSettings(store.records).idle_lock_minutes,
    expires_at: session?.expiresAt ?? null,
    clock: clockStanding(store),
    station: {
      code: store.station,
      name: name ?? (typeof company === 'string' ? company : hostname()),
      role: isCentral ? 'central' : name === undefined ? 'stand-alone' : 'station',
      central_address: address ?? null,
    },
  };
}

function makeFirst(work: UnitOfWork, fields: Record<string, unknown>): number {
  for (const _user of work.records.all('user')) {
    throw new AppError('conflict', 'There is a user already. Sign in, or ask an administrator for one.');
  }
  const { name, login, public_key: publicKey, company_name: company } = fields;
  const made = work.create(
    families.user,
    inputOf({
      ...{ name, login, public_key: publicKey },
      ...{ roles: ['administrator'], password_changed_at: work.at },
    }),
  );
  if (typeof company === 'string' && company.trim() !== '' && work.get('company', FIRST_COMPANY)) {
    work.update(families.company, FIRST_COMPANY, inputOf({ name: company }));
  }
  return made.id;
}

/** A year: it lets nobody in, and tells people's own browsers from those of strangers. */
function deviceCookie(value: string, isSecure: boolean): string {
  const parts = [`${DEVICE_COOKIE}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Strict', 'Max-Age=31536000'];
  if (isSecure) parts.push('Secure');
  return parts.join('; ');
}
