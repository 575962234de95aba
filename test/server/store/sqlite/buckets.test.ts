import { describe, expect, it } from 'vitest';
import { Buckets } from '../../../../server/store/sqlite/buckets.ts';
import fc from '../../../support/fast-check.ts';
import { temporaryDatabase } from './temporary-folder.ts';

describe('buckets', () => {
  it('give the total and the place of every offset, whatever the gaps', () => {
    const database = temporaryDatabase();
    const buckets = new Buckets(database);
    const block = fc.constantFrom(0, 1, 2, 7, 2 ** 24 - 1, 2 ** 32 - 1);
    const number = fc.oneof(fc.nat(5), fc.nat(5_000), fc.nat(2 ** 20 - 1));
    const id = fc.tuple(block, number).map(([of, n]) => of * 2 ** 20 + n);
    fc.assert(
      fc.property(fc.uniqueArray(id, { maxLength: 40 }), added => {
        const ids = added.toSorted((a, b) => a - b);
        database.transaction(() => {
          buckets.clear();
          buckets.add(3, added);
          buckets.add(2, [5]);
          buckets.add(4, [5]);
        });
        expect(buckets.total(3)).toBe(ids.length);
        for (const [offset, expected] of ids.entries()) {
          const start = buckets.locate(3, offset);
          const rest = ids.filter(each => each >= (start?.idFrom ?? Number.POSITIVE_INFINITY));
          expect(rest[start?.skip ?? 0]).toBe(expected);
          expect(start?.skip).toBeLessThan(1_024);
        }
        expect(buckets.locate(3, ids.length)).toBeUndefined();
      }),
    );
    expect(buckets.total(5)).toBe(0);
    expect(buckets.locate(5, 0)).toBeUndefined();
  });

  it('are undone with the transaction that counted', () => {
    const database = temporaryDatabase();
    const buckets = new Buckets(database);
    buckets.add(1, [1]);
    expect(() =>
      database.transaction(() => {
        buckets.add(1, [2]);
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(buckets.total(1)).toBe(1);
  });

  it('are a thousand for a million records', () => {
    const database = temporaryDatabase();
    const buckets = new Buckets(database);
    database.transaction(() => {
      buckets.add(
        1,
        Array.from({ length: 10_000 }, (_, n) => n * 100),
      );
    });
    expect(database.get('SELECT count(*) AS n FROM bucket')).toEqual({ n: 977 });
  });
});
