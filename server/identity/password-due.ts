import { AppError } from '../../shared/contract/errors.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import type { PasswordDue } from '../../shared/families/user.ts';
import { PASSWORD_MINIMUM, type PasswordCheck, passwordRules } from './password-rules.ts';
import { isRevoked } from './revocation.ts';

const DAY_MS = 24 * 3_600_000;

export interface PasswordDueOptions {
  now: () => Date;
  /** Days after which a password is changed; 0: never. */
  maximumDays: () => number;
  /** Passwords do not grow old by a clock that nobody believes. */
  isClockBelieved: () => boolean;
  /** Whether the user's password was set here by the rules that there are now. */
  isByRules: (userId: number) => boolean;
  /** Whether passwords are set at this machine. */
  isSetHere: () => boolean;
}

/** Why a session does nothing before another password was chosen. */
export const DUE_SAYS = {
  revoked: 'Your password was revoked, because somebody else may know it. Choose another one first.',
  temporary: 'Somebody else has set your password. Choose one of your own first.',
  aged: 'Your password is older than this site lets it be. Choose another one first.',
} as const;

/** Knows whose password is to be changed, and why (trust, rule 8). */
export function createPasswordDue(options: PasswordDueOptions) {
  const { now, maximumDays, isClockBelieved, isByRules, isSetHere } = options;
  /** Whose password is known to be one that today's rules refuse, and whose was looked at. */
  const weak = new Set<number>();
  const looked = new Set<number>();

  function of({ id, fields }: Pick<StoredRecord, 'id' | 'fields'>): PasswordDue | null {
    if (isRevoked(fields)) return 'revoked';
    if (fields.is_password_temporary === true) return 'temporary';
    if (isOld(fields)) return 'aged';
    return weak.has(id) && !isByRules(id) ? 'weak' : null;
  }

  function isOld({ password_changed_at: changed }: StoredRecord['fields']): boolean {
    const days = maximumDays();
    if (days === 0 || typeof changed !== 'string' || !isClockBelieved()) return false;
    return now().getTime() - Date.parse(changed) >= days * DAY_MS;
  }

  /** A password that was right, once for each that was not set by these rules: nobody waits for it. */
  async function look({ id, fields }: StoredRecord, password: string): Promise<void> {
    if (isByRules(id) || looked.has(id)) return;
    looked.add(id);
    const isShort = [...password.normalize('NFKC')].length < PASSWORD_MINIMUM;
    // Where it cannot be changed, who signs in does not wait for the lists.
    const isWeak =
      isShort || (isSetHere() && isRefused(await passwordRules(), password, fields.login, fields.name));
    if (isWeak) weak.add(id);
  }

  /** The user has another one, which was set elsewhere. */
  function forget(id: number): void {
    weak.delete(id);
    looked.delete(id);
  }

  return { of, look, forget };
}

function isRefused(check: PasswordCheck, password: string, login: unknown, name: unknown): boolean {
  try {
    check(password, { login: String(login), name: String(name) });
    return false;
  } catch (error) {
    if (error instanceof AppError) return true;
    throw error;
  }
}
