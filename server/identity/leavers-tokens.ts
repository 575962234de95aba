import { foldLogin } from '../../shared/families/user.ts';
import type { Store } from '../store/store.ts';
import type { TokenSummary } from './tokens.ts';

/** Told of at most, a sentence each. */
const TOLD = 5;

/** The tokens that work and whose maker, who saw the secret, does not administer any more; null: there are none. */
export function leaversTokensSay(
  records: Pick<Store['records'], 'findBy'>,
  tokens: readonly TokenSummary[],
  now: Date,
): string | null {
  const says = tokens.flatMap(({ name, created_by: by, revoked_at: revoked, ends_at: end }) => {
    const isOver = revoked !== null || (end !== null && Date.parse(end) <= now.getTime());
    if (isOver || by === null) return [];
    const makers = records.findBy('user', 'login', foldLogin(by));
    const isLeft = makers.length > 0 && !makers.some(({ fields }) => administers(fields));
    return isLeft
      ? `The token "${name}" works, and "${by}", who made it and knows its secret, does not administer any more. Make another one in its place, and revoke it.`
      : [];
  });
  return says.length > 0 ? says.slice(-TOLD).reverse().join('\n') : null;
}

function administers({ is_active: isActive, roles }: Readonly<Record<string, unknown>>): boolean {
  return isActive === true && Array.isArray(roles) && roles.includes('administrator');
}
