import type { Commit } from '../../store/changes.ts';
import { MOST_AGAIN, reissuedId } from '../../store/commit-id.ts';
import { stationOf } from '../../store/history.ts';
import { type CreatedId, createdIds } from './created-ids.ts';
import type { HeldCommits } from './held-commits.ts';
import type { Log } from './log.ts';

export interface Standing {
  log: Pick<Log, 'commit' | 'formerOf' | 'outcomeOf' | 'withdrawnBy'>;
  held: Pick<HeldCommits, 'isHeld' | 'isWithdrawn'>;
  /** Of central what it issued again itself counts as well. */
  central?: string;
}

/** What the log has of a commit that stands: under its own name, or under that from which or to which it was issued again. */
export function standingOf(id: string, read: Standing, lost?: Commit): Commit | undefined {
  return commitsNamed(id, read, lost).find(commit => isTaken(commit, read));
}

/**
 * What the log has of a commit under all its names, the first one first. What another station calls so was not meant.
 * @param lost the commit as it stood in a log that central lost, where this log may not have it by that name
 */
export function commitsNamed(id: string, read: Standing, lost?: Commit): Commit[] {
  const { log } = read;
  const own = log.commit(id);
  if (own && lost && !isIssuedBy(own, lost, read)) return [];
  const found = own ? [own] : [];
  const before = log.formerOf(id);
  for (let name = before; name !== undefined && found.length < MOST_AGAIN; name = log.formerOf(name)) {
    const [again, former] = [found[0] ?? lost, log.commit(name)];
    if (!former || (again && !isIssuedBy(again, former, read))) break;
    found.unshift(former);
  }
  for (let name = reissuedId(id); found.length < MOST_AGAIN; name = reissuedId(name)) {
    const [again, former] = [log.commit(name), found.at(-1) ?? lost];
    if (!again || (former && !isIssuedBy(again, former, read))) break;
    found.push(again);
  }
  return found;
}

/**
 * What tells of a record or an item that a commit created the id that it has by now, and the commit that created it so; undefined while
 * nothing of that stands.
 * @param named all that the log has of the commit that created it: of what this creates it is at the same place under every name
 */
export function standingIds(named: readonly Commit[], read: Standing, lost?: Commit) {
  const standing = named.find(commit => isTaken(commit, read));
  if (!standing) return undefined;
  const created = ({ entries }: Commit) => entries.flatMap(createdIds);
  const places = new Map<string, number>();
  // Of the first one that creates such an id.
  for (const commit of [...(lost ? [lost] : []), ...named]) {
    for (const [place, { counter, id }] of created(commit).entries())
      if (!places.has(`${counter}:${id}`)) places.set(`${counter}:${id}`, place);
  }
  const ids = created(standing);
  return ({ counter, id }: CreatedId): { id: number; creator: string } | undefined => {
    const now = ids[places.get(`${counter}:${id}`) ?? -1];
    return now?.counter === counter ? { id: now.id, creator: standing.commit_id } : undefined;
  };
}

/** Whether what does not stand was given up, and nothing of it waits for anybody. */
export function isGone(named: readonly Commit[], held: Standing['held']): boolean {
  const ids = named.map(one => one.commit_id);
  return ids.some(id => held.isWithdrawn(id)) && !ids.some(id => held.isHeld(id));
}

/** Whether something of a commit that the log has stands. Of what arrived before the log of this machine begins nothing else is kept. */
export function isTaken(
  commit: Commit,
  { log, held }: Pick<Standing, 'held'> & { log: Pick<Log, 'outcomeOf'> },
): boolean {
  const outcome = log.outcomeOf(commit) ?? 'held';
  if (outcome !== 'held') return outcome === 'applied';
  return !held.isHeld(commit.commit_id) && !held.isWithdrawn(commit.commit_id);
}

/** Whoever gave the former one up may have issued it again. What another station calls so is not what was meant. */
function isIssuedBy(again: Commit, former: Commit, { log, central }: Standing): boolean {
  const station = stationOf(again.chain);
  return (
    station === central ||
    station === stationOf(former.chain) ||
    station === stationOf(log.withdrawnBy(former.commit_id) ?? '')
  );
}
