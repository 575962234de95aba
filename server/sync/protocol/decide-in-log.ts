import type { Commit, Entry } from '../../store/changes.ts';
import { reissuedId } from '../../store/commit-id.ts';
import { stationOf } from '../../store/history.ts';
import { HOLD_SUBJECT } from '../../store/subjects.ts';
import { atOnce, type Steps } from '../../store/yield-to-event-loop.ts';
import {
  type Decision,
  decide,
  entriesOfRecords,
  type HoldReason,
  isCreation,
  type Rules,
  type SubjectEffects,
  touchesCentrals,
} from './decide.ts';
import { type HeldCommit, type HeldLine, HeldNow } from './held-line.ts';
import { Layer } from './layer.ts';
import type { IsMeant } from './overlay.ts';
import { isItem, type RecordReader } from './siblings.ts';

/** Entries of a commit that are looked at in one step. */
const PART = 2_000;

/** Central's reading of what it decided. */
export interface DecidedReader extends RecordReader {
  /** Whether any entry of the log decided a commit of this id, holds and withdrawals included. */
  isKnown(commit: string): boolean;
  /** The chain of a commit that the log decided; without it everybody issues again what is anybody's. */
  chainOf?(commit: string): string | undefined;
  /** The commit in the log for which this is the name to be issued again under; without it none is known. */
  formerOf?(commit: string): string | undefined;
  held(commit: string): HeldCommit | undefined;
  /** The held commits of a station. */
  heldOf(station: string): HeldLine;
  /**
   * What would go beyond what can be kept with these effects on top of the earlier ones, which `after` reads where it matters;
   * in words.
   */
  limitFault?(
    effects: readonly SubjectEffects[],
    earlier: readonly SubjectEffects[],
    after: () => RecordReader,
  ): string | undefined;
  /** Whether with these effects, on top of the earlier ones, an item has the id that another record's item has. */
  isItemTaken?(effects: readonly SubjectEffects[], earlier: readonly SubjectEffects[]): boolean;
  /** Without it each is taken for what is meant. */
  isMeant?(...asked: Parameters<IsMeant>): boolean;
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
export function decideInLog(...asked: Parameters<typeof decidingInLog>): Decision[] {
  return atOnce(decidingInLog(...asked));
}

/** `decideInLog` in steps: a commit may change thousands of records, and others wait for each step. */
export function* decidingInLog(
  commit: Commit,
  read: DecidedReader,
  rules: LogRules,
  offered?: Offered,
): Steps<Decision[]> {
  const isKnown = read.isKnown(commit.commit_id) || hasHadEffect(commit, read, rules, offered);
  if (isKnown || wasIssuedAgain(commit, read, rules, offered)) {
    return [{ commit_id: commit.commit_id, outcome: 'repeated', reason: null, effects: [] }];
  }
  const run: Run = { read, rules, commit, offered, held: new Map(), decisions: [] };
  yield* take(commit, run, false);
  return run.decisions;
}

/**
 * What its station issued again, not knowing that a person had decided by then: with what was dismissed, or released, what followed it
 * was decided as well, and stands.
 */
function hasHadEffect(commit: Commit, read: DecidedReader, rules: LogRules, offered?: Offered): boolean {
  const former = read.formerOf?.(commit.commit_id);
  if (former === undefined || read.held(former) || read.isWithdrawn(former)) return false;
  const own = [offered?.station ?? stationOf(commit.chain), rules.central];
  return own.includes(stationOf(read.chainOf?.(former) ?? ''));
}

/** One that was issued again has had its effect. Under the name for that another station could send what it likes. */
function wasIssuedAgain(commit: Commit, read: DecidedReader, rules: LogRules, offered?: Offered): boolean {
  const again = reissuedId(commit.commit_id);
  if (!read.isKnown(again)) return false;
  const chain = read.chainOf?.(again);
  const own = [offered?.station ?? stationOf(commit.chain), rules.central];
  return chain === undefined || own.includes(stationOf(chain));
}

/** Why a release or a withdrawal of the commit would have no effect now, for people; undefined when it would have. */
export function holdFault(entry: Entry, read: DecidedReader, rules: LogRules): string | undefined {
  const id = entry.subject.slice(HOLD_SUBJECT.length);
  const target = read.held(id);
  if (!target) return `Commit ${id} is not held.`;
  if (!entry.changes.some(({ path }) => path === RELEASED)) return undefined;
  const first = new HeldNow(read.heldOf(stationOf(target.commit.chain))).before(target.commit);
  if (first)
    return `Commit ${first.commit.commit_id} of the same record is held before it; decide on that first.`;
  const outcome = decideReleased(target.commit, read, { read, rules });
  const isTaken = isItemTaken(outcome, { read, decisions: [] });
  const reason = isTaken ? ('id_taken' satisfies HoldReason) : outcome.reason;
  if (isTaken || outcome.outcome === 'held') return `Commit ${id} cannot be applied: ${reason}.`;
  const beyond = limitFault(outcome, { read, decisions: [] });
  return beyond && `Commit ${id} cannot be applied: ${beyond}`;
}

interface Run {
  read: DecidedReader;
  rules: LogRules;
  /** The one that arrives. */
  commit: Commit;
  offered: Offered | undefined;
  /** The decisions of this entry on top of what was decided, from the first on that something follows: seldom there is one. */
  layer?: Layer;
  /** The held commits of the stations that were looked at. */
  held: Map<string, HeldNow>;
  decisions: Decision[];
}

function* take(commit: Commit, run: Run, isReleased: boolean): Steps<void> {
  const about = holdEntries(commit);
  const decision = isReleased ? released(commit, run) : yield* arriving(commit, about, run);
  run.decisions.push(decision);
  // Nothing else is decided with it: nobody asks what it leads to.
  if (about.length === 0 && run.decisions.length === 1) return;
  const held = heldOf(stationOf(commit.chain), run);
  if (decision.outcome === 'held') {
    held.put({ commit, reason: decision.reason ?? '' });
    return;
  }
  held.remove(commit.commit_id);
  layerOf(run).put(decision);
  if (decision.outcome !== 'applied' || about.length === 0) return;
  // All of them before anything that follows is looked at: it may be among those that are withdrawn.
  const stations = new Set<string>();
  for (const entry of about) {
    const station = yield* control(commit, entry, run);
    if (station !== undefined) stations.add(station);
  }
  for (const station of stations) yield* retryFollowers(station, run);
}

/** What was decided, with what this entry decides. */
function onTop({ layer, read }: Pick<Run, 'read' | 'layer'>): RecordReader {
  return layer ?? read;
}

function layerOf(run: Run): Layer {
  run.layer ??= new Layer(run.read);
  return run.layer;
}

function* arriving(commit: Commit, about: readonly Entry[], run: Run): Steps<Decision> {
  const id = commit.commit_id;
  const hold = (reason: string): Decision => ({ commit_id: id, outcome: 'held', reason, effects: [] });
  if (about.some(entry => !isAllowed(commit, entry, run))) return hold('not_allowed' satisfies HoldReason);
  // Whoever corrects what he withdraws has done so before, or somebody else has: once is enough.
  if (about.some(entry => withdrawsNothing(entry, run))) {
    return { commit_id: id, outcome: 'lost', reason: NOTHING_HELD, effects: [] };
  }
  // Before what it may follow: that is decided by itself some day, and this never is.
  if (touchesCentrals(commit, run.rules) && !isOfCentral(commit, run))
    return hold('central_decides' satisfies HoldReason);
  if (yield* followsHeld(commit, about, run)) return hold('follows' satisfies HoldReason);
  yield;
  const decision = decide(commit, onTop(run), run.rules);
  yield;
  if (decision.outcome === 'applied' && buildsOnHeld(commit, decision, run))
    return hold('follows' satisfies HoldReason);
  if (decision.outcome === 'held') return decision;
  // What central's own gate wrote it judged itself.
  const isOwn = run.offered === undefined && isOfCentral(commit, run);
  if (!isOwn && isOfAnother(commit, onTop(run), run.read)) return hold('unknown_target' satisfies HoldReason);
  if (!isOwn && isItemTaken(decision, run)) return hold('id_taken' satisfies HoldReason);
  yield;
  const fault = isOfCentral(commit, run) ? undefined : run.rules.permissionFault?.(commit, onTop(run));
  if (fault !== undefined) return hold(fault);
  yield;
  return isOwn ? decision : withinLimits(decision, run);
}

/** Whether something is held before it that it does not itself withdraw. */
function* followsHeld(commit: Commit, about: readonly Entry[], run: Run): Steps<boolean> {
  const station = stationOf(commit.chain);
  if (run.read.heldOf(station).isEmpty) return false;
  const withdrawn = new Set(about.map(({ subject }) => subject.slice(HOLD_SUBJECT.length)));
  const held = heldOf(station, run);
  for (let from = 0; from < commit.entries.length; from += PART) {
    const entries = commit.entries.slice(from, from + PART);
    if (held.before({ ...commit, entries }, withdrawn)) return true;
    yield;
  }
  return false;
}

/** The decision, or that the commit waits for room. */
function withinLimits(decision: Decision, run: Run): Decision {
  const beyond = limitFault(decision, run);
  if (beyond === undefined) return decision;
  const reason = `${'beyond_limit' satisfies HoldReason}: ${beyond}`;
  return { commit_id: decision.commit_id, outcome: 'held', reason, effects: [] };
}

function isItemTaken(
  { outcome, effects }: Decision,
  { read, decisions }: Pick<Run, 'read' | 'decisions'>,
): boolean {
  if (outcome !== 'applied' || !read.isItemTaken) return false;
  const earlier = decisions.flatMap(one => (one.outcome === 'applied' ? one.effects : []));
  return read.isItemTaken(effects, earlier);
}

function limitFault(decision: Decision, run: Pick<Run, 'read' | 'layer' | 'decisions'>): string | undefined {
  if (decision.outcome !== 'applied') return undefined;
  const earlier = run.decisions.flatMap(one => one.effects);
  return run.read.limitFault?.(decision.effects, earlier, () => {
    const after = new Layer(onTop(run));
    after.put(decision);
    return after;
  });
}

/**
 * Whether a change is over a commit that is held, of whomever: its author had seen it taken, in a log that central lost
 * since, and what has the record's id now may be another record.
 */
function buildsOnHeld(commit: Commit, { effects }: Decision, run: Run): boolean {
  return entriesOfRecords(commit).some(
    (entry, place) =>
      !isCreation(entry) &&
      entry.changes.some(
        ({ path, over }, at) =>
          // What replaces all that stands builds on nothing else.
          (isItem(path) || effects[place]?.paths[at]?.siblings !== undefined) &&
          over.some(id => isHeldNow(id, run)),
      ),
  );
}

function released(commit: Commit, run: Run): Decision {
  const decision = decideReleased(commit, onTop(run), run);
  if (isItemTaken(decision, run)) {
    return { ...decision, outcome: 'held', reason: 'id_taken' satisfies HoldReason, effects: [] };
  }
  return withinLimits(decision, run);
}

/** What becomes of a held commit on a person's word, who cannot make it one of another record. */
function decideReleased(commit: Commit, read: RecordReader, run: Pick<Run, 'read' | 'rules'>): Decision {
  const decision = decide(commit, unwithdrawn(read), { ...run.rules, schemaFault: () => undefined });
  if (decision.outcome === 'held' || !isOfAnother(commit, read, run.read)) return decision;
  return { ...decision, outcome: 'held', reason: 'unknown_target' satisfies HoldReason, effects: [] };
}

/** Whether a record or an item that a commit changes was lost, and another has its id by now. */
function isOfAnother(commit: Commit, read: RecordReader, decided: DecidedReader): boolean {
  return decided.isMeant?.(commit, read) === false;
}

/** Releases or withdraws. Returns the station whose held commits may go on. */
function* control(by: Commit, { subject, changes }: Entry, run: Run): Steps<string | undefined> {
  const id = subject.slice(HOLD_SUBJECT.length);
  const target = run.read.held(id);
  if (!target || !isHeld(target, run)) return undefined;
  const station = stationOf(target.commit.chain);
  if (changes.some(({ path }) => path === WITHDRAWN)) {
    run.decisions.push({ commit_id: id, outcome: 'withdrawn', reason: by.reason, effects: [] });
    layerOf(run).withdraw(id);
    heldOf(station, run).remove(id);
    return station;
  }
  const isReleased = changes.some(({ path }) => path === RELEASED);
  if (!isReleased || heldOf(station, run).before(target.commit)) return undefined;
  yield* take(target.commit, run, true);
  return isHeld(target, run) ? undefined : station;
}

/** What was held for following only is decided as if it arrived now, in order, once nothing before it holds it. */
function* retryFollowers(station: string, run: Run): Steps<void> {
  const held = heldOf(station, run);
  held.freeLoose(({ entries }) =>
    entries.some(({ changes }) => changes.some(({ over }) => over.some(id => isHeldNow(id, run)))),
  );
  for (let next = held.takeFree(); next; next = held.takeFree()) {
    yield;
    yield* take(next.commit, run, false);
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
  return changes.length > 0 && changes.every(({ path }) => path === WITHDRAWN);
}

function heldOf(station: string, run: Run): HeldNow {
  const known = run.held.get(station);
  if (known) return known;
  const held = new HeldNow(run.read.heldOf(station));
  run.held.set(station, held);
  return held;
}

function isHeld({ commit }: HeldCommit, run: Run): boolean {
  return heldOf(stationOf(commit.chain), run).get(commit.commit_id) !== undefined;
}

function isHeldNow(id: string, run: Run): boolean {
  const target = run.read.held(id);
  return target !== undefined && isHeld(target, run);
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
