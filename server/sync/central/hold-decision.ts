import { AppError } from '../../../shared/contract/errors.ts';
import { newCommitId } from '../../store/commit-id.ts';
import type { Store } from '../../store/store.ts';
import { DecidedStore } from '../log/decided-store.ts';
import { appendOwn, type CentralTerms } from '../protocol/central.ts';
import { type HoldDecision, holdEntry, holdFault } from '../protocol/decide-in-log.ts';
import { CentralStore } from './central-store.ts';

/**
 * Releases a held commit or withdraws it, by a commit in central's own chain; what follows from it is decided and written
 * in the same transaction. Returns the sequence of its entry in the log.
 * @throws AppError `not_found` for what was never held, `conflict` when it would have no effect, with why
 */
export function decideHeld(store: Store, terms: CentralTerms, decision: HoldDecision): Promise<number> {
  const { database, pending, gate } = store;
  return gate.applyRemote(() => {
    const decided = new DecidedStore(
      database,
      key => pending.getByKey(key),
      () => false,
    );
    const read = new CentralStore(store, database, key => decided.get(key));
    const { commit, user, reason, at } = decision;
    const entry = holdEntry(commit, decision.decision);
    const fault = holdFault(entry, read, terms);
    if (fault !== undefined) {
      throw new AppError(read.isKnown(commit) ? 'conflict' : 'not_found', fault);
    }
    const unplaced = { commit_id: newCommitId(), at, clock_offset: null, user, reason, entries: [entry] };
    const appended = appendOwn(unplaced, read, terms);
    read.append({ ...appended.entry, countersignature: appended.countersignature }, decided);
    read.writeHeads();
    decided.write([], () => false);
    const puts = [...decided.changed().values()].flatMap(record => record ?? []);
    return { puts, result: appended.entry.sequence };
  });
}
