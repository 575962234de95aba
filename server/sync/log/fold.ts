import type { PathWriters, StoredRecord } from '../../../shared/contract/present.ts';
import type { Commit } from '../../store/changes.ts';
import { applyChanges, OwnCopies } from '../../store/changes.ts';
import { stationOf } from '../../store/history.ts';
import { stateOf } from '../../store/unit-of-work.ts';
import { atOnce, type Steps } from '../../store/yield-to-event-loop.ts';
import type { Outcome, PathEffect, SubjectEffects } from '../protocol/decide.ts';
import type { LogEntry } from '../protocol/log.ts';

/** The commit that a decision is of, and where in the log it stands. */
export interface Decided {
  commit: Pick<Commit, 'commit_id' | 'chain' | 'at' | 'user'>;
  outcome: Outcome;
  /** The entry of the log that decided it; that of the record itself for what is only shown. */
  sequence: number;
}

/**
 * The record after what a decision says of it. The same on every machine, whatever its version.
 * @param own where several are folded one after the other: what one of them copied the next one changes, and the hash of the
 *   fields is left to `withState` then
 */
export function foldEffects(
  before: StoredRecord | undefined,
  { subject, isNew, paths }: SubjectEffects,
  { commit, outcome, sequence }: Decided,
  own?: OwnCopies,
): StoredRecord {
  const colon = subject.lastIndexOf(':');
  const family = subject.slice(0, colon);
  const isApplied = outcome === 'applied';
  const changes = paths.map(({ path, value }) => ({ path, new: value }));
  const earlier = before?.fields ?? {};
  const fields = isApplied ? applyChanges(earlier, changes, commit.at, own) : earlier;
  return {
    key: subject,
    family,
    id: Number(subject.slice(colon + 1)),
    version: (before?.version ?? 0) + (isApplied ? 1 : 0),
    state: own ? STATE_LEFT : stateOf(fields),
    fields,
    field_set: before?.field_set ?? 1,
    created_at: before?.created_at ?? commit.at,
    updated_at: isApplied ? commit.at : (before?.updated_at ?? commit.at),
    station: isApplied ? stationOf(commit.chain) : (before?.station ?? ''),
    user: isApplied ? commit.user : (before?.user ?? ''),
    creator: before?.creator ?? commit.commit_id,
    writers: isNew ? {} : writersAfter(before?.writers ?? {}, paths, commit.commit_id, own),
    folded: sequence,
  };
}

const STATE_LEFT = '';

/** A folded record with the hash of its fields, which is worked out once all is folded. */
export function withState(record: StoredRecord): StoredRecord {
  return record.state === STATE_LEFT ? { ...record, state: stateOf(record.fields) } : record;
}

/** Folds the decisions of a log's entry; of these records only, if any are named. */
export function foldEntry(...given: Parameters<typeof foldingEntry>): void {
  atOnce(foldingEntry(...given));
}

/** Records that are folded in one step. */
const PART = 500;

/** `foldEntry` in steps: a single commit can have thousands of records. */
export function* foldingEntry(
  entry: LogEntry,
  decided: {
    get(key: string): StoredRecord | undefined;
    fold(effect: SubjectEffects, decided: Decided): void;
  },
  commitOf: (id: string) => Commit | undefined,
  only?: ReadonlySet<string>,
): Steps<void> {
  let count = 0;
  /** One entry can decide several commits of one record. */
  const begun = new Set<string>();
  for (const { commit_id, outcome, effects } of entry.decisions) {
    if (effects.length === 0) continue;
    const commit = commit_id === entry.commit.commit_id ? entry.commit : commitOf(commit_id);
    if (!commit) throw new Error(`The log decides the commit ${commit_id}, which it does not have.`);
    for (const effect of effects) {
      if (only && !only.has(effect.subject)) continue;
      const before = decided.get(effect.subject);
      // A record of a snapshot can be newer than the place at which the snapshot was begun.
      if (!begun.has(effect.subject) && before && before.folded >= entry.sequence) continue;
      begun.add(effect.subject);
      count += 1;
      if (count % PART === 0) yield;
      decided.fold(effect, { commit, outcome, sequence: entry.sequence });
    }
  }
}

function writersAfter(
  before: PathWriters,
  paths: readonly PathEffect[],
  commit: string,
  own = new OwnCopies(),
): PathWriters {
  const writers = own.of(before);
  for (const { path, siblings } of paths) {
    const [only, ...further] = siblings ?? [];
    const value = siblings && only ? (further.length === 0 ? only.commit : siblings) : commit;
    // Whatever an altered station calls a path: an assignment would make it what the map stands on.
    if (path === '__proto__')
      Object.defineProperty(writers, path, { value, writable: true, enumerable: true, configurable: true });
    else writers[path] = value;
  }
  return writers;
}
