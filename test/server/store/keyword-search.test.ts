import { expect, it } from 'vitest';
import type { Store } from '../../../server/store/store.ts';
import { parseInput } from '../../../shared/contract/parse-input.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { families } from '../../../shared/families/registry.ts';
import fc from '../../support/fast-check.ts';
import { mergeSearch } from './merge-search.ts';
import { create, createAll, temporaryStore, update } from './temporary-store.ts';

/** More than what a rare word finds: what is common is kept in memory from one search to the next. */
const COUNT = 2_300;
/** Longer than what the index is asked for: the records are looked at, too. */
const LONG = `fitting ${'x'.repeat(40)}`;
const NAMES = ['fitting', `${LONG}a`, 'gasket', 'Fit', 'seal outfitting'];
const KEYWORDS = ['fitting', 'FIT', 'fi', 'f', `${LONG}a`, 'gasket', 'g', 'ing 1', 'lot-1', 'none of them'];

const { part, inventory } = families;
type Searched = 'part' | 'inventory';

async function filled(): Promise<Store> {
  const store = await temporaryStore();
  await create(store, 'company', { name: 'Ours' });
  const range = Array.from({ length: COUNT }, (_, n) => n);
  await createAll(
    store,
    'part',
    range.map(n => ({
      name: `${LONG}${n % 2 ? 'a' : 'b'} ${n}`,
      identification: n % 3 ? null : `P-${n % 50}`,
    })),
  );
  await createAll(
    store,
    'inventory',
    range.map(n => ({ part_id: 1 + n, serial_number: `LOT-${n}`, opening_quantity: 1, unit: 'units' })),
  );
  return store;
}

/** What a person would look for: written apart from the server's. */
function isIn(text: unknown, keyword: string): boolean {
  if (typeof text !== 'string') return false;
  const wanted = keyword.toLowerCase();
  if (wanted.length >= 3) return text.toLowerCase().includes(wanted);
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .some(word => word.startsWith(wanted));
}

function found(store: Store, family: Searched, keyword: string): StoredRecord[] {
  const own = families[family].search;
  const parts = new Map([...store.records.all('part')].map(record => [record.id, record]));
  const isFound = (record: StoredRecord, fields: readonly string[]) =>
    fields.some(field => isIn(record.fields[field], keyword));
  return [...store.records.all(family)].filter(record => {
    const through = family === 'inventory' ? parts.get(Number(record.fields.part_id)) : undefined;
    return isFound(record, own) || (through !== undefined && isFound(through, part.search));
  });
}

/** Every list of a keyword is what looking at each record gives. */
function compare(store: Store, family: Searched, keyword: string): number {
  const expected = found(store, family, keyword);
  const ids = expected.map(({ id }) => id);
  const page = (request: object, number = 1, perPage = 50) => {
    const list = store.records.page(families[family], { page: number, perPage, keyword, ...request });
    expect(list.total, `${family} with ${keyword}`).toBe(ids.length);
    return list.records.map(({ id }) => id);
  };
  const last = Math.max(1, Math.ceil(ids.length / 50));
  expect(page({})).toEqual(ids.slice(0, 50));
  expect(page({}, last)).toEqual(ids.slice((last - 1) * 50));
  expect(page({}, last + 1)).toEqual([]);
  expect(page({ isNewestFirst: true }, 2)).toEqual(ids.toReversed().slice(50, 100));
  if (family === 'part') {
    const key = (record: StoredRecord, field: string) => String(record.fields[field] ?? '~').toLowerCase();
    const byNumber = { field: 'identification', isDescending: false };
    const byName = { field: 'name', isDescending: true };
    for (const sort of [[byNumber], [byNumber, byName]]) {
      const sorted = expected.toSorted((a, b) => {
        for (const { field, isDescending } of sort) {
          const [x, y] = [key(a, field), key(b, field)];
          if (x !== y) return x < y !== isDescending ? -1 : 1;
        }
        return a.id - b.id;
      });
      for (const number of [1, Math.ceil(last / 3), last]) {
        const wanted = sorted.slice((number - 1) * 50, number * 50).map(({ id }) => id);
        expect(page({ sort }, number), `${keyword} by ${JSON.stringify(sort)}`).toEqual(wanted);
      }
    }
  }
  return ids.length;
}

it('what a common word finds stays what looking at each record gives, whatever is written', async () => {
  const store = await filled();
  const { gate, records } = store;
  const actor = { rights: BY_SERVER, user: 'tester' };
  const taken: StoredRecord[] = [];
  const named = (n: number) => `${NAMES[n % NAMES.length]} ${n}`;
  const steps: Record<string, (n: number) => Promise<unknown>> = {
    create: n => create(store, 'part', { name: named(n) }),
    rename: n => update(store, 'part', 1 + (n % COUNT), { name: named(n) }),
    renumber: n => update(store, 'inventory', 1 + (n % COUNT), { serial_number: `OTHER-${n}` }),
    'another part': n => update(store, 'inventory', 1 + (n % COUNT), { part_id: 1 + ((n * 7) % COUNT) }),
    import: n =>
      gate.together(async commit => {
        for (let row = 0; row < 30; row += 1) {
          const name = named(n + row);
          await commit({
            actor,
            reason: null,
            work: work => work.create(part, parseInput(part, { name }, { mode: 'create' }), null),
            answer: () => undefined,
          });
        }
      }),
    undone: async n => {
      const failing = gate.together(async commit => {
        const name = named(n);
        await commit({
          actor,
          reason: null,
          work: work => work.update(part, 1 + (n % COUNT), parseInput(part, { name }, { mode: 'patch' })),
          answer: () => undefined,
        });
        throw new Error('Undone.');
      });
      await expect(failing).rejects.toThrow('Undone.');
    },
    'taken away by central': async n => {
      // Parts of which there is no lot.
      const [record] = [...records.all('part')].slice(COUNT + (n % 5));
      if (!record) return;
      taken.push(record);
      await gate.applyRemote(() => ({ result: undefined, removals: [record.key] }));
    },
    'come back': async () => {
      const record = taken.pop();
      if (record) await gate.applyRemote(() => ({ result: undefined, puts: [record] }));
    },
    'looked for before it is written': n =>
      gate.together(async commit => {
        const body = parseInput(part, { name: named(n) }, { mode: 'patch' });
        await commit({
          actor,
          reason: null,
          work: work => work.update(part, 1 + (n % COUNT), body),
          answer: () => undefined,
        });
        for (const family of [part, inventory])
          for (const keyword of KEYWORDS) records.page(family, { page: 1, perPage: 1, keyword });
      }),
    'written while it is gathered': async n => {
      const keyword = `${LONG}a`;
      const isFound = isIn(records.get('part', 1)?.fields.name, keyword);
      let isWritten = false;
      const writing = update(store, 'part', 1, { name: isFound ? 'gasket' : keyword })
        .then(() => create(store, 'part', { name: named(n) }))
        .finally(() => {
          isWritten = true;
        });
      // What finds little is kept until the next search, so that it begins anew each time; writes come between its steps.
      while (!isWritten) {
        for (const name of ['part', 'inventory'] as const) {
          await records.gather(families[name], { keyword });
          const { total } = records.page(families[name], { page: 1, perPage: 1, keyword });
          expect(total).toBe(found(store, name, keyword).length);
        }
      }
      await writing;
    },
    rebuild: () => store.rebuild(),
  };
  const totals: number[] = [];
  const kinds = Object.keys(steps);
  const drawn = fc.record({
    order: fc.shuffledSubarray([...kinds, ...kinds], { minLength: 2 * kinds.length }),
    numbers: fc.infiniteStream(fc.nat(100_000)),
    keywords: fc.infiniteStream(fc.constantFrom(...KEYWORDS)),
  });
  for (const { order, numbers, keywords } of fc.sample(drawn, 1)) {
    for (const kind of order) {
      await steps[kind]?.(numbers.next().value ?? 0);
      for (const keyword of keywords.take(3)) {
        totals.push(compare(store, 'part', keyword), compare(store, 'inventory', keyword));
      }
    }
  }
  expect(totals.filter(total => total > 2_000).length).toBeGreaterThan(10);
  expect(totals.filter(total => total > 0 && total < 2_000).length).toBeGreaterThan(10);
});

it('a common word is gone through once, and not for each page and each change', async () => {
  const store = await filled();
  const { records, database } = store;
  const find = () => records.page(part, { page: 3, perPage: 50, keyword: 'fitting' });
  await records.gather(part, { keyword: 'fitting' });
  mergeSearch(store);
  // With the index gone, what is known can come from memory only.
  database.transaction(() => database.run("INSERT INTO search_index (search_index) VALUES ('delete-all')"));
  expect(find().total).toBe(COUNT);
  await update(store, 'part', 3, { name: 'gasket' });
  await create(store, 'part', { name: 'one more fitting' });
  await update(store, 'part', 4, { name: 'gasket, too' });
  expect(find().total).toBe(COUNT - 1);
  expect(find().records[0]?.id).toBe(103);
});
