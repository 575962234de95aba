import { type KeyObject, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, invalid } from '../../shared/contract/errors.ts';
import { BY_SERVER } from '../../shared/contract/permission.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { families } from '../../shared/families/registry.ts';
import { foldLogin } from '../../shared/families/user.ts';
import { type AuditEvent, putEvent } from '../audit/event.ts';
import type { Trail } from '../audit/trail.ts';
import { siteSettings } from '../rules/site.ts';
import { identityTables, type UserKey } from '../store/identity-tables.ts';
import type { Store } from '../store/store.ts';
import { type Attempted, createAttempts } from './attempts.ts';
import { type Credentials, createCredentials } from './credentials.ts';
import { createFirstAdministrator, type FirstAdministrator } from './first-administrator.ts';
import { createHands, type Hands } from './hands.ts';
import { type Cost, createPasswords, type Passwords } from './passwords.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { createSessions, type SessionIdentity, type Sessions } from './sessions.ts';
import { createSignInFailures } from './sign-in-failures.ts';
import { createUserKeys } from './user-keys.ts';

/** Author in history of what wrong passwords do. */
const SIGN_IN = 'sign-in';
const SWEEP_MS = 5_000;
/** For how long who signs waits for a key that is not here yet. */
const KEY_PATIENCE_MS = 3_000;

export interface IdentityOptions {
  store: Store;
  trail: Trail;
  clock: () => Date;
  /** Whether users come from a central, so that no first one is made here. */
  isEnrolled: () => boolean;
  /** Wrong passwords have locked a user out at this station, and here only: the record is central's. */
  onLockout: (userId: number) => void;
  /** Event streams of the caller must close. */
  closeStreams: (callerId: number) => void;
  /** What a password costs to check; less than the default only where nothing is to be protected. */
  passwordCost?: Cost | undefined;
  /** At a station: asks central for the key of who signed in here; rejects while central cannot be asked. */
  askKey: (login: string, password: string) => Promise<UserKey | undefined>;
  onFault: (error: unknown) => void;
}

/** Users of an installation: how they sign in, and what they sign. */
export interface Identity {
  sessions: Sessions;
  /** PINs and badges. */
  hands: Hands;
  passwords: Passwords;
  secrets: Secrets;
  credentials: Credentials;
  firstAdministrator: FirstAdministrator;
  isFirstAdministratorMissing(): boolean;
  /**
   * Who signs in so, with a new session. Where the user's own key is not here it is made, or asked for at central: the session signs
   * once it is there. @throws AppError 401 alike for an unknown login and a wrong password, 429, 503
   */
  signIn(
    login: string,
    password: string,
    address: string,
    agent?: string,
  ): Promise<{ secret: string; identity: SessionIdentity }>;
  /** Whether it is the user's password. A wrong one counts. @throws AppError 429, 503 */
  isPasswordOf(userId: number, password: string, address: string): Promise<boolean>;
  /**
   * The same, with the user's own key to sign with where there is one here; where there is none yet it is made, or asked for at
   * central, as far as that answers soon. @throws AppError 429, 503
   */
  unlock(userId: number, password: string, address: string): Promise<{ isRight: boolean; key?: KeyObject }>;
  /** For a station: the key of who signs in there, sealed by the password. @throws AppError as `signIn` */
  keyFor(login: string, password: string, address: string): Promise<UserKey | undefined>;
  /** Somebody called with a token, key or code that is none. */
  noteRefused(address: string): void;
  /** An administrator ends a lockout. */
  forgetFailures(userId: number): void;
  /** Locks what nobody uses, and notes what was counted, from now on. */
  start(): void;
  /** Waits for what is still to be written. */
  close(): Promise<void>;
}

export function createIdentity(options: IdentityOptions): Identity {
  const { store, trail, clock, isEnrolled, closeStreams, passwordCost, onFault, onLockout } = options;
  const { database, gate, records } = store;
  const tables = identityTables(database);
  const open = new Set<Promise<void>>();
  const obtaining = new Map<number, Promise<void>>();
  const write = (work: () => void) => gate.together(async () => work());
  const follow = (written: Promise<unknown>) => {
    const done = written.then(() => undefined, onFault).finally(() => open.delete(done));
    open.add(done);
  };
  const later = (work: () => void) => {
    // A damaged store is for reading only.
    if (!database.damage) follow(write(work));
  };
  const userOf = (id: number) => records.get('user', id);
  const isMissing = () => !isEnrolled() && !database.damage && records.total('user') === 0;

  const passwords = createPasswords({ cost: passwordCost });
  const secrets = createSecrets(tables);
  const keys = createUserKeys(tables, id => userOf(id)?.fields.public_key);
  const credentials = createCredentials({ store, tables, passwords, secrets, keys });
  const sessions = createSessions({
    tables,
    now: clock,
    random: randomBytes,
    userOf,
    station: () => store.station,
    hasKey: id => keys.of(id) !== undefined,
    lookAtClock: () => store.clockWatch.look(),
    idleMinutes: () => siteSettings(records).idle_lock_minutes,
    trail,
    write,
    later,
    isReadOnly: () => database.damage !== undefined,
    follow,
    onEnd: closeStreams,
  });
  const hands = createHands({ tables, now: clock, random: randomBytes, sessions, write });
  const attempts = createAttempts({
    tables,
    now: clock,
    later,
    onLockout: userId => {
      const { login, name } = userOf(userId)?.fields ?? {};
      const event = {
        kind: 'locked_out',
        subject: `user:${userId}`,
        ...(typeof login === 'string' && { author: login }),
        ...(typeof name === 'string' && { author_name: name }),
      } as const;
      if (!isEnrolled()) return follow(noteLockout(store, userId, event));
      // The record is central's.
      onLockout(userId);
      follow(trail.note(event));
    },
  });
  const failures = createSignInFailures({ store, trail, now: clock, onFault });
  const stopFollowing = gate.follow(committed => {
    for (const { family, id, user: author } of committed.records) {
      if (family === 'user' && userOf(id)?.fields.is_active !== true)
        follow(sessions.endOf(id, { cause: 'deactivated', author }));
    }
  });
  // The password was changed at central: whoever knows only the former one is out, and its owner may try anew.
  secrets.onReplace(userId => {
    attempts.clear({ userId });
    follow(sessions.endOf(userId, { cause: 'password changed at central' }));
  });
  // Whoever changes the clock must not keep a session open by it.
  const stopWatching = store.clockWatch.onStep(() => {
    follow(sessions.lockAll());
    follow(hands.hold());
  });
  const sweepAll = () => {
    sessions.lockAllIdle();
    if (!database.damage) follow(failures.settle());
  };
  let sweep: NodeJS.Timeout | undefined;

  async function attempt(
    whom: Attempted,
    userId: number | undefined,
    password: string,
    address: string,
  ): Promise<{ isRight: boolean; key?: KeyObject }> {
    const user = userId === undefined ? undefined : userOf(userId);
    const login = typeof user?.fields.login === 'string' ? user.fields.login : undefined;
    try {
      attempts.begin(whom);
    } catch (error) {
      failures.note(address, login);
      throw error;
    }
    const proved = await credentials.prove(user?.id, password).catch((error: unknown) => {
      attempts.cancel(whom);
      throw error;
    });
    const isIn = proved.isRight && user?.fields.is_active === true;
    if (isIn) attempts.clear(whom);
    else {
      attempts.fail(whom);
      failures.note(address, login);
    }
    return isIn ? proved : { isRight: false };
  }

  /** Makes the key of who has none here, or asks central for it. */
  function obtain(userId: number, password: string): Promise<void> {
    // Who signs in at two stations at once gets one key.
    const known = obtaining.get(userId);
    if (known) return known;
    const begun = obtainNow(userId, password).finally(() => obtaining.delete(userId));
    obtaining.set(userId, begun);
    return begun;
  }

  async function obtainNow(userId: number, password: string): Promise<void> {
    if (database.damage || keys.of(userId)) return;
    if (!isEnrolled()) return credentials.make(userId, password);
    const login = userOf(userId)?.fields.login;
    const key = typeof login === 'string' ? await options.askKey(login, password) : undefined;
    if (key?.user_id === userId) await write(() => keys.put(key));
  }

  async function attemptLogin(
    login: string,
    password: string,
    address: string,
  ): Promise<{ user: StoredRecord; key?: KeyObject }> {
    const folded = foldLogin(login);
    // Two stations may have given one login; the earlier user has it until somebody changes the other's.
    const found = records.findBy('user', 'login', folded);
    const user = found.find(({ fields }) => fields.is_active === true) ?? found[0];
    const whom = user ? { userId: user.id } : { login: folded };
    const { isRight, key } = await attempt(whom, user?.id, password, address);
    if (isRight && user) return { user, ...(key && { key }) };
    throw new AppError('unauthenticated', 'The login or the password is wrong. Try again.');
  }

  /** The key of who has none here yet, opened. Undefined where central does not answer. */
  async function obtained(userId: number, password: string): Promise<KeyObject | undefined> {
    await obtainLater(userId, password);
    if (!keys.of(userId)) return undefined;
    return (await credentials.prove(userId, password).catch(() => undefined))?.key;
  }

  /** Nobody waits for it: until there is a key, signatures are made without. */
  const obtainLater = (userId: number, password: string) => {
    const done: Promise<void> = obtain(userId, password)
      .catch(() => undefined)
      .finally(() => open.delete(done));
    open.add(done);
    return done;
  };

  return {
    sessions,
    hands,
    passwords,
    secrets,
    credentials,
    firstAdministrator: createFirstAdministrator({ now: clock, random: randomBytes, isMissing }),
    isFirstAdministratorMissing: isMissing,

    async signIn(login, password, address, agent) {
      const { user, key } = await attemptLogin(login, password, address);
      const later = key ? undefined : obtained(user.id, password);
      const known = key ?? (await Promise.race([later, sleep(KEY_PATIENCE_MS, undefined, { ref: false })]));
      const fresh = records.get('user', user.id) ?? user;
      const started = await sessions.start(fresh, address, known, agent);
      if (!known && later) {
        const { secret } = started;
        const end = (arrived: KeyObject | undefined) =>
          arrived ? sessions.certify(secret, arrived) : sessions.goOnWithout(secret);
        follow(later.then(end));
      }
      return started;
    },

    async isPasswordOf(userId, password, address) {
      const { isRight } = await attempt({ userId }, userId, password, address);
      if (isRight) void obtainLater(userId, password);
      return isRight;
    },

    async unlock(userId, password, address) {
      const proved = await attempt({ userId }, userId, password, address);
      if (!proved.isRight || proved.key) return proved;
      await Promise.race([obtainLater(userId, password), sleep(KEY_PATIENCE_MS, undefined, { ref: false })]);
      return keys.of(userId) ? credentials.prove(userId, password) : proved;
    },

    async keyFor(login, password, address) {
      const { user } = await attemptLogin(login, password, address);
      await obtain(user.id, password);
      return keys.of(user.id);
    },

    noteRefused: failures.noteRefused,
    start() {
      sweep = setInterval(sweepAll, SWEEP_MS).unref();
      sweepAll();
    },
    forgetFailures: userId => attempts.clear({ userId }),

    async close() {
      clearInterval(sweep);
      stopFollowing();
      stopWatching();
      if (!database.damage && !database.failure) follow(failures.keep());
      await Promise.all(open);
    },
  };
}

async function noteLockout({ gate }: Store, userId: number, event: AuditEvent): Promise<void> {
  await gate.commit({
    actor: { user: SIGN_IN, rights: BY_SERVER },
    reason: 'Ten wrong passwords within 15 minutes: locked out for 15 minutes.',
    work: work => {
      const { fields } = work.require('user', userId);
      work.set(families.user, userId, { ...fields, locked_out_at: work.at });
      putEvent(work, event);
    },
    answer: () => undefined,
  });
}

/** @throws AppError 422 on `field` where it is no text */
export function passwordIn(body: unknown, field: string): string {
  const value = body !== null && typeof body === 'object' ? Reflect.get(body, field) : undefined;
  if (typeof value === 'string' && value !== '' && value.length <= 1_000) return value;
  throw invalid({ [field]: ['The password is missing. Give it as text.'] });
}
