import type { KeyObject } from 'node:crypto';
import { AppError, invalid } from '../../../shared/contract/errors.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { foldLogin } from '../../../shared/families/user.ts';
import { createFailureLimit } from '../../identity/failure-limit.ts';
import type { Identity } from '../../identity/identity.ts';
import { fingerprintOfKey, publicKeyOf, signText } from '../../keys/ed25519.ts';
import { claimText } from '../../keys/former-claim.ts';
import { type FormerKey, forgetFormerKey, readFormerKey } from '../../store/former-keys.ts';
import { isSession, optionalIdentityOf } from '../authenticate.ts';
import { success } from '../reply.ts';
import { addressOf, callerOf } from '../request-context.ts';
import type { Handlers, Services } from './handler.ts';
import { bodyOf } from './parse-body.ts';

/** Of passwords of before, which nothing else counts. */
const FAILURES = { perAddress: 10, overall: 100, windowMs: 10 * 60_000 };

/** At a station that joined: who worked here before says by the key of then who they are at central. */
export function formerKeyHandlers(identity: Pick<Identity, 'unlock' | 'passwords'>) {
  const failures = createFailureLimit({ ...FAILURES, now: () => performance.now() });
  return {
    'x.former-keys.claim': async (services, context) => {
      const {
        login,
        password,
        former_login: formerLogin = login,
        former_password: formerPassword,
      } = bodyOf(context);
      const { store, clock } = services;
      const former = readFormerKey(store.database.reader, formerLogin, clock());
      if (!former) throw new AppError('not_found', NO_KEY);
      const address = addressOf(context);
      failures.check(address);
      const user = store.records.findBy('user', 'login', foldLogin(login))[0];
      if (user?.fields.is_active !== true) throw invalid({ login: ['Nobody signs in here by this name.'] });
      if (!isNameOf(user, formerLogin)) throw invalid({ former_login: [OF_ANOTHER] });
      const caller = optionalIdentityOf(context.response);
      const session = caller && isSession(caller) ? caller.session : 'former key';
      const { isRight, key } = await identity.unlock(user.id, password, {
        door: 'signature',
        session,
        address,
      });
      if (!isRight)
        throw invalid({ password: ['The password is wrong. Give the one that you sign in with.'] });
      if (!key) throw new AppError('conflict', KEYLESS);
      const formerKey = await identity.passwords.open(formerPassword, former.sealed);
      if (!formerKey) {
        failures.note(address);
        throw invalid({ former_password: ['This is not the password of before this installation joined.'] });
      }
      await claim(services, { user, key, formerLogin, former, formerKey }, callerOf(context));
      return success({ login: String(user.fields.login), former_key: fingerprintOfKey(former.public_key) });
    },
  } satisfies Partial<Handlers>;
}

interface Claiming {
  user: StoredRecord;
  key: KeyObject;
  formerLogin: string;
  former: FormerKey;
  formerKey: KeyObject;
}

/** The event goes to central and everywhere with the trail; the former key has done what it was kept for. */
async function claim(
  { store, trail, clock }: Services,
  { user, key, formerLogin, former, formerKey }: Claiming,
  by: ReturnType<typeof callerOf>,
): Promise<void> {
  const login = String(user.fields.login);
  const said = {
    ...{ station: store.station, user_id: user.id, login, key: publicKeyOf(key) },
    ...{ former_key: former.public_key, at: clock().toISOString() },
  };
  const text = claimText(said);
  const details = { ...said, proof: signText(key, text), former_proof: signText(formerKey, text) };
  const event = { ...by, author: login, kind: 'former_key_claimed', subject: user.key, details } as const;
  await trail.with([event], () => forgetFormerKey(store.database, formerLogin));
}

/** Whether the user signs in, or did, by this name here: what was brought along under another one is not theirs, and the key would be used up for nothing. */
function isNameOf({ fields: { login, former_logins: former } }: StoredRecord, name: string): boolean {
  return [login, ...(Array.isArray(former) ? former : [])].some(
    one => foldLogin(String(one)) === foldLogin(name),
  );
}

const OF_ANOTHER =
  'What was signed by this name before stays with who has it at central. Ask for the same name there first.';
const NO_KEY =
  'There is no key of this name from before this installation joined, or it was claimed already, or nobody came for it in half a year.';
const KEYLESS =
  'Your key is not on this machine. Sign in here once while central is in reach, and try again.';
