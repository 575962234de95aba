import type { Commit } from '../../store/history.ts';
import { answering, type CentralReader, type CentralTerms } from './central.ts';
import { type Link, NEW_LINK } from './link.ts';
import type { Cursor, SnapshotPage, SnapshotRequest } from './wire.ts';

/** From now on the station asks for records in place of the log; what it waited for is abandoned. */
export function beginSnapshot(): Link {
  return { ...NEW_LINK, snapshot: { at: null, after: null } };
}

/**
 * One page of a snapshot. All pages are read as of `at`: central keeps a read transaction open, or writes the snapshot
 * to a file, and begins anew when it lost that.
 * @param part the records after `request.after`; `after` null when they are the last. The heads and holds are those of
 *   the asking station as of `at`, needed on the last page only
 */
export function snapshotPage<R>(
  request: SnapshotRequest,
  at: Cursor,
  part: Pick<SnapshotPage<R>, 'records' | 'after' | 'headsAt' | 'held'>,
  read: CentralReader,
  terms: CentralTerms,
): SnapshotPage<R> {
  return { kind: 'snapshot', ...answering(request, read, terms), at, ...part };
}

/**
 * What the last page of a snapshot says about own commits that the station does not know to be decided: those up to the
 * head of their chain are, but for the held ones. The store puts the records of all pages in the place of what is decided
 * in the same transaction; before that they wait in a place of their own, for a crash in between.
 */
export function ownAtSnapshot(
  open: readonly Commit[],
  { headsAt, held }: Pick<SnapshotPage, 'headsAt' | 'held'>,
): { settled: string[]; held: { commit_id: string; reason: string }[] } {
  const heads = new Map((headsAt ?? []).map(({ chain, number }) => [chain, number]));
  const reasons = new Map((held ?? []).map(({ commit, reason }) => [commit.commit_id, reason]));
  return {
    settled: open
      .filter(({ chain, number, commit_id }) => number <= (heads.get(chain) ?? 0) && !reasons.has(commit_id))
      .map(({ commit_id }) => commit_id),
    held: [...reasons].map(([commit_id, reason]) => ({ commit_id, reason })),
  };
}
