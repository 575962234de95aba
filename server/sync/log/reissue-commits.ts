import { sameJson } from '../../../shared/contract/canonical-json.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { familyOfKey } from '../../../shared/families/registry.ts';
import type { Change, Commit, Entry } from '../../store/changes.ts';
import { newCommitId, reissuedId } from '../../store/commit-id.ts';
import type { Store } from '../../store/store.ts';
import { HOLD_SUBJECT } from '../../store/subjects.ts';
import { writersOf } from '../../store/writers.ts';
import type { Unplaced } from '../protocol/central.ts';
import { issueAgain, lastOf, placeToIssueAgain, withWhatFollows } from '../protocol/collision.ts';
import { isCreation } from '../protocol/decide.ts';
import { isItem, valueWithin } from '../protocol/siblings.ts';
import { type CreatedId, createdIds } from './created-ids.ts';
import { type TakenId, TakenIds } from './taken-ids.ts';

export interface Reissuing {
  /** Undecided and held commits, in the order of writing. */
  open: readonly Commit[];
  /** Why one of them is held. */
  reasonOf(commit: string): string | undefined;
  /** What was written after the held commit by those who may have meant its record. */
  since(held: Commit): readonly Commit[];
  /** Whether the log has a commit of this id. */
  isKnown(commit: string): boolean;
  decidedOf(key: string): StoredRecord | undefined;
  /** The chain of a commit, where none creates a record twice; left out where lost ones come back into another's. */
  chainOf?(commit: string): string | undefined;
  /** A record as it is shown where this is written. */
  shownOf(key: string): StoredRecord | undefined;
  /** The time of the changes: ISO 8601 UTC with milliseconds. */
  at: string;
  /** The id of what is issued again, from the counters of this machine where left out. */
  idOf?(name: string, created: CreatedId, isTaken: (id: number) => boolean): number;
}

/**
 * What is written when a creation of a record is held because another commit has the id: the same again, with what follows
 * it, under another id, and changes of what was written since that refers to the record. Undefined when there is nothing
 * of the kind.
 */
export function reissueCommits(
  store: Store,
  { open, reasonOf, isKnown, since, decidedOf, chainOf, shownOf, at, idOf = givenHere(store) }: Reissuing,
): { commits: Unplaced[]; taken: TakenId[] } | undefined {
  // Two creations of one record in one chain are of an altered program: under another id it would be the same again, and so on.
  const isOfAnother = ({ commit_id, chain, entries }: Commit) => {
    if (isKnown(reissuedId(commit_id))) return false;
    const creators = entries.filter(isCreation).flatMap(({ subject }) => decidedOf(subject)?.creator ?? []);
    // Where no record has its id taken, an item has.
    return creators.length === 0 || creators.some(creator => chainOf?.(creator) !== chain);
  };
  const place = placeToIssueAgain(open, reasonOf, isOfAnother);
  const held = open[place];
  if (!held || !open.every(isDescribed)) return undefined;
  const rest = open.slice(place + 1);
  const following = chainOf ? rest : withoutOthers(held, rest);
  const commits = lastOf(withWhatFollows(held, following), [held, ...following], reissuedId);
  const taken = takenIn(commits, idOf, decidedOf, shownOf);
  if (taken.length === 0) return undefined;
  const ids = new TakenIds(taken);
  const given = new Set(taken.map(({ family, from }) => `${family}:${from}`));
  const isGiven = (entry: Entry) =>
    createdIds(entry).some(({ counter, id }) => given.has(`${counter}:${id}`));
  const own = new Set(open.map(({ commit_id }) => commit_id));
  const again = issueAgain(
    held,
    following,
    reissuedId,
    // What was changed of the record that another made is meant as it is.
    entry => (isOver(entry, own) || isGiven(entry) ? ids.entry(entry) : entry),
  );
  const issued = new Set(again.map(({ commit_id }) => commit_id));
  const later = since(held).filter(({ commit_id }) => !issued.has(reissuedId(commit_id)));
  const corrected = referToOthers(later, taken, shownOf, {
    at,
    ...store.gate.clockSays(),
    user: held.user,
  });
  return { commits: [...again, ...corrected], taken };
}

/** The change by which what these commits wrote, as far as it still stands, refers to the other ids; none where nothing does. */
export function referToOthers(
  commits: readonly Commit[],
  taken: readonly TakenId[],
  shownOf: (key: string) => StoredRecord | undefined,
  about: Omit<Unplaced, 'commit_id' | 'reason' | 'entries'>,
): Unplaced[] {
  const entries = corrections(commits, new TakenIds(taken), shownOf);
  if (entries.length === 0) return [];
  const reason = taken.map(
    ({ family, from, to }) => `${family} ${from} is ${to} now: another station had the id.`,
  );
  return [{ commit_id: newCommitId(), ...about, reason: reason.join(' '), entries }];
}

/** Of two logs that central lost a record of the same id may be another one: that, and what was made over it, does not go along. */
function withoutOthers({ entries }: Commit, later: readonly Commit[]): Commit[] {
  const created = new Set(entries.filter(isCreation).map(({ subject }) => subject));
  const others = new Set<string>();
  return later.filter(commit => {
    const isAnother = commit.entries.some(entry =>
      isCreation(entry)
        ? created.has(entry.subject)
        : entry.changes.some(({ over }) => over.some(id => others.has(id))),
    );
    if (isAnother) others.add(commit.commit_id);
    return !isAnother;
  });
}

function givenHere({ ids }: Store): NonNullable<Reissuing['idOf']> {
  return (_, { counter }, isTaken) => ids.next(counter, isTaken);
}

/** Who gave one id again gave others again: no item of these commits keeps its own. */
function takenIn(
  commits: readonly Commit[],
  idOf: NonNullable<Reissuing['idOf']>,
  decidedOf: (key: string) => StoredRecord | undefined,
  shownOf: (key: string) => StoredRecord | undefined,
): TakenId[] {
  const taken = new Map<string, TakenId>();
  for (const { commit_id, entries } of commits) {
    for (const created of entries.flatMap(createdIds)) {
      const { counter, id: from } = created;
      const key = `${counter}:${from}`;
      if (taken.has(key) || (familyOfKey(key) && !decidedOf(key))) continue;
      const isTaken = (id: number) => shownOf(`${counter}:${id}`) !== undefined;
      taken.set(key, { family: counter, from, to: idOf(reissuedId(commit_id), created, isTaken) });
    }
  }
  return [...taken.values()];
}

/** Whether this version knows where the commit has ids. */
export function isDescribed({ entries }: Commit): boolean {
  return entries.every(({ subject }) => subject.startsWith(HOLD_SUBJECT) || familyOfKey(subject));
}

function isOver({ changes }: Entry, own: ReadonlySet<string>): boolean {
  return changes.every(({ over }) => over.every(id => own.has(id)));
}

/** Changes of what these commits wrote, as far as it still stands, so that it refers to the other ids. */
function corrections(
  commits: readonly Commit[],
  ids: TakenIds,
  shownOf: (key: string) => StoredRecord | undefined,
): Entry[] {
  const bySubject = new Map<string, Map<string, Change>>();
  for (const commit of commits.filter(isDescribed)) {
    for (const entry of commit.entries) {
      const record = shownOf(entry.subject);
      if (!record || entry.subject.startsWith(HOLD_SUBJECT)) continue;
      const moved = ids.entry(entry);
      const different = entry.changes.flatMap(({ path, new: value }, index) =>
        differences(path, value, moved.changes[index]?.new),
      );
      for (const { path, from, to } of different) {
        const over = writersOf(record, path);
        const stands = sameJson(valueWithin(record.fields, path) ?? null, from);
        if (!stands || !over.includes(commit.commit_id)) continue;
        const changes = bySubject.get(entry.subject) ?? new Map();
        bySubject.set(entry.subject, changes.set(path, { path, old: from, new: to, over }));
      }
    }
  }
  return [...bySubject].map(([subject, changes]) => ({ subject, changes: [...changes.values()] }));
}

/** The fields in which two values of a path differ: those of an item, and of a collection's items, one by one. */
function differences(
  path: string,
  from: unknown,
  to: unknown,
): { path: string; from: unknown; to: unknown }[] {
  if (sameJson(from ?? null, to ?? null)) return [];
  if (isMap(from) && isMap(to) && (isItem(path) || Object.keys(from).every(key => /^\d+$/.test(key)))) {
    return Object.keys(from).flatMap(name => differences(`${path}.${name}`, from[name], to[name]));
  }
  return [{ path, from, to }];
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
