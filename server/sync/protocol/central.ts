import type { Commit } from '../../store/changes.ts';
import type { ChainHead } from '../../store/history.ts';
import { stationOf } from '../../store/history.ts';
import { atOnce, type Steps } from '../../store/yield-to-event-loop.ts';
import { type DecidedReader, decidingInLog, type LogRules, type Offered } from './decide-in-log.ts';
import { type Hash, hashingCommit, type LogEntry, type LogPlace, logEntry } from './log.ts';
import { type CommitPlace, type KnownEntry, packEntries, type SignedEntry } from './packed-entries.ts';
import {
  type Answering,
  type Asking,
  type Countersigned,
  type Cursor,
  type CursorUnknown,
  commitText,
  cursorText,
  headText,
  notedText,
  type Page,
  type PrefixRequest,
  type PullRequest,
  type PushAnswer,
  type PushRequest,
  type Refusal,
  type Request,
  type SignedHead,
} from './wire.ts';

/** Central's reading of its own state, in the transaction that the answer is written in. */
export interface CentralReader extends DecidedReader {
  epoch(): string;
  /** Whether central was in the epoch before, or wrote it down as one that a restore lost. */
  isFormerEpoch(epoch: string): boolean;
  /** The end of the log. */
  place(): LogPlace;
  /** '' at 0; undefined above the end. */
  logHashAt(sequence: number): string | undefined;
  /** `CHAIN_START` for a chain that central never heard of. */
  head(chain: string): ChainHead;
  /** The hash of the chain's commit of this number, at most the head's. */
  hashAt(chain: string, number: number): string | undefined;
  /** The sequence of the entry that decided a commit of this id on its arrival; undefined for none. */
  sequenceOf(commit: string): number | undefined;
  headsOf(station: string): (ChainHead & { chain: string })[];
  /** Whether it is the name under which another station is to issue again what is held of it. */
  isNameOfAnother?(commit: string, station: string): boolean;
  /** The chain that central writes in since its last restore. */
  ownChain(): string;
}

export interface CentralTerms extends LogRules {
  hash: Hash;
  /** With a key that outlives restores. */
  countersign(text: string): string;
  verify(text: string, countersignature: string): boolean;
}

/** A log entry to write in one transaction with what it decides and with the head of its commit's chain. */
export interface Append {
  kind: 'append';
  entry: LogEntry;
  /** To keep with the entry and to send with it. */
  countersignature: string;
}

export type Received = Append | { kind: 'present' } | { kind: 'refused'; refusal: Refusal };

/** A commit of central before it has its place in central's chain. */
export type Unplaced = Omit<Commit, 'chain' | 'number' | 'previous_hash' | 'hash'>;

/**
 * - `known`: go on.
 * - `unknown`: answer `cursorUnknown` and write nothing.
 * - `restored`: central countersigned this cursor and does not know it, so it was restored without notice. In one
 *   transaction begin a new epoch and a new own chain, both named at random, and write down the present epoch and the
 *   cursor's as former ones; then answer `cursorUnknown`.
 */
export function checkCursor(
  cursor: Cursor,
  read: CentralReader,
  terms: CentralTerms,
): 'known' | 'unknown' | 'restored' {
  const isPresent = cursor.epoch === read.epoch();
  if (isPresent && read.logHashAt(cursor.sequence) === cursor.hash) return 'known';
  if (!isPresent && read.isFormerEpoch(cursor.epoch)) return 'unknown';
  return terms.verify(cursorText(cursor), cursor.countersignature) ? 'restored' : 'unknown';
}

/**
 * A pushed commit of the station that was authenticated, after the cursor was found known and every offer of the push was taken. Each in its own transaction;
 * the first refusal ends the push. A number up to the head must have the hash that is here, the next one must follow
 * the head; an id that is known goes into the log without effect, so that its chain goes on.
 */
export function receiveCommit(...asked: Parameters<typeof receivingCommit>): Received {
  return atOnce(receivingCommit(...asked));
}

/** `receiveCommit` in steps. */
export function* receivingCommit(
  commit: Commit,
  station: string,
  read: CentralReader,
  terms: CentralTerms,
): Steps<Received> {
  const refused = (reason: Refusal['reason']): Received => ({
    kind: 'refused',
    refusal: { chain: commit.chain, number: commit.number, reason },
  });
  const isForeign =
    stationOf(commit.chain) !== station || read.isNameOfAnother?.(commit.commit_id, station) === true;
  if (isForeign) return refused('foreign');
  yield;
  if ((yield* hashingCommit(commit, terms.hash)) !== commit.hash) return refused('hash');
  const place = placeOf(commit, read);
  if (place === 'next') return yield* append(commit, read, terms);
  return place === 'present' ? { kind: 'present' } : refused(place);
}

/**
 * A commit that a log which central lost held. What central countersigned it answered for, so it takes the commit in
 * any case: under its own chain where it follows the head, else, the chain having gone on otherwise meanwhile, under
 * central's own chain with its id kept. What it had applied it applies again whoever may write such records; of what it
 * had held, the log says anew.
 * @returns `unverified` when the countersignature is not central's
 */
export function receiveOffer(
  ...asked: Parameters<typeof receivingOffer>
): Append | { kind: 'present' } | { kind: 'unverified' } {
  return atOnce(receivingOffer(...asked));
}

/** `receiveOffer` in steps. */
export function* receivingOffer(
  { commit, countersignature }: Countersigned,
  read: CentralReader,
  terms: CentralTerms,
): Steps<Append | { kind: 'present' } | { kind: 'unverified' }> {
  const isSound = (yield* hashingCommit(commit, terms.hash)) === commit.hash;
  if (!isSound) return { kind: 'unverified' };
  const wasApplied = terms.verify(commitText(commit.hash), countersignature);
  if (!wasApplied && !terms.verify(notedText(commit.hash), countersignature)) return { kind: 'unverified' };
  const place = placeOf(commit, read);
  const offered = { station: stationOf(commit.chain), wasApplied };
  if (place === 'next') return yield* append(commit, read, terms, offered);
  if (place === 'present' || read.isKnown(commit.commit_id)) return { kind: 'present' };
  return yield* appendingOwn(commit, read, terms, offered);
}

/**
 * A commit of central itself: an edit of its console, a release, a withdrawal. The caller refuses the edit and writes
 * nothing when the first decision is not `applied`, and asks `holdFault` before a release or withdrawal.
 */
export function appendOwn(...asked: Parameters<typeof appendingOwn>): Append {
  return atOnce(appendingOwn(...asked));
}

function* appendingOwn(
  unplaced: Unplaced,
  read: CentralReader,
  terms: CentralTerms,
  offered?: Offered,
): Steps<Append> {
  const chain = read.ownChain();
  const head = read.head(chain);
  const commit: Commit = { ...unplaced, chain, number: head.number + 1, previous_hash: head.hash, hash: '' };
  const hash = yield* hashingCommit(commit, terms.hash);
  return yield* append({ ...commit, hash }, read, terms, offered);
}

/** The answer to a push that was taken up to `refused`. */
export function pushAnswer(
  request: PushRequest,
  refused: Refusal | null,
  unverified: string[],
  read: CentralReader,
  terms: CentralTerms,
): PushAnswer {
  const known = request.offers
    .map(({ commit }) => commit.commit_id)
    .filter(id => (read.sequenceOf(id) ?? Number.POSITIVE_INFINITY) <= request.cursor.sequence);
  return { kind: 'push', refused, unverified, known, ...answering(request, read, terms) };
}

/**
 * The answer to a pull whose cursor is known, with the entries after the cursor, oldest first, none left out. What two
 * machines share at a place of a chain they share before it.
 * @param entries whole ones where the request does not take packed ones: nothing is `knownTo` who asks so
 */
export function pageAnswer(
  request: PullRequest,
  entries: readonly (SignedEntry | KnownEntry)[],
  read: CentralReader,
  terms: CentralTerms,
): Page {
  const { sequence, hash } = request.cursor;
  const to = cursorAt(entries.at(-1) ?? request.cursor, read, terms);
  const page = { kind: 'page', from: { sequence, hash }, to, ...answering(request, read, terms) } as const;
  if (request.packed) return { ...page, entries: [], packed: packEntries(entries, knownTo(request, read)) };
  return { ...page, entries: entries.flatMap(entry => ('known' in entry ? [] : entry)) };
}

/** Whether the station that asks has a commit, by what it says of its chains: such a commit is not sent. */
export function knownTo(
  { packed = [], station }: PullRequest,
  read: CentralReader,
): (place: CommitPlace) => boolean {
  const shared = packed.filter(
    head => stationOf(head.chain) === station && read.hashAt(head.chain, head.number) === head.hash,
  );
  const known = new Map(shared.map(head => [head.chain, head.number]));
  return place => place.number <= (known.get(place.chain) ?? 0);
}

const RUNGS = 32;

/** The answer to any request whose cursor is not known, and to `prefix`: at most 33 places where the logs may part. */
export function cursorUnknown(request: Request, read: CentralReader, terms: CentralTerms): CursorUnknown {
  const { low, high } = request.kind === 'prefix' ? request : wholeRange(request);
  const top = Math.min(high - 1, read.place().sequence);
  const step = Math.max(1, Math.ceil((top - low) / (RUNGS - 1)));
  const rungs: Cursor[] = [];
  for (let sequence = low; sequence < top; sequence += step) rungs.push(rung(sequence, read, terms));
  rungs.push(rung(Math.max(0, top), read, terms));
  return { kind: 'cursor_unknown', rungs, ...answering(request, read, terms) };
}

/** The cursor at a place of the present log, countersigned. */
export function cursorAt({ sequence, hash }: LogPlace, read: CentralReader, terms: CentralTerms): Cursor {
  const cursor = { epoch: read.epoch(), sequence, hash };
  return { ...cursor, countersignature: terms.countersign(cursorText(cursor)) };
}

/** The heads of a station's chains, countersigned. */
export function signedHeads(station: string, read: CentralReader, terms: CentralTerms): SignedHead[] {
  return read
    .headsOf(station)
    .map(head => ({ ...head, countersignature: terms.countersign(headText(head.hash)) }));
}

function wholeRange({ cursor }: Asking): Pick<PrefixRequest, 'low' | 'high'> {
  return { low: 0, high: cursor.sequence + 1 };
}

function rung(sequence: number, read: CentralReader, terms: CentralTerms): Cursor {
  return cursorAt({ sequence, hash: read.logHashAt(sequence) ?? '' }, read, terms);
}

/** What every answer says. */
export function answering({ request, station }: Asking, read: CentralReader, terms: CentralTerms): Answering {
  return {
    request,
    epoch: read.epoch(),
    last: read.place().sequence,
    heads: signedHeads(station, read, terms),
  };
}

function placeOf(commit: Commit, read: CentralReader): 'present' | 'next' | 'fork' | 'gap' {
  const head = read.head(commit.chain);
  if (commit.number <= head.number) {
    return read.hashAt(commit.chain, commit.number) === commit.hash ? 'present' : 'fork';
  }
  if (commit.number > head.number + 1) return 'gap';
  return commit.previous_hash === head.hash ? 'next' : 'fork';
}

function* append(commit: Commit, read: CentralReader, terms: CentralTerms, offered?: Offered): Steps<Append> {
  const decisions = yield* decidingInLog(commit, read, terms, offered);
  yield;
  const isApplied = decisions[0]?.outcome === 'applied';
  const text = isApplied ? commitText(commit.hash) : notedText(commit.hash);
  const entry = logEntry(read.place(), commit, decisions, terms.hash);
  return { kind: 'append', entry, countersignature: terms.countersign(text) };
}
