import { randomUUID } from 'node:crypto';
import { hashOfCommit } from '../../../../server/store/history.ts';
import type { Store } from '../../../../server/store/store.ts';
import { keepDecided } from '../../../../server/sync/log/decided-store.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';

/** One commit for each record, with what a newer program could write: central cannot take it. Returns their ids. */
export async function addOdd(store: Store, suppliers: readonly number[], path: string): Promise<string[]> {
  const station = new StationStore(store, syncRules, store.database);
  const ids: string[] = [];
  for (const id of suppliers) {
    await store.gate.applyRemote(() => {
      const chain = store.gate.chain;
      const { number, hash: previous } = station.head(chain);
      const record = store.pending.get('supplier', id);
      if (!record) throw new Error();
      keepDecided(store.database, record);
      const unhashed = {
        chain,
        number: number + 1,
        commit_id: randomUUID(),
        at: new Date().toISOString(),
        clock_offset: null,
        user: 'newer program',
        reason: 'Written by another version.',
        entries: [
          { subject: `supplier:${id}`, changes: [{ path, old: null, new: 'odd', over: [record.creator] }] },
        ],
        previous_hash: previous,
      };
      const commit = { ...unhashed, hash: hashOfCommit(unhashed) };
      station.pendingCommits.add(commit, store.gate.receive(commit));
      ids.push(commit.commit_id);
      return { result: undefined };
    });
  }
  return ids;
}
