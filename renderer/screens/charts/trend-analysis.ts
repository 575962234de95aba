import type { Trend } from '../../../shared/operations/figure-schemas.ts';
import { measuredUnit } from '../../../shared/quantities/measured-unit.ts';
import { type Capability, capability } from '../../../shared/statistics/capability.ts';
import {
  type IndividualsChart,
  individualsChart,
  movingRanges,
} from '../../../shared/statistics/individuals-chart.ts';
import { type NelsonFinding, type NelsonRule, nelsonRules } from '../../../shared/statistics/nelson-rules.ts';

/** What is worked out from a trend's points, and drawn and told. */
export interface TrendAnalysis {
  values: readonly number[];
  ranges: readonly (number | null)[];
  /** Null where there are too few points for control limits. */
  chart: IndividualsChart | null;
  findings: readonly NelsonFinding[];
  /** Of each point, the rules that it breaks. */
  rules: readonly (readonly NelsonRule[])[];
  /** By the latest limits. */
  capability: Capability;
  unit: string | null;
}

export function analyse({ points, limits }: Pick<Trend, 'points' | 'limits'>): TrendAnalysis {
  const values = points.map(({ value }) => value);
  const { chart } = individualsChart(values);
  const findings = chart ? nelsonRules(chart) : [];
  return {
    values,
    ranges: movingRanges(values),
    chart,
    findings,
    rules: values.map((_, index) =>
      findings.flatMap(({ rule, points: broken }) => (broken.includes(index) ? [rule] : [])),
    ),
    capability: capability(values, limits ?? { lower: null, upper: null }),
    unit: limits && measuredUnit(limits.nominal, limits.dimensions, limits.tolerance),
  };
}

/** A stretch of points in a row: places from 0, both included. */
export interface Run {
  first: number;
  last: number;
}

/** Points as stretches, so that a list of many can be read. */
export function runsOf(points: readonly number[]): Run[] {
  const runs: Run[] = [];
  for (const point of points) {
    const run = runs.at(-1);
    if (run && run.last + 1 === point) run.last = point;
    else runs.push({ first: point, last: point });
  }
  return runs;
}
