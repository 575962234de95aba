import {
  addDecimals,
  type Decimal,
  decimalOf,
  decimalToNumber,
  divideHalfEven,
} from '../quantities/decimal.ts';

/**
 * The mean of one or more numbers, summed as decimals, so that neither order nor number of the values moves its last
 * digits. RangeError for none, or one that is not finite.
 */
export function exactMean(values: readonly number[]): number {
  const sum = values.map(decimalOf).reduce(addDecimals, { coefficient: 0n, scale: 0 });
  if (values.length === 0) throw new RangeError('The mean of no values is not defined.');
  // Twenty more digits than any of the values has; a number holds seventeen.
  const quotient = divideHalfEven(sum.coefficient * 10n ** 20n, BigInt(values.length));
  return decimalToNumber({ coefficient: quotient, scale: sum.scale + 20 });
}

/** `a` − `b` as written in decimals: 0.3 − 0.1 is 0.2. RangeError when one is not finite. */
export function exactDifference(a: number, b: number): number {
  const { coefficient, scale } = decimalOf(b);
  const negated: Decimal = { coefficient: -coefficient, scale };
  return decimalToNumber(addDecimals(decimalOf(a), negated));
}
