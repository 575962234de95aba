import type { Commit } from '../../store/changes.ts';
import { reissuedId } from '../../store/commit-id.ts';
import type { Store } from '../../store/store.ts';
import { noteMeantAgain } from '../log/meant-records.ts';
import { reissueCommits } from '../log/reissue-commits.ts';
import { reissueOver } from '../log/reissue-over.ts';
import { moveLostReferences } from './lost-references.ts';
import type { StationStore } from './station-store.ts';

/**
 * Once the whole log was read: what has to be issued again, or refers to what has another id by now. Answers whether there was
 * anything, and may be more.
 * @param at the time of what is corrected with it: ISO 8601 UTC with milliseconds
 */
export async function followLog(store: Store, station: StationStore, at: string): Promise<boolean> {
  return (await reissueHeld(store, station, at)) || moveLostReferences(store, station, at);
}

/**
 * Issues the first again that central holds because an id in it is another's, or because what it was made over was issued
 * again. Answers whether there was one.
 */
async function reissueHeld(store: Store, station: StationStore, at: string): Promise<boolean> {
  const { held, log, pendingCommits } = station;
  if (!held.hasToReissue(store.station)) return false;
  let count = 0;
  await station.writeOwn(decidedOf => {
    const open = inLogsOrder(pendingCommits.all(), held);
    const about = {
      open,
      reasonOf: (id: string) => held.held(id)?.reason,
    };
    const issued = reissueCommits(store, {
      ...about,
      isKnown: id => log.has(id),
      since: commit => station.ownSince(commit),
      decidedOf,
      chainOf: id => log.commit(id)?.chain,
      shownOf: key => store.pending.getByKey(key),
      at,
    });
    const commits = issued?.commits ?? reissueOver({ ...about, log, held }) ?? [];
    count = commits.length;
    const formers = new Map(open.map(({ commit_id: id }) => [reissuedId(id), id]));
    for (const one of commits) {
      const former = formers.get(one.commit_id);
      if (former !== undefined) noteMeantAgain(store.database, one, former);
    }
    return commits;
  });
  return count > 0;
}

/**
 * What is held first, as it arrived at central, then the rest in the order of writing. What this station forgot, having been put back,
 * came here after what it wrote since; central holds that for following it, and would hold as well what withdraws the one alone.
 */
function inLogsOrder(open: readonly Commit[], held: StationStore['held']): Commit[] {
  const places = new Map(held.names().map(({ commit_id }, place) => [commit_id, place]));
  const placeOf = ({ commit_id }: Commit) => places.get(commit_id) ?? places.size;
  return open.toSorted((one, other) => placeOf(one) - placeOf(other));
}
