import type { Commit } from '../../store/changes.ts';
import { type Cursor, type Offer, PAGE_LIMIT, PROTOCOL, type Request, type SnapshotState } from './wire.ts';

/**
 * A station's conversation with central: kept in memory only. A crash leaves `NEW_LINK`, and so do a cut and a new chain:
 * nothing that was answered before them counts any more. Plain data.
 */
export interface ProtocolState {
  /** The push that is waited for, and the place in the list of offers up to which it offers. */
  up: (SentPush & { offered: number }) | null;
  /** The push that was sent after it, as if central had answered to have taken that whole. */
  ahead: SentPush | null;
  /**
   * The pull, search for the common prefix or snapshot that is waited for; overtaken when a push was answered meanwhile,
   * so that what its answer says of the heads may be older.
   */
  down: { request: string; isOvertaken?: true } | null;
  /** Per own chain the number of the head that central has, as last told; null before it was. */
  heads: Readonly<Record<string, number>> | null;
  /** The place in the list of offers up to which central answered to have taken them. */
  offered: number;
  /** Between which sequences the logs part, while that is searched. */
  probe: { low: number; high: number } | null;
  /** Central may have more of the log than the cursor says and the page that is waited for brings. */
  isNotified: boolean;
}

/** A kind of request of which one at a time is waited for: `down` is everything but a push. */
export type Slot = 'up' | 'ahead' | 'down';

interface SentPush {
  request: string;
  /** The chain in which another push may follow before this one is answered, and its head then; null: none may. */
  end: { chain: string; number: number } | null;
}

export const NEW_PROTOCOL_STATE: ProtocolState = {
  up: null,
  ahead: null,
  down: null,
  heads: null,
  offered: 0,
  probe: null,
  isNotified: true,
};

/** Something to offer; places ascend and are never used again for another offer. */
export interface RecoveryCommit extends Offer {
  place: number;
}

/** What `whatNext` reads; each reads no more than it is asked for. */
export interface OutgoingReader {
  station: string;
  cursor(): Cursor;
  /** The snapshot that is being taken; nothing is pushed meanwhile. */
  snapshot(): SnapshotState | undefined;
  /** The offers after a place, without the refused ones. */
  offersAfter(place: number, limit: number): readonly RecoveryCommit[];
  /**
   * Own commits of all chains, in the order of writing, beyond the given numbers of their chains (a chain that is not
   * named begins at 0): also those that the received log decided at another place, or their chain could not go on.
   */
  ownAfter(heads: Readonly<Record<string, number>>, limit: number): readonly Commit[];
  /**
   * The chain of the oldest own commit, in the order of writing, that the received log does not hold at its place;
   * undefined when it holds all.
   */
  chainInDoubt(): string | undefined;
  /** The hash of a commit in this station's history, by its place. */
  hashAt(chain: string, number: number): string | undefined;
}

/**
 * The next request to send, with the state that waits for its answer; undefined when there is nothing to ask or say, or
 * one of the kind is waited for. `up` is the push, `ahead` the one that follows it unanswered, `down` everything else.
 * Offers go before own commits.
 * @param request a name for the request, never used before
 */
export function whatNext(
  slot: Slot,
  state: ProtocolState,
  read: OutgoingReader,
  request: string,
  limit: number = PAGE_LIMIT,
): { request: Request; state: ProtocolState } | undefined {
  if (state[slot] !== null) return undefined;
  const asking = { request, station: read.station, protocol: PROTOCOL.newest, cursor: read.cursor() };
  if (slot === 'down') {
    const next = nextDown(asking, state, read, limit);
    if (!next) return undefined;
    // What is told from here on, the page that is asked for need not have.
    const isNotified = next.kind === 'pull' ? false : state.isNotified;
    return { request: next, state: { ...state, down: { request }, isNotified } };
  }
  // What is decided is not known to end where the cursor says, or not known at all.
  if (state.probe || state.heads === null || read.snapshot()) return undefined;
  const { offers, commits } = slot === 'up' ? nextUp(state, read, limit) : nextAhead(state, read, limit);
  if (offers.length + commits.length === 0) return undefined;
  const sent: SentPush = { request, end: endOf(commits, limit) };
  return {
    request: {
      ...asking,
      kind: 'push',
      offers: offers.map(({ place: _, ...offer }) => offer),
      commits: [...commits],
    },
    state:
      slot === 'up'
        ? { ...state, up: { ...sent, offered: offers.at(-1)?.place ?? state.offered } }
        : { ...state, ahead: sent },
  };
}

/** What the request of this name is waited for as; undefined when it is not. */
export function slotOf(request: string, state: ProtocolState): Slot | undefined {
  return (['up', 'ahead', 'down'] as const).find(slot => state[slot]?.request === request);
}

/** Gives up waiting: its answer, should it still come, is thrown away. What followed a push counts as little as it does. */
export function abandon(slot: Slot, state: ProtocolState): ProtocolState {
  const ahead = slot === 'down' ? state.ahead : null;
  return { ...state, ahead, [slot]: null, isNotified: true };
}

/** What is waited for after a push was answered: the one that followed it, if central has all that it follows. */
export function followedBy(
  { up, ahead, offered }: ProtocolState,
  heads: Readonly<Record<string, number>>,
): ProtocolState['up'] {
  const end = up?.end;
  return end && ahead && heads[end.chain] === end.number ? { ...ahead, offered } : null;
}

/** Central has news, as the event stream says or a timer supposes. */
export function notify(state: ProtocolState): ProtocolState {
  return { ...state, isNotified: true };
}

/**
 * What central answered to have taken it may have lost since, by a restore that nobody noticed yet. What builds on it
 * therefore waits until the received log holds it, when the cursor says so to central; only within one chain nothing
 * needs to wait, since there a gap is refused.
 */
function nextUp(
  state: ProtocolState,
  read: OutgoingReader,
  limit: number,
): { offers: readonly RecoveryCommit[]; commits: readonly Commit[] } {
  const offers = read.offersAfter(0, limit);
  const nothing = { offers: [], commits: [] };
  if (offers[0] && offers[0].place <= state.offered) return nothing;
  const commits = offers.length < limit ? read.ownAfter(state.heads ?? {}, limit - offers.length) : [];
  const [first] = commits;
  return first && first.chain !== read.chainInDoubt() ? { offers, commits: [] } : { offers, commits };
}

/**
 * What follows a push that central has not answered: of the same chain, so that it is refused as a gap wherever central
 * did not take what was before it.
 */
function nextAhead(
  { up, heads, ahead }: ProtocolState,
  read: OutgoingReader,
  limit: number,
): { offers: readonly RecoveryCommit[]; commits: readonly Commit[] } {
  const end = up?.end;
  if (!end || ahead) return { offers: [], commits: [] };
  const commits = read.ownAfter({ ...heads, [end.chain]: end.number }, limit);
  const other = commits.findIndex(({ chain }) => chain !== end.chain);
  return { offers: [], commits: other < 0 ? commits : commits.slice(0, other) };
}

/**
 * A push that is not full of commits, also one with offers, waits for its answer before the next; so does one that ends a
 * chain.
 */
function endOf(commits: readonly Commit[], limit: number): SentPush['end'] {
  const last = commits.at(-1);
  if (!last || commits.length < limit || commits[0]?.chain !== last.chain) return null;
  return { chain: last.chain, number: last.number };
}

type Asking = Pick<Request, 'request' | 'station' | 'protocol' | 'cursor'>;

function nextDown(
  asking: Asking,
  { probe, heads, isNotified }: ProtocolState,
  read: OutgoingReader,
  limit: number,
): Request | undefined {
  const snapshot = read.snapshot();
  if (probe) return { ...asking, kind: 'prefix', ...probe };
  if (snapshot) {
    const at = snapshot.at && { sequence: snapshot.at.sequence, hash: snapshot.at.hash };
    return { ...asking, kind: 'snapshot', at, after: snapshot.after };
  }
  if (!isNotified && heads !== null) return undefined;
  const packed = Object.entries(heads ?? {}).flatMap(([chain, number]) => {
    const hash = read.hashAt(chain, number);
    return hash === undefined ? [] : [{ chain, number, hash }];
  });
  return { ...asking, kind: 'pull', limit, packed };
}
