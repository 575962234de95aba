import type { Commit } from '../../store/changes.ts';
import type { Decision } from './decide.ts';
import { type CommitPlace, isPlain, type KnownEntry, type SignedEntry } from './packed-entries.ts';

/** The names of members and what parts them: of a commit, and of a change. An id with its quotes. In characters. */
const COMMIT = 125;
const CHANGE = 36;
const ID = 39;
/** Of an entry whose commit the station has. */
const KNOWN = 170;

/**
 * About how many characters of JSON a commit has: for messages that must not become too large, without writing them.
 * Characters that JSON escapes count once; the worst of them take six.
 */
export function commitSize(commit: Commit): number {
  const { chain, commit_id, at, user, reason, entries, previous_hash, hash } = commit;
  let size = COMMIT;
  for (const text of [chain, commit_id, at, user, reason ?? '', previous_hash, hash]) size += text.length;
  for (const { subject, changes } of entries) {
    size += subject.length + ID;
    for (const change of changes) {
      size += change.path.length + CHANGE + change.over.length * ID;
      size += valueSize(change.new) + valueSize(change.old);
    }
  }
  return size;
}

/** As `commitSize`, of an entry of the log, for a station that has its commit or does not. */
export function entrySize(
  entry: SignedEntry | KnownEntry,
  isKnown: (place: CommitPlace) => boolean = () => false,
): number {
  if ('known' in entry) return KNOWN + (entry.decisions ? JSON.stringify(entry.decisions).length : 0);
  const { commit, decisions } = entry;
  return (isKnown(commit) ? KNOWN : commitSize(commit)) + decisionsSize(commit, decisions);
}

function decisionsSize(commit: Commit, decisions: readonly Decision[]): number {
  return isPlain(commit, decisions) ? 0 : JSON.stringify(decisions).length;
}

function valueSize(value: unknown): number {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 5;
}
