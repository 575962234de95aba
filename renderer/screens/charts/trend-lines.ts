import { useTranslation } from 'react-i18next';
import type { Trend } from '../../../shared/operations/figure-schemas.ts';
import { useFormats } from '../../i18n/formats.ts';
import type { LimitLine } from './limit-lines.tsx';
import type { TrendAnalysis } from './trend-analysis.ts';
import type { TrendWords } from './trend-words.ts';

/** The lines of both charts: control limits over all points, specification limits where they held. */
export function useTrendLines(trend: Trend, { chart }: TrendAnalysis, words: TrendWords) {
  const { t } = useTranslation('charts');
  const formats = useFormats();
  const last = trend.points.length - 1;
  const across = (kind: LimitLine['kind'], name: string, value: number): LimitLine => ({
    kind,
    name,
    label: `${t(`limit.${name}`)} ${words.plain(value)}`,
    stretches: [{ from: 0, to: last, value }],
  });
  const specification = (name: 'specUpper' | 'specLower'): LimitLine[] => {
    const stretches = stretchesOf(trend, name === 'specUpper' ? 'upper' : 'lower');
    const latest = stretches.at(-1);
    if (!latest) return [];
    return [
      { kind: 'spec', name, label: `${t(`limit.${name}`)} ${formats.number(latest.value)}`, stretches },
    ];
  };
  return {
    control: chart
      ? [
          across('control', 'upper', chart.upper),
          across('centre', 'centre', chart.centre),
          across('control', 'lower', chart.lower),
        ]
      : [],
    specification: [...specification('specUpper'), ...specification('specLower')],
    ranges: chart
      ? [across('control', 'upper', chart.upperRange), across('centre', 'centre', chart.meanRange)]
      : [],
  };
}

export function valuesOf(lines: readonly LimitLine[]): number[] {
  return lines.flatMap(({ stretches }) => stretches.map(({ value }) => value));
}

/** Where a limit held, from one change to the next. */
function stretchesOf(trend: Trend, side: 'upper' | 'lower'): LimitLine['stretches'] {
  const { limits_over_time: changes, points } = trend;
  return changes.flatMap((limits, at) => {
    const value = limits[side];
    const to = (changes[at + 1]?.from_point ?? points.length) - 1;
    return value === null ? [] : [{ from: limits.from_point, to, value }];
  });
}
