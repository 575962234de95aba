import { sameJson } from '../../../shared/contract/canonical-json.ts';
import { memberCount } from '../../../shared/contract/member-count.ts';
import type { Commit } from '../../store/changes.ts';
import type { ChainHead } from '../../store/history.ts';
import { atOnce, type Steps } from '../../store/yield-to-event-loop.ts';
import { type Decision, isCreation } from './decide.ts';
import { type Hash, hashingCommit, type LogEntry, type LogPlace, logEntry } from './log.ts';

/** Where a commit stands. */
export type CommitPlace = Pick<Commit, 'chain' | 'number'>;

/**
 * An entry of the log without what the station that takes it works out itself. That it has worked out the same, the hash
 * of the last entry of the page proves, which covers all before it.
 */
export interface PackedEntry {
  /** Where the commit stands in the history of the station, which said that it has it; else it is `commit`. */
  known?: CommitPlace;
  /** Without its hash, and without the previous one where that is of a commit of the same page. */
  commit?: Omit<Commit, 'hash' | 'previous_hash'> & { previous_hash?: string };
  /** Left out when the commit is applied and nothing that it did not see meets it. */
  decisions?: Decision[];
  countersignature: string;
}

export type SignedEntry = LogEntry & { countersignature: string };

/** An entry for a station that has its commit, which nobody has to read then. */
export interface KnownEntry extends LogPlace, Pick<PackedEntry, 'decisions' | 'countersignature'> {
  known: CommitPlace;
}

/** Packs the entries of a page. `isKnown`: whether the station that takes them has a commit. */
export function packEntries(
  entries: readonly (SignedEntry | KnownEntry)[],
  isKnown: (place: CommitPlace) => boolean,
): PackedEntry[] {
  const heads = new Map<string, ChainHead>();
  return entries.map(entry => {
    if ('known' in entry) {
      const { known, decisions, countersignature } = entry;
      return { known, ...(decisions && { decisions }), countersignature };
    }
    const { commit, decisions, countersignature } = entry;
    const { chain, number } = commit;
    const before = heads.get(chain);
    heads.set(chain, commit);
    const rest = isPlain(commit, decisions) ? { countersignature } : { decisions, countersignature };
    if (isKnown(commit)) return { known: { chain, number }, ...rest };
    const { hash: _, previous_hash, ...content } = commit;
    const follows = before?.number === number - 1 && before.hash === previous_hash;
    return { commit: follows ? content : { ...content, previous_hash }, ...rest };
  });
}

export interface Unpacked {
  /** Whole, with the hashes that follow from what came and what is here. */
  entries: SignedEntry[];
  /** Those whose commits came with the page. */
  arrived: SignedEntry[];
}

/** Undoes `packEntries`, for the entries after a place; undefined when a commit is not here. */
export function unpackEntries(...asked: Parameters<typeof unpackingEntries>): Unpacked | undefined {
  return atOnce(unpackingEntries(...asked));
}

/** `unpackEntries` in steps. */
export function* unpackingEntries(
  from: LogPlace,
  packed: readonly PackedEntry[],
  commitAt: (place: CommitPlace) => Commit | undefined,
  hash: Hash,
): Steps<Unpacked | undefined> {
  const entries: SignedEntry[] = [];
  const arrived: SignedEntry[] = [];
  const heads = new Map<string, ChainHead>();
  let before = from;
  for (const { known, commit: sent, decisions, countersignature } of packed) {
    const commit = known ? commitAt(known) : sent && (yield* whole(sent, heads.get(sent.chain), hash));
    if (!commit) return undefined;
    yield;
    heads.set(commit.chain, commit);
    const placed = logEntry(before, commit, decisions ?? plainDecisions(commit), hash);
    const entry = { ...placed, countersignature };
    entries.push(entry);
    if (!known) arrived.push(entry);
    before = entry;
  }
  return { entries, arrived };
}

function* whole(
  sent: NonNullable<PackedEntry['commit']>,
  before: ChainHead | undefined,
  hash: Hash,
): Steps<Commit> {
  const commit = { ...sent, previous_hash: sent.previous_hash ?? before?.hash ?? '', hash: '' };
  return { ...commit, hash: yield* hashingCommit(commit, hash) };
}

function plainDecision({ commit_id, entries }: Commit): Decision {
  const effects = entries.map(entry => ({
    subject: entry.subject,
    isNew: isCreation(entry),
    paths: entry.changes.map(change => ({ path: change.path, value: change.new ?? null })),
  }));
  return { commit_id, outcome: 'applied', reason: null, effects };
}

/** Decisions that were found plain, or are by their making: each is asked for again when it is kept and when it is sent. */
const plainOnes = new WeakSet<readonly Decision[]>();

/** The decisions of a commit that is applied and that nothing meets. */
export function plainDecisions(commit: Commit): Decision[] {
  const decisions = [plainDecision(commit)];
  plainOnes.add(decisions);
  return decisions;
}

/** Whether the decisions of a commit are the plain one. */
export function isPlain(commit: Commit, decisions: readonly Decision[]): boolean {
  if (plainOnes.has(decisions)) return true;
  if (!isPlainDecision(commit, decisions)) return false;
  plainOnes.add(decisions);
  return true;
}

/** Member by member: what another version adds counts in the hash. */
function isPlainDecision(commit: Commit, [decision, ...further]: readonly Decision[]): boolean {
  if (!decision || further.length > 0 || decision.outcome !== 'applied') return false;
  const { effects, reason, commit_id } = decision;
  return (
    hasMembers(decision, 4) &&
    commit_id === commit.commit_id &&
    reason === null &&
    effects.length === commit.entries.length &&
    effects.every((effect, index) => {
      const entry = commit.entries[index];
      return (
        entry?.subject === effect.subject &&
        hasMembers(effect, 3) &&
        effect.isNew === isCreation(entry) &&
        effect.paths.length === entry.changes.length &&
        effect.paths.every((one, place) => {
          const change = entry.changes[place];
          return change?.path === one.path && hasMembers(one, 2) && sameJson(change.new, one.value);
        })
      );
    })
  );
}

function hasMembers(value: object, count: number): boolean {
  return memberCount(value) === count;
}
