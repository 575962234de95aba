import { expect, it } from 'vitest';
import { amongIds, pageOfIds, setId } from '../../../server/store/sorted-ids.ts';
import fc from '../../support/fast-check.ts';

/** Ids close together, as those of a machine, and far apart, as those of several. */
const id = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 2 ** 44 - 1 }));

it('ids in order are what a set of them is', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(id, fc.boolean())), fc.array(id), (changes, others) => {
      const ids: number[] = [];
      const plain = new Set<number>();
      for (const [each, isThere] of changes) {
        setId(ids, each, isThere);
        if (isThere) plain.add(each);
        else plain.delete(each);
      }
      expect(ids).toEqual([...plain].sort((a, b) => a - b));
      for (const count of [0, ids.length]) {
        const isAmong = amongIds(ids, count);
        const asked = [...others, ...changes.map(([one]) => one)];
        for (const each of asked) expect(isAmong(each)).toBe(plain.has(each));
      }
    }),
  );
});

it('a page of ids is that of the list, from either end', () => {
  const ids = [1, 2, 3, 5, 8];
  const page = (offset: number, isNewestFirst: boolean) =>
    pageOfIds(ids, { offset, limit: 2, isNewestFirst });
  expect([0, 2, 4, 6].map(offset => page(offset, false))).toEqual([[1, 2], [3, 5], [8], []]);
  expect([0, 2, 4, 6].map(offset => page(offset, true))).toEqual([[8, 5], [3, 2], [1], []]);
});
