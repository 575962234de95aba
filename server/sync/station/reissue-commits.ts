import { sameJson } from '../../../shared/contract/canonical-json.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { familyOfKey } from '../../../shared/families/registry.ts';
import type { Change, Commit, Entry } from '../../store/changes.ts';
import { newCommitId } from '../../store/commit-id.ts';
import type { Store } from '../../store/store.ts';
import { HOLD_SUBJECT } from '../../store/subjects.ts';
import { writersOf } from '../../store/writers.ts';
import type { Unplaced } from '../protocol/central.ts';
import { issueAgain, placeToIssueAgain } from '../protocol/collision.ts';
import { isCreation } from '../protocol/decide.ts';
import { isItem, valueWithin } from '../protocol/siblings.ts';
import type { StationTables } from './station-tables.ts';
import { type TakenId, TakenIds } from './taken-ids.ts';

/**
 * What a station writes when central holds its creation of a record because another commit has the id: the same again,
 * with what follows it, under another id, and changes of what it wrote since that refers to the record. Empty when there
 * is nothing of the kind.
 * @param decidedOf a record as decided
 * @param at the time of the changes: ISO 8601 UTC with milliseconds
 */
export function reissueCommits(
  store: Store,
  station: StationTables,
  decidedOf: (key: string) => StoredRecord | undefined,
  at: string,
): Unplaced[] {
  if (!station.held.hasTaken(store.station)) return [];
  const open = station.pendingCommits.all();
  const place = placeToIssueAgain(open, id => station.held.held(id)?.reason);
  const held = open[place];
  if (!held || !open.every(isDescribed)) return [];
  const taken = takenIn(held, store, decidedOf);
  if (taken.length === 0) return [];
  const ids = new TakenIds(taken);
  const own = new Set(open.map(({ commit_id }) => commit_id));
  const names = new Map<string, string>();
  const again = issueAgain(
    held,
    open.slice(place + 1),
    id => {
      const name = names.get(id) ?? newCommitId();
      names.set(id, name);
      return name;
    },
    // What was changed of the record that another made is meant as it is.
    entry => (isOver(entry, own) ? ids.entry(entry) : entry),
  );
  const since = station
    .ownSince(held)
    .filter(({ commit_id }) => !names.has(commit_id) && commit_id !== held.commit_id);
  const entries = corrections(since, ids, key => store.pending.getByKey(key));
  if (entries.length === 0) return again;
  const reason = taken.map(
    ({ family, from, to }) => `${family} ${from} is ${to} now: another station had the id.`,
  );
  return [
    ...again,
    {
      commit_id: newCommitId(),
      at,
      clock_offset: store.gate.clockOffset,
      user: held.user,
      reason: reason.join(' '),
      entries,
    },
  ];
}

function takenIn(
  held: Commit,
  store: Store,
  decidedOf: (key: string) => StoredRecord | undefined,
): TakenId[] {
  return held.entries.filter(isCreation).flatMap(({ subject }) => {
    if (!decidedOf(subject)) return [];
    const family = subject.slice(0, subject.lastIndexOf(':'));
    const from = Number(subject.slice(subject.lastIndexOf(':') + 1));
    const to = store.ids.next(family, id => store.pending.getByKey(`${family}:${id}`) !== undefined);
    return [{ family, from, to }];
  });
}

/** Whether this version knows where the commit has ids. */
function isDescribed({ entries }: Commit): boolean {
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
