import { sameJson } from '../../../shared/contract/canonical-json.ts';
import { familyOfKey } from '../../../shared/families/registry.ts';
import { movedAuthorship } from '../../keys/authorship.ts';
import type { Commit, Entry } from '../../store/changes.ts';
import { reissuedId } from '../../store/commit-id.ts';
import { sequenceOf, stationOf } from '../../store/history.ts';
import { BLOCK_SIZE } from '../../store/ids.ts';
import { moveFormDrafts } from '../../store/moved-drafts.ts';
import { renameInLocalTables } from '../../store/moved-tables.ts';
import { noteOtherIds } from '../../store/other-ids.ts';
import { SignedStates } from '../../store/signed-states.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import type { Database } from '../../store/sqlite/database.ts';
import type { Store } from '../../store/store.ts';
import { HOLD_SUBJECT } from '../../store/subjects.ts';
import { readLocal, writeLocal } from '../../store/tables.ts';
import { type CreatedId, createdIds } from '../log/created-ids.ts';
import { renamed, type TakenId, TakenIds } from '../log/taken-ids.ts';
import { toIssueAgain } from '../protocol/received-log.ts';
import type { StationReader } from '../protocol/station.ts';
import type { StationTables } from './station-tables.ts';

const NAME = 'issuing_again';

/**
 * What this station wrote and central has not is issued again in a new chain: nothing of it is sent before the whole log was
 * read, since another machine with the same disk may have given the same ids.
 */
export interface IssuingAgain {
  /**
   * The new chain, and where its first commits stood in history before: 0 for what was written while an earlier such reading of
   * the log went on, and so over what that brought.
   */
  chain: string;
  places: number[];
  /** How far the log was read when it began. */
  since: number;
  /** Blocks of ids that are another station's now; empty where this machine goes on as the station. */
  left: number[];
}

/** Undefined where nothing of the kind goes on. */
export function issuingAgain(sql: Pick<SqlReader, 'get'>): IssuingAgain | undefined {
  const text = readLocal(sql, NAME);
  const issuing: IssuingAgain | null = text === undefined ? null : JSON.parse(text);
  return issuing ?? undefined;
}

/** In the open transaction. */
export function noteIssuingAgain(database: Database, issuing: IssuingAgain | null): void {
  writeLocal(database, NAME, JSON.stringify(issuing));
}

/** In the open transaction, before the chain begins. */
export function beginIssuingAgain(
  database: Database,
  station: Pick<StationTables, 'log' | 'unplaced'> & Pick<StationReader, 'cursor'>,
  { chain, left }: Pick<IssuingAgain, 'chain' | 'left'>,
): void {
  const earlier = issuingAgain(database);
  const commits = toIssueAgain(station.unplaced(Number.MAX_SAFE_INTEGER), id => station.log.has(id));
  const placeOf = (commit: Commit) =>
    commit.chain === earlier?.chain
      ? (earlier.places[commit.number - 1] ?? 0)
      : sequenceOf(database, commit.chain, commit.number);
  noteIssuingAgain(database, {
    chain,
    places: commits.map(placeOf),
    since: earlier?.since ?? station.cursor().sequence,
    left: [...left, ...(earlier?.left ?? [])],
  });
}

/**
 * In the open transaction, once the whole log was read: what becomes of each commit that is issued again, so that no id is
 * given twice. Undefined where all may stay as they are.
 *
 * Where this machine has become another station, whatever it created in blocks that are not its own gets another id. Where
 * it goes on as the station, only what another machine created under the same id as well. What central has already under
 * other ids, because a copy of this machine has issued it again, is meant by those.
 * @returns what a commit becomes; nothing of one that is not to be sent
 */
export function otherIds(
  store: Store,
  station: Pick<StationTables, 'log' | 'held' | 'unplaced'>,
  { chain, places, since, left }: IssuingAgain,
  isDecided: (key: string) => boolean,
): ((commit: Commit) => Commit | undefined) | undefined {
  const { log } = station;
  const commits = station.unplaced(Number.MAX_SAFE_INTEGER);
  const notToSend = new Set([
    ...leftToOthers(commits, station, left.length > 0),
    ...namesOfOthers(commits, station.held, store.station),
  ]);
  const own = commits.filter(({ commit_id }) => !log.has(commit_id));
  const isBefore = (commit: Commit) => commit.chain === chain && commit.number <= places.length;
  const given = left.length > 0 ? undefined : givenSince(store, log, since);
  const isTaken = ({ counter, id }: CreatedId) => {
    if (!given) return left.includes(Math.floor(id / BLOCK_SIZE));
    return given.has(`${counter}:${id}`) || isDecided(`${counter}:${id}`);
  };
  const taken: TakenId[] = [];
  for (const commit of commits.filter(one => log.has(one.commit_id))) {
    taken.push(...renamed(commit, log.commit(commit.commit_id)));
  }
  for (const created of own.filter(isBefore).flatMap(({ entries }) => entries.flatMap(createdIds))) {
    if (!isTaken(created) || taken.some(one => one.family === created.counter && one.from === created.id))
      continue;
    const isThere = (id: number) => store.pending.getByKey(`${created.counter}:${id}`) !== undefined;
    taken.push({ family: created.counter, from: created.id, to: store.ids.next(created.counter, isThere) });
  }
  if (taken.length === 0 && notToSend.size === 0) return undefined;
  const ids = new TakenIds(taken);
  renameInLocalTables(store.database, ids);
  moveFormDrafts(store.database, ids, new Set(taken.map(({ from }) => from)));
  noteOtherIds(store.database, taken);
  const signed = new SignedStates(store.database, ids, key => store.pending.subjectNumberOf(key));
  const placeOf = (commit: Commit) => (isBefore(commit) ? (places[commit.number - 1] ?? 0) : 0);
  const meant = entriesMeant(commits, commit => placeOf(commit) > 0 || log.has(commit.commit_id));
  return commit => {
    if (notToSend.has(commit.commit_id)) return undefined;
    const place = placeOf(commit);
    const entries = commit.entries.map(entry => {
      if (!familyOfKey(entry.subject)) return entry;
      if (meant.has(`${commit.commit_id} ${entry.subject}`))
        return ids.entry(entry, place > 0 ? signed.at(place) : undefined);
      return withItemsMeant(entry, meant, ids);
    });
    return sameJson(entries, commit.entries) ? commit : { ...commit, ...movedAuthorship(commit), entries };
  };
}

/**
 * The entries, by commit and record, that are of what this machine wrote itself: what was written since is about that where it is over it
 * and over nothing else, and else about what the other machine has under the same id.
 * @param commits in the order of writing
 * @param isBefore whether it was written before anything of the other machine was read, also where central has it by now: here it stands as
 *   it was written
 */
function entriesMeant(commits: readonly Commit[], isBefore: (commit: Commit) => boolean): Set<string> {
  const meant = new Set<string>();
  for (const commit of commits) {
    const { commit_id: id, entries } = commit;
    // Of what was written before the log may say another record by now.
    if (isBefore(commit)) meant.add(id);
    const isOwn = ({ subject, changes }: Entry) =>
      isBefore(commit) ||
      changes.every(({ over }) => over.every(one => meant.has(one) || meant.has(`${one} ${subject}`)));
    for (const entry of entries) if (isOwn(entry)) meant.add(`${id} ${entry.subject}`);
  }
  return meant;
}

/** An entry of a record that keeps its id: each change goes along with its item, where it is over what is of this machine and nothing else. */
function withItemsMeant(entry: Entry, meant: ReadonlySet<string>, ids: TakenIds): Entry {
  const { subject, changes } = entry;
  if (ids.subject(subject) !== subject) return entry;
  const isOwn = (over: readonly string[]) =>
    over.length > 0 && over.every(one => meant.has(one) || meant.has(`${one} ${subject}`));
  return {
    ...entry,
    changes: changes.flatMap(one =>
      isOwn(one.over) ? ids.entry({ subject, changes: [one] }).changes : [one],
    ),
  };
}

/**
 * What was written here to issue again what central held, and is not to be sent: of a machine that has become another station
 * all of it, since what central holds is the former one's; of one that goes on what another machine has issued by now.
 */
function leftToOthers(
  commits: readonly Commit[],
  { log, held }: Pick<StationTables, 'log' | 'held'>,
  isOther: boolean,
): Set<string> {
  const left = new Set<string>();
  for (const { commit_id: id, entries } of commits) {
    const formers = entries.flatMap(({ subject }) =>
      subject.startsWith(HOLD_SUBJECT) ? [subject.slice(HOLD_SUBJECT.length)] : [],
    );
    const isReissue = formers.some(former => reissuedId(former) === id);
    const isStanding = !log.has(id) && formers.every(former => !log.has(former) || held.isHeld(former));
    if (isReissue && (isOther || !isStanding)) for (const former of formers) left.add(reissuedId(former));
    // A person's word on what central holds of the former station.
    if (isOther && formers.length > 0 && formers.length === entries.length) left.add(id);
  }
  return left;
}

/**
 * What has the name under which another station is to issue again what central holds of it: of what a copy of this machine issued
 * again this one has only what followed, once the log has the rest. What is held stays that station's, and central would refuse the name.
 */
export function namesOfOthers(
  commits: readonly Pick<Commit, 'commit_id'>[],
  held: Pick<StationTables['held'], 'names'>,
  own: string,
): string[] {
  const names = held
    .names()
    .flatMap(({ commit_id, station }) => (station === own ? [] : reissuedId(commit_id)));
  const others = new Set(names);
  return commits.flatMap(({ commit_id }) => (others.has(commit_id) ? commit_id : []));
}

/** The ids that central's log brought since of this very station: another machine with the same disk gave them. */
function givenSince(store: Store, log: StationTables['log'], since: number): Set<string> {
  const entries = log.after(since, Number.MAX_SAFE_INTEGER);
  const foreign = entries.filter(({ commit }) => stationOf(commit.chain) === store.station);
  const created = foreign.flatMap(({ commit }) => commit.entries.flatMap(createdIds));
  return new Set(created.map(({ counter, id }) => `${counter}:${id}`));
}
