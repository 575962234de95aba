import { sameJson } from '../../../shared/contract/canonical-json.ts';
import type { Collection, Family } from '../../../shared/contract/define-family.ts';
import { DIRECTIONS } from '../../../shared/contract/may.ts';
import {
  type ChangedValue,
  countsAtOnce,
  isSaid,
  judge,
  type Rights,
} from '../../../shared/contract/permission.ts';
import { hasRole, type Role } from '../../../shared/contract/role.ts';
import { measuredPaths } from '../../../shared/families/inspection.ts';
import { familyOfKey } from '../../../shared/families/registry.ts';
import { isKeyPending, readAuthorship } from '../../keys/authorship.ts';
import { applyChanges, type Change, type Commit, type Entry } from '../../store/changes.ts';
import { stationOf } from '../../store/history.ts';
import { HOLD_SUBJECT, MOVED_SUBJECT } from '../../store/subjects.ts';
import { type HoldReason, isCreation } from '../protocol/decide.ts';
import { type RecordReader, siblingsOf } from '../protocol/siblings.ts';
import { unauthoredFault } from './authored-by.ts';
import { isAwaiting } from './awaiting.ts';
import { wasBroughtAlong } from './brought-along.ts';
import { correctionFault } from './correction-form.ts';
import { followsByRule } from './follows-by-rule.ts';
import { standingFields } from './locked-lots.ts';
import { type AuthorReader, type Pushed, type States, valueIn } from './pushed.ts';
import { unprovedFault } from './unproved.ts';
import { unsignedFault } from './unsigned.ts';
import { isExchangedResult, isOfLimits, isRenamedByLine } from './within-commit.ts';
import { workedOutFault } from './worked-out.ts';

/** An integration at a station: what central lets any of them do. */
const OF_A_STATION: Rights = { kind: 'integration', roles: ['inspector'] };

/**
 * Why central does not take what a station sends, as a `HoldReason` with words: its author may not write it. Judged by
 * what the author may now, and by the values that he had seen (`over`), not by what others made of the record since. A
 * person who had the right, as far as his machine knew, and lost it is told apart: his changes are decided together.
 * What central's log had, and held for something else, before the right was lost stands.
 *
 * What an installation wrote before it joined is taken as it is where an administrator here said so (`wasBroughtAlong`).
 */
export function permissionFault(
  commit: Commit,
  read: RecordReader,
  authors: AuthorReader,
): string | undefined {
  const fault = faultWith([], commit, read, authors);
  if (!fault?.startsWith('right_lost' satisfies HoldReason)) return fault;
  const then = rolesWhenItCame(commit, authors);
  return then.length > 0 ? faultWith(then, commit, read, authors) : fault;
}

/**
 * The author's at the place of the log where the very commit stands; none of what arrives. What a key certified only later was
 * nobody's by then: who was dismissed would take up what a station had sent under their name.
 */
function rolesWhenItCame(commit: Commit, authors: AuthorReader): readonly string[] {
  const { commit_id: id, hash, user, authorship } = commit;
  const session = readAuthorship(authorship)?.session;
  if (authors.commit(id)?.hash !== hash || (session && isKeyPending(session))) return [];
  return authors.userOf(user)?.rolesAt(authors.placeOf(id)) ?? [];
}

/** @param then roles that the author has beside those of now */
function faultWith(
  then: readonly string[],
  commit: Commit,
  read: RecordReader,
  authors: AuthorReader,
): string | undefined {
  const unauthored = unauthoredFault(commit, read, authors);
  if (unauthored !== undefined && !wasBroughtAlong(commit, authors))
    return `${'not_proved' satisfies HoldReason}: ${unauthored}`;
  const known = authors.userOf(commit.user);
  const roles = known?.isActive ? [...known.roles, ...then] : then;
  const rights: Rights = known ? { kind: 'person', roles } : OF_A_STATION;
  const formerRoles = known && (() => known.rolesSince(readAuthorship(commit.authorship)?.seen ?? null));
  const isMade = (entry: Entry) => isCreation(entry) && read.creator(entry.subject) === undefined;
  const seen = (entry: Entry, isNew: boolean): readonly ChangedValue[] => {
    // Of a new record almost every change says itself what was seen.
    if (isNew && entry.changes.every(saysWhatIsNew)) return entry.changes;
    return entry.changes.map(change => {
      const old = isNew ? null : seenValue(entry.subject, change, commit, read, authors);
      return { path: change.path, old, new: change.new ?? null };
    });
  };
  const changesOf = (subject: string) =>
    commit.entries.flatMap(entry => (entry.subject === subject ? seen(entry, isMade(entry)) : []));
  for (const entry of commit.entries) {
    if (isOfExchange(entry)) continue;
    const family = familyOfKey(entry.subject);
    if (!family) {
      const fault = unknownFamilyFault(entry.subject, rights, formerRoles);
      if (fault === undefined) continue;
      return wasBroughtAlong(commit, authors) ? undefined : fault;
    }
    const isNew = isMade(entry);
    const changes = seen(entry, isNew);
    const about = { family, entry, commit, read, authors, rights, userId: known?.id };
    const states = once(() => statesOf(about, isNew));
    const fault = faultOf({ ...about, isNew, changes, changesOf, states }, formerRoles);
    if (fault === undefined) continue;
    return wasBroughtAlong(commit, authors) ? undefined : fault;
  }
  return undefined;
}

type FormerRoles = (() => readonly string[]) | undefined;

function saysWhatIsNew(change: Change): boolean {
  return change.old === null && change.new !== undefined;
}

function statesOf(
  { family, entry, commit, read }: Pick<Pushed, 'family' | 'entry' | 'commit' | 'read'>,
  isNew: boolean,
): States {
  const before = isNew ? {} : standingFields(family, entry.subject, read);
  return { before, after: applyChanges(before, entry.changes, commit.at) };
}

function once<Value>(work: () => Value): () => Value {
  let known: { value: Value } | undefined;
  return () => {
    known ??= { value: work() };
    return known.value;
  };
}

/** Who may write records of a family that this version does not know it cannot say: whoever may write anything. */
function unknownFamilyFault(subject: string, rights: Rights, formerRoles: FormerRoles): string | undefined {
  const role = 'operator' satisfies Role;
  if (hasRole(rights.roles, role)) return undefined;
  const reason: HoldReason = hasLost(role, rights, formerRoles) ? 'right_lost' : 'not_permitted';
  return `${reason}: ${subject} needs the role ${role}.`;
}

function faultOf(pushed: Pushed, formerRoles: FormerRoles): string | undefined {
  const say = (reason: HoldReason, words: string) => `${reason}: ${words}`;
  const lack = lackOf(pushed);
  if (lack)
    return say(hasLost(lack.role, pushed.rights, formerRoles) ? 'right_lost' : 'not_permitted', lack.words);
  const odd = workedOutFault(pushed) ?? correctionFault(pushed);
  if (odd !== undefined) return say('not_permitted', odd);
  const unproved = unprovedFault(pushed);
  if (unproved !== undefined) return say('not_proved', unproved);
  const unsigned = unsignedFault(pushed);
  return unsigned === undefined ? undefined : say('not_signed', unsigned);
}

/** Whether the author had the role that is missing, as far as his machine knew. */
function hasLost(role: Role | null, { roles }: Rights, formerRoles: FormerRoles): boolean {
  return role !== null && formerRoles !== undefined && !hasRole(roles, role) && hasRole(formerRoles(), role);
}

interface Lacking {
  role: Role | null;
  words: string;
}

function lackOf(pushed: Pushed): Lacking | undefined {
  const { family, entry, commit, read, rights, isNew, changes } = pushed;
  for (const { path } of entry.changes) {
    const odd = pathFault(family, path);
    if (odd !== undefined && !isExchangedResult(pushed, path)) return { role: null, words: odd };
  }
  const { lacks, met } = judge(family, changes, isNew, rights);
  if (lacks.length === 0 && met.length === 0) return undefined;
  if (followsByRule(entry, commit, read) || isRenamedByLine(pushed)) return undefined;
  const [lack] = lacks;
  if (lack) {
    const what = lack.path === null ? family.plural.toLowerCase() : lack.path;
    return { role: lack.role, words: `${what} needs the role ${lack.role ?? 'of nobody'}.` };
  }
  for (const { rule, path, old } of met) {
    if (!rule.isFreeing || isFilledIn(entry.subject, path, old, read) || isOfLimits(pushed, path)) continue;
    const isSame = rule.needsAnother === true && measured(pushed);
    const counts = !isSame && countsAtOnce(rule, rights, isSaid(commit.reason));
    if (counts || isAwaiting(commit, entry.subject, path, read)) continue;
    const role = rule.acceptedBy ?? rule.role ?? 'quality';
    return {
      role: isSame ? null : role,
      words: `${path}, ${DIRECTIONS[rule.when].words}, frees goods: the role ${role} accepts it with a reason.`,
    };
  }
  return undefined;
}

/**
 * A path that no write gate makes and that would set a value past the rules for it: a collection as a whole, the removal
 * of an item that nobody removes. Names that this version does not know pass.
 */
function pathFault(family: Family, path: string): string | undefined {
  if (!path.includes('.')) return family.collections[path] && `${path} is written item by item.`;
  let described: Pick<Collection, 'fields' | 'collections'> & { isWholeList?: boolean } = family;
  const steps = path.split('.');
  for (let step = 0; step < steps.length; step += 2) {
    const name = steps[step] ?? '';
    const isLast = step === steps.length - 1;
    const collection: Collection | undefined = described.collections[name];
    if (!collection) {
      return name === 'is_removed' && described.isWholeList === false
        ? `${path}: nothing is removed.`
        : undefined;
    }
    if (isLast) return `${path} is written item by item.`;
    described = collection;
  }
  return undefined;
}

/**
 * What the author saw of a path: what the commits wrote that he names, as far as they were taken. What his own station
 * wrote there he saw in any case, and what he would put in the place of itself he changes from what stands: no gate
 * writes that, and an altered station would free goods by naming what stood once.
 */
function seenValue(
  subject: string,
  { path, over, new: now }: Change,
  commit: Commit,
  read: RecordReader,
  authors: AuthorReader,
): unknown {
  const siblings = siblingsOf(read, subject, path);
  const standing = siblings[0]?.value ?? null;
  const isOwn = (id: string) => stationOf(authors.commit(id)?.chain ?? '') === stationOf(commit.chain);
  const shown = siblings.find(({ commit: id }, place) => over.includes(id) || (place === 0 && isOwn(id)));
  if (shown) return shown.value ?? null;
  for (const id of over) {
    const written = authors.taken(id)?.entries.find(entry => entry.subject === subject);
    const value = written && valueIn(written.changes, path);
    if (value !== undefined) return sameJson(value, now ?? null) ? standing : value;
  }
  // Nothing that he names wrote it: he changes what stands.
  return standing;
}

/** An amount that the server filled in when the record was made: nobody had given it. */
function isFilledIn(subject: string, path: string, old: unknown, read: RecordReader): boolean {
  const [standing] = siblingsOf(read, subject, path);
  return old === 0 && standing?.commit === read.creator(subject);
}

/** Whether the author wrote one of the values, or the verdict, that stand. */
function measured({ entry: { subject }, commit, read, authors }: Pushed): boolean {
  const paths = ['passed', ...measuredPaths(read.value(subject, 'samples'))];
  return paths
    .flatMap(path => siblingsOf(read, subject, path))
    .some(({ commit: id, value }) => (value ?? null) !== null && authors.isBy(id, commit.user));
}

function isOfExchange({ subject }: Entry): boolean {
  return subject.startsWith(HOLD_SUBJECT) || subject.startsWith(MOVED_SUBJECT);
}
