import { expect, it } from 'vitest';
import { families } from '../../../shared/families/registry.ts';
import { create, temporaryStore } from './temporary-store.ts';

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
