import type { StoredRecord } from '../../../shared/contract/present.ts';
import { type Commit, OwnCopies } from '../../store/changes.ts';
import type { Rules } from '../protocol/decide.ts';
import { type IsMeant, overlay } from '../protocol/overlay.ts';
import { DecidedRecords } from './decided-records.ts';
import { foldEffects, withState } from './fold.ts';

/** What beside the records says how own commits are shown on them. */
export interface Showing {
  isWithdrawn: (commit: string) => boolean;
  isMeant: IsMeant;
  rules: Rules;
}

/**
 * The records as an author's station shows them: as decided, with its undecided commits on top, put through the same
 * `decide` as central's. Undefined for one that is not there.
 * @param group what `connected` answers: the commits, complete for the records they touch, and those records
 */
export function shownOf(
  group: { subjects: ReadonlySet<string>; commits: readonly Commit[] },
  decidedOf: (key: string) => StoredRecord | undefined,
  { isWithdrawn, isMeant, rules }: Showing,
): Map<string, StoredRecord | undefined> {
  const { decisions } = overlay(group.commits, new DecidedRecords(decidedOf, isWithdrawn), rules, isMeant);
  const shown = new Map([...group.subjects].map(key => [key, decidedOf(key)]));
  const own = new OwnCopies();
  for (const [index, { outcome, effects }] of decisions.entries()) {
    const commit = group.commits[index];
    if (!commit) continue;
    for (const effect of effects) {
      const { subject } = effect;
      const sequence = decidedOf(subject)?.folded ?? 0;
      shown.set(subject, foldEffects(shown.get(subject), effect, { commit, outcome, sequence }, own));
    }
  }
  for (const [key, record] of shown) if (record) shown.set(key, withState(record));
  return shown;
}
