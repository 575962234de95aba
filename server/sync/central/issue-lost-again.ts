import type { StoredRecord } from '../../../shared/contract/present.ts';
import { newCommitId, reissuedRecordId } from '../../store/commit-id.ts';
import { stationOf } from '../../store/history.ts';
import type { Store } from '../../store/store.ts';
import type { CreatedId } from '../log/created-ids.ts';
import { occurrences } from '../log/ids-in-entries.ts';
import { isDescribed, referToOthers, reissueCommits } from '../log/reissue-commits.ts';
import { reissueOver } from '../log/reissue-over.ts';
import type { TakenId } from '../log/taken-ids.ts';
import { commitsNamed, isGone, standingIds, standingOf } from '../log/where-it-stands.ts';
import type { Unplaced } from '../protocol/central.ts';
import { holdEntry, WITHDRAWN } from '../protocol/decide-in-log.ts';
import type { Offer } from '../protocol/wire.ts';
import type { AwaitedId } from './awaited-ids.ts';
import type { CentralStore } from './central-store.ts';

/**
 * In the open transaction, after commits came back that central had lost: the records of central among them whose ids it
 * has given again meanwhile get other ones, and what came back refers to these. What central holds of its own because it was
 * made over what a station has issued again is issued again over that. Each commit has to be put into the log before the
 * next is asked for; between two steps of the work without one, others may have their turn.
 */
export function* issueLostAgain(
  store: Store,
  read: CentralStore,
  recordOf: (key: string) => StoredRecord | undefined,
  returned: readonly Offer[],
): Generator<Unplaced | undefined> {
  const { station, gate } = store;
  const at = returned.at(-1)?.commit.at ?? gate.now();
  while (read.heldCommits.hasTaken(station)) {
    const held = read.heldCommits.all();
    const own = held.filter(({ commit }) => stationOf(commit.chain) === station);
    const reasons = new Map(own.map(({ commit, reason }) => [commit.commit_id, reason]));
    const issued = reissueCommits(store, {
      decidedOf: recordOf,
      shownOf: recordOf,
      at,
      idOf,
      open: held.map(({ commit }) => commit),
      reasonOf: id => reasons.get(id),
      isKnown: id => read.isKnown(id),
      since: () => [],
    });
    if (!issued) break;
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
      central: station,
    });
    if (!issued) break;
    yield* issued;
  }
  yield* referToMeant(store, read, recordOf, returned);
  if (returned.length > 0) yield* giveUpIssued(store, read, at);
}

/** What came back is held where what follows from it came back as well, as what it was issued again: that stands. */
function* giveUpIssued(
  { station, gate }: Store,
  { log, heldCommits: held }: CentralStore,
  at: string,
): Generator<Unplaced> {
  for (const { commit_id: id } of held.names()) {
    const user = standingOf(id, { log, held, central: station }) && log.commit(id)?.user;
    if (user === undefined) continue;
    const about = { commit_id: newCommitId(), at, ...gate.clockSays(), user };
    yield {
      ...about,
      reason: 'It stands as what it was issued again as.',
      entries: [holdEntry(id, WITHDRAWN)],
    };
  }
}

/** What central lost and issues again may be issued again already, in a log that it lost since: by its name it has the same id. */
function idOf(name: string, { counter, id }: CreatedId, isTaken: (id: number) => boolean): number {
  for (let attempt = 0; ; attempt += 1) {
    const to = reissuedRecordId(name, counter, id, attempt);
    if (!isTaken(to)) return to;
  }
}

/**
 * What came back refers to what the log that was lost meant: in two logs that central lost one id can be of two records, and what was lost
 * twice can stand under a name and an id that it had in neither.
 */
function* referToMeant(
  { station, gate }: Store,
  { log, heldCommits: held, awaited }: Pick<CentralStore, 'log' | 'heldCommits' | 'awaited'>,
  recordOf: (key: string) => StoredRecord | undefined,
  returned: readonly Offer[],
): Generator<Unplaced | undefined> {
  const read = { log, held, central: station };
  const meant = Map.groupBy(returned.flatMap(meantBy), one => one.creator);
  const taken = new Map<string, TakenId[]>();
  for (const creator of new Set([...awaited.due(), ...meant.keys()])) {
    yield;
    const names = commitsNamed(creator, read);
    // Central's own alone are issued again by it. What a station made is told by nobody to be what another meant.
    if (names.some(({ chain }) => stationOf(chain) !== station)) {
      awaited.forget(creator);
      continue;
    }
    const now = standingIds(names, read);
    const isGivenUp = isGone(names, held);
    if (!now && !isGivenUp) {
      awaited.await(creator, meant.get(creator) ?? []);
      continue;
    }
    const all = [...awaited.of(creator), ...(meant.get(creator) ?? [])];
    awaited.forget(creator);
    const left: AwaitedId[] = [];
    for (const one of all) {
      const to = now?.(one)?.id;
      if (to === undefined && !isGivenUp) left.push(one);
      if (to === undefined || to === one.id) continue;
      const ids = taken.get(one.commit) ?? [];
      ids.push({ family: one.counter, from: one.id, to });
      taken.set(one.commit, ids);
    }
    if (left.length > 0) awaited.await(creator, left);
  }
  for (const [id, ids] of taken) {
    yield;
    const commit = log.commit(id);
    if (!commit) continue;
    yield* referToOthers([commit], ids, recordOf, { at: commit.at, ...gate.clockSays(), user: commit.user });
  }
}

/** As the station says, of what the commit does name. */
function meantBy({ commit, means }: Offer): AwaitedId[] {
  if (!means || !isDescribed(commit)) return [];
  const named = new Map(occurrences(commit.entries).map(one => [`${one.counter}:${one.id}`, one]));
  return [...named].flatMap(([key, { counter, id }]) => {
    const creator = Object.hasOwn(means, key) ? means[key] : undefined;
    return creator === undefined ? [] : [{ commit: commit.commit_id, counter, id: Number(id), creator }];
  });
}
