import { canonicalJson, sortedMember, unsortable } from '../../shared/contract/canonical-json.ts';
import { memberCount } from '../../shared/contract/member-count.ts';
import type { Change, Commit, Entry } from './changes.ts';

/** Members of a commit beside its hash, of an entry and of a change, as this version knows them. */
const MEMBERS = { commit: 9, entry: 2, change: 4 } as const;
type Content = Omit<Commit, 'hash'> & { hash?: string };

/**
 * What the hash of a commit is of: its canonical JSON without the hash itself. Every commit is hashed on every machine,
 * mostly more than once: the members that this version knows are written down in their sorted order at once, which takes
 * a third of the time. A commit that has others is put through `canonicalJson`.
 */
export function canonicalCommit(commit: Content): string {
  const sorted = sortedCommit(commit);
  if (sorted) return JSON.stringify(sorted);
  const { hash: _, ...content } = commit;
  return canonicalJson(content);
}

function sortedCommit(commit: Content): object | undefined {
  const { at, chain, clock_offset, commit_id, entries, number, previous_hash, reason, user } = commit;
  const authorship = sortedMember(commit.authorship);
  const others = Number(commit.hash !== undefined) + Number('authorship' in commit);
  const isKnown =
    memberCount(commit) === MEMBERS.commit + others &&
    authorship !== unsortable &&
    typeof at === 'string' &&
    typeof chain === 'string' &&
    (clock_offset === null || Number.isFinite(clock_offset)) &&
    typeof commit_id === 'string' &&
    Array.isArray(entries) &&
    Number.isFinite(number) &&
    typeof previous_hash === 'string' &&
    (reason === null || typeof reason === 'string') &&
    typeof user === 'string';
  if (!isKnown) return undefined;
  const sorted = sortedEntries(entries);
  if (!sorted) return undefined;
  return {
    at,
    authorship,
    chain,
    clock_offset: clock_offset ?? undefined,
    commit_id,
    entries: sorted,
    number,
    previous_hash,
    reason: reason ?? undefined,
    user,
  };
}

/** Entries that are written down in one step. */
const PART = 500;

/** Stands for the entries while what is around them is written. */
const ENTRIES = '\u0000entries';

/**
 * The text of `canonicalCommit` in pieces: a commit may have thousands of records, and others are answered between two of them.
 * @param parts the entries as they are to be taken together; 500 at a time unless they are given
 */
export function* canonicalPieces(
  { hash: _, ...content }: Content,
  parts: readonly (readonly Entry[])[] = inParts(content.entries),
): Generator<string, void> {
  const around = canonicalJson({ ...content, entries: ENTRIES }).split(JSON.stringify(ENTRIES));
  const [before = '', after = ''] = around;
  if (around.length !== 2) {
    yield canonicalCommit(content);
    return;
  }
  yield `${before}[`;
  for (const [place, entries] of parts.entries())
    yield (place === 0 ? '' : ',') + canonicalEntries(entries).slice(1, -1);
  yield `]${after}`;
}

/** The entries of a commit, as many in each part as one step takes. */
export function inParts(entries: readonly Entry[]): Entry[][] {
  return Array.from({ length: Math.ceil(entries.length / PART) }, (_, part) =>
    entries.slice(part * PART, (part + 1) * PART),
  );
}

function canonicalEntries(entries: readonly Entry[]): string {
  const sorted = sortedEntries(entries);
  return sorted ? JSON.stringify(sorted) : canonicalJson(entries);
}

function sortedEntries(entries: readonly Entry[]): object[] | undefined {
  const sorted: object[] = [];
  for (const entry of entries) {
    const one = sortedEntry(entry);
    if (!one) return undefined;
    sorted.push(one);
  }
  return sorted;
}

function sortedEntry(entry: Entry): object | undefined {
  const { changes, subject } = entry;
  if (memberCount(entry) !== MEMBERS.entry || typeof subject !== 'string' || !Array.isArray(changes))
    return undefined;
  const sorted: object[] = [];
  for (const change of changes) {
    const one = sortedChange(change);
    if (!one) return undefined;
    sorted.push(one);
  }
  return { changes: sorted, subject };
}

function sortedChange(change: Change): object | undefined {
  const { over, path } = change;
  const [next, old] = [sortedMember(change.new), sortedMember(change.old)];
  const isKnown =
    memberCount(change) === MEMBERS.change &&
    'new' in change &&
    'old' in change &&
    typeof path === 'string' &&
    next !== unsortable &&
    old !== unsortable &&
    Array.isArray(over) &&
    over.every(id => typeof id === 'string');
  return isKnown ? { new: next, old, over, path } : undefined;
}
