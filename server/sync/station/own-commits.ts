import type { CommitHook } from '../../store/commit.ts';
import type { Store } from '../../store/store.ts';
import { changedAtCentral } from '../client/at-central.ts';
import { readEnrolmentData } from '../client/enrolment-data.ts';
import { keepDecided } from '../log/decided-store.ts';
import { type Rules, touchesCentrals } from '../protocol/decide.ts';
import { seenBy } from '../protocol/wire.ts';
import type { StationStore } from './station-store.ts';

/**
 * What the exchange adds to what a station writes. Refuses what only central writes, whatever asks for it. Keeps what is
 * decided apart before the first own commit changes what is shown of it.
 * @param station over the write connection
 */
export function ownCommits(
  { database }: Pick<Store, 'database'>,
  station: Pick<StationStore, 'cursor' | 'pendingCommits'>,
  rules: Rules,
): CommitHook {
  const { pendingCommits } = station;
  return {
    seen: () => seenBy(station.cursor()),
    before(commit) {
      if (touchesCentrals(commit, rules)) throw changedAtCentral(readEnrolmentData(database)?.address ?? '');
      return 0;
    },
    after(commit, sequence, writes) {
      for (const { before, after } of writes) {
        if (before && !pendingCommits.has(after.key)) keepDecided(database, before);
      }
      pendingCommits.add(commit, sequence);
    },
  };
}
