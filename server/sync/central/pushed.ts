import type { Family } from '../../../shared/contract/define-family.ts';
import type { ChangedValue, Rights } from '../../../shared/contract/permission.ts';
import type { LotLock } from '../../../shared/families/lot-locks.ts';
import type { Seen, SessionCertificate } from '../../keys/authorship.ts';
import { type Commit, type Entry, type Fields, mapOf } from '../../store/changes.ts';
import type { RecordReader } from '../protocol/siblings.ts';

export interface Author {
  id: number;
  isActive: boolean;
  roles: readonly string[];
  /** Those that he had when the log stood at that place; none where it does not tell. */
  rolesAt(place: number): readonly string[];
  /** Those that he had at some time since a machine had read so far; without `seen` those that he ever had. */
  rolesSince(seen: Seen | null): readonly string[];
  /** Null: none was made yet, or it was revoked. */
  publicKey: string | null;
  /** Whether the person had a key and has none now: somebody else may have it, and know the password. */
  isRevoked: boolean;
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
  /** What stands for a commit: itself, or as what its station or central issued it again; undefined where nothing of it does. */
  standingFor(id: string): Commit | undefined;
  /** The commit in the log for which this is the name to be issued again under. */
  formerOf(id: string): Commit | undefined;
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
  /** Whether people at that station have signed commits before. */
  signs(station: string): boolean;
  isRevoked(station: string): boolean;
  /** All that the author's key has said since of a session that began while it was pending. */
  certificatesOf(session: SessionCertificate): readonly SessionCertificate[];
  /** What a commit that the session has signed was let in as, under other ids. */
  movedTo(sessionKey: string, commit: string): readonly string[];
  /** Whether central's log says something else of that place. */
  contradicts(seen: Seen | null): boolean;
  /** Whether a machine that had read so far may have read that commit: of another epoch, and of none, nobody can tell. */
  mayHaveRead(seen: Seen | null, id: string): boolean;
  /** Whether a machine that had read so far had read a log that central lost. */
  hasReadLost(seen: Seen | null): boolean;
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
  /** The record as central has it, and with what the commit makes of it: worked out when it is asked for. */
  states(): States;
}

export interface States {
  /** Empty for a record that is not there. */
  before: Fields;
  after: Fields;
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

/** A value of the record itself, none of its items', as the commit leaves it. */
export function valueAfter({ entry, read }: Pick<Pushed, 'entry' | 'read'>, name: string): unknown {
  const change = entry.changes.find(({ path }) => path === name);
  return (change ? change.new : read.value(entry.subject, name)) ?? null;
}

/** Whether a login, former ones and other spellings included, is that user's. */
export function isOfUser(
  authors: AuthorReader,
  login: string | undefined,
  userId: number | undefined,
): boolean {
  return login !== undefined && userId !== undefined && authors.userOf(login)?.id === userId;
}

/** What changes make of a path, be it within an item that they add; undefined where they say nothing of it. */
export function valueIn(changes: readonly Pick<ChangedValue, 'path' | 'new'>[], path: string): unknown {
  const exact = changes.find(change => change.path === path);
  if (exact) return exact.new ?? null;
  const item = changes.find(change => path.startsWith(`${change.path}.`));
  if (!item) return undefined;
  const steps = path.slice(item.path.length + 1).split('.');
  return steps.reduce<unknown>((value, step) => mapOf(value)[step], item.new) ?? null;
}
