import { randomBytes } from 'node:crypto';
import { AppError, invalid } from '../../shared/contract/errors.ts';
import { BY_SERVER } from '../../shared/contract/permission.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { families } from '../../shared/families/registry.ts';
import { foldLogin } from '../../shared/families/user.ts';
import { siteSettings } from '../rules/site.ts';
import { identityTables } from '../store/identity-tables.ts';
import type { Store } from '../store/store.ts';
import { type Attempted, createAttempts } from './attempts.ts';
import { createFirstAdministrator, type FirstAdministrator } from './first-administrator.ts';
import { type Cost, createPasswords, type Passwords } from './passwords.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { createSessions, type Sessions } from './sessions.ts';

/** Author in history of what wrong passwords do. */
const SIGN_IN = 'sign-in';
const SWEEP_MS = 5_000;

export interface IdentityOptions {
  store: Store;
  clock: () => Date;
  /** Whether users come from a central, so that no first one is made here. */
  isEnrolled: () => boolean;
  /** Wrong passwords have locked a user out at this station, and here only: the record is central's. */
  onLockout: (userId: number) => void;
  /** Event streams of the caller must close. */
  closeStreams: (callerId: number) => void;
  /** What a password costs to check; less than the default only where nothing is to be protected. */
  passwordCost?: Cost | undefined;
  onFault: (error: unknown) => void;
}

/** Users of an installation: how they sign in, and what they sign. */
export interface Identity {
  sessions: Sessions;
  passwords: Passwords;
  secrets: Secrets;
  firstAdministrator: FirstAdministrator;
  isFirstAdministratorMissing(): boolean;
  /** Who signs in so. @throws AppError 401 alike for an unknown login and a wrong password, 429, 503 */
  signIn(login: string, password: string): Promise<StoredRecord>;
  /** Whether it is the user's password. A wrong one counts. @throws AppError 429, 503 */
  isPasswordOf(userId: number, password: string): Promise<boolean>;
  /** An administrator ends a lockout. */
  forgetFailures(userId: number): void;
  /** Waits for what is still to be written. */
  close(): Promise<void>;
}

export function createIdentity(options: IdentityOptions): Identity {
  const { store, clock, isEnrolled, closeStreams, passwordCost, onFault, onLockout } = options;
  const { database, gate, records } = store;
  const tables = identityTables(database);
  const open = new Set<Promise<void>>();
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
  const sessions = createSessions({
    tables,
    now: clock,
    random: randomBytes,
    userOf,
    idleMinutes: () => siteSettings(records).idle_lock_minutes,
    write,
    later,
    onEnd: closeStreams,
  });
  const attempts = createAttempts({
    tables,
    now: clock,
    later,
    onLockout: userId => (isEnrolled() ? onLockout(userId) : follow(noteLockout(store, userId))),
  });
  const stopFollowing = gate.follow(committed => {
    for (const { family, id } of committed.records) {
      if (family === 'user' && userOf(id)?.fields.is_active !== true) follow(sessions.endOf(id));
    }
  });
  // The password was changed at central: whoever knows only the former one is out, and its owner may try anew.
  secrets.onReplace(userId => {
    attempts.clear({ userId });
    follow(sessions.endOf(userId));
  });
  const sweep = setInterval(sessions.lockAllIdle, SWEEP_MS).unref();

  async function attempt(whom: Attempted, userId: number | undefined, password: string): Promise<boolean> {
    attempts.begin(whom);
    const user = userId === undefined ? undefined : userOf(userId);
    const isRight = await passwords
      .isPassword(password, user && secrets.hashOf(user.id))
      .catch((error: unknown) => {
        attempts.cancel(whom);
        throw error;
      });
    const isIn = isRight && user?.fields.is_active === true;
    if (isIn) attempts.clear(whom);
    else attempts.fail(whom);
    return isIn;
  }

  return {
    sessions,
    passwords,
    secrets,
    firstAdministrator: createFirstAdministrator({ now: clock, random: randomBytes, isMissing }),
    isFirstAdministratorMissing: isMissing,

    async signIn(login, password) {
      const folded = foldLogin(login);
      // Two stations may have given one login; the earlier user has it until somebody changes the other's.
      const found = records.findBy('user', 'login', folded);
      const user = found.find(({ fields }) => fields.is_active === true) ?? found[0];
      const whom = user ? { userId: user.id } : { login: folded };
      if ((await attempt(whom, user?.id, password)) && user) return user;
      throw new AppError('unauthenticated', 'The login or the password is wrong. Try again.');
    },

    isPasswordOf: (userId, password) => attempt({ userId }, userId, password),
    forgetFailures: userId => attempts.clear({ userId }),

    async close() {
      clearInterval(sweep);
      stopFollowing();
      await Promise.all(open);
    },
  };
}

async function noteLockout({ gate }: Store, userId: number): Promise<void> {
  await gate.commit({
    actor: { user: SIGN_IN, rights: BY_SERVER },
    reason: 'Ten wrong passwords within 15 minutes: locked out for 15 minutes.',
    work: work => {
      const { fields } = work.require('user', userId);
      work.set(families.user, userId, { ...fields, locked_out_at: work.at });
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
