import { describe, expect, it } from 'vitest';
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  decimalOf,
  decimalToNumber,
  divideHalfEven,
  formatDecimal,
  multiplyDecimals,
  parseDecimal,
} from '../../../shared/quantities/decimal.ts';
import fc from '../../support/fast-check.ts';

const decimals = fc.record({
  coefficient: fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
  scale: fc.nat(20),
});
const numbers = fc.double({ noNaN: true, noDefaultInfinity: true });

/** Both values as integers over 10^40, where every generated decimal, sum and product is whole. */
const over40 = ({ coefficient, scale }: Decimal): bigint => coefficient * 10n ** BigInt(40 - scale);

describe('parseDecimal', () => {
  it.each([
    ['0', 0n, 0],
    ['-0', 0n, 0],
    ['12', 12n, 0],
    ['+12', 12n, 0],
    ['-0.50', -50n, 2],
    ['.005', 5n, 3],
    ['-.5', -5n, 1],
    ['007', 7n, 0],
  ])('reads %s', (text, coefficient, scale) => {
    expect(parseDecimal(text)).toEqual({ coefficient, scale });
  });

  it.each([
    '',
    '.',
    '-',
    '+.',
    '5.',
    '1e3',
    '1,5',
    ' 1',
    '1 ',
    '1_000',
    '0x10',
    '--1',
    '1.2.3',
    'NaN',
    '١',
    '1\n',
  ])('refuses %j', text => {
    expect(parseDecimal(text)).toBeNull();
  });

  it('reads back what formatDecimal writes', () => {
    fc.assert(
      fc.property(decimals, decimal => {
        const read = parseDecimal(formatDecimal(decimal));
        expect(read && over40(read)).toBe(over40(decimal));
      }),
    );
  });
});

describe('decimalOf', () => {
  it.each([
    [1e-7, '0.0000001'],
    [1.5e-7, '0.00000015'],
    [1e21, '1000000000000000000000'],
    [1.25e22, '12500000000000000000000'],
    [-0, '0'],
    [123456789.123456, '123456789.123456'],
  ])('writes %d out', (value, text) => {
    expect(formatDecimal(decimalOf(value))).toBe(text);
  });

  it('keeps every number', () => {
    fc.assert(
      fc.property(numbers, value => {
        expect(decimalToNumber(decimalOf(value))).toBe(value + 0);
      }),
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('refuses %d', value => {
    expect(() => decimalOf(value)).toThrow(new RangeError(`${value} is not a finite number.`));
  });
});

describe('formatDecimal', () => {
  it('has no exponent, no trailing zero, no needless leading zero and no negative zero', () => {
    fc.assert(
      fc.property(decimals, decimal => {
        expect(formatDecimal(decimal)).toMatch(/^(0|-?[1-9]\d*|-?(0|[1-9]\d*)\.\d*[1-9])$/);
      }),
    );
  });
});

describe('arithmetic', () => {
  it('adds, multiplies and compares exactly', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        expect(over40(addDecimals(a, b))).toBe(over40(a) + over40(b));
        expect(over40(multiplyDecimals(a, b)) * 10n ** 40n).toBe(over40(a) * over40(b));
        const difference = over40(a) - over40(b);
        expect(compareDecimals(a, b)).toBe(difference === 0n ? 0 : difference > 0n ? 1 : -1);
      }),
    );
  });

  it('finds equal values of different scale equal', () => {
    expect(compareDecimals({ coefficient: 10n, scale: 1 }, { coefficient: 1n, scale: 0 })).toBe(0);
  });
});

describe('divideHalfEven', () => {
  it.each([
    [5n, 2n, 2n],
    [7n, 2n, 4n],
    [-5n, 2n, -2n],
    [-7n, 2n, -4n],
    [5n, -2n, -2n],
    [8n, 3n, 3n],
    [7n, 3n, 2n],
    [-8n, 3n, -3n],
    [1n, 2n, 0n],
    [-1n, 2n, 0n],
    [3n, 2n, 2n],
    [6n, 3n, 2n],
  ])('%d / %d is %d', (numerator, denominator, quotient) => {
    expect(divideHalfEven(numerator, denominator)).toBe(quotient);
  });

  it('is never further off than a half, and even at a half', () => {
    const small = fc.bigInt({ min: -1000n, max: 1000n });
    const divisors = small.filter(d => d !== 0n);
    fc.assert(
      fc.property(small, divisors, (numerator, denominator) => {
        const quotient = divideHalfEven(numerator, denominator);
        const error = 2n * (numerator - quotient * denominator);
        const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);
        expect(magnitude(error) <= magnitude(denominator)).toBe(true);
        if (magnitude(error) === magnitude(denominator)) expect(quotient % 2n).toBe(0n);
      }),
    );
  });

  it('refuses a zero denominator', () => {
    expect(() => divideHalfEven(1n, 0n)).toThrow(RangeError);
  });
});
