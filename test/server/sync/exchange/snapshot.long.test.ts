import { expect, it } from 'vitest';
import { conflictsOf } from '../../../../server/sync/log/conflicts.ts';
import type { Request } from '../../../../server/sync/protocol/wire.ts';
import { create, createAll, update } from '../../store/temporary-store.ts';
import { areSame, type Central, type Fleet, faultsOf, fleet, Peer, shown, writeOdd } from './fleet.ts';

/** More than one page of records. */
const MANY = 600;
/** So many in one commit: a fresh station is still far behind the log. */
const IN_ONE = 40;

/** A central with several pages of records, stock, an open conflict, a held commit and what follows it. */
async function fullCentral(): Promise<Fleet & { id: number; part: number }> {
  const made = await fleet(2);
  const { central, stations, settle } = made;
  const [a, b] = stations;
  if (!a || !b) throw new Error();
  await create(central.store, 'company', { name: 'Ours' });
  const { id: part } = await create(central.store, 'part', { name: 'Jar', unit_of_measure: 'units' });
  const { id } = await create(central.store, 'supplier', { name: 'Acme' });
  const names = Array.from({ length: MANY - 1 }, (_, index) => ({ name: `Supplier ${index + 1}` }));
  for (let from = 0; from < names.length; from += IN_ONE)
    await createAll(central.store, 'supplier', names.slice(from, from + IN_ONE));
  await settle();
  await create(a.store, 'receiving-inspection', {
    items: [{ part_id: part, serial_number: 'L1', quantity_accepted: 5 }],
  });
  await update(a.store, 'supplier', id, { name: 'Acme A' });
  await update(b.store, 'supplier', id, { name: 'Acme B' });
  await settle();
  return { ...made, id, part };
}

function joinFresh(central: Central, block: number): Promise<Peer> {
  return Peer.join(request => central.answer(request), block, { farBehind: 10 });
}

async function expectSame(central: Central, ...peers: Peer[]): Promise<void> {
  expect(areSame([central.store, ...peers.map(({ store }) => store)])).toBe(true);
  for (const { engine, store } of peers) {
    expect(engine.digests()).toEqual(central.exchange.digests());
    expect(engine.state()).toMatchObject({ unsent: 0, stuck: null });
    expect(await faultsOf(store)).toEqual([]);
  }
}

it('a new station gets the records, with conflicts and stock, and goes on with the log', async () => {
  const { central, stations, id, part, settle } = await fullCentral();
  const fresh = await joinFresh(central, 7);
  const kinds: string[] = [];
  const { carry } = fresh;
  fresh.carry = request => {
    kinds.push(request.kind);
    return carry(request);
  };
  await fresh.settle();
  expect(kinds.filter(kind => kind === 'snapshot')).toHaveLength(2);
  expect(fresh.engine.reader.logStart()).toBe(central.exchange.reader().place().sequence);
  await expectSame(central, fresh, ...stations);
  const key = `supplier:${id}`;
  const [conflict] = conflictsOf(fresh.store.database.reader, key);
  expect(conflict).toEqual(conflictsOf(central.store.database.reader, key)[0]);
  expect(conflict?.siblings.map(({ value }) => value)).toEqual(['Acme B', 'Acme A']);
  for (const { commit } of conflict?.siblings ?? []) {
    expect(fresh.engine.reader.log.commit(commit)?.user).toBe('tester');
  }
  const stock = (store: Peer['store']) =>
    store.database.reader.all('SELECT lot, location, quantity FROM stock ORDER BY lot, location');
  expect(stock(fresh.store)).toEqual(stock(central.store));
  expect(stock(fresh.store)).toHaveLength(1);

  await update(fresh.store, 'supplier', id, { name: 'Decided' });
  await create(fresh.store, 'order', { items: [{ part_id: part, quantity: 1, serial_number: 'S' }] });
  await settle();
  await fresh.settle();
  await settle();
  await expectSame(central, fresh, ...stations);
});

it('one that ends between two pages resumes there, whatever was written meanwhile at both', async () => {
  const { central, stations, id, settle } = await fullCentral();
  const fresh = await joinFresh(central, 7);
  const afters: (string | null)[] = [];
  const connect = (peer: Peer) => {
    peer.carry = async (request: Request) => {
      if (request.kind !== 'snapshot') return central.answer(request);
      afters.push(request.after);
      // Pages are read at different places of the log.
      await update(central.store, 'supplier', id, { primary_name: `page ${afters.length}` });
      await create(central.store, 'supplier', { name: `Page ${afters.length}` });
      return central.answer(request);
    };
  };
  connect(fresh);
  fresh.engine.notify();
  while (afters.length < 1) await fresh.engine.step();
  const here = await create(fresh.store, 'supplier', { name: 'Written meanwhile' });
  expect((await faultsOf(fresh.store)).slice(0, 3)).toEqual([]);
  await fresh.copy();
  await fresh.settle();
  expect(afters.filter(after => after === null)).toHaveLength(1);
  expect(new Set(afters).size).toBe(afters.length);
  expect(shown(fresh.store)[`supplier:${here.id}`]).toBeDefined();
  await settle();
  await fresh.settle();
  await settle();
  await expectSame(central, fresh, ...stations);
});

it('a station far behind keeps its own undecided commits on top, and what was decided of others', async () => {
  const { central, stations, id, settle } = await fullCentral();
  const far = await joinFresh(central, 7);
  await far.settle();
  const { carry } = far;
  await update(far.store, 'supplier', id, { notes: 'taken, and the answer lost' });
  far.carry = async request => {
    await carry(request);
    throw new TypeError('the answer is lost');
  };
  await expect(far.engine.step()).rejects.toThrow('lost');
  far.carry = carry;
  await update(far.store, 'supplier', id, { primary_name: 'not sent yet' });
  await create(far.store, 'supplier', { name: 'Not sent either' });
  for (let turn = 0; turn < 40; turn += 1) {
    await update(central.store, 'supplier', id, { primary_email: `${turn}@example.com` });
  }
  await far.settle();
  expect(shown(far.store)[`supplier:${id}`]?.fields).toMatchObject({
    notes: 'taken, and the answer lost',
    primary_name: 'not sent yet',
    primary_email: '39@example.com',
  });
  await settle();
  await far.settle();
  await expectSame(central, far, ...stations);
});

it('a held commit comes with the records, and what becomes of it later', async () => {
  const { central, stations, id, settle } = await fullCentral();
  const [a] = stations;
  if (!a) throw new Error();
  await writeOdd(a, id);
  await update(a.store, 'supplier', id, { notes: 'follows' });
  await settle();
  const fresh = await joinFresh(central, 7);
  await fresh.settle();
  const held = central.exchange.reader().heldCommits.all();
  expect(held.map(({ reason }) => reason)).toEqual(['schema: Odd is no path of a record.', 'follows']);
  expect(fresh.engine.reader.held.all()).toEqual(held);
  for (const { commit } of held.toReversed()) {
    const about = { user: 'ann', reason: 'No.', at: '2026-06-15T12:00:00.000Z' };
    await central.exchange.decideHeld({ commit: commit.commit_id, decision: 'withdrawn', ...about });
  }
  await fresh.settle();
  await settle();
  expect(fresh.engine.reader.held.all()).toEqual([]);
  await expectSame(central, fresh, ...stations);
});

it('central restored: what was taken from it is taken anew, and what it lacks is offered', async () => {
  const { central, stations, id, settle } = await fullCentral();
  const fresh = await joinFresh(central, 7);
  await fresh.settle();
  const copy = await central.copy();
  await update(fresh.store, 'supplier', id, { notes: 'lost and sent again' });
  await create(central.store, 'supplier', { name: 'Only central and the station' });
  await fresh.settle();
  await central.putBack(copy);
  const [a] = stations;
  if (!a) throw new Error();
  await create(a.store, 'supplier', { name: 'Meanwhile' });
  await a.settle();
  await fresh.settle();
  await settle();
  await fresh.settle();
  await settle();
  await expectSame(central, fresh, ...stations);
  const names = Object.values(shown(central.store)).map(({ fields }) => fields.name);
  expect(names).toEqual(expect.arrayContaining(['Only central and the station', 'Meanwhile']));
  expect(shown(central.store)[`supplier:${id}`]?.fields.notes).toBe('lost and sent again');
});

it('a station that took records, restored with central and at odds with it, has what central has', async () => {
  const { central, stations, settle } = await fullCentral();
  const [a, b] = stations;
  if (!a || !b) throw new Error();
  const far = await joinFresh(central, 7);
  await far.settle();
  const copyOfCentral = await central.copy();
  const { id } = await create(far.store, 'supplier', { name: 'Kept' });
  await far.settle();
  await b.settle();
  const copyOfFar = await far.copy();
  await update(far.store, 'supplier', id, { notes: 'lost there' });
  await far.settle();
  await b.settle();
  await central.putBack(copyOfCentral);
  await create(a.store, 'supplier', { name: 'Meanwhile' });
  await a.settle();
  await b.settle();
  await far.putBack(copyOfFar);
  for (let round = 0; round < 4; round += 1) {
    await far.settle();
    await settle();
  }
  await far.settle();
  await expectSame(central, far, ...stations);
  const names = Object.values(shown(far.store)).map(({ fields }) => fields.name);
  expect(names).toEqual(expect.arrayContaining(['Kept', 'Meanwhile']));
  expect(shown(central.store)[`supplier:${id}`]?.fields).toMatchObject({ name: 'Kept', notes: 'lost there' });
});
