import { expect, it } from 'vitest';
import { keepColumns, knownColumns } from '../../../../renderer/screens/lab/known-columns.ts';

const COLUMNS = ['Charge', 'AC'];
const NOTHING = { meanings: {}, dateOrder: null };

function storage() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

it('what was said of the columns of an instrument is known with its next file, and of no other', () => {
  const store = storage();
  const said = { meanings: { AC: 'measures:Acidity' }, dateOrder: 'month_first' } as const;
  expect(knownColumns(store, 7, COLUMNS)).toEqual(NOTHING);
  keepColumns(store, 7, COLUMNS, said);
  expect(knownColumns(store, 7, COLUMNS)).toEqual(said);
  expect(knownColumns(store, 8, COLUMNS)).toEqual(NOTHING);
  expect(knownColumns(store, 7, [...COLUMNS, 'Note'])).toEqual(NOTHING);
});

it('what cannot be read or kept is said once more', () => {
  const store = storage();
  keepColumns(store, 7, COLUMNS, { ...NOTHING, dateOrder: null });
  for (const key of store.kept.keys()) store.kept.set(key, '{"meanings":');
  expect(knownColumns(store, 7, COLUMNS)).toEqual(NOTHING);
  const full = {
    setItem: () => {
      throw new Error('Full.');
    },
  };
  expect(() => keepColumns(full, 7, COLUMNS, NOTHING)).not.toThrow();
});
