import { canonicalJson, sameJson } from '../../../shared/contract/canonical-json.ts';
import { families, familyOfKey } from '../../../shared/families/registry.ts';
import { type Authored, readAuthorship, type Seen, saidAlike } from '../../keys/authorship.ts';
import type { Commit, Entry } from '../../store/changes.ts';
import { stationOf } from '../../store/history.ts';
import { HOLD_SUBJECT } from '../../store/subjects.ts';
import { occurrences, withOthers } from '../log/ids-in-entries.ts';
import type { RecordReader } from '../protocol/siblings.ts';
import { type AuthorReader, valueIn } from './pushed.ts';
import { createdPairs, isReissued, isSignedOver, pairOf } from './reissued-ids.ts';

/**
 * Whether a commit is what its author has signed, under other ids: of what it creates, and of what its station created
 * under other ids before. Everything else is to the letter what was signed.
 */
export function isMovedFrom(
  { original, seen }: { original: Authored; seen: Seen | null },
  commit: Commit,
  read: RecordReader,
  authors: AuthorReader,
): boolean {
  // What was signed is canonical: with its members in another order, ids would be met in another one.
  const sent = canonical(commit.entries.filter(({ subject }) => !subject.startsWith(HOLD_SUBJECT)));
  const authored = original.entries as Entry[];
  if (!saidAlike(original, commit) || !authored.every(isKnown) || !sent.every(isKnown)) return false;
  const [signed, entries] = [overOnce(authored, authors), overOnce(sent, authors)];
  const [from, to] = [occurrences(signed), occurrences(entries)];
  if (from.length !== to.length) return false;
  const created = new Set(createdPairs(signed, entries));
  const station = stationOf(commit.chain);
  const others = new Map<string, string>();
  for (const [index, one] of from.entries()) {
    const other = to[index];
    if (!other || one.counter !== other.counter) return false;
    if (one.id === other.id) continue;
    const isMoved =
      created.has(pairOf(one.counter, one.id, other.id)) ||
      isReissued(one, other, { entries, station, seen, read, authors }) ||
      isSignedOver(one, other, signed, authors);
    if (!isMoved) return false;
    others.set(`${one.counter}:${one.id}`, other.id);
  }
  return sameJson(withoutStates(withOthers(signed, others)), withoutStates(entries));
}

/** Two names of what was issued again are of one commit, and become one as it is issued again once more. */
function overOnce(entries: readonly Entry[], { standingFor }: AuthorReader): Entry[] {
  const once = (over: readonly string[]) => [
    ...new Map(over.map(id => [standingFor(id)?.commit_id ?? id, id])).values(),
  ];
  return entries.map(entry => ({
    ...entry,
    changes: entry.changes.map(change => ({ ...change, over: once(change.over) })),
  }));
}

/** A signature names the state of its record by its hash, which covers the ids: whether it fits, its own proof says. */
function withoutStates(entries: readonly Entry[]): Entry[] {
  return entries.map(entry =>
    entry.subject.startsWith(`${families.signature.name}:`)
      ? { ...entry, changes: entry.changes.filter(({ path }) => path !== 'state') }
      : entry,
  );
}

/** Whether all that a commit does is to name by their other ids what its station issued again. */
export function followsMoves({ entries, chain }: Commit, read: RecordReader, authors: AuthorReader): boolean {
  const station = stationOf(chain);
  return entries.every(({ subject, changes }) =>
    changes.every(({ path, old, new: value, over }) => {
      if (!familyOfKey(subject)) return false;
      const writers = over.flatMap(id => authors.taken(id) ?? []);
      const writer = writers.find(one => wrote(one, { subject, path, value: old, station }));
      if (!writer) return false;
      const about = { entries, station, seen: readAuthorship(writer.authorship)?.seen, read, authors };
      const [from, to] = [old, value].map(each =>
        occurrences(canonical([{ subject, changes: [{ path, old: null, new: each, over: [] }] }])),
      );
      if (!from || !to || from.length !== to.length) return false;
      const moved = from.flatMap((one, index) => {
        const other = to[index];
        return other && one.id !== other.id ? [{ one, other }] : [];
      });
      const others = new Map(moved.map(({ one, other }) => [`${one.counter}:${one.id}`, other.id]));
      const again = withOthers([{ subject, changes: [{ path, old: null, new: old, over: [] }] }], others);
      return (
        moved.length > 0 &&
        moved.every(({ one, other }) => isReissued(one, other, about)) &&
        sameJson(again[0]?.changes[0]?.new, value)
      );
    }),
  );
}

/** Whether a commit of the station itself wrote what is said to have stood there: else it could name what it likes. */
function wrote(
  { entries, chain }: Commit,
  { subject, path, value, station }: { subject: string; path: string; value: unknown; station: string },
): boolean {
  const entry = entries.find(each => each.subject === subject);
  if (!entry || stationOf(chain) !== station) return false;
  return sameJson(valueIn(entry.changes, path) ?? null, value ?? null);
}

function canonical(entries: readonly Entry[]): Entry[] {
  return JSON.parse(canonicalJson(entries));
}

function isKnown({ subject }: Entry): boolean {
  return familyOfKey(subject) !== undefined;
}
