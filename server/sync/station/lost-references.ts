import { reissuedId } from '../../store/commit-id.ts';
import { readNamed, stationOf } from '../../store/history.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import type { Store } from '../../store/store.ts';
import { readLocal, writeLocal } from '../../store/tables.ts';
import { createdItems } from '../log/created-ids.ts';
import { COMMIT, occurrences } from '../log/ids-in-entries.ts';
import { isDescribed, referToOthers } from '../log/reissue-commits.ts';
import { isIssuedBy } from '../log/reissue-over.ts';
import { renamed, type TakenId } from '../log/taken-ids.ts';
import type { Unplaced } from '../protocol/central.ts';
import type { CommitPlace, SignedEntry } from '../protocol/packed-entries.ts';
import type { StationTables } from './station-tables.ts';

const NAME = 'lost_references';

/** A record or an item that central lost, and that an own commit names which central was never sent. */
interface LostReference {
  /** The own commit. */
  by: string;
  counter: string;
  id: number;
  /** The commit that created what is named, and where it stood when it was named. */
  creator: string;
  place: CommitPlace;
}

type Tables = Pick<StationTables, 'log' | 'held' | 'pendingCommits'>;

interface Writing extends Tables {
  isOwn(chain: string): boolean;
  /** As of the station's store. */
  writeOwn(make: () => readonly Unplaced[]): Promise<void>;
}

/**
 * In the open transaction, before the received log is cut: what own commits name that only the lost part created. Until that
 * stands again, central may give its id to another.
 * @param above what is cut
 */
export function noteLostReferences(
  database: Store['database'],
  { log, pendingCommits }: Tables,
  above: readonly SignedEntry[],
): void {
  const unsent = pendingCommits.all().filter(one => !log.has(one.commit_id) && isDescribed(one));
  if (unsent.length === 0) return;
  const creators = creatorsIn(above);
  const noted = lostReferences(database);
  const known = new Set(noted.map(({ by, counter, id }) => `${by} ${counter}:${id}`));
  for (const { commit_id: by, entries } of unsent) {
    for (const { counter, id } of occurrences(entries)) {
      const creator = counter === COMMIT ? undefined : creators.get(`${counter}:${id}`);
      const { commit } = creator ?? {};
      if (!commit || known.has(`${by} ${counter}:${id}`)) continue;
      known.add(`${by} ${counter}:${id}`);
      const place = { chain: commit.chain, number: commit.number };
      noted.push({ by, counter, id: Number(id), creator: commit.commit_id, place });
    }
  }
  writeLocal(database, NAME, JSON.stringify(noted));
}

/** By counters and ids, the entries that created what stands. */
function creatorsIn(above: readonly SignedEntry[]): Map<string, SignedEntry> {
  const byId = new Map(above.map(entry => [entry.commit.commit_id, entry]));
  const creators = new Map<string, SignedEntry>();
  for (const { decisions } of above) {
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
  const noted = lostReferences(store.database.reader);
  if (noted.length === 0) return false;
  let count = 0;
  await station.writeOwn(() => {
    const left: LostReference[] = [];
    const commits: Unplaced[] = [];
    for (const [by, references] of Map.groupBy(noted, one => one.by)) {
      const own = standingOwn(by, station);
      if (own === 'undecided') left.push(...references);
      if (typeof own === 'string') continue;
      const stand = references.map(one => idNow(one, station, store.database));
      left.push(...references.filter((_, index) => stand[index] === 'lost'));
      const taken = stand.flatMap(one => (typeof one === 'object' ? one : []));
      const about = { at, ...store.gate.clockSays(), user: own.user };
      commits.push(...referToOthers([own], taken, key => store.pending.getByKey(key), about));
    }
    writeLocal(store.database, NAME, JSON.stringify(left));
    count = commits.length;
    return commits;
  });
  return count > 0;
}

/** An own commit as it stands by now, which may be as it was issued again; while it is held it may be issued again yet. */
function standingOwn(id: string, station: Writing) {
  const { log, held, pendingCommits } = station;
  let name = id;
  while (held.isWithdrawn(name)) {
    name = reissuedId(name);
    if (!log.has(name) && !pendingCommits.includes(name)) return 'given up';
  }
  if (held.isHeld(name)) return 'undecided';
  const own = log.commit(name) ?? pendingCommits.named(name);
  return own && station.isOwn(own.chain) ? own : 'given up';
}

/** The id that what was lost has by now, where it is another one; 'lost' while it does not stand again. */
function idNow(
  { counter, id, creator, place }: LostReference,
  { log, held }: Tables,
  sql: SqlReader,
): TakenId | 'lost' | 'as it was' {
  const was = readNamed(sql, place.chain, place.number, creator);
  if (!was) return 'as it was';
  const isOfItsStation = stationOf(log.commit(creator)?.chain ?? place.chain) === stationOf(place.chain);
  // What another station calls so was not meant.
  if (!isOfItsStation) return 'lost';
  let name = creator;
  for (;;) {
    const stands = log.commit(name);
    const isDecided = stands !== undefined && log.outcomeOf(stands) !== 'repeated';
    if (stands && held.isHeld(name)) return 'lost';
    if (isDecided && !held.isWithdrawn(name)) {
      const now = renamed(was, stands).find(one => one.family === counter && one.from === id);
      return now ?? 'as it was';
    }
    const again = log.commit(reissuedId(name));
    if (!again || !isIssuedBy(again, stands ?? was, log)) return stands ? 'as it was' : 'lost';
    name = again.commit_id;
  }
}
