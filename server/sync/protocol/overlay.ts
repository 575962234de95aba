import type { Commit } from '../../store/changes.ts';
import { HOLD_SUBJECT } from '../../store/subjects.ts';
import { type Decision, decide, type HoldReason, type Rules, touchesCentrals } from './decide.ts';
import { Layer } from './layer.ts';
import type { RecordReader } from './siblings.ts';

/** Whether what a commit changes is what its author meant by the ids. */
export type IsMeant = (commit: Commit, read: RecordReader) => boolean;

/** What the author's station shows of its own commits that stand decided nowhere. */
export interface Overlay {
  /** What is decided with the commits on top; read the shown records from it. */
  shown: Layer;
  /** One per commit, in their order. `held` here means that the commit cannot be shown on its record. */
  decisions: Decision[];
}

/**
 * What is shown: what is decided, with own undecided and held commits on top, put through the same `decide` as
 * central's, so that what a station shows is what central will say of the same commits.
 *
 * `commits` are in the order of writing and complete for the records they touch (`connected`). Faults of the schema and of form
 * are central's word: the author keeps seeing what he wrote. What cannot be shown (its record is not there, or is another's)
 * takes what builds on it along. A record that only central writes is shown as it is decided: nobody signs in, or may
 * more, by what central has not said.
 */
export function overlay(
  commits: readonly Commit[],
  read: RecordReader,
  rules: Rules,
  isMeant: IsMeant = () => true,
): Overlay {
  const shown = new Layer(read);
  const lenient: Rules = { ...rules, schemaFault: () => undefined, formFault: () => undefined };
  const decisions = commits.map(commit => {
    const reason = touchesCentrals(commit, rules)
      ? 'central_decides'
      : isMeant(commit, shown)
        ? undefined
        : 'unknown_target';
    const decision = reason ? heldFor(commit, reason) : decide(commit, shown, lenient);
    if (decision.outcome === 'held') shown.withdraw(commit.commit_id);
    else shown.put(decision);
    return decision;
  });
  return { shown, decisions };
}

function heldFor({ commit_id }: Commit, reason: HoldReason): Decision {
  return { commit_id, outcome: 'held', reason, effects: [] };
}

/**
 * The undecided and held commits that the shown state of these records depends on, and all records that those touch:
 * what must be shown anew together. Costs what is connected, not what is undecided.
 * @param undecidedOf the own undecided and held commits that touch a record
 * @param placeOf a commit's place in the order of writing on this station
 */
export function connected(
  subjects: Iterable<string>,
  undecidedOf: (subject: string) => readonly Commit[],
  placeOf: (commit: Commit) => number,
): { subjects: Set<string>; commits: Commit[] } {
  const seen = new Set<string>(subjects);
  const commits = new Map<string, Commit>();
  // A set gives what is added while it is walked.
  for (const subject of seen) {
    for (const commit of undecidedOf(subject)) {
      if (commits.has(commit.commit_id)) continue;
      commits.set(commit.commit_id, commit);
      for (const entry of commit.entries) {
        if (!entry.subject.startsWith(HOLD_SUBJECT)) seen.add(entry.subject);
      }
    }
  }
  // A place is looked up in the store: once for each commit, not once for each comparison.
  const placed = [...commits.values()].map(commit => ({ commit, place: placeOf(commit) }));
  placed.sort((a, b) => a.place - b.place);
  return { subjects: seen, commits: placed.map(({ commit }) => commit) };
}
