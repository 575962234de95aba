import { sameJson } from '../../../shared/contract/canonical-json.ts';
import { familyOfKey } from '../../../shared/families/registry.ts';
import { type Commit, type Entry, mapOf } from '../../store/changes.ts';
import { stationOf } from '../../store/history.ts';
import { IdRemapping } from '../../store/id-remapping.ts';
import { MOVED_SUBJECT } from '../../store/subjects.ts';
import { type AuthorReader, newIn } from './pushed.ts';

/**
 * Whether the commit is one of those that an installation had when it joined, and is taken as it is: central's
 * administrator said so with the code, not long ago, and it concerns the installation's own records alone. Its chain, the
 * station's first, begins with what was moved, which says how many there were.
 */
export function wasBroughtAlong({ chain, number, entries }: Commit, authors: AuthorReader): boolean {
  const station = stationOf(chain);
  const others = authors.othersBlocks(station);
  if (others === undefined || !authors.isFirstChain(chain)) return false;
  const moved = authors.firstOf(chain)?.entries.find(({ subject }) => subject.startsWith(MOVED_SUBJECT));
  const former = Object.values(mapOf(moved && newIn(moved, 'former_chains')));
  const count = former.reduce<number>((sum, head) => sum + Number(mapOf(head).number ?? 0), 0);
  return number <= count + 1 && buildsOn(station, entries, authors) && !namesOf(others, entries);
}

/** Whether all values that it replaces were written by the station itself. */
function buildsOn(station: string, entries: readonly Entry[], authors: AuthorReader): boolean {
  return entries.every(({ changes }) =>
    changes.every(({ over }) =>
      over.every(id => {
        const earlier = authors.commit(id);
        return earlier !== undefined && stationOf(earlier.chain) === station;
      }),
    ),
  );
}

/** Whether it is about, or names, a record or an item of one of these blocks: moving those would move it. */
function namesOf(blocks: readonly number[], entries: readonly Entry[]): boolean {
  const moving = { blocks: blocks.map(from => ({ from, to: -1 - from })), chain: '' };
  const ids = new IdRemapping({ ...moving, isCompanyReplaced: true });
  const known = entries.filter(({ subject }) => familyOfKey(subject));
  const commit = { commit_id: '', at: '', clock_offset: null, user: '', reason: null, entries: known };
  const placed = { ...commit, chain: '', number: 0, previous_hash: '', hash: '' };
  const said = (of: readonly Entry[]) =>
    of.map(({ subject, changes }) => [subject, changes.map(({ path, new: value }) => [path, value ?? null])]);
  return !sameJson(said(ids.commit(placed, (_, state) => state).entries), said(known));
}
