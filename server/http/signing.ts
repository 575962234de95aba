import type { KeyObject } from 'node:crypto';
import { isSaid } from '../../shared/contract/permission.ts';
import { isSigned } from '../../shared/contract/signed.ts';
import { isAnySigned } from '../../shared/families/signature-policy.ts';
import type { Identity } from '../identity/identity.ts';
import { publicKeyOf, signText } from '../keys/ed25519.ts';
import { siteSettings } from '../rules/site.ts';
import type { Store } from '../store/store.ts';
import type { Signer, Signing } from '../store/unit-of-work.ts';
import { isSession, optionalIdentityOf } from './authenticate.ts';
import { addressOf, type RequestContext } from './request-context.ts';

/** What a write came with to sign its acts; undefined where it came with nothing, or the site's settings want nothing signed. */
export type ReadSignature = (context: RequestContext) => Promise<Signing | undefined>;

/**
 * Reads `esignature_password` and `esignature_reason` (interface decisions, 3). A wrong password is noted among the
 * call's faults, which refuse the write; whether one is needed the write gate says, which sees what is done.
 * @throws AppError 429 after ten wrong passwords
 */
export function createReadSignature(
  { records }: Pick<Store, 'records'>,
  identity: Pick<Identity, 'unlock' | 'passwordDue'>,
): ReadSignature {
  return async context => {
    const { faults, body, userId } = context;
    const password = textOf(body, 'esignature_password');
    const said = textOf(body, 'esignature_reason')?.trim() ?? null;
    const reason = isSaid(said) ? said : null;
    // Most writes sign nothing, and do not wait for the settings.
    if (!password && reason === null && !isReportUpdate(context)) return undefined;
    const settings = siteSettings(records);
    const { is_esignature_required: isReportSigned } = settings;
    if (!isReportSigned && !isAnySigned(settings)) return undefined;
    const user = userId === undefined ? undefined : records.get('user', userId);
    if (isReportSigned && isReportUpdate(context)) {
      // Each update of a report, also one of which nothing can be read (interface 2.6).
      if (!user)
        faults.esignature_password = ['A token signs nothing. Sign in as a user and use that session.'];
      else if (!password)
        faults.esignature_password = ['Your password is missing. This change is signed with it.'];
      if (settings.is_esignature_reason_required && reason === null)
        faults.esignature_reason = ['The reason is missing. A signature needs one; it is kept with it.'];
    }
    if (!user || !password) return { signer: null, reason };
    const caller = optionalIdentityOf(context.response);
    const session = caller && isSession(caller) ? caller.session : '';
    const from = { door: 'signature', session, address: addressOf(context) } as const;
    const { isRight, key } = await identity.unlock(user.id, password, from);
    const due = identity.passwordDue(user);
    if (isRight && (due === 'temporary' || due === 'revoked')) {
      // At a station of a central people go on working with it.
      faults.esignature_password = [SIGNS_NOTHING[due]];
      return { signer: null, reason };
    }
    if (isRight) {
      const signer = { id: user.id, name: String(user.fields.name), ...(key && { sign: signerOf(key) }) };
      return { signer, reason };
    }
    faults.esignature_password = ['The password is wrong. Give the one that you sign in with.'];
    return { signer: null, reason };
  };
}

const SIGNS_NOTHING = {
  temporary:
    'Somebody else has set your password, so it signs nothing. Choose one of your own at central first.',
  revoked: 'Your password was revoked, so it signs nothing. Choose another one at central first.',
};

function signerOf(key: KeyObject): NonNullable<Signer['sign']> {
  return text => ({ key: publicKeyOf(key), proof: signText(key, text) });
}

function isReportUpdate({ operation: { kind, family } }: RequestContext): boolean {
  return kind === 'update' && family !== null && isSigned(family);
}

function textOf(body: unknown, name: string): string | undefined {
  const value: unknown = Reflect.get(Object(body), name);
  return typeof value === 'string' && value.length <= 10_000 ? value : undefined;
}
