import { newChain } from '../../../../server/store/history.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { create, update } from '../../store/temporary-store.ts';
import { type Fleet, fleet, type Peer } from './fleet.ts';

export interface Made extends Fleet {
  /** Of the supplier. */
  id: number;
  a: Peer;
  b: Peer;
}

/** A central and two stations, with one supplier everywhere. */
export async function fleetWithSupplier(): Promise<Made> {
  const made = await fleet(2);
  const [a, b] = made.stations;
  if (!a || !b) throw new Error();
  const { id } = await create(made.central.store, 'supplier', { name: 'Acme' });
  await made.settle();
  return { ...made, id, a, b };
}

/** As a machine does that an administrator has chosen. */
export function beginAgain({ store }: Peer): Promise<void> {
  return new StationStore(store, syncRules, store.database).beginAgain(newChain(store.station));
}

/**
 * Central lost what A had written, and both machines with A's disk send it again, one of them in a new chain: B, which gets both in one
 * page, had it before.
 */
export async function sentByBoth({ a, b, central, settle }: Made): Promise<void> {
  const [ofCentral, ofStation] = [await central.copy(), await a.copy()];
  await settle();
  await central.putBack(ofCentral);
  await a.putBack(ofStation);
  const other = await a.clone();
  await beginAgain(a);
  await a.settle();
  await other.settle();
  await b.settle();
}

/**
 * Central lost two commits of A, whose disk is from between them and which issues the first again: B has heard of that, and what it
 * gives back is not answered yet. Returns what lets the answers through.
 */
export async function partlyElsewhere({ a, b, central, id, settle }: Made): Promise<() => void> {
  const ofCentral = await central.copy();
  await update(a.store, 'supplier', id, { primary_name: 'from a' });
  const ofStation = await a.copy();
  await update(a.store, 'supplier', id, { primary_email: 'a@example.com' });
  await settle();
  await central.putBack(ofCentral);
  await a.putBack(ofStation);
  await beginAgain(a);
  await a.settle();
  const { carry } = b;
  b.carry = async (request, unsent) => {
    const answer = await carry(request, unsent);
    if (request.kind === 'push') throw new Error('lost');
    return answer;
  };
  await b.settle().catch(() => undefined);
  return () => {
    b.carry = carry;
  };
}
