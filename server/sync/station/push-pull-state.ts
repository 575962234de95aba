import type { Doubled } from '../protocol/proof.ts';
import type { LineState } from './line.ts';
import type { Slowed } from './wait.ts';

/** How a station's exchange with its central stands. */
export interface PushPullState {
  last_contact_at: string | null;
  /** Why the last try failed; undefined after one that worked. */
  fault: unknown;
  /** How often it failed while the process runs: what is over again in less than a moment shows nowhere else. */
  faults: number;
  /** Why central or this station does not go on; null while it does. */
  stuck: string | null;
  /** Own commits that central has neither decided nor held. */
  unsent: number;
  /** Entries of central's log that are not here yet; null: not known. */
  unread: number | null;
  is_caught_up: boolean;
  /** Whether central has the same records at the same place of its log; null while that is not known. */
  digests_agree: boolean | null;
  /** Several machines call as this station, and central goes on with this one or with another; null: not that it knows. */
  doubled: (Doubled & { is_held_off: boolean }) | null;
  /** That this station has used up what it may of central; null while it has not. */
  slowed: Slowed | null;
  /** Null while nothing is known of it. */
  line: LineState | null;
}
