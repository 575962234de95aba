import { AppError } from '../../../shared/contract/errors.ts';
import type { Commit } from '../../store/changes.ts';
import type { CommitInPart } from '../../store/commit.ts';
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
 * Writes what belongs to a decision, in its transaction and once the records stand as decided; what it throws undoes the
 * decision. `isHeld` says of a commit whether it still waits.
 */
export type AfterDecision = (commit: CommitInPart, isHeld: (id: string) => boolean) => Promise<void>;

/**
 * Releases a held commit or withdraws it, by a commit in central's own chain, and then as many others as `alike` names (as
 * `decideAllHeld`); what follows from it is decided and written in the same transaction. Returns the sequence of its entry in
 * the log, and how many others it decided.
 * @throws AppError `not_found` for what was never held, `conflict` when it would have no effect, with why
 */
export async function decideHeld(
  parts: DecidingParts,
  { alike = [], ...decision }: HoldDecision & { alike?: readonly string[] },
  after?: AfterDecision,
): Promise<{ sequence: number; alike: number }> {
  const first = await inTransaction(
    parts,
    async deciding => {
      const { read, decided } = deciding;
      const fault = decideIn(read, decided, parts, decision);
      if (fault !== undefined) {
        throw new AppError(read.isKnown(decision.commit) ? 'conflict' : 'not_found', fault);
      }
      const { sequence } = read.place();
      return { sequence, alike: await decideEach(deciding, parts, decision, alike.slice(0, AT_ONCE)) };
    },
    after,
  );
  const rest = await decideAllHeld(parts, { ...decision, commits: alike.slice(AT_ONCE) }, after);
  return { ...first, alike: first.alike + rest };
}

/**
 * The same of many, one after the other: what is held of a station is read once for hundreds of them. What is decided by then,
 * and what would have no effect, is left as it is. Returns how many it decided.
 */
export async function decideAllHeld(
  parts: DecidingParts,
  { commits, ...about }: About & { commits: readonly string[] },
  after?: AfterDecision,
): Promise<number> {
  let count = 0;
  for (let from = 0; from < commits.length; from += AT_ONCE) {
    const some = commits.slice(from, from + AT_ONCE);
    count += await inTransaction(parts, deciding => decideEach(deciding, parts, about, some), after);
  }
  return count;
}

type About = Omit<HoldDecision, 'commit'> & {
  /** Whether one is to be decided, as all stands by then; undefined: each is. */
  isFit?: (commit: Commit, read: CentralStore) => boolean;
};

async function decideEach(
  { read, decided }: Deciding,
  parts: DecidingParts,
  { isFit, ...about }: About,
  commits: readonly string[],
): Promise<number> {
  const yieldToEventLoop = yieldingToEventLoop();
  let done = 0;
  for (const commit of commits) {
    await yieldToEventLoop();
    const held = read.heldCommits.held(commit);
    if (!held || isFit?.(held.commit, read) === false) continue;
    if (decideIn(read, decided, parts, { ...about, commit }) === undefined) done += 1;
  }
  return done;
}

interface Deciding {
  read: CentralStore;
  decided: DecidedStore;
}

function inTransaction<Result>(
  { store, kept }: DecidingParts,
  work: (deciding: Deciding) => Promise<Result>,
  after: AfterDecision | undefined,
): Promise<Result> {
  const { database, pending, gate } = store;
  return gate.together(async (commit, put) => {
    const decided = new DecidedStore(
      database,
      key => pending.getByKey(key),
      () => false,
    );
    const held = kept.take(new Log(database, database).place());
    const read = new CentralStore(store, database, key => decided.get(key), held);
    const result = await work({ read, decided });
    const end = read.place();
    database.afterCommit(() => kept.keep(end, held));
    read.writeHeads();
    decided.write([], () => false);
    await put({ puts: [...decided.changed().values()].flatMap(record => record ?? []) });
    await after?.(commit, id => read.heldCommits.isHeld(id));
    return result;
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
