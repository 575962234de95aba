import type { ClockStandingAnswer } from '../../shared/operations/clock-operations.ts';
import type { PasswordDue } from '../../shared/operations/identity-operations.ts';
import { useCall } from './calls.ts';

export interface SessionUser {
  id: number;
  name: string;
  login: string;
  roles: string[];
  language: 'en' | 'de' | null;
}

export interface Hand {
  has_pin: boolean;
  has_badge: boolean;
}

/** Who sits here: `GET /x/session`. */
export interface Session {
  user: SessionUser | null;
  /** What the trail calls the session. */
  session: string | null;
  /** What resumes it beside the password. */
  hand: Hand | null;
  /** Who rests in this browser while somebody else works there. */
  resting: ({ session: string; user: { id: number; name: string; login: string } } & Hand)[];
  /** Whether only the password opens it. */
  needs_password: boolean;
  is_locked: boolean;
  is_first_administrator_missing: boolean;
  /** Why the user is to choose another password; null: there is no need. */
  password_due: PasswordDue | null;
  /** Of who has chosen none, by the machine's policy. */
  machine_language: 'en' | 'de' | null;
  idle_lock_minutes: number;
  station: {
    code: string;
    name: string;
    role: 'station' | 'central' | 'stand-alone';
    central_address: string | null;
  };
  expires_at: string | null;
  /** How this machine's clock stands; null: it is believed. */
  clock: ClockStandingAnswer | null;
}

export function useSession() {
  const answer = useCall('x.session.read');
  return { ...answer, session: answer.data?.data };
}
