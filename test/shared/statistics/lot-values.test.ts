import { expect, it } from 'vitest';
import { exactDifference, exactMean } from '../../../shared/statistics/exact-mean.ts';
import { lotValues } from '../../../shared/statistics/lot-values.ts';
import fc from '../../support/fast-check.ts';

it('gives a lot the mean of its samples or the first of them, and a gap where nothing was measured', () => {
  const lots = [
    { lot: 'L1', values: [0.1, 0.2, 0.3] },
    { lot: 'L2', values: [null, 7, 8] },
    { lot: 'L3', values: [null] },
    { lot: 'L4', values: [] },
  ];
  expect(lotValues(lots, 'mean')).toEqual([
    { lot: 'L1', value: 0.2, n: 3 },
    { lot: 'L2', value: 7.5, n: 2 },
    { lot: 'L3', value: null, n: 0 },
    { lot: 'L4', value: null, n: 0 },
  ]);
  expect(lotValues(lots, 'first').map(({ value }) => value)).toEqual([0.1, 7, null, null]);
});

it('has means that neither order nor repetition moves', () => {
  expect(exactMean([0.1, 0.2, 0.3])).toBe(0.2);
  expect(exactMean([1e20, 1, -1e20])).toBe(1 / 3);
  const decimal = fc.integer({ min: -1_000_000, max: 1_000_000 }).map(number => number / 1000);
  fc.assert(
    fc.property(fc.array(decimal, { minLength: 1, maxLength: 30 }), values => {
      expect(exactMean(values.toReversed())).toBe(exactMean(values));
      expect(exactMean([...values, ...values])).toBe(exactMean(values));
      expect(exactMean(values.map(() => values[0] ?? 0))).toBe(values[0]);
    }),
  );
  expect(() => exactMean([])).toThrow(RangeError);
});

it('has differences as written', () => {
  expect(exactDifference(0.3, 0.1)).toBe(0.2);
  expect(exactDifference(51.3, 49.9)).toBe(1.4);
});
