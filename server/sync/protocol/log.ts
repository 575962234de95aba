import { canonicalJson } from '../../../shared/canonical-json.ts';
import type { Commit } from '../../store/history.ts';
import type { Decision } from './decide.ts';

/** Hex of a digest of the text: SHA-256 in the product. */
export type Hash = (text: string) => string;

/** A place in central's log with the hash of everything up to it. Sequence 0 with the hash '' is before the first entry. */
export interface LogPlace {
  sequence: number;
  hash: string;
}

export const LOG_START: LogPlace = { sequence: 0, hash: '' };

/** One entry of central's log: a commit, and everything that was decided on its arrival. */
export interface LogEntry extends LogPlace {
  commit: Commit;
  /** The commit's own first; then those of held commits that it releases or withdraws, and of those that follow them. */
  decisions: Decision[];
}

/** The hash of a commit covers all of it, and by `previous_hash` everything before it in its chain. */
export function commitHash({ hash: _, ...content }: Commit, hash: Hash): string {
  return hash(canonicalJson(content));
}

/** The entry after a place. Its hash covers the commit, what was decided, and everything before it in the log. */
export function logEntry(before: LogPlace, commit: Commit, decisions: Decision[], hash: Hash): LogEntry {
  const sequence = before.sequence + 1;
  return { sequence, commit, decisions, hash: entryHash(before, commit, decisions, hash) };
}

/** What is wrong with entries that should follow a place; undefined when their numbers and hashes hold. */
export function logFault(before: LogPlace, entries: readonly LogEntry[], hash: Hash): string | undefined {
  let last = before;
  for (const entry of entries) {
    const { sequence, commit, decisions } = entry;
    if (sequence !== last.sequence + 1) return `Entry ${sequence} does not follow ${last.sequence}.`;
    if (commitHash(commit, hash) !== commit.hash)
      return `The commit of entry ${sequence} does not match its hash.`;
    if (entryHash(last, commit, decisions, hash) !== entry.hash)
      return `Entry ${sequence} does not match its hash.`;
    if (decisions[0]?.commit_id !== commit.commit_id) return `Entry ${sequence} does not decide its commit.`;
    last = entry;
  }
  return undefined;
}

function entryHash(before: LogPlace, commit: Commit, decisions: Decision[], hash: Hash): string {
  return hash(
    canonicalJson({ before: before.hash, sequence: before.sequence + 1, commit: commit.hash, decisions }),
  );
}
