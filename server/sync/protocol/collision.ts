import { movedAuthorship } from '../../keys/authorship.ts';
import type { Commit, Entry } from '../../store/changes.ts';
import { HOLD_SUBJECT, recordsIn } from '../../store/subjects.ts';
import type { Unplaced } from './central.ts';
import type { HoldReason } from './decide.ts';
import { holdEntry, WITHDRAWN } from './decide-in-log.ts';

/**
 * The place, among a station's own undecided and held commits in the order of writing, of the first that has to be
 * issued again: central holds it because its new record or item has an id that another commit took, and it was not issued
 * again yet. -1 when there is none.
 * @param isOfAnother whether what has the id was created by another than who wrote the commit
 */
export function placeToIssueAgain(
  open: readonly Commit[],
  reasonOf: (commit: string) => string | undefined,
  isOfAnother: (commit: Commit) => boolean = () => true,
): number {
  const withdrawn = new Set(open.flatMap(({ entries }) => entries.map(({ subject }) => subject)));
  return open.findIndex(
    commit =>
      reasonOf(commit.commit_id) === ('id_taken' satisfies HoldReason) &&
      !withdrawn.has(`${HOLD_SUBJECT}${commit.commit_id}`) &&
      isOfAnother(commit),
  );
}

/**
 * What a station writes, as one transaction of several commits in its own chain, when the log holds its creation of a
 * record or an item because another commit has the id: the same again with another id. The first withdraws everything
 * that is issued again; each has a new commit id, and is over the new commits where it was over the former. Of what was issued
 * again before, and is held as well, only the last is.
 *
 * Should the station forget that it did so (it was restored) and do it again, central finds nothing held to withdraw,
 * and the second time is lost whole.
 * @param held the held creation
 * @param later own undecided and held commits after it, in the order of writing
 * @param nameOf the new id of a commit; always the same for the same commit within this call
 * @param move the entry with the new record or item id in its subject, its paths, and in values that refer to it; asked of the
 *   commits in their order
 */
export function issueAgain(
  held: Commit,
  later: readonly Commit[],
  nameOf: (commit: string) => string,
  move: (entry: Entry, commit: Commit) => Entry,
): Unplaced[] {
  const commits = withWhatFollows(held, later);
  const former = new Set(commits.map(({ commit_id }) => commit_id));
  const withdrawals = [...former].map(id => holdEntry(id, WITHDRAWN));
  const last = lastOf(commits, [held, ...later], nameOf);
  const kept = new Set(last.map(({ commit_id }) => commit_id));
  const nameNow = (id: string): string => (former.has(id) ? nameNow(nameOf(id)) : id);
  return last.map((commit, index) => {
    const { chain: _, number: __, previous_hash: ___, hash: ____, commit_id, entries, ...about } = commit;
    const moved = entries.flatMap(entry => {
      const isHold = entry.subject.startsWith(HOLD_SUBJECT);
      const id = entry.subject.slice(HOLD_SUBJECT.length);
      // The first one withdraws that.
      if (isHold && former.has(id) && !kept.has(id)) return [];
      const { changes, ...rest } = isHold ? entry : move(entry, commit);
      return [
        {
          ...rest,
          changes: changes.map(change => ({ ...change, over: [...new Set(change.over.map(nameNow))] })),
        },
      ];
    });
    const all = index === 0 ? [...withdrawals, ...moved] : moved;
    return { ...about, ...movedAuthorship(commit), commit_id: nameNow(commit_id), entries: all };
  });
}

/** Without those of the commits that are among the open ones as they were issued again, too. */
export function lastOf(
  commits: readonly Commit[],
  open: readonly Commit[],
  nameOf: (commit: string) => string,
): Commit[] {
  const names = new Set(open.map(({ commit_id }) => commit_id));
  return commits.filter(({ commit_id }) => !names.has(nameOf(commit_id)));
}

/**
 * The commit and those of `later` that share a record with it or with one of these, and so are held with it; also those that are over one
 * of these: what was issued again before may be of another record by now.
 */
export function withWhatFollows(first: Commit, later: readonly Commit[]): Commit[] {
  const subjects = new Set(subjectsOf(first));
  const names = new Set([first.commit_id]);
  const following = later.filter(commit => {
    const own = subjectsOf(commit);
    const isOver = commit.entries.some(({ changes }) =>
      changes.some(({ over }) => over.some(id => names.has(id))),
    );
    if (!isOver && !own.some(subject => subjects.has(subject))) return false;
    for (const subject of own) subjects.add(subject);
    names.add(commit.commit_id);
    return true;
  });
  return [first, ...following];
}

function subjectsOf({ entries }: Commit): string[] {
  return recordsIn(entries);
}
