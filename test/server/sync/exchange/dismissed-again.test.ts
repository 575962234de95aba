import { expect, it } from 'vitest';
import { mapOf } from '../../../../server/store/changes.ts';
import { reissuedId } from '../../../../server/store/commit-id.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { create, itemIds, START, update } from '../../store/temporary-store.ts';
import { areSame, type Fleet, faultsOf, fleet, Peer, shown, writeOdd, writePast } from './fleet.ts';

const line = (part_id: number, serial_number: string) => ({ part_id, quantity: 1, serial_number });

const linesOf = (store: Peer['store'], order: number) =>
  Object.values(mapOf(shown(store)[`order:${order}`]?.fields.items)).map(item => mapOf(item).serial_number);

interface Made extends Fleet {
  a: Peer;
  first: Peer;
  order: number;
  /** What central holds of A, whose line has the id of another's. */
  held: string;
}

/**
 * Two stations of one block, as when an image of central was put back before it gave the second one its own: A has issued again what
 * central holds of it, a line and one that follows it, and could not send that.
 */
async function issuedAgain(): Promise<Made> {
  const made = await fleet(1);
  const [first] = made.stations;
  if (!first) throw new Error();
  const a = await Peer.join((request, unsent) => made.central.answer(request, unsent), 1);
  const part = await create(made.central.store, 'part', { name: 'Jar' });
  const order = await create(made.central.store, 'order', { items: [line(part.id, 'first')] });
  const items = itemIds(order, 'items').map(id => ({ id }));
  for (const one of [first, a]) await one.settle();
  await create(first.store, 'order', { items: [line(part.id, "another's")] });
  await first.settle();
  const own = await update(a.store, 'order', order.id, { items: [...items, line(part.id, 'taken')] });
  await update(a.store, 'order', order.id, {
    items: [...itemIds(own, 'items').map(id => ({ id })), line(part.id, 'follows')],
  });
  const { carry } = a;
  let pushes = 0;
  a.carry = (request, unsent) => {
    if (request.kind === 'push') pushes += 1;
    if (pushes > 1) throw new TypeError('There is no network.');
    return carry(request, unsent);
  };
  await a.settle().catch(() => undefined);
  a.carry = carry;
  const held = made.central.exchange.reader().heldCommits.all();
  expect(held.map(({ reason }) => reason)).toEqual(['id_taken', 'follows']);
  expect(a.engine.state().unsent).toBe(2);
  return {
    ...made,
    stations: [first, a],
    stores: () => [made.central.store, first.store, a.store],
    async settle() {
      for (let round = 0; round < 3; round += 1) for (const one of [first, a]) await one.settle();
    },
    a,
    first,
    order: order.id,
    held: held[0]?.commit.commit_id ?? '',
  };
}

it('what followed a commit that was dismissed counts once, also where its station has issued it again meanwhile', async () => {
  const made = await issuedAgain();
  const { central, a, order, held } = made;
  const about = { commit: held, user: 'ann', reason: 'Looked.', at: START };
  await central.exchange.decideHeld({ ...about, decision: 'withdrawn' });
  await made.settle();
  expect(linesOf(central.store, order).sort()).toEqual(['first', 'follows']);
  expect(central.exchange.reader().heldCommits.all()).toEqual([]);
  expect(areSame(made.stores())).toBe(true);
  expect(a.engine.state()).toMatchObject({ unsent: 0, stuck: null });
  for (const store of made.stores()) expect(await faultsOf(store)).toEqual([]);
});

it('what was made over a commit that was dismissed is not made over what another station calls as that would be issued again', async () => {
  const made = await fleet(2);
  const { central } = made;
  const [a, b] = made.stations;
  if (!a || !b) throw new Error();
  const supplier = await create(central.store, 'supplier', { name: 'Ours' });
  const other = await create(central.store, 'supplier', { name: 'Other' });
  await made.settle();
  const commit = await writeOdd(a, supplier.id);
  await a.settle();
  const subject = `supplier:${supplier.id}`;
  const { carry } = a;
  a.carry = () => Promise.reject(new TypeError('There is no network.'));
  const over = await writePast(a, subject, { notes: 'over it' }, [commit]);
  await central.exchange.decideHeld({ commit, user: 'ann', reason: 'No.', at: START, decision: 'withdrawn' });
  // As an altered station sends it.
  const changes = [{ path: 'notes', old: null, new: "another's", over: [other.creator] }];
  const about = { at: START, clock_offset: null, user: 'eve', reason: null };
  await new StationStore(b.store, syncRules, b.store.database).writeOwn(() => [
    { commit_id: reissuedId(commit), ...about, entries: [{ subject: `supplier:${other.id}`, changes }] },
  ]);
  await b.settle();
  a.carry = carry;
  await made.settle();
  expect(central.exchange.reader().heldCommits.all()).toMatchObject([
    { commit: { commit_id: over }, reason: 'over_withdrawn' },
  ]);
  expect(areSame(made.stores())).toBe(true);
});
