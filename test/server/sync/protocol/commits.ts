import type { Change, Commit, Entry } from '../../../../server/store/changes.ts';
import { commitHash } from '../../../../server/sync/protocol/log.ts';
import { shortHash } from './machines.ts';
import { UNPLACED } from './model.ts';

/** A change of one path, over the commits that wrote what its author saw. */
export function change(path: string, value: unknown, over: string[] = []): Change {
  return { path, old: null, new: value, over };
}

export function entry(subject: string, ...changes: Change[]): Entry {
  return { subject, changes };
}

/** A commit of the station `a` unless its chain says otherwise, with its hash. */
export function commitOf(
  commit_id: string,
  entries: Entry[] = [],
  { chain = 'a.0', number = 1, previous_hash = '' }: Partial<Commit> = {},
): Commit {
  const commit: Commit = { ...UNPLACED, commit_id, entries, chain, number, previous_hash, hash: '' };
  return { ...commit, hash: commitHash(commit, shortHash) };
}

/** Commits of one chain, one after the other; `entries` by their ids. */
export function chainOf(chain: string, entries: Record<string, Entry[]>): Commit[] {
  const commits: Commit[] = [];
  for (const [id, written] of Object.entries(entries)) {
    const last = commits.at(-1);
    commits.push(
      commitOf(id, written, { chain, number: commits.length + 1, previous_hash: last?.hash ?? '' }),
    );
  }
  return commits;
}
