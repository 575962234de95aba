import { sameJson } from '../../../shared/contract/canonical-json.ts';
import type { Change, Commit, Entry } from '../../store/changes.ts';
import { HOLD_SUBJECT } from '../../store/subjects.ts';
import { isItem, itemOf, type RecordReader, type Sibling, siblingsOf } from './siblings.ts';

/**
 * - `applied`: its values stand.
 * - `held`: nothing of it stands until it is released; `reason` says what is wrong with its structure.
 * - `lost`: a verdict that it changes was given meanwhile; its values stand nowhere and are siblings. Or, with a reason,
 *   it withdraws what is not held.
 * - `repeated`: its id was known, so that only its chain goes on.
 * - `withdrawn`: it was held and will not be applied.
 */
export type Outcome = 'applied' | 'held' | 'lost' | 'repeated' | 'withdrawn';

/** What becomes of one path. */
export interface PathEffect {
  path: string;
  /** What stands afterwards: to be set when the commit is applied, standing already when it is lost. Null for nothing. */
  value: unknown;
  /** All siblings afterwards, the standing one first. Left out when the decided commit is the only one. */
  siblings?: Sibling[];
}

/** What becomes of one record. */
export interface SubjectEffects {
  subject: string;
  /** The record begins with these effects; its paths need no list of siblings, its creator wrote them all. */
  isNew: boolean;
  paths: PathEffect[];
}

/** What central decided of a commit, for every machine to fold. */
export interface Decision {
  commit_id: string;
  outcome: Outcome;
  /** Why it is held, as a `HoldReason`, for a fault of the schema with what is wrong after a colon. */
  reason: string | null;
  effects: SubjectEffects[];
}

/**
 * - `schema`: this version cannot take what it says.
 * - `unknown_target`: it changes a record or an item that is not there.
 * - `id_taken`: it creates a record or an item that another commit created.
 * - `over_withdrawn`: it builds on a commit that was withdrawn.
 * - `follows`: an earlier commit of the same station that shares a record with it is held.
 * - `central_decides`: it changes a record that only central writes.
 * - `not_permitted`: its author may not write it; after a colon, what is missing.
 * - `right_lost`: the same, of an author who once might have: what such a person wrote is decided together.
 * - `not_signed`: it contains an act that the site's policy wants signed by its author; such of one person at one station
 *   are decided together as well.
 * - `not_proved`: it contains a signature that its author's key did not make; it is decided alone.
 * - `beyond_limit`: with what stands it is more than central can keep; after a colon, of what.
 * - `not_allowed`: only central releases, and only the author's station or central withdraws.
 */
export type HoldReason =
  | 'schema'
  | 'unknown_target'
  | 'id_taken'
  | 'over_withdrawn'
  | 'follows'
  | 'central_decides'
  | 'not_permitted'
  | 'right_lost'
  | 'not_signed'
  | 'not_proved'
  | 'beyond_limit'
  | 'not_allowed';

export interface Rules {
  /** Whether the path is a verdict, a closure, an approval or the removal of an item: never merged silently. */
  isVerdict(subject: string, path: string): boolean;
  /** What this version cannot take of the entry, for people; undefined when it is sound. */
  schemaFault(entry: Entry): string | undefined;
  /** What of the commit no version writes: nobody lets it in. For people; undefined when it is sound. */
  formFault(commit: Commit): string | undefined;
  /** Whether only central writes the record: what a station says of it waits for central's administrator. */
  isForCentral(subject: string): boolean;
}

/**
 * What becomes of a commit on top of what is decided. It is applied whole, held whole or lost whole. Pure, and the same
 * for central, which puts the answer into the log, and for a station that shows its own undecided commits.
 *
 * Per path `(siblings − over) ∪ {this}`: the arriving value stands, and what its author had not seen stays a sibling.
 * A verdict that its author had not seen keeps standing, unless both say the same.
 */
export function decide(commit: Commit, read: RecordReader, rules: Rules): Decision {
  const records = entriesOfRecords(commit);
  const odd = rules.formFault(commit);
  const fault =
    odd === undefined
      ? firstOf(records, entry => structureFault(entry, read, rules))
      : `${'schema' satisfies HoldReason}: ${odd}`;
  if (fault !== undefined)
    return { commit_id: commit.commit_id, outcome: 'held', reason: fault, effects: [] };
  const isLost = records.some(
    ({ subject, changes }) =>
      read.creator(subject) !== undefined &&
      changes.some(change => rules.isVerdict(subject, change.path) && losesVerdict(subject, change, read)),
  );
  const effects = isLost
    ? records.flatMap(entry => lostEffects(commit.commit_id, entry, read))
    : records.map(entry => appliedEffects(commit.commit_id, entry, read, rules));
  return { commit_id: commit.commit_id, outcome: isLost ? 'lost' : 'applied', reason: null, effects };
}

/** What a commit says of records, and not of held commits: of nearly all of them everything. */
export function entriesOfRecords({ entries }: Pick<Commit, 'entries'>): readonly Entry[] {
  return entries.some(isOfHold) ? entries.filter(entry => !isOfHold(entry)) : entries;
}

function isOfHold({ subject }: Entry): boolean {
  return subject.startsWith(HOLD_SUBJECT);
}

/** Whether a commit says anything of a record that only central writes. */
export function touchesCentrals(
  { entries }: Pick<Commit, 'entries'>,
  rules: Pick<Rules, 'isForCentral'>,
): boolean {
  return entries.some(({ subject }) => !subject.startsWith(HOLD_SUBJECT) && rules.isForCentral(subject));
}

/** A commit's creation of a record has nothing that it could be over. */
export function isCreation(entry: Entry): boolean {
  return entry.changes.every(({ over }) => over.length === 0);
}

/** All siblings of a path after an effect of the commit. */
export function siblingsAfter(effect: PathEffect, commit: string): Sibling[] {
  return effect.siblings ?? [{ commit, value: effect.value }];
}

function structureFault(entry: Entry, read: RecordReader, rules: Rules): string | undefined {
  const text = rules.schemaFault(entry);
  if (text !== undefined) return `${'schema' satisfies HoldReason}: ${text}`;
  return targetFault(entry, read);
}

function targetFault({ subject, changes }: Entry, read: RecordReader): HoldReason | undefined {
  const isThere = read.creator(subject) !== undefined;
  if (isCreation({ subject, changes })) return isThere ? 'id_taken' : undefined;
  // Before the record is looked at: that there is one of the same key does not make it the one that is meant.
  if (changes.some(({ over }) => over.some(id => read.isWithdrawn(id)))) return 'over_withdrawn';
  if (!isThere) return 'unknown_target';
  const added = new Set<string>();
  const hasItem = (item: string) => added.has(item) || (read.value(subject, item) ?? null) !== null;
  for (const { path } of changes) {
    const item = itemOf(path);
    if (item !== undefined && !hasItem(item)) return 'unknown_target';
    if (!isItem(path)) continue;
    if (hasItem(path)) return 'id_taken';
    added.add(path);
  }
  return undefined;
}

function losesVerdict(subject: string, change: Change, read: RecordReader): boolean {
  const [standing] = siblingsOf(read, subject, change.path);
  if (!standing) return false;
  return !change.over.includes(standing.commit) && !sameJson(standing.value, change.new);
}

function appliedEffects(
  commit: string,
  { subject, changes }: Entry,
  read: RecordReader,
  rules: Rules,
): SubjectEffects {
  const isNew = read.creator(subject) === undefined;
  const paths = changes.map(change => {
    const value = change.new ?? null;
    if (isNew || isItem(change.path)) return { path: change.path, value };
    const rest = siblingsOf(read, subject, change.path).filter(one => !change.over.includes(one.commit));
    if (rest.length === 0) return { path: change.path, value };
    // A verdict that says the same as the first leaves the first standing.
    const [first] = siblingsOf(read, subject, change.path);
    const own: Sibling = { commit, value };
    const keepsFirst = rules.isVerdict(subject, change.path) && rest[0]?.commit === first?.commit;
    return { path: change.path, value, siblings: keepsFirst ? [...rest, own] : [own, ...rest] };
  });
  return { subject, isNew, paths };
}

/** A lost commit's values become siblings of what stands; what it would have created is in history only. */
function lostEffects(commit: string, { subject, changes }: Entry, read: RecordReader): SubjectEffects[] {
  const paths = changes.flatMap<PathEffect>(change => {
    const [standing, ...others] = siblingsOf(read, subject, change.path);
    if (!standing || isItem(change.path)) return [];
    const rest = others.filter(one => !change.over.includes(one.commit));
    const own: Sibling = { commit, value: change.new ?? null };
    return [{ path: change.path, value: standing.value, siblings: [standing, ...rest, own] }];
  });
  return paths.length === 0 ? [] : [{ subject, isNew: false, paths }];
}

function firstOf<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
