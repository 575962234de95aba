import type { Commit } from '../../store/changes.ts';
import { commitSize } from '../protocol/message-size.ts';
import type { OutgoingReader, RecoveryCommit } from '../protocol/protocol-state.ts';

/** What of a station's store is read for a message. */
export interface OutgoingStore
  extends Pick<OutgoingReader, 'cursor' | 'snapshot' | 'chainInDoubt' | 'hashAt'> {
  recoveryCommits: { after(place: number, limit: number): RecoveryCommit[] };
  /** Once there are more characters than `size`, no more has to be read. */
  ownAfter(heads: Readonly<Record<string, number>>, limit: number, size: number): Commit[];
}

/** For one request. */
export interface Outgoing extends OutgoingReader {
  /** Whether there is more to say than fitted. */
  isCut(): boolean;
}

/** What a station may say next, no more than `size` characters, but for a commit that alone has more. */
export function outgoing(station: string, read: OutgoingStore, size: number): Outgoing {
  let left = size;
  let isFull = false;
  function fitting<Item>(items: readonly Item[], commitOf: (item: Item) => Commit): Item[] {
    const taken: Item[] = [];
    for (const item of items) {
      const length = commitSize(commitOf(item));
      isFull ||= length > left && left < size;
      if (isFull) break;
      left -= length;
      taken.push(item);
    }
    return taken;
  }
  return {
    station,
    cursor: () => read.cursor(),
    snapshot: () => read.snapshot(),
    offersAfter: (place, limit) =>
      fitting<RecoveryCommit>(read.recoveryCommits.after(place, limit), ({ commit }) => commit),
    // Offers go before own commits, all of them.
    ownAfter: (heads, limit) =>
      isFull ? [] : fitting<Commit>(read.ownAfter(heads, limit, left), commit => commit),
    chainInDoubt: () => read.chainInDoubt(),
    hashAt: (chain, number) => read.hashAt(chain, number),
    isCut: () => isFull || left < 0,
  };
}
