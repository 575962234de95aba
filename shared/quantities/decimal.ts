/**
 * An exact decimal number: `coefficient × 10^-scale`, with a scale of 0 or more.
 * Binary floating point cannot hold 0.1, so limits and quantities are worked out in these and become a
 * `number` only at the end.
 */
export interface Decimal {
  readonly coefficient: bigint;
  readonly scale: number;
}

/** Reads plain decimal text: an optional sign, digits, a decimal point (`12`, `-0.5`, `.005`); otherwise null. */
export function parseDecimal(text: string): Decimal | null {
  const [, sign = '', whole = '', fraction = ''] = /^([+-]?)(\d*)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '' && fraction === '') return null;
  const magnitude = BigInt(whole + fraction);
  return { coefficient: sign === '-' ? -magnitude : magnitude, scale: fraction.length };
}

/** The shortest decimal that stands for a number, which is the one that JSON writes. RangeError when it is not finite. */
export function decimalOf(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const decimal = parseDecimal(mantissa);
  if (decimal === null) throw new RangeError(`${value} is not a finite number.`);
  const scale = decimal.scale - Number(exponent);
  return scale >= 0
    ? { coefficient: decimal.coefficient, scale }
    : { coefficient: decimal.coefficient * 10n ** BigInt(-scale), scale: 0 };
}

/** The nearest number; infinite when it exceeds what a number holds. */
export function decimalToNumber(decimal: Decimal): number {
  return Number(formatDecimal(decimal));
}

/** Plain decimal text that `parseDecimal` reads back: no exponent, no trailing zeros, no `-0`. */
export function formatDecimal({ coefficient, scale }: Decimal): string {
  const digits = String(coefficient < 0n ? -coefficient : coefficient).padStart(scale + 1, '0');
  const point = digits.length - scale;
  const fraction = digits.slice(point).replace(/0+$/, '');
  return `${coefficient < 0n ? '-' : ''}${digits.slice(0, point)}${fraction === '' ? '' : `.${fraction}`}`;
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { coefficient: rescale(a, scale) + rescale(b, scale), scale };
}

export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  return { coefficient: a.coefficient * b.coefficient, scale: a.scale + b.scale };
}

/** Below, at or above zero as `a` is less than, equal to or greater than `b`. */
export function compareDecimals(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const scale = Math.max(a.scale, b.scale);
  const difference = rescale(a, scale) - rescale(b, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function rescale(decimal: Decimal, scale: number): bigint {
  return decimal.coefficient * 10n ** BigInt(scale - decimal.scale);
}

/** The integer nearest to `numerator / denominator`, a half going to the even one. RangeError when the denominator is zero. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const [n, d] = denominator < 0n ? [-numerator, -denominator] : [numerator, denominator];
  const remainder = ((n % d) + d) % d;
  const floor = (n - remainder) / d;
  const isAboveHalf = 2n * remainder > d;
  const isHalf = 2n * remainder === d;
  return isAboveHalf || (isHalf && floor % 2n !== 0n) ? floor + 1n : floor;
}
