import { describe, expect, it } from 'vitest';
import { nelsonRules } from '../../../shared/statistics/nelson-rules.ts';

/** Values in sigmas from the centre line. */
const flagged = (values: readonly (number | null)[]): Record<number, readonly number[]> =>
  Object.fromEntries(nelsonRules({ values, centre: 0, sigma: 1 }).map(({ rule, points }) => [rule, points]));

const times = <T>(count: number, ...values: T[]): T[] => Array.from({ length: count }, () => values).flat();

// The definitions of Nelson 1984, figure 1; each row is just long enough, and the next one just too short.
describe('rule', () => {
  it.each<[number, readonly (number | null)[], readonly number[] | undefined]>([
    [1, [0, 3.1, -3.1, 3, -3], [1, 2]],
    [1, [3, -3, 2.9], undefined],
    [2, times(9, 0.5), [8]],
    [2, times(9, -0.5), [8]],
    [2, times(11, 0.1), [8, 9, 10]],
    [2, times(8, 0.5), undefined],
    [2, [...times(8, 0.5), 0, 0.5], undefined],
    [2, [...times(8, 0.5), -0.1], undefined],
    [2, [...times(4, 0.5), null, ...times(8, 0.5)], undefined],
    [3, [-0.5, -0.3, -0.1, 0.1, 0.3, 0.5], [5]],
    [3, [0.5, 0.3, 0.1, -0.1, -0.3, -0.5, -0.6], [5, 6]],
    [3, [-0.5, -0.3, -0.1, 0.1, 0.3], undefined],
    [3, [-0.5, -0.3, -0.1, -0.1, 0.1, 0.3, 0.5], undefined],
    [3, [-0.5, -0.3, -0.1, null, 0.1, 0.3, 0.5], undefined],
    [4, times(7, 0.5, -0.5), [13]],
    [4, times(7, -0.5, 0.5), [13]],
    [4, times(8, 0.2, -0.5), [13, 14, 15]],
    [4, times(7, 0.5, -0.5).slice(1), undefined],
    [4, [...times(5, 0.5, -0.5), -0.5, ...times(4, 0.5, -0.5)], undefined],
    [5, [2.1, 0, 2.1], [2]],
    [5, [0, 2.1, 2.1, 0], [2]],
    [5, [-2.1, -2.5], [1]],
    [5, [2.1, 0, 0, 2.1], undefined],
    [5, [2.1, 0, -2.1], undefined],
    [5, [2, 2, 2], undefined],
    [5, [2.1, null, 2.1], undefined],
    [6, [1.1, 1.2, 0, 1.1, 1.3], [4]],
    [6, [-1.1, -1.2, -1.1, -1.3], [3]],
    [6, [1.1, 1.2, 0, 0, 1.1, 1.3], undefined],
    [6, [1.1, 1.2, -1.5, -1.1, 1.3], undefined],
    [6, [1.1, 1.2, 1.1, null, 1.3], undefined],
    [7, times(15, 0.5, -0.5).slice(0, 15), [14]],
    [7, times(14, 0.5), undefined],
    [7, [...times(14, 0.5), 1], undefined],
    [7, [...times(7, 0.5, -0.5), null, 0.5], undefined],
    [8, [1.1, -1.1, -1.2, 1.2, 1.3, -1.4, 1.1, -1.1], [7]],
    [8, times(7, 1.5), undefined],
    [8, [...times(4, 1.5, -1.5).slice(0, 7), 1], undefined],
    [8, [...times(2, 1.5, -1.5), null, ...times(2, 1.5, -1.5)], undefined],
  ])('%i: %j', (rule, values, points) => {
    expect(flagged(values)[rule]).toEqual(points);
    // Nelson's rules know no direction.
    const mirrored = values.map(value => (value === null ? null : -value));
    expect(flagged(mirrored)[rule]).toEqual(points);
  });
});

describe('nelsonRules', () => {
  it('names every point of a pattern', () => {
    const [finding] = nelsonRules({ values: [0.2, 12.1, 10, 12.1], centre: 10, sigma: 1 }).filter(
      ({ rule }) => rule === 5,
    );
    expect(finding).toEqual({ rule: 5, points: [3], members: [1, 3] });
  });

  it('finds nothing in the flowrates of the NIST e-Handbook, 6.3.2.2', () => {
    const values = [49.6, 47.6, 49.9, 51.3, 47.8, 51.2, 52.6, 52.4, 53.6, 52.1];
    expect(nelsonRules({ values, centre: 50.81, sigma: 1.8778 / 1.128 })).toEqual([]);
  });

  it('finds nothing without variation or values', () => {
    expect(nelsonRules({ values: times(20, 5), centre: 5, sigma: 0 })).toEqual([]);
    expect(nelsonRules({ values: [], centre: 0, sigma: 1 })).toEqual([]);
  });
});
