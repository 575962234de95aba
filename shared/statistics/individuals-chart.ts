import { exactDifference, exactMean } from './exact-mean.ts';

/**
 * An individuals and moving-range chart. Everything is in the unit of the values; `ranges` and what is worked out of them
 * are differences in that unit.
 */
export interface IndividualsChart {
  /** As given; null is a gap. */
  readonly values: readonly (number | null)[];
  /** The moving range at each index: |value − value before|; null at the first, at a gap and right after one. */
  readonly ranges: readonly (number | null)[];
  readonly centre: number;
  /** The mean moving range / 1.128. */
  readonly sigma: number;
  /** Control limits of the individuals: centre ± 3 sigma. They are not specification limits. */
  readonly lower: number;
  readonly upper: number;
  readonly meanRange: number;
  /** Upper control limit of the ranges: 3.267 times their mean. The lower one is 0. */
  readonly upperRange: number;
  /** Indices of the ranges above their limit: the only rule that ranges are judged by, since they overlap. */
  readonly rangesBeyond: readonly number[];
}

/** d2 and D4 for ranges of two values (NIST/SEMATECH e-Handbook of Statistical Methods, 6.3.2.2). */
export const d2OfTwo = 1.128;
const d4OfTwo = 3.267;

/**
 * The chart of values in the order of production (NIST/SEMATECH e-Handbook 6.3.2.2), with its limits from these values.
 * No range is taken across a gap. Null with the reason where there are not two values without a gap between them.
 * RangeError for a value that is not finite.
 */
export function individualsChart(
  values: readonly (number | null)[],
): { chart: IndividualsChart; reason: null } | { chart: null; reason: 'tooFewPoints' } {
  const ranges = movingRanges(values);
  const measured = values.filter(value => value !== null);
  const present = ranges.filter(range => range !== null);
  if (present.length === 0) return { chart: null, reason: 'tooFewPoints' };
  const centre = exactMean(measured);
  const meanRange = exactMean(present);
  const sigma = meanRange / d2OfTwo;
  const upperRange = d4OfTwo * meanRange;
  const chart: IndividualsChart = {
    values,
    ranges,
    centre,
    sigma,
    lower: centre - 3 * sigma,
    upper: centre + 3 * sigma,
    meanRange,
    upperRange,
    rangesBeyond: ranges.flatMap((range, index) => (range !== null && range > upperRange ? [index] : [])),
  };
  return { chart, reason: null };
}

/** |value − value before| at each index; null at the first, at a gap and right after one. */
export function movingRanges(values: readonly (number | null)[]): (number | null)[] {
  return values.map((value, index) => {
    const before = values[index - 1] ?? null;
    return value === null || before === null ? null : Math.abs(exactDifference(value, before));
  });
}
