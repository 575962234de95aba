import type { Family } from '../../../shared/contract/define-family.ts';
import type { ChangedValue, Rights } from '../../../shared/contract/permission.ts';
import type { LotLock } from '../../../shared/families/lot-locks.ts';
import type { Commit, Entry, Fields } from '../../store/changes.ts';
import type { RecordReader } from '../protocol/siblings.ts';

export interface Author {
  id: number;
  isActive: boolean;
  roles: readonly string[];
  formerRoles: () => string[];
  /** Null: none was made yet. */
  publicKey: string | null;
}

/** What central knows of those who write at stations, and of what stood before. */
export interface AuthorReader {
  /** The user of that login, or one who had it before. */
  userOf(login: string): Author | undefined;
  /** A commit that stands in the log. */
  commit(id: string): Commit | undefined;
  /** Whether that commit is of the same author, whatever login he had then. */
  isBy(id: string, user: string): boolean;
  /** The same, where something of it was taken: what was lost for withdrawing nothing says of no record what stood. */
  taken(id: string): Commit | undefined;
  /** Where it stands in the log; 0 for what does not. */
  placeOf(id: string): number;
  /** What locked the lot, each with its record, when what central took before the request that is judged was written. */
  locksOf(lot: number): readonly { lock: LotLock; source: string }[];
  /** The lots of that number and part. */
  lotsOfNumber(batch: string, part: unknown): number[];
  /** Whether something locks lots by the number that this one has, of whatever part. */
  isNumberLocked(lot: number): boolean;
  /** The first commit of a chain. */
  firstOf(chain: string): Commit | undefined;
  /** Whether the station of the chain sent nothing of another one before it. */
  isFirstChain(chain: string): boolean;
  /**
   * Every block of ids but the station's own; undefined where what the station brings along is not taken as it is: its code
   * did not say so, or that is too long ago.
   */
  othersBlocks(station: string): number[] | undefined;
  /** Each state that a record had by commits that were taken, as history tells them, the newest first. */
  statesOf(subject: string): Fields[];
}

/** What a commit that a station sends makes of one record, as central judges it. */
export interface Pushed {
  family: Family;
  entry: Entry;
  commit: Commit;
  read: RecordReader;
  authors: AuthorReader;
  /** The author's; of an integration what central lets any of a station's do. */
  rights: Rights;
  /** The author as central knows him; undefined for an integration. */
  userId: number | undefined;
  /** Whether it creates the record. */
  isNew: boolean;
  /** What the commit changes of a record, from what the author saw. */
  changesOf(subject: string): readonly ChangedValue[];
  /** From what the author saw. */
  changes: readonly ChangedValue[];
}

const byFamily = new WeakMap<Commit, Map<string, Entry[]>>();

/** The commit's entries of a family: each of its thousands may ask. */
export function entriesOf(commit: Commit, family: string): readonly Entry[] {
  let known = byFamily.get(commit);
  if (!known) {
    known = Map.groupBy(commit.entries, ({ subject }) => subject.slice(0, subject.lastIndexOf(':')));
    byFamily.set(commit, known);
  }
  return known.get(family) ?? [];
}

/** What a change of the record makes of a value; undefined where it says nothing of it. */
export function newIn({ changes }: Entry, path: string): unknown {
  return changes.find(change => change.path === path)?.new;
}

/** Whether a login, former ones and other spellings included, is that user's. */
export function isOfUser(
  authors: AuthorReader,
  login: string | undefined,
  userId: number | undefined,
): boolean {
  return login !== undefined && userId !== undefined && authors.userOf(login)?.id === userId;
}
