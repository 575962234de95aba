import { AppError } from '../../../shared/contract/errors.ts';
import { newCommitId } from '../../store/commit-id.ts';
import type { Store } from '../../store/store.ts';
import { yieldingToEventLoop } from '../../store/yield-to-event-loop.ts';
import { DecidedStore } from '../log/decided-store.ts';
import { Log } from '../log/log.ts';
import { appendOwn, type CentralTerms } from '../protocol/central.ts';
import { type HoldDecision, holdEntry, holdFault } from '../protocol/decide-in-log.ts';
import type { LogPlace } from '../protocol/log.ts';
import { CentralStore, type HeldLines } from './central-store.ts';

/** Held commits that share a transaction: other writes wait for no more of them. */
const AT_ONCE = 500;

/** What was held of stations after the last decision: a person who decides on thousands does so one after the other. */
export class KeptHeld {
  #kept: { at: LogPlace; held: HeldLines } | undefined;

  /** What is held at the end of the log, as far as it was read; kept no longer, as it is about to change. */
  take({ sequence, hash }: LogPlace): HeldLines {
    const kept = this.#kept;
    this.#kept = undefined;
    return kept?.at.sequence === sequence && kept.at.hash === hash ? kept.held : new Map();
  }

  keep(at: LogPlace, held: HeldLines): void {
    this.#kept = { at, held };
  }
}

export interface DecidingParts {
  store: Store;
  terms: CentralTerms;
  kept: KeptHeld;
}

/**
 * Releases a held commit or withdraws it, by a commit in central's own chain; what follows from it is decided and written
 * in the same transaction. Returns the sequence of its entry in the log.
 * @throws AppError `not_found` for what was never held, `conflict` when it would have no effect, with why
 */
export function decideHeld(parts: DecidingParts, decision: HoldDecision): Promise<number> {
  return inTransaction(parts, async ({ read, decided }) => {
    const fault = decideIn(read, decided, parts, decision);
    if (fault !== undefined) {
      throw new AppError(read.isKnown(decision.commit) ? 'conflict' : 'not_found', fault);
    }
    return read.place().sequence;
  });
}

/**
 * The same of many, one after the other: what is held of a station is read once for hundreds of them. What is decided by then,
 * and what would have no effect, is left as it is. Returns how many it decided.
 */
export async function decideAllHeld(
  parts: DecidingParts,
  { commits, ...about }: Omit<HoldDecision, 'commit'> & { commits: readonly string[] },
): Promise<number> {
  let count = 0;
  for (let from = 0; from < commits.length; from += AT_ONCE) {
    count += await inTransaction(parts, async ({ read, decided }) => {
      const yieldToEventLoop = yieldingToEventLoop();
      let done = 0;
      for (const commit of commits.slice(from, from + AT_ONCE)) {
        await yieldToEventLoop();
        if (!read.heldCommits.isHeld(commit)) continue;
        if (decideIn(read, decided, parts, { commit, ...about }) === undefined) done += 1;
      }
      return done;
    });
  }
  return count;
}

interface Deciding {
  read: CentralStore;
  decided: DecidedStore;
}

function inTransaction<Result>(
  { store, kept }: DecidingParts,
  work: (deciding: Deciding) => Promise<Result>,
): Promise<Result> {
  const { database, pending, gate } = store;
  return gate.applyRemote(async () => {
    const decided = new DecidedStore(
      database,
      key => pending.getByKey(key),
      () => false,
    );
    const held = kept.take(new Log(database, database).place());
    const read = new CentralStore(store, database, key => decided.get(key), held);
    const result = await work({ read, decided });
    database.afterCommit(() => kept.keep(read.place(), held));
    read.writeHeads();
    decided.write([], () => false);
    const puts = [...decided.changed().values()].flatMap(record => record ?? []);
    return { puts, result };
  });
}

/** Why it would have no effect, in words: then nothing is written. */
function decideIn(
  read: CentralStore,
  decided: DecidedStore,
  { store, terms }: DecidingParts,
  { commit, decision, user, reason, at }: HoldDecision,
): string | undefined {
  const entry = holdEntry(commit, decision);
  const fault = holdFault(entry, read, terms);
  if (fault !== undefined) return fault;
  const unplaced = {
    commit_id: newCommitId(),
    at,
    ...store.gate.clockSays(),
    user,
    reason,
    entries: [entry],
  };
  const { entry: written, countersignature } = appendOwn(unplaced, read, terms);
  read.append({ ...written, countersignature }, decided);
  return undefined;
}
