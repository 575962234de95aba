import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { arrivalOf, cutArrivals, noteArrival } from '../../../../server/sync/log/arrivals.ts';

type Sql = Parameters<typeof noteArrival>[0] & Parameters<typeof arrivalOf>[0];

function arrivals(...pages: [first: number, last: number, at: string][]): Sql {
  const database = new DatabaseSync(':memory:');
  database.exec(
    'CREATE TABLE arrival (last INTEGER PRIMARY KEY, first INTEGER NOT NULL, at TEXT NOT NULL, clock_offset INTEGER)',
  );
  const sql = {
    run: (text: string, ...values: number[]) => database.prepare(text).run(...values),
    get: (text: string, ...values: number[]) => database.prepare(text).get(...values),
  } as unknown as Sql;
  for (const [first, last, at] of pages) noteArrival(sql, { first, last, at, clock_offset: null });
  return sql;
}

const at = (sql: Sql, ...places: number[]) => places.map(place => arrivalOf(sql, place));

it('are of each page, and of nothing that was written here', () => {
  const sql = arrivals([1, 3, 'a'], [6, 8, 'b']);
  expect(at(sql, 1, 3, 4, 5, 6, 8, 9)).toEqual(['a', 'a', undefined, undefined, 'b', 'b', undefined]);
});

it.each([
  [2, ['a', 'a', undefined, undefined]],
  [3, ['a', 'a', 'a', undefined]],
  [4, ['a', 'a', 'a', 'b']],
])('are forgotten after entry %i, where records taken at once lie over what came before', (place, left) => {
  const sql = arrivals([1, 3, 'a'], [4, 6, 'b'], [1, 9, 'records']);
  cutArrivals(sql, place);
  expect(at(sql, 1, 2, 3, 4)).toEqual(left);
  expect(at(sql, 5, 9)).toEqual([undefined, undefined]);
  noteArrival(sql, { first: place + 1, last: 9, at: 'again', clock_offset: null });
  expect(at(sql, place, place + 1, 9)).toEqual([place === 4 ? 'b' : 'a', 'again', 'again']);
});
