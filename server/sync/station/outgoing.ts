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

/**
 * Characters in one push, but for a commit that alone has more: as JSON below the 16 MiB that central takes, whatever
 * they are.
 */
export const PUSH_SIZE = 2.5 * 1024 * 1024;

/** What a station may say next, no more than fits into one message. For one request. */
export function outgoing(station: string, read: OutgoingStore, size: number = PUSH_SIZE): OutgoingReader {
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
  };
}
