import { describe, expect, it } from 'vitest';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import { families } from '../../../shared/families/registry.ts';
import { create, temporaryStore, update } from './temporary-store.ts';

const { supplier } = families;
const page = { page: 1, perPage: 10 };

describe('a list that is asked for again', () => {
  it('shows what has changed meanwhile, and shares what has not', async () => {
    const store = await temporaryStore();
    const acme = await create(store, 'supplier', { name: 'Acme' });
    await create(store, 'supplier', { name: 'Apex' });
    // Kept from the second time on.
    store.records.page(supplier, page);
    const [first, second] = store.records.page(supplier, page).records;
    await update(store, 'supplier', acme.id, { name: 'Acme of Ghent' });
    const again = store.records.page(supplier, page).records;
    expect(again.map(({ fields }) => fields.name)).toEqual(['Acme of Ghent', 'Apex']);
    expect(first?.fields.name).toBe('Acme');
    expect(again[1]).toBe(second);
  });

  it('is shared with pages of one record, which show what has changed meanwhile', async () => {
    const store = await temporaryStore();
    const { id } = await create(store, 'supplier', { name: 'Acme' });
    store.records.getShared('supplier', id);
    const shown = store.records.getShared('supplier', id);
    expect(store.records.getShared('supplier', id)).toBe(shown);
    expect(store.records.page(supplier, page).records[0]).toBe(shown);
    await update(store, 'supplier', id, { name: 'Apex' });
    expect(store.records.getShared('supplier', id)?.fields.name).toBe('Apex');
    expect(shown?.fields.name).toBe('Acme');
    expect(store.records.getShared('supplier', id + 1)).toBeUndefined();
  });

  it('shows nothing of a write that was undone, though the next one takes its numbers', async () => {
    const store = await temporaryStore();
    const { id } = await create(store, 'supplier', { name: 'Acme' });
    const undone = store.gate.together(async commit => {
      await commit({
        actor: { rights: BY_SERVER, user: 'tester' },
        reason: null,
        work: work => work.set(supplier, id, { name: 'Undone' }),
        answer: () => undefined,
      });
      for (const _ of [1, 2, 3])
        expect(store.records.page(supplier, page).records[0]?.fields.name).toBe('Acme');
      expect(store.pending.page(supplier, page).records[0]?.fields.name).toBe('Undone');
      throw new Error('No.');
    });
    await expect(undone).rejects.toThrow('No.');
    await update(store, 'supplier', id, { name: 'Apex' });
    for (const records of [store.records, store.pending]) {
      expect(records.page(supplier, page).records[0]?.fields.name).toBe('Apex');
    }
  });

  it('goes on beyond what is kept', async () => {
    const store = await temporaryStore();
    await store.gate.commit({
      actor: { rights: BY_SERVER, user: 'tester' },
      reason: null,
      work: work => {
        for (let n = 1; n <= 1_050; n += 1) work.insert(supplier, { name: `S ${n}` });
      },
      answer: () => undefined,
    });
    for (let round = 0; round < 2; round += 1) {
      for (const number of [1, 2, 3]) {
        const { records } = store.records.page(supplier, { page: number, perPage: 500 });
        expect(records[0]?.fields.name).toBe(`S ${(number - 1) * 500 + 1}`);
        expect(records).toHaveLength(number === 3 ? 50 : 500);
      }
    }
  });
});

describe('the total of a search', () => {
  it('is the same on every page, the full ones, the last and those beyond', async () => {
    const store = await temporaryStore();
    for (const name of ['Acme A', 'Acme B', 'Apex', 'Acme C', 'Acme D'])
      await create(store, 'supplier', { name });
    const pageOf = (number: number, perPage: number) => {
      const { records, total } = store.records.page(supplier, { page: number, perPage, keyword: 'acme' });
      return [total, ...records.map(({ fields }) => fields.name)];
    };
    expect(pageOf(1, 3)).toEqual([4, 'Acme A', 'Acme B', 'Acme C']);
    expect(pageOf(2, 3)).toEqual([4, 'Acme D']);
    expect(pageOf(3, 3)).toEqual([4]);
    expect(pageOf(1, 4)).toEqual([4, 'Acme A', 'Acme B', 'Acme C', 'Acme D']);
    expect(pageOf(2, 4)).toEqual([4]);
    expect(pageOf(1, 50)).toEqual([4, 'Acme A', 'Acme B', 'Acme C', 'Acme D']);
  });
});
