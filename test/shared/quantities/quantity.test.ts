import { describe, expect, it } from 'vitest';
import {
  formatMicro,
  fromMicro,
  isQuantity,
  multiply,
  quantityBound,
  sum,
  toMicro,
} from '../../../shared/quantities/quantity.ts';
import fc from '../../support/fast-check.ts';

const bound = 1_000_000_000_000_000n;
const micros = fc.bigInt({ min: -bound, max: bound });
/** Exact in every total of a test's array. */
const stock = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map(micro => micro / 1_000_000);

describe('toMicro', () => {
  it.each([
    [0, 0n],
    [-0, 0n],
    [0.1, 100_000n],
    [0.000001, 1n],
    [1e-6, 1n],
    [123456789.123456, 123_456_789_123_456n],
    [999_999_999.999999, 999_999_999_999_999n],
    [1_000_000_000, bound],
    [-1_000_000_000, -bound],
    ['1.50', 1_500_000n],
    ['1.5000000000', 1_500_000n],
    ['-0', 0n],
    ['.5', 500_000n],
    ['0012', 12_000_000n],
    ['1000000000.000000', bound],
  ])('reads %s as %d millionths', (value, micro) => {
    expect(toMicro(value)).toBe(micro);
  });

  it.each([1e-7, 0.1234567, 0.1 + 0.2, 123456789.1234567, '1.0000001', 5e-324, -1.5e-7])(
    'refuses %s for its decimals',
    value => {
      expect(() => toMicro(value)).toThrow(new RangeError('A quantity has at most 6 decimals.'));
    },
  );

  it.each([1_000_000_000.000001, 1e21, -1e300, '1000000000.000001', '-1000000001', '9'.repeat(1000)])(
    'refuses %s and names the bound',
    value => {
      expect(() => toMicro(value)).toThrow(
        new RangeError('A quantity lies between -1000000000 and 1000000000.'),
      );
    },
  );

  it.each([Number.NaN, Number.POSITIVE_INFINITY, '', ' ', '1,5', '1e3', 'NaN', '0x1', '1 000', 'Infinity'])(
    'refuses %j as no decimal number',
    value => {
      expect(() => toMicro(value)).toThrow(new RangeError('A quantity is a finite decimal number.'));
    },
  );

  it('reads back every quantity, as a number and as text', () => {
    fc.assert(
      fc.property(micros, micro => {
        expect(toMicro(fromMicro(micro))).toBe(micro);
        expect(toMicro(formatMicro(micro))).toBe(micro);
        expect(toMicro(JSON.parse(JSON.stringify(fromMicro(micro))) as number)).toBe(micro);
      }),
    );
  });

  it('tells neighbours apart at the bound', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: bound - 1000n, max: bound - 1n }), micro => {
        expect(fromMicro(micro)).toBeLessThan(fromMicro(micro + 1n));
      }),
    );
  });
});

describe('fromMicro', () => {
  it('never answers a negative zero', () => {
    expect(Object.is(fromMicro(0n), 0)).toBe(true);
  });

  it('answers the nearest number beyond the bound', () => {
    expect(fromMicro(9_007_199_254_740_993_000_001n)).toBe(9_007_199_254_740_994);
  });
});

describe('formatMicro', () => {
  it.each([
    [0n, '0'],
    [1n, '0.000001'],
    [-1_500_000n, '-1.5'],
    [12_000_000n, '12'],
    [100_000_000n, '100'],
  ])('%d is %s', (micro, text) => {
    expect(formatMicro(micro)).toBe(text);
  });
});

describe('isQuantity', () => {
  it.each([0, -0, 0.1, 1e-6, quantityBound, -quantityBound, 123456789.123456])('takes %d', value => {
    expect(isQuantity(value)).toBe(true);
  });

  it.each([
    1e-7,
    0.1 + 0.2,
    quantityBound + 1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '1',
    null,
    undefined,
    1n,
    {},
  ])('refuses %s', value => {
    expect(isQuantity(value)).toBe(false);
  });

  it('agrees with toMicro on any number', () => {
    const millionths = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }).map(n => Number(n) / 1e6);
    const besides = millionths.map(value => value * (1 + Number.EPSILON));
    const anyNumber = fc.oneof(fc.double(), stock, fc.integer(), millionths, besides);
    fc.assert(
      fc.property(anyNumber, value => {
        let isTaken = true;
        try {
          toMicro(value);
        } catch {
          isTaken = false;
        }
        expect(isQuantity(value)).toBe(isTaken);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('sum', () => {
  it.each([
    [[], 0],
    [[0.1, 0.2], 0.3],
    [Array<number>(10).fill(0.1), 1],
    [[1.1, -1.1], 0],
    [[123456789.123456, 0.000001], 123456789.123457],
    [[1_000_000_000, 0.000001, -1_000_000_000], 0.000001],
  ])('%j adds up to %d', (values, total) => {
    expect(sum(values)).toBe(total);
  });

  it('does not depend on order or grouping, and drifts by nothing', () => {
    const shuffled = fc
      .array(stock, { maxLength: 50 })
      .chain(values =>
        fc.tuple(fc.constant(values), fc.shuffledSubarray(values, { minLength: values.length })),
      );
    fc.assert(
      fc.property(shuffled, fc.nat(50), ([values, other], cut) => {
        const exact = values.reduce((total, value) => total + Math.round(value * 1_000_000), 0) / 1_000_000;
        expect(sum(values)).toBe(exact + 0);
        expect(sum(other)).toBe(sum(values));
        expect(sum([sum(values.slice(0, cut)), sum(values.slice(cut))])).toBe(sum(values));
      }),
    );
  });

  it('refuses a value that is no quantity', () => {
    expect(() => sum([1, 0.1234567])).toThrow(RangeError);
  });
});

describe('multiply', () => {
  it.each([
    ['3', '0.1', 0.3],
    ['0.000001', '0.5', 0],
    ['0.000003', '0.5', 0.000002],
    ['-0.000001', '0.5', 0],
    ['0.000005', '0.5', 0.000002],
    ['0.000001', '0.500001', 0.000001],
    ['1000000000', '1000000000', 1e18],
    ['19.99', '3', 59.97],
  ])('%s × %s is %d', (quantity, cost, value) => {
    expect(multiply(toMicro(quantity), toMicro(cost))).toBe(value);
  });

  it('commutes, and is within half a millionth of the exact product', () => {
    const factors = fc.bigInt({ min: -(10n ** 10n), max: 10n ** 10n });
    fc.assert(
      fc.property(factors, factors, (a, b) => {
        expect(multiply(a, b)).toBe(multiply(b, a));
        const product = a * b;
        const rounded = toMicro(multiply(a, b)) * 1_000_000n;
        const error = product - rounded;
        expect(error <= 500_000n && error >= -500_000n).toBe(true);
        if (error === 500_000n || error === -500_000n) expect((rounded / 1_000_000n) % 2n).toBe(0n);
      }),
    );
  });
});

it('adds totals that lie beyond what one quantity may be', () => {
  expect(sum([1_000_000_000, 0.000001, 1_500_000_000.5])).toBe(2_500_000_000.500001);
  expect(() => sum([0.0000001])).toThrow('at most 6 decimals');
});
