import { afterEach, expect, it, vi } from 'vitest';
import { mapOf } from '../../../../server/store/changes.ts';
import { Connection } from '../../../../server/store/sqlite/connection.ts';
import { create, START } from '../../store/temporary-store.ts';
import { faultsOf, fleet, Peer, shown, writeOdd } from './fleet.ts';

afterEach(() => vi.restoreAllMocks());

/** How many statements run, and how many rows they give, while `work` does. */
async function countingSql(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  for (const method of ['get', 'all', 'run', 'iterate'] as const) {
    const own: (...parameters: [string]) => unknown = Connection.prototype[method];
    vi.spyOn(Connection.prototype, method).mockImplementation(function (
      this: Connection,
      ...parameters: readonly unknown[]
    ) {
      const found = own.apply(this, parameters as [string]);
      count += Array.isArray(found) ? 1 + found.length : 1;
      return found as never;
    });
  }
  await work();
  vi.restoreAllMocks();
  return count;
}

/**
 * Central has lost so many parts, each made by itself, and has other parts by their ids. An altered station has given back the orders of
 * them, and not the parts.
 */
async function awaiting(count: number) {
  const made = await fleet(2);
  const { central } = made;
  const [a, altered] = made.stations;
  if (!a || !altered) throw new Error();
  await create(central.store, 'company', { name: 'Ours' });
  const supplier = await create(central.store, 'supplier', { name: 'Odd' });
  await made.settle();
  const image = await central.copy();
  const creators = new Set<string>();
  for (let n = 0; n < count; n += 1)
    creators.add((await create(central.store, 'part', { name: `Lost ${n}` })).creator);
  await altered.settle();
  const parts = Object.values(shown(altered.store)).filter(({ family }) => family === 'part');
  for (const { id, fields } of parts) {
    const items = [{ part_id: id, quantity: 3, serial_number: String(fields.name) }];
    await create(altered.store, 'order', { items });
  }
  await made.settle();
  await central.putBack(image);
  for (let n = 0; n < count; n += 1) await create(central.store, 'part', { name: `Other ${n}` });
  const { carry } = altered;
  altered.carry = (request, unsent) =>
    carry(
      request.kind === 'push'
        ? { ...request, offers: request.offers.filter(({ commit }) => !creators.has(commit.commit_id)) }
        : request,
      unsent,
    );
  altered.engine.notify();
  // It never comes to an end with what it keeps back.
  for (let step = 0; step < 8; step += 1) await altered.engine.step();
  return { ...made, a, altered, supplier };
}

/** What orders say of the parts that they mean, and what those are. */
function meantAt({ store }: Pick<Peer, 'store'>): (readonly [meant: unknown, is: unknown])[] {
  const records = shown(store);
  return Object.values(records)
    .filter(({ family }) => family === 'order')
    .flatMap(({ fields }) => Object.values(mapOf(fields.items)).map(mapOf))
    .map(item => [item.serial_number, records[`part:${item.part_id}`]?.fields.name] as const);
}

it('what is awaited costs a message nothing, however much of it there is, and is followed once it is back', async () => {
  const costs: number[] = [];
  for (const count of [2, 12]) {
    const made = await awaiting(count);
    const { central, a, supplier } = made;
    const others = meantAt(central);
    expect(others).toHaveLength(count);
    for (const [, is] of others) expect(is).toMatch(/^Other/);
    const fresh = await Peer.join(central.answer, 7);
    await fresh.settle();
    const commit = await writeOdd(fresh, supplier.id);
    await fresh.settle();
    // What gives up a held commit decides two: that is when what is awaited is looked at.
    await fresh.engine.withdraw({ commit, user: 'ann', reason: 'No.', at: START });
    let cost = 0;
    fresh.carry = async (request, unsent) => {
      if (request.kind !== 'push') return central.answer(request, unsent);
      let answer: ReturnType<typeof central.answer> | undefined;
      cost = await countingSql(() => {
        answer = central.answer(request, unsent);
        return answer;
      });
      return answer ?? central.answer(request, unsent);
    };
    await fresh.settle();
    costs.push(cost);
    for (let round = 0; round < 2; round += 1) await a.settle();
    const meant = meantAt(central);
    expect(meant).toHaveLength(count);
    expect(meant.filter(([part, is]) => part !== is)).toEqual([]);
    expect(await faultsOf(central.store)).toEqual([]);
  }
  expect(costs[0]).toBeGreaterThan(10);
  expect(costs[1]).toBe(costs[0]);
});
