import { expect, it } from 'vitest';
import { locksOf } from '../../../../server/rules/lot-state.ts';
import type { Store } from '../../../../server/store/store.ts';
import type { Actor } from '../../../../server/store/unit-of-work.ts';
import { parseInput } from '../../../../shared/contract/parse-input.ts';
import { families } from '../../../../shared/families/registry.ts';
import { create } from '../../store/temporary-store.ts';
import { areSame, fleet } from './fleet.ts';

const HPLC: Actor = { user: 'hplc', rights: { kind: 'integration', roles: ['inspector'] } };

it('a lab result that an instrument writes at a station waits at central too', async () => {
  const { central, stations } = await fleet(1);
  const [station] = stations;
  if (!station) throw new Error();
  await create(central.store, 'setting', { esignature_policy: 'gxp' }, { id: 1 });
  const part = (await create(central.store, 'part', { name: 'Jar', unit_of_measure: 'units' })).id;
  const { id: lot } = await create(central.store, 'inventory', {
    part_id: part,
    batch_number: 'L',
    opening_quantity: 5,
  });
  await station.settle();
  const family = families['lab-result'];
  const body = { batch_number: 'L', lab_data: '{"THC": "1"}' };
  await station.store.gate.commit({
    actor: HPLC,
    reason: null,
    work: work => work.create(family, parseInput(family, body, { mode: 'create' })),
    answer: () => undefined,
  });
  await station.settle();
  expect(central.exchange.reader().heldCommits.all()).toEqual([]);
  for (const store of [station.store, central.store]) expect(locks(store, lot)).toEqual(['correction']);
  expect(areSame([station.store, central.store])).toBe(true);
});

function locks({ records, database }: Store, lot: number): string[] {
  const record = records.get('inventory', lot);
  return record ? locksOf({ records, sql: database.reader }, record).map(({ lock }) => lock) : [];
}
