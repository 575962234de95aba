import { expect, it } from 'vitest';
import { families } from '../../../shared/families/registry.ts';
import { create, createAll, temporaryStore } from './temporary-store.ts';

const { supplier } = families;

it('a keyword longer than the index looks for at once finds what has all of it', async () => {
  const store = await temporaryStore();
  const x = 'x'.repeat(40);
  for (const name of [`${x}a`, `${x}b`, x, `  ${x}B and more`]) await create(store, 'supplier', { name });
  const found = (keyword: string, page = 1, perPage = 9) => {
    const { records, total } = store.records.page(supplier, { page, perPage, keyword });
    return [records.map(({ id }) => id), total];
  };
  expect(found(x)).toEqual([[1, 2, 3, 4], 4]);
  expect(found(`${x}b`)).toEqual([[2, 4], 2]);
  expect(found(`${x}b`, 2, 1)).toEqual([[4], 2]);
  expect(found(`${x}c`)).toEqual([[], 0]);
  expect([...store.records.selected(supplier, { keyword: `${x}B` })].map(({ id }) => id)).toEqual([2, 4]);
});

it.each([3, 320])('the newest of each family with a word are found, of %d suppliers', async count => {
  const store = await temporaryStore();
  const rows = Array.from({ length: count }, (_, n) => ({ name: `Acme ${n}` }));
  await createAll(store, 'supplier', rows);
  await createAll(store, 'customer', [{ name: 'Acme' }, { name: 'Else' }, { name: 'Of ACME' }]);
  await create(store, 'part', { name: 'Jar' });
  const found = (families: string[], keyword: string, limit: number) =>
    store.records.newestWith(families, keyword, limit).map(({ key }) => key);
  const suppliers = [count, count - 1].map(id => `supplier:${id}`);
  const all = ['customer', 'part', 'supplier'];
  expect(found(all, 'acme', 2)).toEqual(['customer:3', 'customer:1', ...suppliers]);
  expect(found(['part', 'supplier'], 'ac', 2)).toEqual(suppliers);
  expect(found(all, 'jar', 2)).toEqual(['part:1']);
  expect(found(all, 'none of it', 2)).toEqual([]);
});
