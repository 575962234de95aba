import { expect, it } from 'vitest';
import type { Store } from '../../../../server/store/store.ts';
import { families } from '../../../../shared/families/registry.ts';
import { create, createAll, update } from '../../store/temporary-store.ts';
import { fleet } from './fleet.ts';

/** More than what a rare word finds. */
const COUNT = 2_100;

/** What is kept of a word is what the records say; returns how many it finds. */
function found({ records }: Store): number {
  const expected = [...records.all('supplier')].filter(({ fields }) => String(fields.name).includes('acme'));
  const page = records.page(families.supplier, { page: 42, perPage: 50, keyword: 'acme' });
  expect(page.total).toBe(expected.length);
  expect(page.records.map(({ id }) => id)).toEqual(expected.slice(2_050, 2_100).map(({ id }) => id));
  return page.total;
}

it('what a common word finds follows what a station and central hear of each other, and what is issued again', async () => {
  const made = await fleet(2);
  const [a, b] = made.stations;
  if (!a || !b) throw new Error();
  const both = () => made.stores().map(found);
  await createAll(
    made.central.store,
    'supplier',
    Array.from({ length: COUNT }, (_, n) => ({ name: `acme ${n}` })),
  );
  await made.settle();
  expect(both()).toEqual([COUNT, COUNT, COUNT]);
  // Each hears of what the others write.
  await create(a.store, 'supplier', { name: 'acme of a' });
  await update(a.store, 'supplier', 3, { name: 'renamed by a' });
  await update(b.store, 'supplier', 3, { name: 'acme, renamed by b' });
  await update(made.central.store, 'supplier', 4, { name: 'renamed by central' });
  both();
  await made.settle();
  await made.settle();
  const [total = 0] = both();
  expect(both()).toEqual([total, total, total]);
  // Central loses a record and gives its id to another one: the stations issue theirs again.
  const image = await made.central.copy();
  const { id } = await create(made.central.store, 'supplier', { name: 'acme that is lost' });
  await made.settle();
  expect(both()).toEqual([total + 1, total + 1, total + 1]);
  await made.central.putBack(image);
  expect((await create(made.central.store, 'supplier', { name: 'since' })).id).toBe(id);
  for (let round = 0; round < 4; round += 1) await made.settle();
  expect(both()).toEqual([total + 1, total + 1, total + 1]);
  expect(a.store.records.get('supplier', id)?.fields.name).toBe('since');
});
