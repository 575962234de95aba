import { expect, it } from 'vitest';
import { inputOf } from '../../../../server/rules/input-of.ts';
import type { Store } from '../../../../server/store/store.ts';
import { readConflicts } from '../../../../server/sync/log/conflicts.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import { families } from '../../../../shared/families/registry.ts';
import { addPart, lotOf, receive } from '../../rules/site.ts';
import { create, update } from '../../store/temporary-store.ts';
import { areSame, employ, fleet } from './fleet.ts';

const why = { reason: 'decided by the board' };
const OPEN = { isOpen: true, offset: 0, limit: 9 };

it.each(['scrap', 'return'] as const)('a %s on two stations takes the goods out once', async disposition => {
  const { central, stations, stores, settle } = await fleet(2);
  const [a, b] = stations;
  if (!a || !b) throw new Error();
  await create(central.store, 'company', { name: 'Ours' });
  await employ(central.store, 'tester', 'ann');
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
  const { conflicts } = readConflicts(central.store.database.reader, OPEN);
  const path = 'disposition_adjustment_id';
  const both = conflicts.find(one => one.path === path)?.siblings.map(({ value }) => Number(value)) ?? [];
  expect(both).toHaveLength(2);
  const choose = (value: number) =>
    central.store.gate.commit({
      actor: { rights: BY_SERVER, user: 'ann' },
      reason: 'decided',
      work: work => work.resolve(families.ncr, id, path, inputOf({ [path]: value })),
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

it.each([
  ['taken back', { disposition: null }, 100],
  ['settled otherwise', { disposition: 'use-as-is' }, 100],
  ['a return that takes nothing', { disposition: 'return', disposition_quantity: 0 }, 100],
  ['a scrap of less', { disposition_quantity: 10 }, 90],
])('a scrap that two stations change alike gives the goods back once: %s', async (_, changed, left) => {
  const { central, stations, stores, settle } = await fleet(2);
  const [a, b] = stations;
  if (!a || !b) throw new Error();
  await create(central.store, 'company', { name: 'Ours' });
  await employ(central.store, 'tester', 'ann');
  const part = await addPart(central.store);
  const { lot } = await receive(central.store, { part_id: part, quantity_accepted: 100 });
  const scrapped = { disposition: 'scrap', disposition_quantity: 40, inventory_id: lot };
  const report = { ncr_number: 'NCR-1', source: 'internal', ...scrapped };
  const { id } = await create(central.store, 'ncr', report, why);
  await settle();
  const quantities = () => stores().map((store: Store) => lotOf(store, lot).quantity);
  expect(quantities()).toEqual([60, 60, 60]);
  const reversals: unknown[] = [];
  for (const { store } of [a, b]) {
    const { fields } = await update(store, 'ncr', id, changed, why);
    reversals.push(fields.disposition_reversal_id);
    expect(lotOf(store, lot).quantity).toBe(left);
  }
  await settle();
  expect(areSame(stores())).toBe(true);
  expect(quantities()).toEqual([left, left, left]);
  for (const { database } of stores()) {
    const { conflicts } = readConflicts(database.reader, OPEN);
    const both = conflicts.filter(({ path }) => path === 'disposition_reversal_id');
    expect(both.map(({ siblings }) => siblings.map(({ value }) => value))).toEqual([reversals]);
    // What takes it out anew is another adjustment on each of the two.
    expect(conflicts).toHaveLength(left === 90 ? 2 : 1);
  }
  // The losing adjustment was never made, so that only the first can be chosen.
  const path = 'disposition_reversal_id';
  const choose = (value: unknown) =>
    central.store.gate.commit({
      actor: { rights: BY_SERVER, user: 'ann' },
      reason: 'decided',
      work: work => work.resolve(families.ncr, id, path, inputOf({ [path]: value })),
      answer: () => undefined,
    });
  await expect(choose(reversals[1])).rejects.toMatchObject({ code: 'validation_failed' });
  await choose(reversals[0]);
  await settle();
  expect(areSame(stores())).toBe(true);
  expect(quantities()).toEqual([left, left, left]);
  expect(readConflicts(b.store.database.reader, OPEN).total).toBe(left === 90 ? 1 : 0);
});

it('a rework on two stations opens one inspection', async () => {
  const { central, stations, stores, settle } = await fleet(2);
  await create(central.store, 'company', { name: 'Ours' });
  await employ(central.store, 'tester', 'ann');
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
