import { AppError } from '../../../shared/contract/errors.ts';
import { newCommitId } from '../../store/commit-id.ts';
import { HOLD_SUBJECT } from '../../store/subjects.ts';
import type { Unplaced } from '../protocol/central.ts';
import type { HoldDecision } from '../protocol/decide-in-log.ts';
import { holdEntry, WITHDRAWN } from '../protocol/decide-in-log.ts';
import type { StationTables } from './station-tables.ts';

/**
 * The commit by which a person at the station that wrote a held one gives it up.
 * @throws AppError `not_found` for what is not held as far as is known here, `conflict` for what another station wrote
 *   or what was given up already
 */
export function withdrawal(
  station: StationTables,
  { commit, user, reason, at }: Omit<HoldDecision, 'decision'>,
  clock: Pick<Unplaced, 'clock_offset' | 'clock_at_least'>,
): Unplaced {
  const held = station.held.held(commit);
  if (!held)
    throw new AppError('not_found', 'Central holds no commit with this id, as far as is known here.');
  if (!station.isOwn(held.commit.chain)) {
    throw new AppError('conflict', 'Another station wrote it. Withdraw it there, or at central.');
  }
  if (station.pendingCommits.names(`${HOLD_SUBJECT}${commit}`)) {
    throw new AppError(
      'conflict',
      'It was withdrawn here already. Central is told when there is a connection.',
    );
  }
  const entries = [holdEntry(commit, WITHDRAWN)];
  return { commit_id: newCommitId(), at, ...clock, user, reason, entries };
}
