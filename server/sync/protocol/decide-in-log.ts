import type { Commit, Entry } from '../../store/changes.ts';
import { stationOf } from '../../store/history.ts';
import { HOLD_SUBJECT } from '../../store/subjects.ts';
import {
  type Decision,
  decide,
  type HoldReason,
  isCreation,
  type Rules,
  type SubjectEffects,
  touchesCentrals,
} from './decide.ts';
import { Layer } from './layer.ts';
import { isItem, type RecordReader } from './siblings.ts';

export interface HeldCommit {
  commit: Commit;
  /** As the newest decision about it says. */
  reason: string;
}

/** Central's reading of what it decided. */
export interface DecidedReader extends RecordReader {
  /** Whether any entry of the log decided a commit of this id, holds and withdrawals included. */
  isKnown(commit: string): boolean;
  held(commit: string): HeldCommit | undefined;
  /** The held commits of a station, in the order in which they arrived. */
  heldOf(station: string): readonly HeldCommit[];
  /** What would go beyond what can be kept with these effects on top, which `after` reads where it matters; in words. */
  limitFault?(effects: readonly SubjectEffects[], after: () => RecordReader): string | undefined;
}

export interface LogRules extends Rules {
  /** Why the author of a station's commit may not write it, as a `HoldReason`; undefined when he may. */
  permissionFault?: (commit: Commit, read: RecordReader) => string | undefined;
  /** Central's own station name: its chains may release and withdraw. */
  central: string;
}

/** A commit that stood in a log which central lost. */
export interface Offered {
  /** Who wrote it. */
  station: string;
  /** Whether central applied it when it arrived. */
  wasApplied: boolean;
}

/** What a release sets, and a withdrawal, of the subject `hold:<commit id>`. */
export const RELEASED = 'released';
export const WITHDRAWN = 'withdrawn';

/** A person's word on a held commit. */
export interface HoldDecision {
  commit: string;
  decision: typeof RELEASED | typeof WITHDRAWN;
  user: string;
  reason: string;
  /** ISO 8601 UTC with milliseconds. */
  at: string;
}

/** Why a commit is lost that withdraws what is not held any more. */
export const NOTHING_HELD = 'nothing_held';

/** The entry that releases a held commit or withdraws it, for a commit in central's chain. */
export function holdEntry(commit: string, path: typeof RELEASED | typeof WITHDRAWN): Entry {
  return { subject: `${HOLD_SUBJECT}${commit}`, changes: [{ path, old: null, new: true, over: [commit] }] };
}

/**
 * What a log entry decides when this commit arrives: the commit itself and, where it releases or withdraws held ones,
 * those, and then the ones that were held only because they follow them, in order.
 *
 * A hold holds, whole, every later commit of the same station that shares a record with it, and so on. A release puts
 * the commit through `decide` as of now, its schema taken as it is; when its record is still not there, it stays held.
 * @param offered of the commit, and of none that is decided with it: what a log that central lost said of it
 */
export function decideInLog(
  commit: Commit,
  read: DecidedReader,
  rules: LogRules,
  offered?: Offered,
): Decision[] {
  if (read.isKnown(commit.commit_id)) {
    return [{ commit_id: commit.commit_id, outcome: 'repeated', reason: null, effects: [] }];
  }
  const run: Run = { read, rules, commit, offered, layer: new Layer(read), held: new Map(), decisions: [] };
  take(commit, run, false);
  return run.decisions;
}

/** Why a release or a withdrawal of the commit would have no effect now, for people; undefined when it would have. */
export function holdFault(entry: Entry, read: DecidedReader, rules: LogRules): string | undefined {
  const id = entry.subject.slice(HOLD_SUBJECT.length);
  const target = read.held(id);
  if (!target) return `Commit ${id} is not held.`;
  if (!entry.changes.some(({ path }) => path === RELEASED)) return undefined;
  const station = stationOf(target.commit.chain);
  const earlier = read.heldOf(station);
  const before = earlier.slice(
    0,
    earlier.findIndex(({ commit }) => commit.commit_id === id),
  );
  const first = before.find(({ commit }) => sharesRecord(commit, target.commit));
  if (first)
    return `Commit ${first.commit.commit_id} of the same record is held before it; decide on that first.`;
  const outcome = decide(target.commit, unwithdrawn(read), { ...rules, schemaFault: () => undefined });
  if (outcome.outcome === 'held') return `Commit ${id} cannot be applied: ${outcome.reason}.`;
  const beyond = limitFault(outcome, { read, layer: new Layer(read), decisions: [] });
  return beyond && `Commit ${id} cannot be applied: ${beyond}`;
}

interface Run {
  read: DecidedReader;
  rules: LogRules;
  /** The one that arrives. */
  commit: Commit;
  offered: Offered | undefined;
  /** The decisions of this entry on top of what was decided. */
  layer: Layer;
  /** The held commits of the stations that were looked at. */
  held: Map<string, HeldCommit[]>;
  decisions: Decision[];
}

function take(commit: Commit, run: Run, isReleased: boolean): void {
  const decision = isReleased ? released(commit, run) : arriving(commit, run);
  run.decisions.push(decision);
  const held = heldOf(stationOf(commit.chain), run);
  const place = held.findIndex(one => one.commit.commit_id === commit.commit_id);
  if (decision.outcome === 'held') {
    const entry = { commit, reason: decision.reason ?? '' };
    if (place < 0) held.push(entry);
    else held[place] = entry;
    return;
  }
  if (place >= 0) held.splice(place, 1);
  const about = holdEntries(commit);
  // Nothing else is decided with it: nobody asks what it leads to.
  if (about.length === 0 && run.decisions.length === 1) return;
  run.layer.put(decision);
  if (decision.outcome !== 'applied' || about.length === 0) return;
  // All of them before anything that follows is looked at: it may be among those that are withdrawn.
  const stations = new Set(about.flatMap(entry => control(commit, entry, run) ?? []));
  for (const station of stations) retryFollowers(station, run);
}

function arriving(commit: Commit, run: Run): Decision {
  const id = commit.commit_id;
  const hold = (reason: string): Decision => ({ commit_id: id, outcome: 'held', reason, effects: [] });
  const about = holdEntries(commit);
  if (about.some(entry => !isAllowed(commit, entry, run))) return hold('not_allowed' satisfies HoldReason);
  // Whoever corrects what he withdraws has done so before, or somebody else has: once is enough.
  if (about.some(entry => withdrawsNothing(entry, run))) {
    return { commit_id: id, outcome: 'lost', reason: NOTHING_HELD, effects: [] };
  }
  const before = earlierThan(id, run, stationOf(commit.chain));
  const withdrawn = new Set(about.map(({ subject }) => subject.slice(HOLD_SUBJECT.length)));
  const earlier = before.filter(one => !withdrawn.has(one.commit.commit_id));
  // Before what it may follow: that is decided by itself some day, and this never is.
  if (touchesCentrals(commit, run.rules) && !isOfCentral(commit, run))
    return hold('central_decides' satisfies HoldReason);
  if (isNamed(commit, earlier)) return hold('follows' satisfies HoldReason);
  const decision = decide(commit, run.layer, run.rules);
  if (decision.outcome === 'applied' && buildsOnHeld(commit, decision, run))
    return hold('follows' satisfies HoldReason);
  if (decision.outcome === 'held') return decision;
  const fault = isOfCentral(commit, run) ? undefined : run.rules.permissionFault?.(commit, run.layer);
  if (fault !== undefined) return hold(fault);
  // What central's own gate wrote it judged itself.
  const isOwn = run.offered === undefined && isOfCentral(commit, run);
  return isOwn ? decision : withinLimits(decision, run);
}

/** The decision, or that the commit waits for room. */
function withinLimits(decision: Decision, run: Run): Decision {
  const beyond = limitFault(decision, run);
  if (beyond === undefined) return decision;
  const reason = `${'beyond_limit' satisfies HoldReason}: ${beyond}`;
  return { commit_id: decision.commit_id, outcome: 'held', reason, effects: [] };
}

function limitFault(
  decision: Decision,
  { read, layer, decisions }: Pick<Run, 'read' | 'layer' | 'decisions'>,
): string | undefined {
  if (decision.outcome !== 'applied') return undefined;
  const effects = [...decisions, decision].flatMap(one => one.effects);
  return read.limitFault?.(effects, () => {
    const after = new Layer(layer);
    after.put(decision);
    return after;
  });
}

/**
 * Whether a change is over a commit that is held, of whomever: its author had seen it taken, in a log that central lost
 * since, and what has the record's id now may be another record.
 */
function buildsOnHeld({ entries }: Commit, { effects }: Decision, run: Run): boolean {
  const isHeldNow = (id: string) => {
    const target = run.read.held(id);
    return target !== undefined && isHeld(target, run);
  };
  const records = entries.filter(({ subject }) => !subject.startsWith(HOLD_SUBJECT));
  return records.some(
    (entry, place) =>
      !isCreation(entry) &&
      entry.changes.some(
        ({ path, over }, at) =>
          // What replaces all that stands builds on nothing else.
          (isItem(path) || effects[place]?.paths[at]?.siblings !== undefined) && over.some(isHeldNow),
      ),
  );
}

function released(commit: Commit, run: Run): Decision {
  const decision = decide(commit, unwithdrawn(run.layer), { ...run.rules, schemaFault: () => undefined });
  return withinLimits(decision, run);
}

/** Releases or withdraws. Returns the station whose held commits may go on. */
function control(by: Commit, { subject, changes }: Entry, run: Run): string | undefined {
  const id = subject.slice(HOLD_SUBJECT.length);
  const target = run.read.held(id);
  if (!target || !isHeld(target, run)) return undefined;
  const station = stationOf(target.commit.chain);
  if (changes.some(({ path }) => path === WITHDRAWN)) {
    run.decisions.push({ commit_id: id, outcome: 'withdrawn', reason: by.reason, effects: [] });
    run.layer.withdraw(id);
    const held = heldOf(station, run);
    run.held.set(
      station,
      held.filter(one => one.commit.commit_id !== id),
    );
    return station;
  }
  if (earlierThan(id, run, station).some(one => sharesRecord(one.commit, target.commit))) return undefined;
  take(target.commit, run, true);
  return isHeld(target, run) ? undefined : station;
}

/** What was held for following only is decided as if it arrived now, in order, once nothing before it holds it. */
function retryFollowers(station: string, run: Run): void {
  for (const { commit } of [...heldOf(station, run)]) {
    // As it is held now: one before it may have withdrawn what it follows, and so have decided it already.
    const held = heldOf(station, run).find(one => one.commit.commit_id === commit.commit_id);
    if (held?.reason !== ('follows' satisfies HoldReason)) continue;
    const before = earlierThan(commit.commit_id, run, station);
    if (!before.some(one => sharesRecord(one.commit, commit))) take(commit, run, false);
  }
}

function withdrawsNothing({ subject, changes }: Entry, run: Run): boolean {
  if (!changes.some(({ path }) => path === WITHDRAWN)) return false;
  const target = run.read.held(subject.slice(HOLD_SUBJECT.length));
  return !target || !isHeld(target, run);
}

/** Whether central wrote the commit, or had applied it before it lost its log. */
function isOfCentral(commit: Commit, run: Run): boolean {
  const wasApplied = commit === run.commit && run.offered?.wasApplied === true;
  return wasApplied || authorOf(commit, run) === run.rules.central;
}

/** The station that wrote a commit: an offered one may stand in central's chain. */
function authorOf(commit: Commit, { commit: arriving, offered }: Run): string {
  return commit === arriving && offered ? offered.station : stationOf(commit.chain);
}

function isAllowed(by: Commit, { subject, changes }: Entry, run: Run): boolean {
  const { read, rules } = run;
  const station = authorOf(by, run);
  if (station === rules.central) return true;
  const target = read.held(subject.slice(HOLD_SUBJECT.length));
  if (target && stationOf(target.commit.chain) !== station) return false;
  return changes.every(({ path }) => path === WITHDRAWN);
}

function heldOf(station: string, run: Run): HeldCommit[] {
  const known = run.held.get(station);
  if (known) return known;
  const held = [...run.read.heldOf(station)];
  run.held.set(station, held);
  return held;
}

function isHeld({ commit }: HeldCommit, run: Run): boolean {
  return heldOf(stationOf(commit.chain), run).some(one => one.commit.commit_id === commit.commit_id);
}

/** The held commits of the station before this one; all of them when it is not held itself. */
function earlierThan(id: string, run: Run, station: string): HeldCommit[] {
  const held = heldOf(station, run);
  const place = held.findIndex(one => one.commit.commit_id === id);
  return place < 0 ? held : held.slice(0, place);
}

function sharesRecord(a: Commit, b: Commit): boolean {
  return isNamed(b, [{ commit: a }]);
}

/** Whether any of these is of a record that the commit is of. */
function isNamed({ entries }: Commit, by: readonly Pick<HeldCommit, 'commit'>[]): boolean {
  if (by.length === 0) return false;
  const subjects = new Set(entries.map(({ subject }) => subject));
  return by.some(({ commit }) =>
    commit.entries.some(({ subject }) => !subject.startsWith(HOLD_SUBJECT) && subjects.has(subject)),
  );
}

function holdEntries(commit: Commit): Entry[] {
  return commit.entries.filter(({ subject }) => subject.startsWith(HOLD_SUBJECT));
}

/** Releasing is a person's word that the commit may build on what was withdrawn. */
function unwithdrawn(read: RecordReader): RecordReader {
  return {
    creator: subject => read.creator(subject),
    siblings: (subject, path) => read.siblings(subject, path),
    value: (subject, path) => read.value(subject, path),
    isWithdrawn: () => false,
  };
}
