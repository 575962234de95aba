import type { Entry } from '../../store/changes.ts';
import { reissuedId } from '../../store/commit-id.ts';
import { HOLD_SUBJECT, recordsIn } from '../../store/subjects.ts';
import type { Unplaced } from '../protocol/central.ts';
import { issueAgain } from '../protocol/collision.ts';
import type { HoldReason } from '../protocol/decide.ts';
import type { Log } from './log.ts';
import { isDescribed, type Reissuing } from './reissue-commits.ts';
import { renamed, type TakenId, TakenIds } from './taken-ids.ts';
import { type Standing, standingOf } from './where-it-stands.ts';

const OVER: readonly string[] = ['over_withdrawn', 'follows', 'unknown_target'] satisfies HoldReason[];

export interface ReissuingOver extends Pick<Reissuing, 'open' | 'reasonOf'>, Standing {
  log: Standing['log'] & Pick<Log, 'has'>;
}

/**
 * What is written when a commit is held because what it was made over was issued again under other ids: the same again, with
 * what follows it, over what was issued. Its author meant that. Undefined when there is nothing of the kind: what was given
 * up has no other one, and a person decides.
 */
export function reissueOver({ open, reasonOf, ...read }: ReissuingOver): Unplaced[] | undefined {
  const { log } = read;
  if (!open.every(isDescribed)) return undefined;
  const left = new Set(open.flatMap(({ entries }) => entries.map(({ subject }) => subject)));
  for (const [place, held] of open.entries()) {
    const id = held.commit_id;
    const isHeld = OVER.includes(reasonOf(id) ?? '');
    if (!isHeld || left.has(`${HOLD_SUBJECT}${id}`) || log.has(reissuedId(id))) continue;
    const gone = oversOf(held.entries).filter(one => isGone(one, read));
    const again = gone.map(one => [one, issuedFor(one, read)] as const);
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

/** Given up; or it stood in a log that central lost, and by now another one of its names does. */
function isGone(id: string, { log, held }: Standing): boolean {
  const commit = log.commit(id);
  return held.isWithdrawn(id) || (commit !== undefined && log.outcomeOf(commit) === 'repeated');
}

/** The commit that stands for one that does not, as it was issued again or before that, and the ids in which they differ. */
function issuedFor(id: string, read: Standing): { commit: string; taken: TakenId[] } | undefined {
  const [former, standing] = [read.log.commit(id), standingOf(id, read)];
  return former && standing && { commit: standing.commit_id, taken: renamed(former, standing) };
}

function oversOf(entries: readonly Entry[]): string[] {
  const records = new Set(recordsIn(entries));
  const changes = entries.flatMap(entry => (records.has(entry.subject) ? entry.changes : []));
  return [...new Set(changes.flatMap(({ over }) => over))];
}
