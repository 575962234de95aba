import { expect, it } from 'vitest';
import { balancesOf } from '../../../../server/store/lots.ts';
import type { Store } from '../../../../server/store/store.ts';
import { RELEASED, WITHDRAWN } from '../../../../server/sync/protocol/decide-in-log.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import { families } from '../../../../shared/families/registry.ts';
import { create } from '../../store/temporary-store.ts';
import { areSame, employ, type Fleet, faultsOf, fleet, type Peer, writePast } from './fleet.ts';
import { heldOf } from './push-story.ts';

interface Site extends Fleet {
  a: Peer;
  b: Peer;
  part: number;
  lot: number;
}

async function site(): Promise<Site> {
  const made = await fleet(2);
  const [a, b] = made.stations;
  if (!a || !b) throw new Error();
  const { store } = made.central;
  await employ(store, 'tester', 'eve');
  await create(store, 'company', { name: 'Ours' });
  const { id: part } = await create(store, 'part', { name: 'Jar', unit_of_measure: 'units' });
  const { id: lot } = await create(store, 'inventory', { part_id: part, batch_number: 'L' });
  await made.settle();
  return { ...made, a, b, part, lot };
}

/** Of the most that a lot can hold, in whole thousands of millions: twice that is beyond it. */
const MORE_THAN_HALF = 510;

/** The largest adjustment so many times, in one commit. */
function adjust(store: Store, lot: number, times: number): Promise<void> {
  const quantity = Math.sign(times) * 1_000_000_000;
  const fields = { inventory_id: lot, quantity, reason: 'counted', adjusted_on: '2026-06-15' };
  return store.gate.commit({
    actor: { rights: BY_SERVER, user: 'tester' },
    reason: null,
    work: work => {
      for (let time = 0; time < Math.abs(times); time += 1) work.insert(families.adjustment, fields);
    },
    answer: () => undefined,
  });
}

/** In whole thousands of millions. */
function stockOf(store: Store, lot: number): number {
  const sum = balancesOf(store.database.reader, lot).reduce((so, { quantity }) => so + quantity, 0n);
  return Number(sum / 10n ** 15n);
}

const decide = ({ central }: Fleet, commit: string, decision: typeof RELEASED | typeof WITHDRAWN) =>
  central.exchange.decideHeld({
    commit,
    decision,
    user: 'boss',
    reason: 'Looked.',
    at: '2026-06-15T13:00:00.000Z',
  });

it('stock beyond any lot is held alone, and nothing else waits', async () => {
  const at = await site();
  const { a, b, central, lot } = at;
  for (const { store } of [a, b]) await adjust(store, lot, MORE_THAN_HALF);
  const behind = await create(b.store, 'supplier', { name: 'Behind it' });
  await at.settle();
  const [held, ...others] = heldOf(at);
  expect(others).toEqual([]);
  expect(held?.reason).toBe(`beyond_limit: The lot ${lot} cannot hold more than 1000000000000 in one place.`);
  expect(central.store.records.getByKey(behind.key)?.fields.name).toBe('Behind it');
  const again = await create(central.store, 'supplier', { name: 'From central' });
  await at.settle();
  expect(b.store.records.getByKey(again.key)?.fields.name).toBe('From central');
  expect([a.store, central.store].map(store => stockOf(store, lot))).toEqual([
    MORE_THAN_HALF,
    MORE_THAN_HALF,
  ]);
  for (const store of at.stores()) expect(await faultsOf(store)).toEqual([]);

  await expect(decide(at, held?.commit.commit_id ?? '', RELEASED)).rejects.toThrow(/cannot hold more/);
  await adjust(central.store, lot, -100);
  await at.settle();
  await decide(at, held?.commit.commit_id ?? '', RELEASED);
  await at.settle();
  expect(heldOf(at)).toEqual([]);
  expect(areSame(at.stores())).toBe(true);
  expect(at.stores().map(store => stockOf(store, lot))).toEqual(
    at.stores().map(() => 2 * MORE_THAN_HALF - 100),
  );
});

it('what is beyond any lot can be withdrawn, and is nowhere then', async () => {
  const at = await site();
  const { a, b, lot } = at;
  for (const { store } of [a, b]) await adjust(store, lot, MORE_THAN_HALF);
  await at.settle();
  await decide(at, heldOf(at)[0]?.commit.commit_id ?? '', WITHDRAWN);
  await at.settle();
  expect(areSame(at.stores())).toBe(true);
  expect(at.stores().map(store => stockOf(store, lot))).toEqual(at.stores().map(() => MORE_THAN_HALF));
});

it('what is written here ends at the limit, and may lead back from beyond it', async () => {
  const at = await site();
  const { a, b, lot } = at;
  await expect(adjust(a.store, lot, 1_001)).rejects.toMatchObject({ code: 'conflict' });
  expect(stockOf(a.store, lot)).toBe(0);
  for (const { store } of [a, b]) await adjust(store, lot, MORE_THAN_HALF);
  await a.settle();
  await b.settle();
  expect(stockOf(b.store, lot)).toBe(2 * MORE_THAN_HALF);
  await expect(adjust(b.store, lot, 1)).rejects.toMatchObject({ code: 'conflict' });
  await adjust(b.store, lot, -10);
  expect(stockOf(b.store, lot)).toBe(2 * MORE_THAN_HALF - 10);
});

it('counts what came with it: lines of one receipt, and commits of one request', async () => {
  const at = await site();
  const { a, central, part, lot } = at;
  const line = { part_id: part, inventory_id: lot, quantity_accepted: 1_000_000_000 };
  const lines = (first: number, count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, place) => [
        String(first + place),
        { ...line, id: first + place, order: place },
      ]),
    );
  const ids = a.store.ids;
  const receipt = (id: number, first: number, count: number) => {
    const entries = Object.entries(lines(first, count)).map(([item, value]) => [`items.${item}`, value]);
    return writePast(a, `receiving-inspection:${id}`, Object.fromEntries(entries));
  };
  const base = (await create(a.store, 'supplier', { name: 'Of its block' })).id;
  expect(ids.owns(base)).toBe(true);
  const commits = [
    await receipt(base + 1, base + 10_000, 1_001),
    await receipt(base + 2, base + 30_000, 700),
    await receipt(base + 3, base + 40_000, 700),
  ];
  await at.settle();
  expect(heldOf(at).map(({ commit, reason }) => [commit.commit_id, reason.split(':')[0]])).toEqual([
    [commits[0], 'beyond_limit'],
    [commits[2], 'beyond_limit'],
  ]);
  expect(stockOf(central.store, lot)).toBe(700);
  // The station took its ids past its own counters.
  for (const store of [at.b.store, central.store]) expect(await faultsOf(store)).toEqual([]);
});
