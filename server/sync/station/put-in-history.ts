import { familyOfKey } from '../../../shared/families/registry.ts';
import { applyChanges, type Commit } from '../../store/changes.ts';
import { abandonFrom, standAgain, stationOf } from '../../store/history.ts';
import { reserverOfOwn } from '../../store/reserve-ids.ts';
import type { Store } from '../../store/store.ts';
import { InHistory } from '../log/in-history.ts';

/**
 * In the open transaction: what central says that stands at a place of a chain stands there, in the place of another. What
 * this station wrote and does not know any more, having been put back, has ids that it does not give again.
 */
export function putInHistory(store: Store, commit: Commit, history = new InHistory(store.database)): void {
  const found = history.find(commit);
  if (found === 'present') return;
  if (found === 'another') abandonFrom(store.database, commit.chain, commit.number);
  if (!history.hasAbandoned || !standAgain(store.database, commit)) store.gate.receive(commit);
  if (stationOf(commit.chain) === store.station) reserveIdsOf(store, commit);
}

function reserveIdsOf({ ids }: Store, { entries, at }: Commit): void {
  const reserve = reserverOfOwn(ids);
  for (const { subject, changes } of entries) {
    const family = familyOfKey(subject);
    const id = Number(subject.slice(subject.lastIndexOf(':') + 1));
    if (family) reserve(family, id, applyChanges({}, changes, at));
  }
}
