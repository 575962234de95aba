import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../shared/contract/errors.ts';
import type { ArchiveAnswer, ArchiveRequest } from '../../../shared/operations/moved-operations.ts';
import type { Commit } from '../../store/changes.ts';
import { readCommitsAfter, stationOf } from '../../store/history.ts';
import { readMoved } from '../../store/moved.ts';
import type { Store } from '../../store/store.ts';
import { commitSize } from '../protocol/message-size.ts';
import { backoffMs } from './backoff.ts';

/** Commits of a part, and characters of them: half a second on a line of 2 Mbit/s. */
const PART = { commits: 200, size: 512 * 1024 };
const LOOK_MS = 2_000;
const NOT_TAKEN = ['not_found', 'forbidden'];

export interface ArchiveSenderOptions {
  store: Store;
  /** Whether central has all that was issued again: it compares the archive with that. */
  hasSentAll: () => boolean;
  send: (
    part: Omit<ArchiveRequest, 'commits'> & { commits: Commit[] },
    signal: AbortSignal,
  ) => Promise<ArchiveAnswer>;
  onFault: (error: unknown) => void;
}

export type ArchiveSender = ReturnType<typeof sendArchive>;

/**
 * Sends the chains that this installation had before it joined to central, once what was issued again of them is there, and goes on
 * where central's answer says. Nothing waits for it. At each start it asks whether central still has them: one that was restored may not.
 */
export function sendArchive({ store, hasSentAll, send, onFault }: ArchiveSenderOptions) {
  const ending = new AbortController();
  const { signal } = ending;
  const { database } = store;

  /** The next part after so many commits, in their order of arrival, up to what was written when it joined. */
  function partAfter(after: number, former: ReadonlySet<string>): { commits: Commit[]; last: number } {
    const commits: Commit[] = [];
    let [left, last] = [PART.size, after];
    for (const { sequence, commit } of readCommitsAfter(database.reader, after, PART.commits)) {
      if (former.has(commit.chain)) {
        left -= commitSize(commit);
        if (left < 0 && commits.length > 0) break;
        commits.push(commit);
      }
      last = sequence;
    }
    return { commits, last };
  }

  async function sendAll({ chain, former }: { chain: string; former: object }): Promise<void> {
    const chains = new Set(Object.keys(former));
    let { parts, is_whole: isWhole } = await send({ chain, part: 0, commits: [] }, signal);
    for (let [part, after] = [0, 0]; !isWhole; ) {
      const { commits, last } = partAfter(after, chains);
      if (last === after)
        throw new Error('Central has not all of what stood here before, and there is no more of it.');
      after = last;
      if (commits.length === 0) continue;
      // A part is of the same commits whenever it is made.
      if (part >= parts) ({ parts, is_whole: isWhole } = await send({ chain, part, commits }, signal));
      part += 1;
    }
  }

  async function run(): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      const moved = readMoved(database.reader);
      // A copy that became a station of its own sends nothing of another's, and a former version issued users again, which central cannot tell.
      if (!moved?.areUsersHanded || stationOf(moved.chain) !== store.station) return;
      try {
        if (hasSentAll()) {
          await sendAll(moved);
          return;
        }
      } catch (error) {
        // A central of before knows no such operation, and one that does not take it will not take it a moment later.
        if (signal.aborted || (error instanceof AppError && NOT_TAKEN.includes(error.code))) return;
        failures += 1;
        onFault(error);
      }
      await sleep(failures > 0 ? backoffMs(failures) : LOOK_MS, undefined, { signal, ref: false }).catch(
        () => undefined,
      );
    }
  }

  const running = run();
  return {
    async close(): Promise<void> {
      ending.abort();
      await running;
    },
  };
}
