import { AppError } from '../../shared/contract/errors.ts';
import { hasRole } from '../../shared/contract/role.ts';
import type { Identity } from '../identity/identity.ts';
import type { Signing } from '../rules/signing.ts';
import { siteSettings } from '../rules/site.ts';
import type { Store } from '../store/store.ts';
import type { RequestContext } from './request-context.ts';

/** The signature that a write needs; null where the settings ask for none, and where it is at fault. */
export type RequireSignature = (context: RequestContext) => Promise<Signing | null>;

/**
 * Reads `esignature_password` and `esignature_reason` as the settings ask for them (interface decisions, 3).
 * Notes the one that is missing or wrong among the call's faults, which refuse the write.
 * @throws AppError 429 after ten wrong passwords
 */
export function createRequireSignature(
  { records }: Pick<Store, 'records'>,
  identity: Pick<Identity, 'isPasswordOf'>,
): RequireSignature {
  return async context => {
    const { is_esignature_required: isNeeded, is_esignature_reason_required: needsReason } =
      siteSettings(records);
    if (!isNeeded) return null;
    const { faults } = context;
    const password = textOf(context.body, 'esignature_password');
    const reason = textOf(context.body, 'esignature_reason')?.trim() || null;
    const user = context.userId === undefined ? undefined : records.get('user', context.userId);
    if (!user)
      faults.esignature_password = ['A token signs nothing. Sign in as a user and use that session.'];
    else if (!password)
      faults.esignature_password = ['Your password is missing. This change is signed with it.'];
    if (needsReason && reason === null) {
      faults.esignature_reason = ['The reason is missing. A signature needs one; it is kept with it.'];
    }
    if (!user || !password) return null;
    if (!(await identity.isPasswordOf(user.id, password))) {
      faults.esignature_password = ['The password is wrong. Give the one that you sign in with.'];
    }
    return { userId: user.id, userName: String(user.fields.name), reason };
  };
}

/**
 * Who may report may not decide by reporting: a decision takes effect on the stock as an update's does.
 * @throws AppError `forbidden`
 */
export function requireDecider({ roles }: RequestContext): void {
  if (roles === undefined || hasRole(roles, 'quality')) return;
  const own = roles.length === 0 ? 'none' : roles.join(', ');
  const message = `A disposition, and a status other than open, need the role quality. Yours: ${own}. Leave them out.`;
  throw new AppError('forbidden', message);
}

function textOf(body: unknown, name: string): string | undefined {
  const value: unknown = Reflect.get(Object(body), name);
  return typeof value === 'string' && value.length <= 10_000 ? value : undefined;
}
