import { expect, it } from 'vitest';
import type { Store } from '../../../server/store/store.ts';
import { families } from '../../../shared/families/registry.ts';
import { create, temporaryStore, update } from './temporary-store.ts';

const HOUR = 3_600_000;
const NOON = Date.parse('2026-06-15T12:00:00.000Z');

/** Ids of the suppliers that a list of those since a moment has. */
function since(store: Store, moment: number, more: object = {}): { ids: number[]; total: number } {
  const { records, total } = store.records.page(families.supplier, {
    page: 1,
    perPage: 10,
    since: moment,
    ...more,
  });
  return { ids: records.map(({ id }) => id), total };
}

it('lists what was written at a moment or later, with what the list is narrowed to besides', async () => {
  let now = NOON;
  const store = await temporaryStore({ clock: () => new Date(now) });
  const { id: a } = await create(store, 'supplier', { name: 'Acme' });
  await create(store, 'part', { name: 'Between' });
  now += HOUR;
  const { id: b } = await create(store, 'supplier', { name: 'Bolt' });
  now += HOUR;
  await update(store, 'supplier', a, { name: 'Acme Ltd' });
  now += HOUR;
  expect(since(store, NOON - HOUR)).toEqual({ ids: [a, b], total: 2 });
  expect(since(store, NOON + HOUR)).toEqual({ ids: [a, b], total: 2 });
  expect(since(store, NOON + HOUR, { isNewestFirst: true, perPage: 1 })).toEqual({ ids: [b], total: 2 });
  expect(since(store, NOON + HOUR + 1)).toEqual({ ids: [a], total: 1 });
  expect(since(store, NOON + HOUR, { keyword: 'bolt' })).toEqual({ ids: [b], total: 1 });
  expect(since(store, now)).toEqual({ ids: [], total: 0 });
});

it('leaves nothing out where the clock was set back', async () => {
  let now = NOON + 5 * HOUR;
  const store = await temporaryStore({ clock: () => new Date(now) });
  const { id: a } = await create(store, 'supplier', { name: 'Dated too late' });
  now = NOON;
  const { id: b } = await create(store, 'supplier', { name: 'Dated right' });
  expect(since(store, NOON + HOUR).ids).toEqual([a, b]);
  expect(since(store, NOON - HOUR).ids).toEqual([a, b]);
});
