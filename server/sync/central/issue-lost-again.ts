import type { StoredRecord } from '../../../shared/contract/present.ts';
import type { Commit } from '../../store/changes.ts';
import { stationOf } from '../../store/history.ts';
import type { Store } from '../../store/store.ts';
import { readLocal, writeLocal } from '../../store/tables.ts';
import { referToOthers, reissueCommits } from '../log/reissue-commits.ts';
import { reissueOver } from '../log/reissue-over.ts';
import type { TakenId } from '../log/taken-ids.ts';
import type { Unplaced } from '../protocol/central.ts';
import type { CentralStore } from './central-store.ts';

/** Ids that central gave twice, having been put back in between, of the present epoch: as JSON. */
const ISSUED_AGAIN = 'issued_again';

/**
 * In the open transaction, after commits came back that central had lost: the records of central among them whose ids it
 * has given again meanwhile get other ones, and what came back refers to these. What central holds of its own because it was
 * made over what a station has issued again is issued again over that. Each commit has to be put into the log before the
 * next is asked for.
 * @param returned the commits that came back just now
 */
export function* issueLostAgain(
  store: Store,
  read: CentralStore,
  recordOf: (key: string) => StoredRecord | undefined,
  returned: readonly Commit[],
): Generator<Unplaced> {
  const { database, station, gate } = store;
  const at = returned.at(-1)?.at ?? gate.now();
  const earlier: TakenId[] = JSON.parse(readLocal(database, ISSUED_AGAIN) ?? '[]');
  for (const taken of earlier) {
    for (const commit of returned) {
      const about = { at, ...gate.clockSays(), user: commit.user };
      yield* referToOthers([commit], [taken], recordOf, about);
    }
  }
  while (read.heldCommits.hasTaken(station)) {
    const held = read.heldCommits.all();
    const own = held.filter(({ commit }) => stationOf(commit.chain) === station);
    const reasons = new Map(own.map(({ commit, reason }) => [commit.commit_id, reason]));
    const issued = reissueCommits(store, {
      decidedOf: recordOf,
      shownOf: recordOf,
      at,
      open: held.map(({ commit }) => commit),
      reasonOf: id => reasons.get(id),
      isKnown: id => read.isKnown(id),
      since: first =>
        returned.slice(returned.findIndex(({ commit_id }) => commit_id === first.commit_id) + 1),
    });
    if (!issued) break;
    earlier.push(...issued.taken);
    writeLocal(database, ISSUED_AGAIN, JSON.stringify(earlier));
    yield* issued.commits;
  }
  while (read.heldCommits.hasToReissue(station)) {
    const held = read.heldCommits.heldOf(station);
    const reasons = new Map(held.map(({ commit, reason }) => [commit.commit_id, reason]));
    const issued = reissueOver({
      open: held.map(({ commit }) => commit),
      reasonOf: id => reasons.get(id),
      log: read.log,
      held: read.heldCommits,
    });
    if (!issued) break;
    yield* issued;
  }
}

/** In the open transaction, as another epoch begins: what is lost from now on meant other records by its ids. */
export function forgetIssuedAgain({ database }: Pick<Store, 'database'>): void {
  writeLocal(database, ISSUED_AGAIN, '[]');
}
