import { useTranslation } from 'react-i18next';
import type { Trend } from '../../../shared/operations/figure-schemas.ts';
import { useFormats } from '../../i18n/formats.ts';
import type { ChartTable } from './chart-table.tsx';
import { lotPath, verdictOf } from './point-reading.tsx';
import type { TrendAnalysis } from './trend-analysis.ts';

/** Every point with its range, its verdict and the rules that it breaks. */
export function useTrendTable(trend: Trend, { ranges, rules, chart, unit }: TrendAnalysis): ChartTable {
  const { t } = useTranslation('charts');
  const formats = useFormats();
  return {
    columns: [
      { label: t('column.number'), isNumber: true },
      { label: t('column.label') },
      { label: t('column.at') },
      {
        label: unit === null ? t('column.value') : t('column.value.unit', { unit }),
        isNumber: true,
      },
      { label: t('column.n'), isNumber: true },
      { label: t('column.range'), isNumber: true },
      { label: t('column.verdict') },
      { label: t('column.rules') },
    ],
    rows: trend.points.map((point, index) => {
      const range = ranges[index] ?? null;
      const broken = [
        ...(rules[index] ?? []).map(String),
        ...(chart?.rangesBeyond.includes(index) ? [t('range.rule')] : []),
      ];
      return [
        { value: index + 1, shown: formats.number(index + 1) },
        { value: point.label, path: lotPath(point) },
        { value: point.at, shown: formats.day(point.at.slice(0, 10)) },
        { value: point.value, shown: formats.number(point.value) },
        { value: point.n, shown: formats.number(point.n) },
        { value: range, shown: range === null ? '–' : formats.number(range) },
        { value: t(`verdict.${verdictOf(point)}`) },
        { value: broken.join('; '), shown: broken.join(', ') || '–' },
      ];
    }),
  };
}
