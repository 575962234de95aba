import { expect, it } from 'vitest';
import { inputOf } from '../../../server/rules/input-of.ts';
import type { Store } from '../../../server/store/store.ts';
import { readConflicts } from '../../../server/sync/log/conflicts.ts';
import { families } from '../../../shared/families/registry.ts';
import { addPart, lotOf, receive } from '../../rules/site.ts';
import { create, update } from '../../store/temporary-store.ts';
import { areSame, fleet } from './fleet.ts';

const why = { reason: 'decided by the board' };

it.each(['scrap', 'return'] as const)('a %s on two stations takes the goods out once', async disposition => {
  const { central, stations, stores, settle } = await fleet(2);
  const [a, b] = stations;
  if (!a || !b) throw new Error();
  await create(central.store, 'company', { name: 'Ours' });
  const part = await addPart(central.store);
  const { lot } = await receive(central.store, { part_id: part, quantity_accepted: 100 });
  const body = { ncr_number: 'NCR-1', source: 'internal', inventory_id: lot };
  const { id } = await create(central.store, 'ncr', body);
  await settle();
  const quantities = () => stores().map((store: Store) => lotOf(store, lot).quantity);
  for (const { store } of [a, b]) {
    await update(store, 'ncr', id, { disposition, disposition_quantity: 40 }, why);
  }
  await settle();
  expect(areSame(stores())).toBe(true);
  expect(quantities()).toEqual([60, 60, 60]);
  // The second decision waits for a person, whole.
  const range = { isOpen: true, offset: 0, limit: 9 };
  const { conflicts } = readConflicts(central.store.database.reader, range);
  const path = 'disposition_adjustment_id';
  const both = conflicts.find(one => one.path === path)?.siblings.map(({ value }) => Number(value)) ?? [];
  expect(both).toHaveLength(2);
  const choose = (value: number) =>
    central.store.gate.commit({
      actor: { user: 'ann' },
      reason: 'decided',
      work: draft => draft.resolve(families.ncr, id, path, inputOf({ [path]: value })),
      answer: () => undefined,
    });
  // What the losing one took out was never taken.
  await expect(choose(both[1] ?? 0)).rejects.toMatchObject({ code: 'validation_failed' });
  await choose(both[0] ?? 0);
  await settle();
  expect(quantities()).toEqual([60, 60, 60]);

  await update(b.store, 'ncr', id, { disposition: null }, why);
  await settle();
  expect(areSame(stores())).toBe(true);
  expect(quantities()).toEqual([100, 100, 100]);
});

it('a rework on two stations opens one inspection', async () => {
  const { central, stations, stores, settle } = await fleet(2);
  await create(central.store, 'company', { name: 'Ours' });
  const part = await addPart(central.store);
  const { lot } = await receive(central.store, { part_id: part });
  const body = { ncr_number: 'NCR-1', source: 'internal', inventory_id: lot };
  const { id } = await create(central.store, 'ncr', body);
  await settle();
  for (const { store } of stations) await update(store, 'ncr', id, { disposition: 'rework' }, why);
  await settle();
  expect(areSame(stores())).toBe(true);
  expect(stores().map(store => store.records.total('inspection'))).toEqual([1, 1, 1]);
});
