import type { StoredRecord } from '../../../shared/contract/present.ts';
import { familyOfKey } from '../../../shared/families/registry.ts';
import type { Commit } from '../../store/changes.ts';
import { reissuedId } from '../../store/commit-id.ts';
import { readNamed } from '../../store/history.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import type { Store } from '../../store/store.ts';
import { readLocal, writeLocal } from '../../store/tables.ts';
import type { Steps } from '../../store/yield-to-event-loop.ts';
import { createdItems, itemsChanged } from '../log/created-ids.ts';
import { DecidedRecords } from '../log/decided-records.ts';
import { COMMIT, occurrences } from '../log/ids-in-entries.ts';
import { forgetDecided, noteMeant } from '../log/meant-records.ts';
import { isDescribed, referToOthers } from '../log/reissue-commits.ts';
import type { TakenId } from '../log/taken-ids.ts';
import { commitsNamed, isGone, standingIds } from '../log/where-it-stands.ts';
import type { Unplaced } from '../protocol/central.ts';
import type { CommitPlace, SignedEntry } from '../protocol/packed-entries.ts';
import type { Offer } from '../protocol/wire.ts';
import type { StationTables } from './station-tables.ts';

const NAME = 'lost_references';

/** A record or an item that central lost, and that an own commit names which central was never sent. */
interface LostReference {
  /** The own commit, and where it stood when that was noted. */
  by: string;
  at?: CommitPlace;
  counter: string;
  id: number;
  /** The commit that created what is named, and where it stood when it was named. */
  creator: string;
  /** Left out where this station had what was named as a record alone. */
  place?: CommitPlace;
  /** What makes the own commit refer to the other id: until the log has that, it may be lost as well. */
  moved?: string;
}

/** Where records were taken in place of a part of the log that may be lost. */
interface TakenRecords {
  /** What is shown of one. */
  recordOf(key: string): StoredRecord | undefined;
  /** Own commits that central does not have: what that part had settled is sent again. */
  lacking: readonly Commit[];
}

type Tables = Pick<StationTables, 'log' | 'held' | 'pendingCommits'>;

interface Writing extends Tables {
  isOwn(chain: string): boolean;
  /** As of the station's store. */
  writeOwn(make: () => readonly Unplaced[]): Promise<void>;
}

/**
 * In the open transaction, in steps, before the received log is cut: what own commits name that only the lost part created. Until that
 * stands again, central may give its id to another. What is cut says so itself, for central.
 * @param above what is cut
 */
export function* notingLostReferences(
  database: Store['database'],
  station: Tables & Pick<StationTables, 'isOwn' | 'snapshots'>,
  above: readonly SignedEntry[],
  { recordOf, lacking }: TakenRecords = { recordOf: () => undefined, lacking: [] },
): Steps<(SignedEntry & Offer)[]> {
  const { log, pendingCommits } = station;
  const creators = yield* creatorsIn(above);
  const cut = new Set(above.map(({ commit }) => commit.commit_id));
  const opened = lacking.filter(({ commit_id: id }) => !cut.has(id) && !pendingCommits.includes(id));
  const own = new Set(opened.map(({ commit_id }) => commit_id));
  const lostIn = (commit: Commit) => {
    const named = isDescribed(commit) ? occurrences(commit.entries) : [];
    const records = named.flatMap(({ counter, id }) => (counter === COMMIT ? [] : `${counter}:${id}`));
    return [...new Set(records)].flatMap(key => {
      const entry = creators.get(key);
      const creator = entry?.commit.commit_id ?? recordOf(key)?.creator;
      const isOwn =
        creator === commit.commit_id ||
        (creator !== undefined && (own.has(creator) || pendingCommits.includes(creator)));
      return creator === undefined || isOwn ? [] : [{ key, creator, entry }];
    });
  };
  const noteIn = (commit: Commit) => {
    const lost = lostIn(commit);
    if (!station.isOwn(commit.chain)) return lost;
    // What this station created itself it issues again under other ids where it has to.
    const others = lost.filter(({ entry }) => !entry || !station.isOwn(entry.commit.chain));
    const named = others.map(({ key, creator }) => [key, creator] as const);
    noteMeant(database, commit, new Map([...itemsOnRecords(commit, recordOf), ...named]));
    return lost;
  };
  // What was opened when the last one was lost is undecided once the records of that are taken.
  if (!station.snapshots.state()) forgetDecided(database);
  const noted = lostReferences(database);
  const known = new Set(noted.map(({ by, counter, id }) => `${by} ${counter}:${id}`));
  for (const commit of [...pendingCommits.all(), ...opened]) {
    yield;
    const by = commit.commit_id;
    const lost = noteIn(commit);
    for (const { key, creator, entry } of log.has(by) ? [] : lost) {
      if (known.has(`${by} ${key}`)) continue;
      const end = key.lastIndexOf(':');
      const one = {
        by,
        at: placeOf(commit),
        counter: key.slice(0, end),
        id: Number(key.slice(end + 1)),
        creator,
      };
      noted.push({ ...one, ...(entry && { place: placeOf(entry.commit) }) });
    }
  }
  writeLocal(database, NAME, JSON.stringify(noted));
  const said: (SignedEntry & Offer)[] = [];
  for (const entry of above) {
    yield;
    const means = Object.fromEntries(noteIn(entry.commit).map(({ key, creator }) => [key, creator]));
    said.push(Object.keys(means).length > 0 ? { ...entry, means } : entry);
  }
  return said;
}

/** By counter and id, who added the items that a commit changes, as records say. */
function itemsOnRecords(
  { entries }: Commit,
  recordOf: (key: string) => StoredRecord | undefined,
): (readonly [key: string, creator: string])[] {
  const read = new DecidedRecords(recordOf, () => false);
  return entries.flatMap(entry =>
    itemsChanged(entry).flatMap(({ counter, id, path }) => {
      const [adding] = read.siblings(entry.subject, path) ?? [];
      return adding ? [[`${counter}:${id}`, adding.commit] as const] : [];
    }),
  );
}

function placeOf({ chain, number }: Commit): CommitPlace {
  return { chain, number };
}

/** By counters and ids, the entries that created what stands. */
function* creatorsIn(above: readonly SignedEntry[]): Steps<Map<string, SignedEntry>> {
  const byId = new Map(above.map(entry => [entry.commit.commit_id, entry]));
  const creators = new Map<string, SignedEntry>();
  for (const { decisions } of above) {
    yield;
    for (const { commit_id: id, outcome, effects } of decisions) {
      const entry = outcome === 'applied' ? byId.get(id) : undefined;
      if (!entry) continue;
      for (const { subject, isNew, paths } of effects) {
        const changes = paths.map(({ path, value }) => ({ path, new: value }));
        const items = createdItems({ subject, changes }).map(one => `${one.counter}:${one.id}`);
        for (const key of [...(isNew ? [subject] : []), ...items]) creators.set(key, entry);
      }
    }
  }
  return creators;
}

function lostReferences(sql: Pick<SqlReader, 'get'>): LostReference[] {
  return JSON.parse(readLocal(sql, NAME) ?? '[]');
}

/**
 * Once the whole log was read: where what was lost stands again under another id, what names it here refers to that. What a
 * person signed stays as it is: another commit changes what stands of it. Answers whether anything was written.
 * @param at the time of the changes: ISO 8601 UTC with milliseconds
 */
export async function moveLostReferences(store: Store, station: Writing, at: string): Promise<boolean> {
  const { log, pendingCommits } = station;
  const noted = lostReferences(store.database.reader);
  const isOnItsWay = ({ moved }: LostReference) => moved !== undefined && pendingCommits.includes(moved);
  if (noted.every(isOnItsWay)) return false;
  let count = 0;
  await station.writeOwn(() => {
    const left: LostReference[] = [];
    const commits: Unplaced[] = [];
    for (const references of Map.groupBy(noted, one => one.by).values()) {
      const own = references[0] ? standingOwn(references[0], station, store.database) : 'given up';
      if (own === 'undecided') left.push(...references);
      if (typeof own === 'string') continue;
      const about = { at, ...store.gate.clockSays(), user: own.user };
      const open = references.filter(({ moved }) => moved === undefined || !log.has(moved));
      const now = open.map(one => (isOnItsWay(one) ? 'lost' : idNow(one, station, store)));
      const taken = now.flatMap(one => (typeof one === 'object' ? one : []));
      const [moving] = referToOthers([own], taken, key => store.pending.getByKey(key), about);
      for (const [index, one] of open.entries()) {
        if (now[index] === 'lost') left.push(one);
        else if (typeof now[index] === 'object' && moving) left.push({ ...one, moved: moving.commit_id });
      }
      if (moving) commits.push(moving);
    }
    writeLocal(store.database, NAME, JSON.stringify(left));
    count = commits.length;
    return commits;
  });
  return count > 0;
}

/** An own commit as it stands by now, which may be as it was issued again; while it is held it may be issued again yet. */
function standingOwn({ by: id, at }: LostReference, station: Writing, sql: SqlReader) {
  const { log, held, pendingCommits } = station;
  let name = id;
  while (held.isWithdrawn(name)) {
    name = reissuedId(name);
    if (!log.has(name) && !pendingCommits.includes(name)) return 'given up';
  }
  if (held.isHeld(name)) return 'undecided';
  // In the part of the log that was taken as records it is known by its place alone.
  const own =
    log.commit(name) ?? pendingCommits.named(name) ?? (at && readNamed(sql, at.chain, at.number, name));
  return own && station.isOwn(own.chain) ? own : 'given up';
}

/** The id that what was lost has by now, where it is another one; 'lost' while it does not stand again. */
function idNow(
  { counter, id, creator, place }: LostReference,
  read: Tables,
  { database, pending }: Pick<Store, 'database' | 'pending'>,
): TakenId | 'lost' | 'as it was' {
  const lost = place && readNamed(database, place.chain, place.number, creator);
  const creatorOf = (key: string) => pending.getByKey(key)?.creator;
  if (!lost && creatorOf(`${counter}:${id}`) === creator) return 'as it was';
  const named = commitsNamed(creator, read, lost);
  const now = standingIds(named, read, lost)?.({ counter, id });
  // What is known of a log that was lost may stand no more.
  const isThere =
    now && (!familyOfKey(`${counter}:${now.id}`) || creatorOf(`${counter}:${now.id}`) === now.creator);
  if (isThere) return now.id === id ? 'as it was' : { family: counter, from: id, to: now.id };
  return isGone(named, read.held) ? 'as it was' : 'lost';
}
