import { newCommitId } from '../../../server/store/commit-id.ts';
import type { Store } from '../../../server/store/store.ts';
import { syncRules } from '../../../server/sync/log/rules.ts';
import { StationStore } from '../../../server/sync/station/station-store.ts';
import type { Peer } from '../../server/sync/exchange/fleet.ts';
import type { Scene } from './scenes.ts';

interface Written {
  scene: Scene;
  value: unknown;
  user?: string;
  reason?: string | null;
}

/** Writes each as a commit of its own over what central has, past the gate. */
export async function writePastGate(
  { store }: Peer,
  central: Store,
  changes: readonly Written[],
): Promise<void> {
  const commits = changes.map(({ scene: { key, path }, value, user = 'station', reason = null }) => {
    const over = [central.records.getByKey(key)?.creator ?? ''];
    return {
      commit_id: newCommitId(),
      at: '2026-06-15T12:00:00.000Z',
      clock_offset: null,
      user,
      reason,
      entries: [{ subject: key, changes: [{ path, old: null, new: value, over }] }],
    };
  });
  await new StationStore(store, syncRules, store.database).writeOwn(() => commits);
}
