import type { Commit } from '../../store/changes.ts';
import { isReissuedId } from '../../store/commit-id.ts';
import type { ChainHead } from '../../store/history.ts';
import { type Hash, type LogEntry, type LogPlace, logFault } from './log.ts';
import { type CommitPlace, type Unpacked, unpackEntries } from './packed-entries.ts';
import { followedBy, NEW_PROTOCOL_STATE, type ProtocolState, slotOf } from './protocol-state.ts';
import { isDisproved } from './snapshot.ts';
import type {
  Answer,
  Cursor,
  CursorUnknown,
  Page,
  PushAnswer,
  Refusal,
  SnapshotPage,
  SnapshotState,
} from './wire.ts';

/** A station's reading of its own state, in the transaction that an answer is taken in. */
export interface StationReader {
  cursor(): Cursor;
  /** The sequence of the snapshot that the received log begins after; 0 when it begins at the first entry. */
  logStart(): number;
  /** The snapshot that is being taken. */
  snapshot(): SnapshotState | undefined;
  /** Where the last records of the snapshot were read, while the received log has not come so far. */
  snapshotUntil(): LogPlace | undefined;
  /** How many entries of the log it is quicker to take as a snapshot. */
  farBehind(): number;
  /** Of the received log: '' at 0; undefined where it was not received, and above its end. */
  logHashAt(sequence: number): string | undefined;
  /** The chain that this station writes in. */
  ownChain(): string;
  /** Whether the chain is of this station, the present one or a former. */
  isOwn(chain: string): boolean;
  /** The head of a chain in this station's history. */
  head(chain: string): ChainHead;
  hashAt(chain: string, number: number): string | undefined;
  /** A commit of this station's history, which is what its hash says. */
  commitAt(place: CommitPlace): Commit | undefined;
  /** Whether another station is to issue again under that name what central holds of it: in a new chain it is left out. */
  isNameOfAnother?(commit: string): boolean;
}

/** What the store writes, in one transaction, before it keeps the new state. */
export type Act =
  /** Nothing; `why` for the log file. */
  | { kind: 'none'; why: string }
  /** Append the entries to the received log, fold them (`logChanges`) and move the cursor. */
  | { kind: 'take'; entries: Page['entries']; cursor: Cursor }
  /**
   * Central's log parts from the received one here: see `cut`. `isAnew`: the received log does not begin at the first
   * entry, so that records cannot be folded from it: only the log is cut and offered, with all that was taken as known,
   * and a snapshot is begun. `heads`: up to which numbers central has the own chains.
   */
  | { kind: 'cut'; to: Cursor; isAnew: boolean; heads: Readonly<Record<string, number>> }
  /** This station goes on in a chain that central knows otherwise: see `beginAgain`; then the answer is asked for anew. */
  | { kind: 'begin_again' }
  /** From now on records are asked for in place of the log; what was taken of another snapshot counts no more. */
  | { kind: 'begin_snapshot' }
  /**
   * Put the records in the place of what is decided, and take away those between the last page's and these. On the last
   * page the cursor is the snapshot's, and its start says what is decided of own commits: see `ownAtSnapshot`.
   */
  | { kind: 'records'; page: SnapshotPage }
  /**
   * Offers to mark as refused: they are shown to a person and not sent again; and as known: they are not sent again
   * unless the log is cut.
   */
  | { kind: 'heads'; unverified: string[]; known: string[] }
  /** Central refuses what this station wrote, or sent what does not match its hashes: tell a person, retry slowly. */
  | { kind: 'stuck'; why: string };

/**
 * What an answer means. An answer to any request other than those that are waited for changes nothing. The state is kept
 * in memory, and only after the act is durable.
 * @param unpacked the entries of a packed page, where they were unpacked before
 */
export function receiveAnswer(
  answer: Answer,
  state: ProtocolState,
  read: StationReader,
  hash: Hash,
  unpacked?: Unpacked,
): { state: ProtocolState; act: Act } {
  const slot = slotOf(answer.request, state);
  if (slot === undefined) return { state, act: { kind: 'none', why: 'The request was abandoned.' } };
  if (slot === 'ahead') {
    // Central may have answered before it had what this follows: the answer to that tells.
    const why = 'The answer came before the one to the push before it.';
    return { state: { ...state, ahead: null, isNotified: true }, act: { kind: 'none', why } };
  }
  const freed: ProtocolState = slot === 'up' ? { ...state, up: null, ahead: null } : { ...state, down: null };
  if (answer.kind === 'cursor_unknown') return receiveUnknown(answer, freed, read);
  if (isRestored(answer, read)) return { state: NEW_PROTOCOL_STATE, act: { kind: 'begin_again' } };
  if (answer.kind === 'push') return receivePushAnswer(answer, freed, state, read);
  if (answer.kind === 'page') {
    const isOvertaken = state.down?.isOvertaken === true;
    return receivePage(answer, freed, read, hash, { isOvertaken, unpacked });
  }
  return receiveRecords(answer, freed, read);
}

/** Whether central's word on this station's own chains shows that the station was restored without noticing. */
export function isRestored(answer: Pick<Answer, 'heads'>, read: StationReader): boolean {
  return answer.heads.some(({ chain, number, hash }) => {
    const known = read.hashAt(chain, number);
    // Of a former chain central may well hold what a restored copy lacks: nothing more is written in it here.
    return known === undefined ? chain === read.ownChain() && number > 0 : known !== hash;
  });
}

/** A page is taken when it begins at the cursor, in the cursor's epoch, and its numbers and hashes hold. */
export function receivePage(
  page: Page,
  state: ProtocolState,
  read: StationReader,
  hash: Hash,
  { isOvertaken = false, unpacked: known }: { isOvertaken?: boolean; unpacked?: Unpacked | undefined } = {},
): { state: ProtocolState; act: Act } {
  const cursor = read.cursor();
  const isNext =
    page.from.sequence === cursor.sequence &&
    page.from.hash === cursor.hash &&
    page.to.epoch === cursor.epoch;
  if (!isNext) {
    return {
      state: { ...state, isNotified: true },
      act: { kind: 'none', why: 'The page does not begin at the cursor.' },
    };
  }
  const { packed } = page;
  const commitAt = (place: CommitPlace) => read.commitAt(place);
  const unpacked = packed && (known ?? unpackEntries(page.from, packed, commitAt, hash));
  if (packed && !unpacked) {
    // Without a word of what central has, the next pull says nothing of what is here, and all of it comes.
    const why = 'A commit that central takes for known is not here.';
    return { state: { ...state, heads: null, isNotified: true }, act: { kind: 'none', why } };
  }
  const { entries, arrived } = unpacked ?? { entries: page.entries, arrived: page.entries };
  const fault = (packed ? undefined : logFault(page.from, entries, hash)) ?? endFault(page, entries);
  if (fault !== undefined) return { state, act: { kind: 'stuck', why: fault } };
  const until = read.snapshotUntil();
  const isOfAnother = until !== undefined && isDisproved(page, entries, until);
  if (isOfAnother || page.last - cursor.sequence > read.farBehind()) {
    return { state, act: { kind: 'begin_snapshot' } };
  }
  if (arrived.some(entry => isForeignInOwn(entry, read))) {
    return { state: NEW_PROTOCOL_STATE, act: { kind: 'begin_again' } };
  }
  const isAtEnd = page.to.sequence >= page.last;
  return {
    state: {
      ...state,
      // A push that was answered says more, and what it changed is asked for next.
      heads: isOvertaken && state.heads ? state.heads : headsOf(page),
      isNotified: state.isNotified || !isAtEnd,
      // Offers that the whole log does not hold were lost on the way, or by central since it took them.
      offered: isAtEnd ? 0 : state.offered,
    },
    act: { kind: 'take', entries, cursor: page.to },
  };
}

function receivePushAnswer(
  answer: PushAnswer,
  freed: ProtocolState,
  waiting: ProtocolState,
  read: StationReader,
): { state: ProtocolState; act: Act } {
  const { refused, unverified, known } = answer;
  const name = refused ? nameRefused(refused, read) : undefined;
  const isOfAnother = name !== undefined && read.isNameOfAnother?.(name) === true;
  if (refused && (refused.reason === 'fork' || isGapHere(refused, answer, read) || isOfAnother))
    return { state: NEW_PROTOCOL_STATE, act: { kind: 'begin_again' } };
  if (name !== undefined && read.cursor().sequence < answer.last) {
    // Nothing is pushed before more of the log was read.
    const why = 'Central holds something that is to be issued again under that name, which is read first.';
    return { state: { ...freed, heads: null, isNotified: true }, act: { kind: 'none', why } };
  }
  if (refused && refused.reason !== 'gap') {
    const why = `Central refuses commit ${refused.number} of chain ${refused.chain}: ${refused.reason}.`;
    return { state: freed, act: { kind: 'stuck', why } };
  }
  const heads = headsOf(answer);
  const next: ProtocolState = {
    ...freed,
    up: followedBy(waiting, heads),
    down: freed.down && { ...freed.down, isOvertaken: true },
    heads,
    isNotified: true,
    offered: Math.max(waiting.up?.offered ?? 0, freed.offered),
  };
  return { state: next, act: { kind: 'heads', unverified, known } };
}

/**
 * Whether what central misses of a chain stands here no more, either: it was issued again in another one, by this machine or, of
 * what a log that central lost had, by central. Sent again it would be refused for ever.
 */
function isGapHere({ chain, number, reason }: Refusal, { heads }: PushAnswer, read: StationReader): boolean {
  const head = heads.find(each => each.chain === chain)?.number ?? 0;
  return reason === 'gap' && head + 1 < number && read.hashAt(chain, head + 1) === undefined;
}

/** What the refused commit is called, where another station may be to issue something again under that. */
function nameRefused({ chain, number, reason }: Refusal, read: StationReader): string | undefined {
  const name = reason === 'foreign' ? read.commitAt({ chain, number })?.commit_id : undefined;
  return name !== undefined && isReissuedId(name) ? name : undefined;
}

function receiveRecords(
  page: SnapshotPage,
  state: ProtocolState,
  read: StationReader,
): { state: ProtocolState; act: Act } {
  const snapshot = read.snapshot();
  if (!snapshot) return { state, act: { kind: 'none', why: 'No snapshot is being taken.' } };
  const isNext = snapshot.at === null ? page.start !== null : snapshot.at.hash === page.at.hash;
  // Central has lost the place at which it was begun.
  if (!isNext) return { state, act: { kind: 'begin_snapshot' } };
  return { state: { ...state, heads: headsOf(page), isNotified: true }, act: { kind: 'records', page } };
}

/** Narrows down where central's log and the received one part; the answer's rungs ascend. */
function receiveUnknown(
  answer: CursorUnknown,
  state: ProtocolState,
  read: StationReader,
): { state: ProtocolState; act: Act } {
  const { rungs } = answer;
  if (rungs.length === 0) return { state, act: { kind: 'stuck', why: 'Central names no place of its log.' } };
  // What two logs share at a place they share before it, received or not.
  const place = rungs.findLastIndex(({ sequence, hash }) => read.logHashAt(sequence) === hash);
  const [common, next] = [rungs[place], rungs[place + 1]];
  if (!common) {
    // The range was of another epoch: ask for the whole.
    return {
      state: { ...state, probe: null, isNotified: true },
      act: { kind: 'none', why: 'The places asked for are gone.' },
    };
  }
  if (next && next.sequence - common.sequence > 1) {
    const probe = { low: common.sequence, high: next.sequence };
    return {
      state: { ...state, probe },
      act: { kind: 'none', why: 'The logs part between two known places.' },
    };
  }
  const isAnew = read.logStart() > 0 || read.snapshot() !== undefined;
  return { state: NEW_PROTOCOL_STATE, act: { kind: 'cut', to: common, isAnew, heads: headsOf(answer) } };
}

function endFault({ from, to }: Page, entries: readonly LogEntry[]): string | undefined {
  const deciding = entries.find(({ commit, decisions }) => decisions[0]?.commit_id !== commit.commit_id);
  if (deciding) return `Entry ${deciding.sequence} does not decide its commit.`;
  const end = entries.at(-1) ?? from;
  return end.sequence === to.sequence && end.hash === to.hash
    ? undefined
    : 'The page does not end at its cursor.';
}

function isForeignInOwn({ commit }: LogEntry, read: StationReader): boolean {
  if (!read.isOwn(commit.chain)) return false;
  const known = read.hashAt(commit.chain, commit.number);
  return known === undefined ? commit.chain === read.ownChain() : known !== commit.hash;
}

function headsOf({ heads }: Answer): Record<string, number> {
  return Object.fromEntries(heads.map(({ chain, number }) => [chain, number]));
}
