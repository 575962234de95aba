import type { Commit, Entry } from '../../store/changes.ts';
import { reissuedId } from '../../store/commit-id.ts';
import { stationOf } from '../../store/history.ts';
import { HOLD_SUBJECT, recordsIn } from '../../store/subjects.ts';
import type { Unplaced } from '../protocol/central.ts';
import { issueAgain } from '../protocol/collision.ts';
import type { HoldReason } from '../protocol/decide.ts';
import type { HeldCommits } from './held-commits.ts';
import type { Log } from './log.ts';
import { isDescribed, type Reissuing } from './reissue-commits.ts';
import { renamed, type TakenId, TakenIds } from './taken-ids.ts';

const OVER: readonly string[] = ['over_withdrawn', 'follows', 'unknown_target'] satisfies HoldReason[];

export interface ReissuingOver extends Pick<Reissuing, 'open' | 'reasonOf'> {
  log: Pick<Log, 'commit' | 'has' | 'withdrawnBy'>;
  held: Pick<HeldCommits, 'isHeld' | 'isWithdrawn'>;
}

/**
 * What is written when a commit is held because what it was made over was issued again under other ids: the same again, with
 * what follows it, over what was issued. Its author meant that. Undefined when there is nothing of the kind: what was given
 * up has no other one, and a person decides.
 */
export function reissueOver({ open, reasonOf, log, held: now }: ReissuingOver): Unplaced[] | undefined {
  if (!open.every(isDescribed)) return undefined;
  const left = new Set(open.flatMap(({ entries }) => entries.map(({ subject }) => subject)));
  for (const [place, held] of open.entries()) {
    const id = held.commit_id;
    const isHeld = OVER.includes(reasonOf(id) ?? '');
    if (!isHeld || left.has(`${HOLD_SUBJECT}${id}`) || log.has(reissuedId(id))) continue;
    const gone = oversOf(held.entries).filter(one => now.isWithdrawn(one));
    const again = gone.map(one => [one, issuedFor(one, log, now)] as const);
    const issued = again.flatMap(([id, one]) => (one ? [[id, one] as const] : []));
    if (gone.length === 0 || issued.length < gone.length) continue;
    const ids = new TakenIds(issued.flatMap(([, { taken }]) => taken));
    const names = new Map(issued.map(([id, { commit }]) => [id, commit]));
    const moved = new Set<string>();
    return issueAgain(held, open.slice(place + 1), reissuedId, (entry, { commit_id: by }) => {
      const overs = oversOf([entry]);
      // What its author saw of the record is elsewhere now, or was written over that; of another record he saw what is there.
      const isMoved = overs.some(one => names.has(one) || moved.has(`${one} ${entry.subject}`));
      if (overs.length > 0 && !isMoved) return entry;
      moved.add(`${by} ${entry.subject}`);
      const { changes, ...rest } = ids.entry(entry);
      const over = (known: readonly string[]) => known.map(one => names.get(one) ?? one);
      return { ...rest, changes: changes.map(change => ({ ...change, over: over(change.over) })) };
    });
  }
  return undefined;
}

/** The commit that stands for one that was withdrawn as it was issued again, and the ids in which they differ. */
function issuedFor(
  id: string,
  log: ReissuingOver['log'],
  now: ReissuingOver['held'],
): { commit: string; taken: TakenId[] } | undefined {
  const [former, again] = [log.commit(id), log.commit(reissuedId(id))];
  // One that is held may be given up, or be issued again in its turn.
  if (!former || !again || now.isHeld(again.commit_id)) return undefined;
  if (!isIssuedBy(again, former, log)) return undefined;
  const taken = renamed(former, again);
  if (!now.isWithdrawn(again.commit_id)) return { commit: again.commit_id, taken };
  const later = issuedFor(again.commit_id, log, now);
  if (!later) return undefined;
  // From the first name to the last one.
  const to = (one: TakenId) =>
    later.taken.find(({ family, from }) => family === one.family && from === one.to);
  const first = new Set(taken.map(({ family, to: id }) => `${family}:${id}`));
  const further = later.taken.filter(({ family, from }) => !first.has(`${family}:${from}`));
  return { ...later, taken: [...taken.map(one => ({ ...one, to: to(one)?.to ?? one.to })), ...further] };
}

/** Whoever gave the former one up may have issued it again. What another station calls so is not what was meant. */
export function isIssuedBy(again: Commit, former: Commit, log: ReissuingOver['log']): boolean {
  const station = stationOf(again.chain);
  return (
    station === stationOf(former.chain) || station === stationOf(log.withdrawnBy(former.commit_id) ?? '')
  );
}

function oversOf(entries: readonly Entry[]): string[] {
  const records = new Set(recordsIn(entries));
  const changes = entries.flatMap(entry => (records.has(entry.subject) ? entry.changes : []));
  return [...new Set(changes.flatMap(({ over }) => over))];
}
