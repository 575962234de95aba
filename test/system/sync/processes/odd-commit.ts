import { randomUUID } from 'node:crypto';
import type { Commit } from '../../../../server/store/changes.ts';
import { hashOfCommit } from '../../../../server/store/history.ts';
import type { Store } from '../../../../server/store/store.ts';
import { keepDecided } from '../../../../server/sync/log/decided-store.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';

/** What somebody puts into a station's chain who can write its files: past the gate, its rules and its keys. */
export async function putCommit(
  store: Store,
  { user, reason, entries, at = new Date() }: Pick<Commit, 'user' | 'reason' | 'entries'> & { at?: Date },
): Promise<string> {
  const station = new StationStore(store, syncRules, store.database);
  const commit_id = randomUUID();
  await store.gate.applyRemote(() => {
    const chain = store.gate.chain;
    const { number, hash: previous } = station.head(chain);
    const unhashed = {
      ...{ chain, number: number + 1, commit_id, at: at.toISOString(), clock_offset: null },
      ...{ user, reason, entries, previous_hash: previous },
    };
    const commit = { ...unhashed, hash: hashOfCommit(unhashed) };
    station.pendingCommits.add(commit, store.gate.receive(commit));
    return { result: undefined };
  });
  return commit_id;
}

/** One commit for each record, with what a newer program could write: central cannot take it. Returns their ids. */
export async function addOdd(store: Store, suppliers: readonly number[], path: string): Promise<string[]> {
  const ids: string[] = [];
  for (const id of suppliers) {
    const record = store.pending.get('supplier', id);
    if (!record) throw new Error();
    await store.gate.applyRemote(() => {
      keepDecided(store.database, record);
      return { result: undefined };
    });
    const changes = [{ path, old: null, new: 'odd', over: [record.creator] }];
    const entries = [{ subject: `supplier:${id}`, changes }];
    ids.push(
      await putCommit(store, { user: 'newer program', reason: 'Written by another version.', entries }),
    );
  }
  return ids;
}
