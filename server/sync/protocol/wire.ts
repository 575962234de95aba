import type { Seen } from '../../keys/authorship.ts';
import type { OffersSignature, SignedEnd } from '../../keys/signed-end.ts';
import type { Commit } from '../../store/changes.ts';
import type { ChainHead } from '../../store/history.ts';
import type { LogEntry, LogPlace } from './log.ts';
import type { CommitPlace, PackedEntry } from './packed-entries.ts';
import type { Proof } from './proof.ts';

/** The oldest and the newest version of the protocol that this program speaks; a request outside is answered 426. */
export const PROTOCOL = { oldest: 1, newest: 1 } as const;

/**
 * What a station says to speak beside that, which a former central does not look at: from 2 on, what is not known of a commit is kept and
 * signed. What says nothing speaks 1.
 */
export const SPEAKS = 2;

/** Entries of the log that it is quicker to take as records. */
export const FAR_BEHIND = 20_000;

/** Commits and log entries in one message, at most. */
export const PAGE_LIMIT = 1_000;

/**
 * Characters of JSON in one page of the log or of a snapshot, but for an entry or a record that alone has more: the station makes each
 * durable at once, which is one step.
 */
export const PAGE_SIZE = 512 * 1024;

/**
 * How far a station has folded central's log. The countersignature is central's, over `cursorText`: a cursor that bears
 * it and that central does not know proves to central that it was restored.
 */
export interface Cursor extends LogPlace {
  /** Named at random by central, anew with every restore; '' before a station first heard of it. */
  epoch: string;
  countersignature: string;
}

/** A station that never heard of central. */
export const FIRST_CURSOR: Cursor = { epoch: '', sequence: 0, hash: '', countersignature: '' };

/** How far a station knows central's log, as its people sign it. */
export function seenBy({ epoch, sequence, hash }: Cursor): Seen {
  return { epoch, sequence, hash };
}

/** A commit with central's countersignature over `commitText` or `notedText`: that it stood in central's log. */
export interface Countersigned {
  commit: Commit;
  countersignature: string;
}

/** What a station gives back of a log that central lost. */
export interface Offer extends Countersigned {
  /**
   * By counters and ids (`part:7`, `item:batches:3`) that it names, the commits that created these in the part that was lost: central may
   * have given the ids again. A station of an earlier version does not say it.
   */
  means?: Readonly<Record<string, string>>;
}

/**
 * The last commit of a chain that central has, with the countersignature over `headText`: everything of the chain up to
 * it is safe there.
 */
export interface SignedHead extends ChainHead {
  chain: string;
  countersignature: string;
}

/** What every request says. */
export interface Asking {
  /** Named at random for each request; an answer to any other than the one that is waited for is thrown away. */
  request: string;
  station: string;
  protocol: number;
  cursor: Cursor;
  /** That it is the newest machine of the station; a former central does not look at it, a former station gives none. */
  proof?: Proof;
}

/** Central checks the cursor, then takes the offers, then the commits, each in its own transaction. */
export interface PushRequest extends Asking {
  kind: 'push';
  /** What stood in the log that central lost, of any chain, in that log's order. */
  offers: Offer[];
  /** Own commits of all chains in the order of writing. */
  commits: Commit[];
  /** The ends of these, signed by the station; one of a former version has none, and a former central does not look at them. */
  ends?: SignedEnd[];
  /** The station's signature of the offers. */
  offered?: OffersSignature;
  /** By own commits that change what central lost, as of `Offer`. */
  means?: Readonly<Record<string, NonNullable<Offer['means']>>>;
}

export interface PullRequest extends Asking {
  kind: 'pull';
  /** At most this many entries; central may send fewer. */
  limit: number;
  /** About so many characters of JSON, but for an entry that alone has more; an older central does not look at it. */
  size?: number;
  /**
   * There when the station takes packed entries: the heads of its own chains that it has heard of from central, with the
   * hashes that its own history has there. Where central has the same, the commits up to there need not come.
   */
  packed?: (CommitPlace & Pick<ChainHead, 'hash'>)[];
}

/** Asks for the log's hashes between two places, to find where the station's log and central's part. */
export interface PrefixRequest extends Asking {
  kind: 'prefix';
  /** The last sequence that both are known to share. */
  low: number;
  /** The first sequence that they are known not to share. */
  high: number;
}

/** Asks for records instead of the log: by a station that is new or far behind. */
export interface SnapshotRequest extends Asking {
  kind: 'snapshot';
  /** The place of the snapshot that was begun; null to begin one. */
  at: LogPlace | null;
  /** The last record received; null to begin. */
  after: string | null;
  /** As of a pull. */
  size?: number;
}

export type Request = PushRequest | PullRequest | PrefixRequest | SnapshotRequest;

/** What every answer says. */
export interface Answering {
  request: string;
  epoch: string;
  /** The last sequence of central's log. */
  last: number;
  /** Of every chain of the asking station. */
  heads: SignedHead[];
}

/** Why central took a commit and those after it no further. */
export interface Refusal {
  chain: string;
  number: number;
  /**
   * `fork`: the number has another hash here. `gap`: commits before it are missing here. `hash`: it is not what its
   * hash says. `foreign`: it is of another station's chain, or has the name under
   * which another station is to issue again what is held of it: what that sent would have no effect after it.
   */
  reason: 'fork' | 'gap' | 'hash' | 'foreign';
}

export interface PushAnswer extends Answering {
  kind: 'push';
  refused: Refusal | null;
  /** Ids of offered commits whose countersignature is not central's: never taken, not to be offered again. */
  unverified: string[];
  /**
   * Ids of offered commits that stand in the log up to the cursor of the request: what is taken as a snapshot names them
   * nowhere else.
   */
  known: string[];
}

/** The log after a cursor. */
export interface Page extends Answering {
  kind: 'page';
  /** The cursor that was asked from. */
  from: LogPlace;
  entries: (LogEntry & { countersignature: string })[];
  /** In the place of `entries`, which is empty then. */
  packed?: PackedEntry[];
  /** The cursor after these entries. */
  to: Cursor;
}

/** Nothing was taken or sent: central's log has no such place in this epoch. Also the answer to a `PrefixRequest`. */
export interface CursorUnknown extends Answering {
  kind: 'cursor_unknown';
  /** Places of central's log, as cursors of the present epoch, ascending: where to look for the longest common prefix. */
  rungs: Cursor[];
}

/**
 * Some records, ascending by key, as of the place in the log at which the page is read: each says by `folded` up to where
 * it is decided. The log from `at` brings all of them to one place. `R` is a record with its siblings as the store writes
 * them.
 */
export interface SnapshotPage<R = unknown> extends Answering {
  kind: 'snapshot';
  /** Where the snapshot was begun: the cursor that the station has when it holds all pages. */
  at: Cursor;
  /** Where this page was read. Only a log that has this place has the records as they are here. */
  until: LogPlace;
  records: R[];
  /** What to ask after; null when this is the last page. */
  after: string | null;
  /** On the first page only. */
  start: SnapshotStart | null;
}

/** What the log up to the place of a snapshot says beside its records. */
export interface SnapshotStart {
  /** The asking station's chains: what is not after them and not held is decided. */
  heads: SignedHead[];
  /** Of all stations, in the order in which they arrived. */
  held: { commit: Commit; reason: string }[];
  /** Ids of the commits that were withdrawn. */
  withdrawn: string[];
}

/** A snapshot that a station takes: kept with the records of its pages, so that a crash loses nothing of it. */
export interface SnapshotState {
  /** Null until the first page came. */
  at: Cursor | null;
  after: string | null;
  start: SnapshotStart | null;
}

export const NEW_SNAPSHOT: SnapshotState = { at: null, after: null, start: null };

export type Answer = PushAnswer | Page | CursorUnknown | SnapshotPage;

/** What central countersigns of a commit that it applied on its arrival. */
export function commitText(hash: string): string {
  return `commit:${hash}`;
}

/**
 * What central countersigns of a commit that stands in its log without having been applied on its arrival: it was held,
 * lost or repeated. Should the log be lost, it is decided as if it came for the first time.
 */
export function notedText(hash: string): string {
  return `noted:${hash}`;
}

/** What central countersigns of the last commit of a chain: it says nothing of what became of it. */
export function headText(hash: string): string {
  return `head:${hash}`;
}

/** What central countersigns of a cursor. */
export function cursorText({ epoch, sequence, hash }: Omit<Cursor, 'countersignature'>): string {
  return `cursor:${epoch}:${sequence}:${hash}`;
}
