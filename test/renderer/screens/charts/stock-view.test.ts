import { describe, expect, it } from 'vitest';
import { withEmptyMonths } from '../../../../renderer/screens/charts/stock-view.tsx';

const expiry = (month: string | null, value = 20) => ({ month, value, lots: 1 });
const monthsOf = (...months: (string | null)[]) =>
  withEmptyMonths(months.map(month => expiry(month))).map(({ month, value }) => [month, value]);

describe('months of expiry', () => {
  it('in which nothing expires have their place, so that time is even', () => {
    expect(monthsOf('2031-11', '2032-02', null)).toEqual([
      ['2031-11', 20],
      ['2031-12', 0],
      ['2032-01', 0],
      ['2032-02', 20],
      [null, 20],
    ]);
  });

  it('stay as they are where there are none, or more than ten years', () => {
    expect(monthsOf()).toEqual([]);
    expect(monthsOf(null)).toEqual([[null, 20]]);
    expect(monthsOf('2032-01')).toHaveLength(1);
    expect(monthsOf('2022-02', '2032-01')).toHaveLength(120);
    expect(monthsOf('2022-01', '2032-01')).toHaveLength(2);
  });
});
