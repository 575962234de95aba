import { exactMean } from './exact-mean.ts';
import { d2OfTwo, movingRanges } from './individuals-chart.ts';

/** Specification limits in the unit of the values; null is open. */
export interface SpecificationLimits {
  readonly lower: number | null;
  readonly upper: number | null;
}

/** The indices are ratios without a unit; null where the limits or the values do not allow one. */
export interface Capability {
  /** How many values there are, gaps not counted. */
  readonly n: number;
  readonly mean: number | null;
  /** Mean moving range / 1.128: the variation from one value to the next. */
  readonly withinSigma: number | null;
  /** The sample standard deviation (n − 1): the variation of all. */
  readonly overallSigma: number | null;
  /** By `withinSigma`. Cp needs both limits, Cpk one. */
  readonly cp: number | null;
  readonly cpk: number | null;
  /** By `overallSigma`. Pp needs both limits, Ppk one. */
  readonly pp: number | null;
  readonly ppk: number | null;
  /** Why indices are null though a limit is given: fewer than two values in a row, or values that are all equal. */
  readonly reason: 'tooFewPoints' | 'noVariation' | 'noLimits' | null;
}

/**
 * Process capability (NIST/SEMATECH e-Handbook 6.1.6) of individual values in the order of production, null being a gap.
 * RangeError for a value that is not finite.
 */
export function capability(values: readonly (number | null)[], limits: SpecificationLimits): Capability {
  const measured = values.filter(value => value !== null);
  const ranges = movingRanges(values).filter(range => range !== null);
  const mean = measured.length === 0 ? null : exactMean(measured);
  const withinSigma = ranges.length === 0 ? null : exactMean(ranges) / d2OfTwo;
  const overallSigma = mean === null || measured.length < 2 ? null : sampleDeviation(measured, mean);
  const within = indices(mean, withinSigma, limits);
  const overall = indices(mean, overallSigma, limits);
  return {
    n: measured.length,
    mean,
    withinSigma,
    overallSigma,
    cp: within.both,
    cpk: within.nearest,
    pp: overall.both,
    ppk: overall.nearest,
    reason: reasonFor(withinSigma, overallSigma, limits),
  };
}

/**
 * (upper − lower) / 6 sigma, null unless both limits are given, and the distance of the mean from the nearer limit /
 * 3 sigma, null unless one is. Both null without a positive sigma.
 */
export function indices(
  mean: number | null,
  sigma: number | null,
  { lower, upper }: SpecificationLimits,
): { both: number | null; nearest: number | null } {
  if (mean === null || sigma === null || sigma <= 0) return { both: null, nearest: null };
  const distances = [
    ...(upper === null ? [] : [(upper - mean) / (3 * sigma)]),
    ...(lower === null ? [] : [(mean - lower) / (3 * sigma)]),
  ];
  return {
    both: lower === null || upper === null ? null : (upper - lower) / (6 * sigma),
    nearest: distances.length === 0 ? null : Math.min(...distances),
  };
}

function reasonFor(
  withinSigma: number | null,
  overallSigma: number | null,
  { lower, upper }: SpecificationLimits,
): Capability['reason'] {
  if (lower === null && upper === null) return 'noLimits';
  if (withinSigma === null || overallSigma === null) return 'tooFewPoints';
  return withinSigma === 0 || overallSigma === 0 ? 'noVariation' : null;
}

function sampleDeviation(values: readonly number[], mean: number): number {
  // Equal values have no variation, whatever the last digit of their mean.
  if (values.every(value => value === values[0])) return 0;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}
