import type { StoredRecord } from '../../../shared/contract/present.ts';
import type { Commit } from '../../store/changes.ts';
import { stationOf } from '../../store/history.ts';
import type { Store } from '../../store/store.ts';
import { readLocal, writeLocal } from '../../store/tables.ts';
import { createdIds } from '../log/created-ids.ts';
import { referToOthers, reissueCommits } from '../log/reissue-commits.ts';
import { reissueOver } from '../log/reissue-over.ts';
import type { TakenId } from '../log/taken-ids.ts';
import type { Unplaced } from '../protocol/central.ts';
import type { CentralStore } from './central-store.ts';

/** Ids that central gave twice, having been put back in between, of the present epoch: as JSON. */
const ISSUED_AGAIN = 'issued_again';

interface IssuedAgain extends TakenId {
  /** The commit that created it under the id before; a former version did not note that. */
  creator?: string;
  /** The stations in whose lost log that commit stood, as far as they have offered it. */
  stations?: string[];
}

/** What a station gives back of a log that central lost. */
export interface GivenBack {
  station: string;
  /** All that it offers, in the order of that log. */
  offered: readonly Commit[];
  /** Of that, what came back just now. */
  returned: readonly Commit[];
}

/**
 * In the open transaction, after commits came back that central had lost: the records of central among them whose ids it
 * has given again meanwhile get other ones, and what came back refers to these. What central holds of its own because it was
 * made over what a station has issued again is issued again over that. Each commit has to be put into the log before the
 * next is asked for.
 */
export function* issueLostAgain(
  store: Store,
  read: CentralStore,
  recordOf: (key: string) => StoredRecord | undefined,
  { station: giver, offered, returned }: GivenBack,
): Generator<Unplaced> {
  const { database, station, gate } = store;
  const at = returned.at(-1)?.at ?? gate.now();
  const earlier: IssuedAgain[] = JSON.parse(readLocal(database, ISSUED_AGAIN) ?? '[]');
  if (noteOffered(earlier, giver, offered)) writeLocal(database, ISSUED_AGAIN, JSON.stringify(earlier));
  for (const commit of earlier.length > 0 ? returned : []) {
    const about = { at, ...gate.clockSays(), user: commit.user };
    for (const taken of meantBy(commit, earlier, giver, offered))
      yield* referToOthers([commit], [taken], recordOf, about);
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
    const creators = creatorsOf(held.map(({ commit }) => commit));
    for (const taken of issued.taken) {
      const creator = creators.get(`${taken.family}:${taken.from}`);
      earlier.push({ ...taken, ...(creator !== undefined && { creator, stations: [giver] }) });
    }
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

/** Notes whose lost log had what was issued again. Answers whether that is news. */
function noteOffered(issued: readonly IssuedAgain[], station: string, offered: readonly Commit[]): boolean {
  const ids = new Set(offered.map(({ commit_id }) => commit_id));
  const news = issued.filter(
    ({ creator, stations = [] }) => creator !== undefined && ids.has(creator) && !stations.includes(station),
  );
  for (const one of news) one.stations = [...(one.stations ?? []), station];
  return news.length > 0;
}

/**
 * The ids that a commit which came back means otherwise. In two logs that central lost one id can be of two records: it meant the one
 * that its own log had, which stands there before it.
 */
function meantBy(
  commit: Commit,
  issued: readonly IssuedAgain[],
  station: string,
  offered: readonly Commit[],
): IssuedAgain[] {
  const before = creatorsOf(
    offered.slice(
      0,
      offered.findIndex(one => one.commit_id === commit.commit_id),
    ),
  );
  return [...Map.groupBy(issued, ({ family, from }) => `${family}:${from}`)].flatMap(([key, all]) => {
    const creator = before.get(key);
    if (creator !== undefined) return all.filter(one => one.creator === creator);
    const ofStation = all.filter(({ stations }) => stations?.includes(station)).slice(-1);
    return ofStation.length > 0 || all.length > 1 ? ofStation : all;
  });
}

/** By counters and ids, the commits that created them, the last ones. */
function creatorsOf(commits: readonly Commit[]): Map<string, string> {
  return new Map(
    commits.flatMap(({ commit_id, entries }) =>
      entries.flatMap(createdIds).map(({ counter, id }) => [`${counter}:${id}`, commit_id] as const),
    ),
  );
}

/** In the open transaction, as another epoch begins: what is lost from now on meant other records by its ids. */
export function forgetIssuedAgain({ database }: Pick<Store, 'database'>): void {
  writeLocal(database, ISSUED_AGAIN, '[]');
}
