import { expect, it } from 'vitest';
import type { ListTest } from '../../../server/store/list-conditions.ts';
import { ListPages } from '../../../server/store/list-pages.ts';
import { type IdSelection, ListSql } from '../../../server/store/list-sql.ts';
import type { Family } from '../../../shared/contract/define-family.ts';
import { filterFields, ID, type ListKind, listFields } from '../../../shared/contract/list-fields.ts';
import { families } from '../../../shared/families/registry.ts';
import { codesPlace } from '../../../shared/families/secondary-index.ts';
import { create, temporaryStore } from './temporary-store.ts';

const VALUES: ListTest = { kind: 'in', values: ['a', 1] };
const RANGE: ListTest = { kind: 'range', from: { value: 'a', isIncluded: true } };

function testsOf(kind: ListKind): ListTest[] {
  const isOrdered = kind === 'date' || kind === 'timestamp' || kind === 'number' || kind === 'text';
  return [
    VALUES,
    { kind: 'any' },
    ...(isOrdered ? [RANGE] : []),
    ...(kind === 'text' ? [{ kind: 'contains', text: 'a' } as const] : []),
  ];
}

it('a page of which nothing fits, or everything, goes through nothing, and one that few fit through the ids alone', async () => {
  const store = await temporaryStore();
  for (const lot_number of ['A', 'B', null])
    await create(store, 'ncr', {
      ncr_number: `N-${lot_number}`,
      source: 'internal',
      date_opened: '2026-06-15',
      lot_number,
    });
  const { records, database } = store;
  const asked: string[] = [];
  const reader = new Proxy(database.reader, {
    get: (of, name) => {
      const method = Reflect.get(of, name);
      if (typeof method !== 'function') return method;
      return (sql: string, ...values: unknown[]) => {
        asked.push(sql);
        return method.call(of, sql, ...values);
      };
    },
  });
  const sql = new ListSql(records.table, 'ncr', { placeOf: () => undefined, firstSubject: 0 });
  const pages = new ListPages(reader, { sql, total: () => records.total('ncr'), select: () => sql.all() });
  const page = (isNegated: boolean, number: number, field = 'date_opened') =>
    pages.ofMost({ page: number, perPage: 50, conditions: [{ field, test: { kind: 'any' }, isNegated }] });
  expect(page(true, 1)).toEqual({ ids: [], total: 0 });
  expect(page(false, 1)).toEqual({ ids: 'whole', total: 3 });
  expect(page(false, 9)).toEqual({ ids: [], total: 3 });
  // The counts alone.
  expect(asked.map(each => each.startsWith('SELECT count(*)'))).toEqual([true, true, true]);
  // A set of what most records have would be built to pass them over.
  expect(page(true, 1, 'lot_number')).toEqual({ ids: [3], total: 1 });
  expect(asked.at(-1)).toContain('EXCEPT');
  const steps = database.reader.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${asked.at(-1)}`, 50, 0);
  expect(steps.filter(({ detail }) => /^SCAN (?!\()/.test(detail))).toEqual([]);
});

it('every filter and every order of every list is a range of an index, and goes through no table', async () => {
  const { records, database } = await temporaryStore();
  const stepsOf = ({ sql, values }: IdSelection, page: number[] = []) =>
    database.reader
      .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values, ...page)
      .map(({ detail }) => detail);
  const plans: [name: string, steps: string[]][] = [];
  for (const family of Object.values<Family>(families)) {
    const sql = new ListSql(records.table, family.name, {
      placeOf: field => codesPlace(family, field),
      firstSubject: 0,
    });
    for (const [field, kind] of filterFields(family))
      for (const test of testsOf(kind))
        for (const isNegated of [true, false]) {
          plans.push([`${family.name} ${field} ${test.kind}`, stepsOf(sql.passing({ field, test }))]);
          const along = sql.along({ field, test, isNegated }, true, 2_000);
          if (along) plans.push([`${family.name} along ${field} ${isNegated}`, stepsOf(along, [50, 0])]);
        }
    for (const field of listFields(family).keys()) {
      if (field === ID) continue;
      const { page } = sql.walk([{ field, isDescending: false }], false, [], undefined);
      plans.push([`${family.name} by ${field}`, stepsOf(page, [50, 0])]);
      plans.push([
        `${family.name} without ${field}`,
        stepsOf(sql.without(field, undefined, [], { isNewestFirst: false, areFew: false }), [50, 0]),
      ]);
    }
  }
  expect(plans.map(([name]) => name)).toEqual(
    expect.arrayContaining(['receiving-inspection serial_numbers in', 'inventory by batch_number']),
  );
  // The values that are asked for, and what a selection within has given, are no table of records.
  const isThrough = (step: string) => /^SCAN (?!json_each|\()/.test(step);
  expect(plans.filter(([, steps]) => steps.some(isThrough))).toEqual([]);
  expect(plans.filter(([, steps]) => !steps.some(step => step.startsWith('SEARCH ')))).toEqual([]);
  // A page along the ids sorts nothing.
  const alongs = plans.filter(([name]) => name.includes(' along '));
  expect(alongs.length).toBeGreaterThan(100);
  expect(alongs.filter(([, steps]) => steps.some(step => step.includes('TEMP B-TREE FOR ORDER')))).toEqual(
    [],
  );
  // What looks for a value goes no further than it was told.
  const looking = alongs.filter(([name]) => name.endsWith(' false'));
  expect(looking.length).toBeGreaterThan(50);
  const isBounded = (step: string) => /INDEX \S*page\S* \(f_family=\? AND f_id>\?\)/.test(step);
  expect(looking.filter(([, steps]) => !steps.some(isBounded))).toEqual([]);
});
