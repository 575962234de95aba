import { decimalOf, divideHalfEven, formatDecimal, parseDecimal } from './decimal.ts';

/**
 * A quantity in exact millionths, so that 0.1 and 0.2 add up to 0.3. Records and answers carry plain numbers;
 * whatever adds, subtracts or multiplies them does it in these.
 */
export type Micro = bigint;

/** No quantity lies beyond ± this. Up to here every millionth is a different `number`, so nothing is lost in JSON. */
export const quantityBound = 1_000_000_000;

/** Decimals that a quantity has at most. */
export const quantityDecimals = 6;

const microPerUnit = 10n ** BigInt(quantityDecimals);
const microBound = BigInt(quantityBound) * microPerUnit;

/**
 * Reads a number, or plain decimal text such as `12.50`, as millionths. RangeError when it is not a finite
 * decimal number, when it has more than six decimals (trailing zeros do not count), or beyond ±1,000,000,000.
 */
export function toMicro(value: number | string): Micro {
  const micro = exactMicro(value);
  if (micro > microBound || micro < -microBound) {
    throw new RangeError(`A quantity lies between -${quantityBound} and ${quantityBound}.`);
  }
  return micro;
}

function exactMicro(value: number | string): Micro {
  const decimal =
    typeof value === 'string' ? parseDecimal(value) : Number.isFinite(value) ? decimalOf(value) : null;
  if (decimal === null) throw new RangeError('A quantity is a finite decimal number.');
  const scaled = decimal.coefficient * microPerUnit;
  const divisor = 10n ** BigInt(decimal.scale);
  if (scaled % divisor !== 0n) throw new RangeError(`A quantity has at most ${quantityDecimals} decimals.`);
  return scaled / divisor;
}

/** The number for a quantity. Exact within `quantityBound`; a total beyond it is the nearest number. */
export function fromMicro(micro: Micro): number {
  return Number(formatMicro(micro));
}

/**
 * Whether a value is a number that `toMicro` takes. Text is not: it is parsed first. Up to the bound a millionth is more
 * than the grain of a `number`, so that what has no more decimals, and nothing else, comes back from its millionths.
 */
export function isQuantity(value: unknown): value is number {
  return (
    typeof value === 'number' &&
    Math.abs(value) <= quantityBound &&
    Math.round(value * 1_000_000) / 1_000_000 === value
  );
}

/** Decimal text without trailing zeros: `1500000n` is `1.5`. */
export function formatMicro(micro: Micro): string {
  return formatDecimal({ coefficient: micro, scale: quantityDecimals });
}

/** The exact total of quantities or of totals, which may lie beyond a quantity's bound, in any order the same. */
export function sum(values: readonly number[]): number {
  return fromMicro(values.reduce((total, value) => total + exactMicro(value), 0n));
}

/** Quantity × unit cost, rounded half-even to six decimals. */
export function multiply(quantity: Micro, cost: Micro): number {
  return fromMicro(multiplyMicro(quantity, cost));
}

/** The same in millionths, for adding up: a value may lie beyond what a quantity can be. */
export function multiplyMicro(quantity: Micro, cost: Micro): Micro {
  return divideHalfEven(quantity * cost, microPerUnit);
}
