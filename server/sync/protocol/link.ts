import type { Commit } from '../../store/history.ts';
import {
  type Countersigned,
  type Cursor,
  PAGE_LIMIT,
  PROTOCOL,
  type Request,
  type SnapshotState,
} from './wire.ts';

/**
 * A station's conversation with central: kept in memory only. A crash leaves `NEW_LINK`, and so do a cut and a new chain:
 * nothing that was answered before them counts any more. Plain data.
 */
export interface Link {
  /** The push that is waited for, and the place in the list of offers up to which it offers. */
  up: { request: string; offered: number } | null;
  /**
   * The pull, search for the common prefix or snapshot that is waited for; overtaken when a push was answered meanwhile,
   * so that what its answer says of the heads may be older.
   */
  down: { request: string; isOvertaken?: true } | null;
  /** Per own chain the number of the head that central has, as last told; null before it was. */
  heads: Record<string, number> | null;
  /** The place in the list of offers up to which central answered to have taken them. */
  offered: number;
  /** Between which sequences the logs part, while that is searched. */
  probe: { low: number; high: number } | null;
  /** Central may have more of the log than the cursor says and the page that is waited for brings. */
  isPoked: boolean;
}

export const NEW_LINK: Link = {
  up: null,
  down: null,
  heads: null,
  offered: 0,
  probe: null,
  isPoked: true,
};

/** Something to offer; places ascend and are never used again for another offer. */
export interface Offer extends Countersigned {
  place: number;
}

/** What `whatNext` reads; each reads no more than it is asked for. */
export interface OutgoingReader {
  station: string;
  cursor(): Cursor;
  /** The snapshot that is being taken; nothing is pushed meanwhile. */
  snapshot(): SnapshotState | undefined;
  /** The offers after a place, without the refused ones. */
  offersAfter(place: number, limit: number): readonly Offer[];
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
 * The next request to send, with the link that waits for its answer; undefined when there is nothing to ask or say, or
 * one of the kind is waited for. `up` is the push, `down` everything else. Offers go before own commits.
 * @param request a name for the request, never used before
 */
export function whatNext(
  slot: 'up' | 'down',
  link: Link,
  read: OutgoingReader,
  request: string,
  limit: number = PAGE_LIMIT,
): { request: Request; link: Link } | undefined {
  if (link[slot] !== null) return undefined;
  const asking = { request, station: read.station, protocol: PROTOCOL.newest, cursor: read.cursor() };
  if (slot === 'down') {
    const next = nextDown(asking, link, read, limit);
    if (!next) return undefined;
    // What is poked from here on, the page that is asked for need not have.
    const isPoked = next.kind === 'pull' ? false : link.isPoked;
    return { request: next, link: { ...link, down: { request }, isPoked } };
  }
  // What is decided is not known to end where the cursor says, or not known at all.
  if (link.probe || link.heads === null || read.snapshot()) return undefined;
  const { offers, commits } = nextUp(link, read, limit);
  if (offers.length + commits.length === 0) return undefined;
  return {
    request: {
      ...asking,
      kind: 'push',
      offers: offers.map(({ commit, countersignature }) => ({ commit, countersignature })),
      commits: [...commits],
    },
    link: { ...link, up: { request, offered: offers.at(-1)?.place ?? link.offered } },
  };
}

/** Gives up waiting: its answer, should it still come, is thrown away. */
export function abandon(slot: 'up' | 'down', link: Link): Link {
  return { ...link, [slot]: null, isPoked: true };
}

/** Central has news, as the event stream says or a timer supposes. */
export function poke(link: Link): Link {
  return { ...link, isPoked: true };
}

/**
 * What central answered to have taken it may have lost since, by a restore that nobody noticed yet. What builds on it
 * therefore waits until the received log holds it, when the cursor says so to central; only within one chain nothing
 * needs to wait, since there a gap is refused.
 */
function nextUp(
  link: Link,
  read: OutgoingReader,
  limit: number,
): { offers: readonly Offer[]; commits: readonly Commit[] } {
  const offers = read.offersAfter(0, limit);
  const nothing = { offers: [], commits: [] };
  if (offers[0] && offers[0].place <= link.offered) return nothing;
  const commits = offers.length < limit ? read.ownAfter(link.heads ?? {}, limit - offers.length) : [];
  const [first] = commits;
  return first && first.chain !== read.chainInDoubt() ? { offers, commits: [] } : { offers, commits };
}

type Asking = Pick<Request, 'request' | 'station' | 'protocol' | 'cursor'>;

function nextDown(
  asking: Asking,
  { probe, heads, isPoked }: Link,
  read: OutgoingReader,
  limit: number,
): Request | undefined {
  const snapshot = read.snapshot();
  if (probe) return { ...asking, kind: 'prefix', ...probe };
  if (snapshot) {
    const at = snapshot.at && { sequence: snapshot.at.sequence, hash: snapshot.at.hash };
    return { ...asking, kind: 'snapshot', at, after: snapshot.after };
  }
  if (!isPoked && heads !== null) return undefined;
  const packed = Object.entries(heads ?? {}).flatMap(([chain, number]) => {
    const hash = read.hashAt(chain, number);
    return hash === undefined ? [] : [{ chain, number, hash }];
  });
  return { ...asking, kind: 'pull', limit, packed };
}
