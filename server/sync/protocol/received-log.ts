import type { Commit } from '../../store/changes.ts';
import type { Decision, SubjectEffects } from './decide.ts';
import { commitHash, type Hash, type LogEntry } from './log.ts';
import type { Countersigned, Cursor } from './wire.ts';

/** What entries of the log change beside themselves: on a station for a page, on central for what it appends. */
export interface LogChanges {
  /** In order: the effects to fold into what is decided, with the commit that they are of. */
  effects: { commit_id: string; outcome: Decision['outcome']; effects: SubjectEffects[] }[];
  /** The records that the effects touch. */
  subjects: Set<string>;
  /** Commits that stand decided from now on: they leave the overlay and the held ones. */
  settled: string[];
  /** Of those, the ones that were withdrawn. */
  withdrawn: string[];
  /** Commits that are held from now on, or for another reason: they stay in the overlay, marked. */
  held: { commit_id: string; reason: string }[];
}

/**
 * Reads off what entries of the log say. A commit leaves the overlay, and an offer the list of offers, only when its id
 * stands here: an answer to a push says nothing of that.
 * @param isHeld whether a commit is held as of the entry before these
 */
export function logChanges(entries: readonly LogEntry[], isHeld: (commit: string) => boolean): LogChanges {
  const changes: LogChanges = { effects: [], subjects: new Set(), settled: [], withdrawn: [], held: [] };
  const reasons = new Map<string, string | undefined>();
  for (const { commit_id, outcome, reason, effects } of entries.flatMap(entry => entry.decisions)) {
    if (effects.length > 0) changes.effects.push({ commit_id, outcome, effects });
    for (const { subject } of effects) changes.subjects.add(subject);
    if (outcome === 'held') reasons.set(commit_id, reason ?? '');
    else if (outcome === 'repeated') {
      // What is known may be known as held.
      if (!reasons.has(commit_id) && !isHeld(commit_id)) reasons.set(commit_id, undefined);
    } else {
      reasons.set(commit_id, undefined);
      if (outcome === 'withdrawn') changes.withdrawn.push(commit_id);
    }
  }
  for (const [commit_id, reason] of reasons) {
    if (reason === undefined) changes.settled.push(commit_id);
    else changes.held.push({ commit_id, reason });
  }
  return changes;
}

/** What a station writes, in one transaction, when central's log parts from the one it received. */
export interface Cut {
  cursor: Cursor;
  /**
   * What was cut, in the log's order. It goes before what is offered already, which no entry since has decided. The
   * entries leave the received log, and commits that are not own leave history with them.
   */
  offers: Countersigned[];
  /**
   * The records to fold again from what is left of the log. Own commits that only the cut part decided are undecided
   * again, and held or not as what is left says; what is shown follows.
   */
  subjects: Set<string>;
  /** Every commit that the cut part says something about. */
  commits: Set<string>;
}

/** Cuts the received log back to the common prefix. `above` are the entries after it, oldest first. */
export function cut(to: Cursor, above: readonly (LogEntry & { countersignature: string })[]): Cut {
  const decisions = above.flatMap(entry => entry.decisions);
  return {
    cursor: to,
    offers: above.map(({ commit, countersignature }) => ({ commit, countersignature })),
    subjects: new Set(decisions.flatMap(({ effects }) => effects.map(({ subject }) => subject))),
    commits: new Set(decisions.map(({ commit_id }) => commit_id)),
  };
}

/**
 * What this station issues again when central knows its chain otherwise: its commits that the received log does not
 * hold at their place, of all chains in the order of writing, in a chain that was never used and with their ids. Those
 * that central knows after all have no effect a second time; those that the received log knows at another place are not
 * needed again. The store puts the result in the place of all `unplaced`, which leave history, and goes on in the new
 * chain.
 * @param isKnown whether the received log says anything about a commit of the id
 */
export function beginAgain(
  unplaced: readonly Commit[],
  isKnown: (commit: string) => boolean,
  chain: string,
  hash: Hash,
): Commit[] {
  let previous_hash = '';
  return toIssueAgain(unplaced, isKnown).map((commit, index) => {
    const placed: Commit = { ...commit, chain, number: index + 1, previous_hash, hash: '' };
    previous_hash = commitHash(placed, hash);
    return { ...placed, hash: previous_hash };
  });
}

/**
 * Those that the received log says nothing about, each once: one that was issued again, and that central took at its former
 * place after all, stands at both when central lost its log.
 */
export function toIssueAgain(unplaced: readonly Commit[], isKnown: (commit: string) => boolean): Commit[] {
  const first = new Map<string, Commit>();
  for (const commit of unplaced) if (!first.has(commit.commit_id)) first.set(commit.commit_id, commit);
  return [...first.values()].filter(({ commit_id }) => !isKnown(commit_id));
}
