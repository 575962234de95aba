import { expect, it } from 'vitest';
import type { Store } from '../../../../server/store/store.ts';
import { readConflicts } from '../../../../server/sync/log/conflicts.ts';
import { type FamilyName, families } from '../../../../shared/families/registry.ts';
import { create, itemIds, update } from '../../store/temporary-store.ts';
import { areSame, faultsOf, fleet } from './fleet.ts';

const SEEDS = Number(process.env.HOLDPOINT_SYNC_SEEDS ?? 4);

/** A number below `limit`, the same for the same seed. */
function random(seed: number): (limit: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return limit => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    return state % limit;
  };
}

it.each(Array.from({ length: SEEDS }, (_, seed) => seed + 1))(
  'converges whatever is written where and whenever it is exchanged, seed %i',
  async seed => {
    const next = random(seed);
    const { central, stations, stores, settle } = await fleet(3, {
      // With every other seed a station that is a little behind takes records in place of the log.
      ...(seed % 2 === 0 && { farBehind: 4 }),
      // Of short messages there is always one more to send before the last is answered.
      ...(seed % 4 < 2 && { limit: 2 }),
    });
    await create(central.store, 'company', { name: 'Ours' });
    await create(central.store, 'part', { name: 'Jar', unit_of_measure: 'units' });
    await settle();
    for (let turn = 0; turn < 120; turn += 1) {
      const store = stores()[next(4)];
      if (store) await write(store, next, `${seed}-${turn}`);
      const peer = stations[next(stations.length)];
      if (peer && next(3) === 0) {
        if (next(2) === 0) peer.engine.notify();
        await peer.engine.step();
      }
    }
    // In the middle of it, with undecided commits everywhere, and at the end.
    for (const store of stores()) expect((await faultsOf(store)).slice(0, 3)).toEqual([]);
    await settle();
    expect(areSame(stores())).toBe(true);
    const [kept, ...others] = stores().map(conflicts);
    for (const one of others) expect(one).toEqual(kept);
    for (const store of stores()) expect((await faultsOf(store)).slice(0, 3)).toEqual([]);
    for (const { engine } of stations) {
      expect(engine.digests()).toEqual(central.exchange.digests());
      expect(engine.state()).toMatchObject({ unsent: 0, stuck: null });
    }
  },
);

/** Those that were ever opened, with what became of them. */
function conflicts({ database }: Store) {
  return [true, false].map(isOpen => readConflicts(database.reader, { isOpen, offset: 0, limit: 1_000 }));
}

async function write(store: Store, next: (limit: number) => number, text: string): Promise<void> {
  const pick = (family: FamilyName) => {
    const { records } = store.records.page(families[family], { page: 1, perPage: 500 });
    return records[next(Math.max(1, records.length))];
  };
  const supplier = pick('supplier');
  const order = pick('order');
  const part = pick('part')?.id ?? 0;
  switch (next(7)) {
    case 0:
      await create(store, 'supplier', { name: text });
      return;
    case 1:
    case 2:
      if (supplier)
        await update(store, 'supplier', supplier.id, { [next(2) ? 'name' : 'primary_name']: text });
      return;
    case 3:
      await create(store, 'order', { items: [{ part_id: part, quantity: 1, serial_number: text }] });
      return;
    case 4:
      if (!order) return;
      await update(store, 'order', order.id, {
        items: [
          ...itemIds(order, 'items').map(id => ({ id, quantity: next(9) + 1 })),
          ...(next(2) ? [{ part_id: part, quantity: 2, serial_number: text }] : []),
        ],
      });
      return;
    case 5:
      if (order) await update(store, 'order', order.id, { is_closed: next(2) === 0, notes: text });
      return;
    default:
      await create(store, 'receiving-inspection', {
        items: [{ part_id: part, serial_number: `L${next(3)}`, quantity_accepted: next(5) + 1 }],
      });
  }
}
