import { randomUUID } from 'node:crypto';
import { hashOfCommit } from '../../../../server/store/history.ts';
import { keepDecided } from '../../../../server/sync/log/decided-store.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { temporaryStore } from '../../../server/store/temporary-store.ts';

/**
 * Puts changes into the stopped station's chain that central cannot take, one commit for each record: what a newer program
 * could write.
 * @param path no path of a supplier, such as `Odd`
 * @returns the ids of the commits
 */
export async function writeOdd(
  folder: string,
  suppliers: readonly number[],
  path: string,
): Promise<string[]> {
  const store = await temporaryStore({ folder });
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
  await store.close();
  return ids;
}
