import type { Commit } from '../../store/changes.ts';
import { MOST_AGAIN, reissuedId } from '../../store/commit-id.ts';
import { stationOf } from '../../store/history.ts';

/**
 * What stands for a commit: itself, or as what it was issued again, by the station whose chain it stands in or by central.
 * What another station calls so says nothing of it: it could name anything. Undefined where nothing of it counts.
 * @param commitOf what stands in the log
 * @param takenOf the same, where it counts
 */
export function standingFor(
  id: string,
  commitOf: (id: string) => Commit | undefined,
  takenOf: (id: string) => Commit | undefined,
  central: string,
): Commit | undefined {
  let former = commitOf(id);
  for (let again = 0; former && again < MOST_AGAIN; again += 1) {
    const taken = takenOf(former.commit_id);
    if (taken) return taken;
    const next = commitOf(reissuedId(former.commit_id));
    const by = next && stationOf(next.chain);
    former = by === central || by === stationOf(former.chain) ? next : undefined;
  }
  return undefined;
}
