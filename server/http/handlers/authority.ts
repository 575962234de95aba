import { AppError, invalid } from '../../../shared/contract/errors.ts';
import { foldLogin } from '../../../shared/families/user.ts';
import type { AuthorityAnswer } from '../../../shared/operations/checkpoint-operations.ts';
import type { Identity } from '../../identity/identity.ts';
import { fingerprintOfKey, publicKeyOf, signText } from '../../keys/ed25519.ts';
import type { Store } from '../../store/store.ts';
import { authorityText } from '../../trust/authority-certificate.ts';
import type { Authority } from '../../trust/authority-key.ts';
import { otherOwnKey, saysOwnKey } from '../../trust/authority-standing.ts';
import { administers, isCertified, isFromBefore, keepCertified } from '../../trust/certified-keys.ts';
import { isSession, optionalIdentityOf } from '../authenticate.ts';
import { success } from '../reply.ts';
import { addressOf, callerOf, type RequestContext } from '../request-context.ts';
import type { Handlers } from './handler.ts';
import { bodyOf } from './parse-body.ts';

export interface AuthorityHandlersOptions {
  store: Store;
  authority: Pick<Authority, 'key'>;
  identity: Pick<Identity, 'unlock'>;
}

/** The key by which the installation signs as itself, and two administrators who certify another one after a loss (trust, rule 3). */
export function authorityHandlers({ store, authority, identity }: AuthorityHandlersOptions) {
  const answer = (): AuthorityAnswer => {
    const other = otherOwnKey(store, authority.key);
    return {
      key: fingerprintOfKey(authority.key),
      former: other ? fingerprintOfKey(other.former) : null,
      since: other?.since ?? null,
      certified_by: other?.certifiers ?? [],
      says: other ? saysOwnKey(other) : null,
    };
  };
  /** @throws AppError 422 for who is none of this installation's administrators */
  const administrator = (login: string | undefined, context: RequestContext) => {
    if (login === undefined && context.userId === undefined)
      throw invalid({ login: ['Give the login of the administrator who certifies.'] });
    const user =
      login === undefined
        ? store.records.get('user', context.userId ?? 0)
        : store.records.findBy('user', 'login', foldLogin(login))[0];
    if (user && administers(user)) return user;
    throw invalid({ login: ['This is no administrator who may sign in here.'] });
  };
  return {
    'x.authority.read': () => success(answer()),

    'x.authority.certify': async ({ trail, clock }, context) => {
      const { login, password, fingerprint, reason } = bodyOf(context);
      const other = otherOwnKey(store, authority.key);
      if (!other)
        throw new AppError('conflict', 'The key of this installation counts: there is nothing to certify.');
      if (fingerprint !== fingerprintOfKey(other.key))
        throw invalid({
          fingerprint: ['This installation signs with another key. Look again at the machine.'],
        });
      const user = administrator(login, context);
      const own = String(user.fields.login);
      if (other.certifiers.includes(own))
        throw new AppError('conflict', `${own} has certified it. It takes another administrator.`);
      if (!isFromBefore(store.database.reader, user, other.until))
        throw new AppError(
          'conflict',
          `${own} became an administrator, or got a key, after this installation had begun to sign with another one. It takes administrators of before.`,
        );
      const caller = optionalIdentityOf(context.response);
      const session = caller && isSession(caller) ? caller.session : 'authority';
      const from = { door: 'signature', session, address: addressOf(context) } as const;
      const { isRight, key } = await identity.unlock(user.id, password, from);
      if (!isRight)
        throw invalid({ password: ['The password is wrong. Give the one that you sign in with.'] });
      if (!key)
        throw new AppError(
          'conflict',
          `${own} has no key on this machine. Sign in here once, and try again.`,
        );
      const { installation, former, key: present } = other;
      const said = {
        ...{ installation, former, key: present, user_id: user.id, login: own },
        ...{ signer: publicKeyOf(key), at: clock().toISOString(), reason },
      };
      const details = { ...said, proof: signText(key, authorityText(said)) };
      await trail.with(
        [{ ...callerOf(context), author: own, kind: 'authority_certified', details }],
        () => undefined,
      );
      if (isCertified(store, other))
        await store.gate.together(async () => keepCertified(store.database, other));
      return success(answer());
    },
  } satisfies Partial<Handlers>;
}
