import { canonicalJson, sameJson } from '../../../shared/contract/canonical-json.ts';
import { families, familyOfKey } from '../../../shared/families/registry.ts';
import { type Authored, authoredIn, readAuthorship, saidAlike } from '../../keys/authorship.ts';
import type { Commit, Entry } from '../../store/changes.ts';
import { stationOf } from '../../store/history.ts';
import { IdRemapping } from '../../store/id-remapping.ts';
import { HOLD_SUBJECT } from '../../store/subjects.ts';
import { createdIds } from '../log/created-ids.ts';
import { type RecordReader, siblingsOf } from '../protocol/siblings.ts';
import { type AuthorReader, valueIn } from './pushed.ts';

/** A commit that is judged, and what is known beside it. */
interface About {
  entries: readonly Entry[];
  station: string;
  read: RecordReader;
  authors: AuthorReader;
}

/**
 * Whether a commit is what its author has signed, under other ids: of what it creates, and of what its station created
 * under other ids before. Everything else is to the letter what was signed.
 */
export function isMovedFrom(
  original: Authored,
  commit: Commit,
  read: RecordReader,
  authors: AuthorReader,
): boolean {
  // What was signed is canonical: with its members in another order, ids would be met in another one.
  const entries = canonical(commit.entries.filter(({ subject }) => !subject.startsWith(HOLD_SUBJECT)));
  const signed = original.entries as Entry[];
  if (!saidAlike(original, commit) || !signed.every(isKnown) || !entries.every(isKnown)) return false;
  const [from, to] = [occurrences(signed), occurrences(entries)];
  if (from.length !== to.length) return false;
  const created = new Set(createdPairs(signed, entries));
  const station = stationOf(commit.chain);
  const others = new Map<string, string>();
  for (const [index, one] of from.entries()) {
    const other = to[index];
    if (!other || one.counter !== other.counter) return false;
    if (one.id === other.id) continue;
    const isOwn = created.has(pairOf(one.counter, one.id, other.id));
    if (!isOwn && !isReissued(one, other, { entries, station, read, authors })) return false;
    others.set(`${one.counter}:${one.id}`, other.id);
  }
  return sameJson(withoutStates(new Others(others).entries(signed)), withoutStates(entries));
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
  const about = { entries, station: stationOf(chain), read, authors };
  return entries.every(({ subject, changes }) =>
    changes.every(({ path, old, new: value, over }) => {
      if (!familyOfKey(subject) || !over.some(id => wrote(id, { subject, path, value: old }, about)))
        return false;
      const [from, to] = [old, value].map(each =>
        occurrences(canonical([{ subject, changes: [{ path, old: null, new: each, over: [] }] }])),
      );
      if (!from || !to || from.length !== to.length) return false;
      const moved = from.flatMap((one, index) => {
        const other = to[index];
        return other && one.id !== other.id ? [{ one, other }] : [];
      });
      const others = new Map(moved.map(({ one, other }) => [`${one.counter}:${one.id}`, other.id]));
      const again = new Others(others).entries([
        { subject, changes: [{ path, old: null, new: old, over: [] }] },
      ]);
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
  id: string,
  { subject, path, value }: { subject: string; path: string; value: unknown },
  { station, authors }: About,
): boolean {
  const commit = authors.taken(id);
  const entry = commit?.entries.find(each => each.subject === subject);
  if (!commit || !entry || stationOf(commit.chain) !== station) return false;
  return sameJson(valueIn(entry.changes, path) ?? null, value ?? null);
}

function canonical(entries: readonly Entry[]): Entry[] {
  return JSON.parse(canonicalJson(entries));
}

/** An id where it stands: a record's or an item's by its counter, a commit's by `commit`. */
interface Occurrence {
  counter: string;
  id: string;
}

const COMMIT = 'commit';

function isKnown({ subject }: Entry): boolean {
  return familyOfKey(subject) !== undefined;
}

/** The ids that the one creates beside those that the other does, in the same order. */
function createdPairs(signed: readonly Entry[], sent: readonly Entry[]): string[] {
  const [from, to] = [signed, sent].map(entries => entries.flatMap(createdIds));
  return (from ?? []).flatMap(({ counter, id }, index) => {
    const other = to?.[index];
    return other?.counter === counter ? [pairOf(counter, String(id), String(other.id))] : [];
  });
}

function pairOf(counter: string, from: string, to: string): string {
  return `${counter} ${from} ${to}`;
}

/**
 * Whether the station has issued again under the other id what had the one before: the commit that wrote it says so by what its
 * author signed, or is of a program, for which the station speaks.
 */
function isReissued(from: Occurrence, to: Occurrence, { entries, station, read, authors }: About): boolean {
  const ids =
    from.counter === COMMIT
      ? [to.id]
      : [read.creator(`${to.counter}:${to.id}`) ?? [], writersOf(to.id, entries, read)].flat();
  return ids.some(id => {
    const commit = authors.commit(id);
    if (!commit) return false;
    if ((commit.authorship ?? null) === null) return stationOf(commit.chain) === station;
    // Also where a copy of the station's disk issued it again first.
    const authorship = readAuthorship(commit.authorship);
    const original = authorship && authoredIn(authorship);
    if (!original) return false;
    if (from.counter === COMMIT) return original.commit_id === from.id;
    const pairs = createdPairs(original.entries as Entry[], commit.entries);
    return pairs.includes(pairOf(from.counter, from.id, to.id));
  });
}

/** Who added the item, in those of the entries that change it. */
function writersOf(item: string, entries: readonly Entry[], read: RecordReader): string[] {
  return entries.flatMap(({ subject, changes }) =>
    changes.flatMap(({ path }) => {
      const steps = path.split('.');
      const place = steps.findIndex((step, index) => index % 2 === 1 && step === item);
      const added = steps.slice(0, place + 1).join('.');
      return place < 0 ? [] : siblingsOf(read, subject, added).map(({ commit }) => commit);
    }),
  );
}

/** Every id in the entries, in the order in which `IdRemapping` meets them. */
function occurrences(entries: readonly Entry[]): Occurrence[] {
  const met = new Met();
  met.entries(entries);
  return met.all;
}

/** Goes through all ids of entries. */
abstract class Walk extends IdRemapping {
  constructor() {
    super({ blocks: [], chain: '', isCompanyReplaced: false });
  }

  override isReplaced(): boolean {
    return false;
  }

  entries(entries: readonly Entry[]): Entry[] {
    return this.commit({ ...NO_COMMIT, entries: [...entries] }, (_, state) => state).entries;
  }
}

class Met extends Walk {
  readonly all: Occurrence[] = [];

  override id(id: number, counter = ''): number {
    this.all.push({ counter, id: String(id) });
    return id;
  }

  override commitId(id: string): string {
    this.all.push({ counter: COMMIT, id });
    return id;
  }
}

class Others extends Walk {
  readonly #others: ReadonlyMap<string, string>;

  constructor(others: ReadonlyMap<string, string>) {
    super();
    this.#others = others;
  }

  override id(id: number, counter = ''): number {
    return Number(this.#others.get(`${counter}:${id}`) ?? id);
  }

  override commitId(id: string): string {
    return this.#others.get(`${COMMIT}:${id}`) ?? id;
  }
}

const NO_COMMIT: Commit = {
  chain: '',
  number: 0,
  commit_id: '',
  at: '',
  clock_offset: null,
  user: '',
  reason: null,
  entries: [],
  previous_hash: '',
  hash: '',
};
