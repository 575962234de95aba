import type { Trend, TrendLimits, TrendPoint } from '../../../shared/operations/figure-schemas.ts';

/** A trend of these values, one lot a day, within limits that a template gave from the first point on. */
export function trendOf(values: readonly number[], changes: readonly Partial<TrendLimits>[] = [{}]): Trend {
  const limitsOverTime = changes.map(
    (change): TrendLimits => ({
      from_point: 0,
      template_id: 1,
      template: 'Bush',
      revision: 1,
      dimensions: '12 mm',
      tolerance: '±0.4',
      nominal: 12,
      lower: 11.6,
      upper: 12.4,
      is_lower_inclusive: true,
      is_upper_inclusive: true,
      ...change,
    }),
  );
  return {
    characteristic: 'Bore',
    by: 'lot-mean',
    points: values.map((value, index) =>
      pointOf({ value, label: `B-${index + 1}`, inventory_id: index + 1 }),
    ),
    total: values.length,
    records_total: values.length,
    records_read: values.length,
    qualified: 0,
    limits: limitsOverTime.at(-1) ?? null,
    limits_over_time: limitsOverTime,
  };
}

export function pointOf(change: Partial<TrendPoint>): TrendPoint {
  return {
    family: 'inspection',
    id: 40,
    inventory_id: null,
    sample_id: null,
    at: '2026-05-04T10:15:00.000Z',
    value: 12,
    n: 1,
    label: 'B-1',
    is_within: true,
    ...change,
  };
}
