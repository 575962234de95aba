import { canonicalJson, sortedMember, unsortable } from '../../../shared/contract/canonical-json.ts';
import { memberCount } from '../../../shared/contract/member-count.ts';
import { canonicalCommit, canonicalPieces } from '../../store/canonical-commit.ts';
import type { Commit } from '../../store/changes.ts';
import type { Steps } from '../../store/yield-to-event-loop.ts';
import type { Decision, PathEffect } from './decide.ts';

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
export function commitHash(commit: Commit, hash: Hash): string {
  return hash(canonicalCommit(commit));
}

/** Records of a commit whose text is written down at once. */
const FEW = 500;

/** `commitHash` in steps. */
export function* hashingCommit(commit: Commit, hash: Hash): Steps<string> {
  if (commit.entries.length <= FEW) return commitHash(commit, hash);
  const pieces: string[] = [];
  for (const piece of canonicalPieces(commit)) {
    pieces.push(piece);
    yield;
  }
  return hash(pieces.join(''));
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
  const sequence = before.sequence + 1;
  const sorted = sortedDecisions(decisions);
  if (!sorted) return hash(canonicalJson({ before: before.hash, sequence, commit: commit.hash, decisions }));
  return hash(JSON.stringify({ before: before.hash, commit: commit.hash, decisions: sorted, sequence }));
}

/**
 * Decisions as canonical JSON writes them, where they have the members that this version knows; almost every entry has,
 * and each is hashed on every machine.
 */
function sortedDecisions(decisions: readonly Decision[]): object[] | undefined {
  const sorted: object[] = [];
  for (const decision of decisions) {
    const { commit_id, effects, outcome, reason } = decision;
    const subjects: object[] = [];
    for (const effect of effects) {
      const { isNew, subject } = effect;
      const paths = sortedPaths(effect.paths);
      if (!paths || memberCount(effect) !== 3) return undefined;
      subjects.push({ isNew, paths, subject });
    }
    if (reason === undefined || memberCount(decision) !== 4) return undefined;
    sorted.push({ commit_id, effects: subjects, outcome, reason: reason ?? undefined });
  }
  return sorted;
}

function sortedPaths(paths: readonly PathEffect[]): object[] | undefined {
  const sorted: object[] = [];
  for (const effect of paths) {
    const value = sortedMember(effect.value);
    if (value === unsortable || !('value' in effect) || memberCount(effect) !== 2) return undefined;
    sorted.push({ path: effect.path, value });
  }
  return sorted;
}
