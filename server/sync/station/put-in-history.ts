import { familyOfKey } from '../../../shared/families/registry.ts';
import { applyChanges, type Commit } from '../../store/changes.ts';
import { abandonFrom, standAgain, stationOf } from '../../store/history.ts';
import { BLOCK_SIZE } from '../../store/ids.ts';
import { reserverOfOwn } from '../../store/reserve-ids.ts';
import type { Store } from '../../store/store.ts';
import { atOnce, type Steps } from '../../store/yield-to-event-loop.ts';
import { InHistory } from '../log/in-history.ts';

/**
 * In the open transaction: what central says that stands at a place of a chain stands there, in the place of another. What
 * this station wrote and does not know any more, having been put back, has ids that it does not give again.
 */
export function putInHistory(...asked: Parameters<typeof puttingInHistory>): void {
  atOnce(puttingInHistory(...asked));
}

/** `putInHistory` in steps. */
export function* puttingInHistory(
  store: Store,
  commit: Commit,
  history = new InHistory(store.database),
): Steps<void> {
  const found = history.find(commit);
  if (found === 'present') return;
  if (found === 'another') abandonFrom(store.database, commit.chain, commit.number);
  if (!history.hasAbandoned || !standAgain(store.database, commit)) yield* store.gate.receiving(commit);
  yield;
  if (stationOf(commit.chain) === store.station || givesOwnId(store, commit)) reserveIdsOf(store, commit);
}

/**
 * Whether it has an id of this station though it stands in another chain: central takes into its own chain what others give back of
 * a station whose chain went on otherwise.
 */
function givesOwnId({ ids }: Store, { entries }: Commit): boolean {
  const blocks = new Map<number, number>();
  const note = (id: number) => blocks.set(Math.floor(id / BLOCK_SIZE), id);
  for (const { subject, changes } of entries) {
    note(Number(subject.slice(subject.lastIndexOf(':') + 1)));
    for (const { path } of changes)
      if (path.includes('.')) for (const [id] of path.matchAll(/\d+/g)) note(Number(id));
  }
  return [...blocks.values()].some(id => ids.owns(id));
}

function reserveIdsOf({ ids }: Store, { entries, at }: Commit): void {
  const reserve = reserverOfOwn(ids);
  for (const { subject, changes } of entries) {
    const family = familyOfKey(subject);
    const id = Number(subject.slice(subject.lastIndexOf(':') + 1));
    if (family) reserve(family, id, applyChanges({}, changes, at));
  }
}
