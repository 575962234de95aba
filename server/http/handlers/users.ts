import { AppError, invalid, noting, refuse } from '../../../shared/contract/errors.ts';
import { parseInput, readInput } from '../../../shared/contract/parse-input.ts';
import { hasRole } from '../../../shared/contract/role.ts';
import { families } from '../../../shared/families/registry.ts';
import type { Stations } from '../../enrolment/stations.ts';
import { type Identity, passwordIn } from '../../identity/identity.ts';
import { passwordRules } from '../../identity/password-rules.ts';
import { isStoredPassword } from '../../identity/passwords.ts';
import { isRevoked, noteKeyGiven, revokePassword } from '../../identity/revocation.ts';
import { isNewer, type Secrets } from '../../identity/secrets.ts';
import { secretIn } from '../../identity/session-cookies.ts';
import type { StationPeople } from '../../identity/station-people.ts';
import { keepOwnLanguage } from '../../store/own-language.ts';
import { changedAtCentral } from '../../sync/client/at-central.ts';
import { isSession, optionalIdentityOf } from '../authenticate.ts';
import { API_PREFIX, success } from '../reply.ts';
import { addressOf, idIn, type RequestContext } from '../request-context.ts';
import { checkIfMatch } from '../write.ts';
import { reasonIn, recordReply, requireRecord } from './family.ts';
import type { Handlers, Services } from './handler.ts';
import { bodyOf } from './parse-body.ts';

export interface UserHandlersOptions {
  identity: Identity;
  isCentral: boolean;
  /** A station offers passwords that central has otherwise: they are not taken. */
  onForeignSecrets: (stationId: number | undefined, count: number) => void;
  /** A station of this central, by its id here. */
  stationOf: Stations['enrolled'];
  /** Whose passwords stations are given. */
  people: Pick<StationPeople, 'of' | 'secretsFor'>;
}

/** What users have beside the operations of every family: passwords. */
export function userHandlers({
  identity,
  isCentral,
  onForeignSecrets,
  stationOf,
  people,
}: UserHandlersOptions) {
  const { sessions, secrets, credentials } = identity;
  const { user } = families;
  return {
    'x.users.create': async ({ write }, context) => {
      const { body, faults, zone } = context;
      const options = { mode: 'create', zone, passes: ['password', 'reason'] } as const;
      const input = readInput(user, body, options, faults);
      const given = Reflect.get(Object(body), 'password') ?? undefined;
      const names = { login: String(input.fields.login ?? ''), name: String(input.fields.name ?? '') };
      const check = given === undefined ? undefined : await passwordRules();
      const password = check && noting(faults, () => check(given, names));
      const credential = password === undefined ? undefined : await credentials.of(password);
      let at = '';
      return write(context, {
        reason: reasonIn(context),
        work: work => {
          at = work.at;
          if (credential) {
            input.fields.password_changed_at = at;
            // Whoever makes the user knows it.
            input.fields.is_password_temporary ??= true;
            input.fields.public_key = credential.publicKey;
          }
          return work.create(user, input);
        },
        answer: (context, record) => {
          if (credential) credentials.keep(record.id, credential, at);
          const headers = { Location: `${API_PREFIX}/x/users/${record.id}` };
          return recordReply(user, context, record, {}, { status: 201, ignored: input.ignored, headers });
        },
      });
    },

    'x.users.password': async (services, context) => {
      const { write, store } = services;
      const id = idIn(context);
      const isOwn = context.userId === id;
      requireAdministrator(context, isOwn, 'password');
      refuseAtStation(services);
      const passes = ['password', 'current_password', 'reason'];
      const { body, faults, zone } = context;
      const { ignored } = readInput(nothingElse, body, { mode: 'create', zone, passes }, faults);
      const before = requireRecord(store.records.get('user', id), user, id);
      const names = { login: String(before.fields.login), name: String(before.fields.name) };
      const check = await passwordRules();
      const password = noting(faults, () => check(passwordIn(body, 'password'), names)) ?? '';
      const current = isOwn ? noting(faults, () => passwordIn(body, 'current_password')) : undefined;
      const caller = optionalIdentityOf(context.response);
      const session = caller && isSession(caller) ? caller.session : '';
      const from = { door: 'signature', session, address: addressOf(context) } as const;
      const proved = current === undefined ? undefined : await identity.unlock(id, current, from);
      if (proved?.isRight === false) {
        faults.current_password = ['The password is wrong. Give the one that you sign in with.'];
      }
      const reason = reasonIn(context);
      refuse(faults);
      // One's own key stays one's own; who sets another's password makes another key, and could open it until the person chose this one.
      const isKept = isOwn && before.fields.is_password_temporary !== true && !isRevoked(before.fields);
      const credential = await credentials.of(password, id, isKept ? proved?.key : undefined);
      let at = '';
      const reply = await write(context, {
        reason,
        work: work => {
          at = work.at;
          const { fields } = work.require('user', id);
          checkIfMatch(context, work.get('user', id));
          if (credential.isAgain) throw invalid({ password: [USED_BEFORE] });
          const { locked_out_at: _ended, ...kept } = fields;
          const set = { password_changed_at: at, is_password_temporary: !isOwn, password_revoked_at: null };
          const after = { ...(isOwn ? fields : kept), ...set };
          return work.byServer(() => work.set(user, id, credentials.named(after, credential.publicKey)));
        },
        answer: (context, record) => {
          credentials.keep(id, credential, at);
          return recordReply(user, context, record, {}, { ignored });
        },
      });
      if (!isOwn) identity.forgetFailures(id);
      const secret = secretIn(context.request.headers.cookie ?? '');
      if (isOwn && !isKept && secret !== undefined) await sessions.certify(secret, credential.key);
      await sessions.endOf(
        id,
        { cause: 'password changed', author: context.user, address: addressOf(context) },
        hash => !(isOwn && hash === session),
      );
      return reply;
    },

    /** Somebody else may know the password: it ends at once, without anybody having to think of another one. */
    'x.users.revoke': async (services, context) => {
      const { write, store } = services;
      const id = idIn(context);
      refuseAtStation(services);
      const { reason } = bodyOf(context);
      requireRecord(store.records.get('user', id), user, id);
      const reply = await write(context, {
        reason: reason?.trim() || null,
        work: work => {
          checkIfMatch(context, work.get('user', id));
          revokePassword(work, id);
          return work.require('user', id);
        },
        answer: (context, record) => recordReply(user, context, record, {}),
      });
      const author = { author: context.user, address: addressOf(context) };
      await sessions.endOf(id, { cause: 'password revoked', ...author });
      return reply;
    },

    'x.users.language': async (services, context) => {
      const { write, store, centralAddress } = services;
      const id = idIn(context);
      const isOwn = context.userId === id;
      requireAdministrator(context, isOwn, 'language');
      if (!isOwn) refuseAtStation(services);
      const { language } = user.fields;
      const { body, zone } = context;
      const input = parseInput({ fields: { language }, collections: {} }, body, { mode: 'patch', zone });
      if (input.fields.language === undefined) {
        throw invalid({ language: ['Language is missing. Give en, de, or null for that of the browser.'] });
      }
      requireRecord(store.records.get('user', id), user, id);
      const { ignored } = input;
      return write(context, {
        reason: null,
        work: work => {
          checkIfMatch(context, work.get('user', id));
          // A station does not write the record: the choice is of this person at this machine.
          if (centralAddress() !== undefined) return work.require('user', id);
          return work.byServer(() => work.update(user, id, input));
        },
        answer: (context, record) => {
          if (centralAddress() === undefined) return recordReply(user, context, record, {}, { ignored });
          const chosen = input.fields.language === 'en' || input.fields.language === 'de';
          const language = chosen ? String(input.fields.language) : null;
          keepOwnLanguage(store.database, id, language);
          const here = { ...record, fields: { ...record.fields, language } };
          return recordReply(user, context, here, {}, { ignored });
        },
      });
    },

    /** A person who signs in at a station gets the key there: who knows the password may have it, and nobody else can open it. */
    'x.stations.key': async ({ store, trail }, context) => {
      const { login, password, place } = bodyOf(context);
      if (!isCentral) throw new AppError('conflict', 'This installation is no central.');
      const from = { id: context.stationId, place, address: addressOf(context) };
      const key = await identity.keyFor(login, password, from).catch((error: unknown) => {
        // 401 is about the station's own key.
        if (!(error instanceof AppError) || error.code !== 'unauthenticated') throw error;
        throw new AppError('forbidden', error.message);
      });
      const station = context.stationId === undefined ? undefined : stationOf(context.stationId);
      if (key && station) {
        const { user_id: userId, public_key: publicKey } = key;
        const isThere = (await people.of(station)).get(userId) === 'signed_in';
        const { station: installation, name } = station;
        await noteKeyGiven(store, trail, { userId, station: installation, name, key: publicKey }, isThere);
      }
      return success(key ?? null);
    },

    /** Central tells and does not listen: what a station of a former version sends is told in the log, and no more. */
    'x.stations.secrets': async (_services, context) => {
      const { since, changed } = bodyOf(context);
      if (!isCentral) throw new AppError('conflict', 'This installation is no central.');
      if (context.stationId === undefined)
        throw new AppError('forbidden', 'This needs the key of a station.');
      const odd = changed.findIndex(({ hash }) => !isStoredPassword(hash));
      if (odd >= 0) throw invalid({ [`changed.${odd}.hash`]: ['This is no hash that central can read.'] });
      const foreign = changed.filter(secret => isForeign(secret, secrets)).length;
      if (foreign > 0) onForeignSecrets(context.stationId, foreign);
      const given = await people.secretsFor(stationOf(context.stationId));
      return success({ ...given, changed: since === given.cursor ? [] : given.changed });
    },
  } satisfies Partial<Handlers>;
}

const nothingElse = { fields: {}, collections: {} };

const USED_BEFORE =
  'The password was used before. Give one that is none of the last ten; several words are best.';

/** Whether a station would have central take a password; what it got from central it may well tell again. */
function isForeign(secret: ReturnType<Secrets['all']>[number], secrets: Pick<Secrets, 'of'>): boolean {
  const own = secrets.of(secret.user_id);
  return !own || isNewer(secret, own);
}

/** @throws AppError `forbidden` with the way to central, at one of its stations */
export function refuseAtStation({ centralAddress }: Pick<Services, 'centralAddress'>): void {
  const address = centralAddress();
  if (address !== undefined) throw changedAtCentral(address);
}

/** One's own is everybody's to change. */
function requireAdministrator(context: RequestContext, isOwn: boolean, what: 'password' | 'language'): void {
  if (isOwn || context.roles === undefined || hasRole(context.roles, 'administrator')) return;
  throw new AppError('forbidden', `Another user's ${what} is set by an administrator. Yours is your own.`);
}
