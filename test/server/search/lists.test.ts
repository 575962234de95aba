import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Family } from '../../../shared/contract/define-family.ts';
import { families } from '../../../shared/families/registry.ts';
import { listOperations } from '../../../shared/operations/operations.ts';
import { Station } from '../../support/station.ts';

const station = new Station({ isHere: true });
const COUNT = 2_500;
beforeAll(async () => {
  await station.start();
  for (let from = 0; from < COUNT; from += 500) {
    const rows = Array.from({ length: 500 }, (_, index) => ({
      name: `Part ${from + index}`,
      identification: `P-${from + index}`,
    }));
    expect((await station.post('/parts/bulk', rows)).status).toBe(201);
  }
});
afterAll(() => station.stop());

type Row = { id: number; name: string };
const page = async (query: Record<string, string | number>) => {
  const answer = await station.get('/parts', query);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as { data: Row[]; meta: { total: number; from: number; to: number } };
};

describe('lists with the newest first', () => {
  it.each([
    ['all', {}],
    ['found', { keyword: 'part 1' }],
  ])('%s are the list the other way round, deep pages and the last one included', async (_name, query) => {
    const { meta } = await page(query);
    const pages = Math.ceil(meta.total / 500);
    const read = async (order: string) => {
      const rows: Row[] = [];
      for (let at = 1; at <= pages + 1; at += 1) {
        rows.push(...(await page({ ...query, order, page: at, per_page: 500 })).data);
      }
      return rows.map(({ id }) => id);
    };
    const oldest = await read('asc');
    expect(oldest.length).toBe(meta.total);
    expect(await read('desc')).toEqual(oldest.toReversed());
    const deep = await page({ ...query, order: 'desc', page: 7, per_page: 130 });
    expect(deep.data.map(({ id }) => id)).toEqual(oldest.toReversed().slice(780, 910));
  });

  it('refuse another order', async () => {
    expect((await station.get('/parts', { order: 'newest' })).status).toBe(422);
  });

  it('history as well', async () => {
    const { data } = await page({ per_page: 1 });
    const id = data[0]?.id;
    for (const name of ['A', 'B', 'C']) await station.patch(`/parts/${id}`, { name });
    const versions = async (query: Record<string, string | number>) => {
      const answer = await station.get(`/x/history/part/${id}`, query);
      return (answer.body as { data: { number: number }[] }).data.map(({ number }) => number);
    };
    const oldest = await versions({});
    expect(oldest.length).toBe(4);
    expect(await versions({ order: 'desc' })).toEqual(oldest.toReversed());
    expect(await versions({ order: 'desc', page: 2, per_page: 3 })).toEqual(oldest.slice(0, 1));
  });
});

describe('every family', () => {
  const listed = Object.values<Family>(families).filter(
    ({ operations }) => operations.documented !== null || operations.extensions.length > 0,
  );

  it.each(listed.map(family => ({ name: family.name, family })))(
    '$name has a list by pages',
    ({ family }) => {
      const lists = listOperations().filter(
        operation => operation.kind === 'list' && operation.family?.name === family.name,
      );
      expect(lists.length).toBeGreaterThan(0);
      for (const { query } of lists) {
        expect(Object.keys(query)).toEqual(expect.arrayContaining(['page', 'per_page', 'order']));
        const isNarrowed = 'keyword' in query || Object.keys(family.filters).length > 0;
        expect(isNarrowed, 'nothing narrows the list').toBe(true);
      }
    },
  );
});

describe('an export', () => {
  it('holds what the list shows, and names what the family cannot be narrowed by', async () => {
    const { meta } = await page({ keyword: 'p-24' });
    const answer = await station.get('/x/exports/part', { keyword: 'p-24', format: 'csv' });
    const lines = String(answer.body).trim().split(/\r?\n/);
    expect(lines.length - 1).toBe(meta.total);
    expect(meta.total).toBeGreaterThan(100);
    const other = await station.get('/x/exports/part', { status: 'open', keyword: 'p-2499' });
    expect(other.headers.get('holdpoint-ignored')).toBe('status');
    expect(String(other.body).trim().split('\n').length).toBe(1);
  });
});
