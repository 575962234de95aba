import { type KeyObject, randomBytes, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, invalid } from '../../shared/contract/errors.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { readJson } from '../../shared/contract/read-json.ts';
import { foldLogin, type PasswordDue } from '../../shared/families/user.ts';
import type { AuditEvent } from '../audit/event.ts';
import type { Trail } from '../audit/trail.ts';
import { siteSettings } from '../rules/site.ts';
import { identityTables, type UserKey } from '../store/identity-tables.ts';
import type { Store } from '../store/store.ts';
import { readLocal, writeLocal } from '../store/tables.ts';
import { type Attempt, createAttempts, type Door } from './attempts.ts';
import { type Credentials, createCredentials } from './credentials.ts';
import { createDevices } from './devices.ts';
import { networkOf } from './failure-limit.ts';
import { createFirstAdministrator, type FirstAdministrator } from './first-administrator.ts';
import { FIRST_CODES, sharedCodes } from './first-codes.ts';
import { type AskCentral, createFirstHere, WRONG } from './first-here.ts';
import { createHands, type Hands } from './hands.ts';
import { lockoutEvent, noteLockout } from './lockout.ts';
import { openNamed } from './named-key.ts';
import { createPasswordDue, DUE_SAYS } from './password-due.ts';
import { type Cost, createPasswords, type Passwords } from './passwords.ts';
import { isRevoked } from './revocation.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { createSessions, type SessionIdentity, type Sessions } from './sessions.ts';
import { createSignInFailures } from './sign-in-failures.ts';
import { createSignInWatch, type SignInIncident } from './sign-in-watch.ts';
import type { Turn } from './turns.ts';
import { createUserKeys } from './user-keys.ts';

const SWEEP_MS = 5_000;
/** For how long who signs waits for a key that is not here yet. */
const KEY_PATIENCE_MS = 3_000;
/** Under which `local` has the wrong passwords that outlive the process, and the key by which browsers are known again. */
const ATTEMPTS = 'sign_in_attempts';
const DEVICE_KEY = 'device_key';
/** An answer that says no takes as long as two looks at a password at least, so that it tells nothing of the login. */
const LOOKS = 2;
const LONGEST_HOLD_MS = 5_000;
/** Answers that are held at once; what comes beyond is answered when it is known. */
const HELD = 1_000;

/** Who calls: from where, and what its browser sends along. */
export interface Caller {
  address: string;
  /** The `Cookie` header. */
  cookies: string | undefined;
  /** What its browser calls itself. */
  agent?: string | undefined;
}

/** At which door a signed-in user gives the password again, and in which session: elsewhere it counts for nothing. */
export interface Unlocking {
  door: Exclude<Door, 'sign-in'>;
  session: string;
  address: string;
}

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
  /** At a station. */
  askCentral: AskCentral;
  onFault: (error: unknown) => void;
  /** Whether other processes write to the same installation: what one of them has given out counts at each. */
  isShared?: boolean;
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
    caller: Caller,
  ): Promise<{ secret: string; identity: SessionIdentity }>;
  /** What the cookie holds by which the browser is known again once the user has signed in there. */
  deviceFor(cookies: string | undefined, userId: number): string;
  /**
   * Whether it is the user's password, with the user's own key to sign with where there is one here; where there is none yet it is
   * made, or asked for at central, as far as that answers soon. A wrong one counts. @throws AppError 429, 503
   */
  unlock(userId: number, password: string, from: Unlocking): Promise<{ isRight: boolean; key?: KeyObject }>;
  /** Why the user is to choose another password; null: there is no need. */
  passwordDue(user: StoredRecord): PasswordDue | null;
  /** Why a session does nothing before its user has chosen another password; undefined: it may do all. */
  refusalOf(session: SessionIdentity): AppError | undefined;
  /** For a station: the key of who signs in there, sealed by the password. @throws AppError as `signIn` */
  keyFor(
    login: string,
    password: string,
    station: { id: number | undefined; place: number | undefined; address: string },
  ): Promise<UserKey | undefined>;
  /** Somebody called with a token, key or code that is none. */
  noteRefused(address: string): void;
  /** An administrator ends a lockout. */
  forgetFailures(userId: number): void;
  /** Another process has written rows of these tables, by their keys: what is known here of them is read again. */
  reread(keysIn: (table: string) => ReadonlySet<unknown>): void;
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
  const readKept = (name: string) => readLocal(database.reader, name);
  const ending = new AbortController();
  let held = 0;
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
  const firstAdministrator = createFirstAdministrator({
    now: clock,
    random: randomBytes,
    isMissing,
    ...(options.isShared && sharedCodes(database, later)),
  });
  const firstHere = createFirstHere({ central: options.askCentral });
  const hands = createHands({ tables, now: clock, random: randomBytes, sessions, write });
  const attempts = createAttempts({ now: clock, stored: readJson(readKept(ATTEMPTS) ?? '[]') });
  const watch = createSignInWatch({
    steady: () => performance.now(),
    onIncident: incident => follow(trail.note(incidentEvent(incident))),
  });
  let deviceKey = readKept(DEVICE_KEY);
  const devices = createDevices({
    random: randomBytes,
    key() {
      if (deviceKey === undefined) {
        const made = randomBytes(32).toString('base64url');
        deviceKey = made;
        later(() => writeLocal(database, DEVICE_KEY, made));
      }
      return Buffer.from(deviceKey, 'base64url');
    },
  });
  const due = createPasswordDue({
    now: clock,
    maximumDays: () => siteSettings(records).password_max_days,
    isClockBelieved: () => store.clockWatch.standing() === null,
    isByRules: secrets.isByRules,
    isSetHere: () => !isEnrolled(),
  });
  /** When, of whom it is known that their sessions ended by it: those that began since with the same password only choose another. */
  const revoked = new Map<number, string>();
  const failures = createSignInFailures({ store, trail, now: clock, onFault });
  const stopFollowing = gate.follow(committed => {
    for (const { family, id, user: author } of committed.records) {
      if (family !== 'user') continue;
      const { is_active: isActive, password_revoked_at: at } = userOf(id)?.fields ?? {};
      if (isActive !== true) follow(sessions.endOf(id, { cause: 'deactivated', author }));
      else if (typeof at === 'string' && revoked.get(id) !== at) {
        revoked.set(id, at);
        follow(sessions.endOf(id, { cause: 'password revoked', author }));
      }
    }
  });
  // The password was changed at central: whoever knows only the former one is out, and its owner may try anew.
  secrets.onReplace(userId => {
    forgetFailures(userId);
    due.forget(userId);
    follow(sessions.endOf(userId, { cause: 'password changed at central' }));
  });
  // Whoever changes the clock must not keep a session open by it.
  const stopWatching = store.clockWatch.onStep(() => {
    follow(sessions.lockAll());
    follow(hands.hold());
  });
  const sweepAll = () => {
    sessions.lockAllIdle();
    if (database.damage) return;
    follow(failures.settle());
    keepAttempts();
  };
  let sweep: NodeJS.Timeout | undefined;

  function keepAttempts(): void {
    const kept = attempts.kept();
    if (kept === undefined) return;
    follow(gate.briefly(() => writeLocal(database, ATTEMPTS, JSON.stringify(kept))));
  }

  function forgetFailures(userId: number): void {
    attempts.clearAllOf(userId);
    watch.forget(userId);
  }

  /**
   * Looks at a password, and counts it: at the sign-in by network and login as well.
   * @param refuse waits before it is told; whoever was wrong waits from then on, so that no wait is shorter for who is unknown
   */
  async function look(
    attempt: Attempt,
    password: string,
    { address, turn, refuse }: { address: string; turn: Turn; refuse?: () => Promise<void> },
  ): Promise<{ isRight: boolean; key?: KeyObject }> {
    const { whom, door } = attempt;
    const user = 'userId' in whom ? userOf(whom.userId) : undefined;
    const login = typeof user?.fields.login === 'string' ? user.fields.login : undefined;
    const isTight = door === 'sign-in' && turn !== 'known' && watch.isTight(whom, address);
    const note = () => {
      failures.note(address, login);
      if (door === 'sign-in') watch.note(whom, address);
    };
    try {
      attempts.begin(attempt, isTight);
    } catch (error) {
      note();
      await refuse?.();
      throw error;
    }
    const proved = await judge(attempt, user, password, { address, turn }).catch(async (error: unknown) => {
      attempts.cancel(attempt);
      await refuse?.();
      throw error;
    });
    if (user?.fields.is_active === true && proved.isRight) {
      attempts.clear(attempt);
      follow(due.look(user, password));
      return proved;
    }
    note();
    await refuse?.();
    if (attempts.fail(attempt, isTight) && user) tellLockout(user, attempt, address);
    return { isRight: false };
  }

  /**
   * By what is here; at a station by central's word where nothing is, which brings it. Nobody's being unknown shows: who has no login is
   * asked for as well. @throws AppError 429, 503
   */
  async function judge(
    { door, whom }: Attempt,
    user: StoredRecord | undefined,
    password: string,
    { address, turn }: { address: string; turn: Turn },
  ): Promise<{ isRight: boolean; key?: KeyObject }> {
    const isHere = user !== undefined && secrets.of(user.id) !== undefined;
    if (user && (isHere || !isEnrolled() || database.damage))
      return credentials.prove(user.id, password, turn);
    // There is nothing to compare with: who asks waits as long as others do who are wrong.
    if (!isEnrolled() || database.damage) return { isRight: false };
    const login = 'login' in whom ? whom.login : String(user?.fields.login);
    const from = { isSignIn: door === 'sign-in', turn, address };
    const key = await firstHere.keyOf({ login, userId: user?.id }, password, from);
    if (!user || !key) return { isRight: false };
    await write(() => keys.put(key));
    return credentials.prove(user.id, password, turn);
  }

  function tellLockout(user: StoredRecord, attempt: Attempt, address: string): void {
    const event = lockoutEvent(user, attempt, address);
    if (!isEnrolled()) {
      follow(noteLockout(store, user.id, event));
      return;
    }
    // The record is central's.
    onLockout(user.id);
    follow(trail.note(event));
  }

  function incidentEvent({ userId, count, networks }: SignInIncident): AuditEvent {
    const { login, name } = userOf(userId)?.fields ?? {};
    return {
      kind: 'sign_in_attacked',
      subject: `user:${userId}`,
      count,
      details: { login: String(login), name: String(name), addresses: networks },
    };
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
    const user = userOf(userId);
    // By a password that somebody else may know nobody gets a key.
    if (database.damage || keys.of(userId) || (user && isRevoked(user.fields))) return;
    if (!isEnrolled()) return credentials.make(userId, password);
    const login = userOf(userId)?.fields.login;
    const key = typeof login === 'string' ? await options.askCentral.key(login, password) : undefined;
    if (key?.user_id === userId) await write(() => keys.put(key));
  }

  async function attemptLogin(
    login: string,
    password: string,
    from: { address: string; cookies?: string | undefined; station?: string | undefined },
  ): Promise<{ user: StoredRecord; key?: KeyObject }> {
    const begun = performance.now();
    const { address, cookies, station } = from;
    const folded = foldLogin(login);
    // Two stations may have given one login; the earlier user has it until somebody changes the other's.
    const found = records.findBy('user', 'login', folded);
    const user = found.find(({ fields }) => fields.is_active === true) ?? found[0];
    const whom = user ? { userId: user.id } : { login: folded };
    const device = devices.read(cookies);
    const isKnown = user !== undefined && device?.users.includes(user.id) === true;
    const known = isKnown
      ? `device ${device.name}`
      : station === undefined
        ? undefined
        : `station ${station}`;
    const network = networkOf(address);
    const place = known ?? `network ${network}`;
    const turn: Turn = known === undefined ? { stranger: network } : 'known';
    const refuse = () => hold(begun, known === undefined ? watch.slowness(address) : 1);
    const asked = { address, turn, refuse };
    const { isRight, key } = await look({ door: 'sign-in', whom, place }, password, asked);
    if (isRight && user) return { user, ...(key && { key }) };
    throw new AppError('unauthenticated', isEnrolled() ? firstHere.refusal() : WRONG);
  }

  /** Who is refused learns nothing from the time that it took, and cannot ask again at once. */
  async function hold(begun: number, slowness: number): Promise<void> {
    if (held >= HELD) return;
    held += 1;
    try {
      // Who is not known here takes as long as central takes to say so.
      const step = Math.max(1, LOOKS * (await passwords.typical()) + firstHere.typical());
      const took = performance.now() - begun;
      const until = step * Math.max(slowness, Math.ceil(took / step));
      // Those of a flood must not be answered, and ask again, all at once.
      const spread = slowness > 1 ? 1 + randomInt(1_000) / 1_000 : 1;
      await sleep(Math.min(until, Math.max(LONGEST_HOLD_MS, took)) * spread - took, undefined, {
        signal: ending.signal,
        ref: false,
      }).catch(() => undefined);
    } finally {
      held -= 1;
    }
  }

  /** The key of who has none here yet, opened. Undefined where central does not answer. */
  async function obtained(userId: number, password: string): Promise<KeyObject | undefined> {
    await obtainLater(userId, password);
    return openNamed({ gate, keys, tables, passwords, signal: ending.signal }, userId, password);
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
    firstAdministrator,
    isFirstAdministratorMissing: isMissing,

    async signIn(login, password, { address, cookies, agent }) {
      const { user, key } = await attemptLogin(login, password, { address, cookies });
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

    deviceFor: (cookies, userId) => devices.valueFor(devices.read(cookies), userId),
    passwordDue: due.of,
    refusalOf({ user }) {
      const why = due.of(user);
      // At a station nobody can change it: people work on, and sign nothing.
      if (why === null || why === 'weak' || isEnrolled()) return undefined;
      return new AppError('password_due', DUE_SAYS[why]);
    },

    async unlock(userId, password, { door, session, address }) {
      const attempt = { door, whom: { userId }, place: `session ${session.slice(0, 16)}` };
      const proved = await look(attempt, password, { address, turn: 'known' });
      if (!proved.isRight || proved.key) return proved;
      await Promise.race([obtainLater(userId, password), sleep(KEY_PATIENCE_MS, undefined, { ref: false })]);
      return keys.of(userId) ? credentials.prove(userId, password) : proved;
    },

    async keyFor(login, password, { id, place, address }) {
      const station = id === undefined ? undefined : `${id}${place === undefined ? '' : ` ${place}`}`;
      const { user } = await attemptLogin(login, password, { address, station });
      await obtain(user.id, password);
      return keys.of(user.id);
    },

    noteRefused: failures.noteRefused,
    start() {
      sweep = setInterval(sweepAll, SWEEP_MS).unref();
      sweepAll();
    },
    forgetFailures,
    reread(keysIn) {
      const [sessionKeys, names] = [keysIn('session_key'), keysIn('local')];
      sessions.reread(new Set([...keysIn('session'), ...sessionKeys]));
      hands.reread(keysIn('session_hand'));
      for (const id of keysIn('user_secret')) due.forget(Number(id));
      if (names.has(DEVICE_KEY)) deviceKey = readKept(DEVICE_KEY);
      if (names.has(ATTEMPTS)) attempts.join(readJson(readKept(ATTEMPTS) ?? '[]'));
      if (names.has(FIRST_CODES)) firstAdministrator.join(readJson(readKept(FIRST_CODES) ?? '[]'));
    },

    async close() {
      clearInterval(sweep);
      stopFollowing();
      stopWatching();
      ending.abort();
      if (!database.damage && !database.failure) {
        keepAttempts();
        follow(failures.keep());
      }
      await Promise.all(open);
    },
  };
}

/** @throws AppError 422 on `field` where it is no text */
export function passwordIn(body: unknown, field: string): string {
  const value = body !== null && typeof body === 'object' ? Reflect.get(body, field) : undefined;
  if (typeof value === 'string' && value !== '' && value.length <= 1_000) return value;
  throw invalid({ [field]: ['The password is missing. Give it as text.'] });
}
