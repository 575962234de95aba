import type { Commit } from '../../store/changes.ts';
import type { HeldCommits } from '../log/held-commits.ts';
import type { Log } from '../log/log.ts';
import type { Cursor } from '../protocol/wire.ts';
import type { PendingCommits } from './pending.ts';
import type { RecentlySent } from './recently-sent.ts';
import type { RecoveryCommits } from './recovery-commits.ts';
import type { Snapshots } from './snapshots.ts';

/** What the steps of a station's exchange read and write of its store. */
export interface StationTables {
  readonly log: Log;
  readonly held: HeldCommits;
  readonly pendingCommits: PendingCommits;
  readonly recoveryCommits: RecoveryCommits;
  readonly snapshots: Snapshots;
  /** What was read to be sent, and comes back soon. To be emptied when this station's chains are not what they were. */
  readonly sent: RecentlySent;
  isOwn(chain: string): boolean;
  hashAt(chain: string, number: number): string | undefined;
  /** Own commits that neither an entry of the received log holds at its place nor the snapshot before it. */
  unplaced(limit: number): Commit[];
  /** In the open transaction: commits go into this chain from now on, and are exchanged. */
  enterChain(chain: string): void;
  /** In the open transaction. */
  keepCursor(cursor: Cursor): void;
  /** Own commits that were written after one, of all chains. */
  ownSince(commit: Commit): Commit[];
}
