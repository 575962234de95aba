import { Anchor, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Trend, TrendPoint } from '../../../shared/operations/figure-schemas.ts';
import { useFormats } from '../../i18n/formats.ts';
import { recordPath } from '../../ui/record-path.ts';
import type { TrendAnalysis } from './trend-analysis.ts';
import type { TrendWords } from './trend-words.ts';

export interface PointReadingProps {
  trend: Trend;
  analysis: TrendAnalysis;
  words: TrendWords;
  /** Place of the point that is chosen, from 0. */
  chosen: number | null;
}

/** The chosen point in words, read out as it changes, with the ways to its records. */
export function PointReading({ trend, analysis, words, chosen }: PointReadingProps) {
  const { t } = useTranslation('charts');
  const point = chosen === null ? undefined : trend.points[chosen];
  const tell = useTell(trend, analysis, words);
  return (
    <Group gap="md" className="chart-reading" align="start">
      <Text role="status" className="typed" flex="1 1 20rem">
        {point && chosen !== null ? tell(point, chosen) : t('points.none')}
      </Text>
      {point && point.inventory_id !== null && (
        <Anchor component={Link} to={lotPath(point)}>
          {t('open.lot')}
        </Anchor>
      )}
      {point && (
        <Anchor component={Link} to={recordPath(point.family, point.id)}>
          {t(`open.${point.family}`)}
        </Anchor>
      )}
    </Group>
  );
}

/** The lot of a point; where none is named, the record that was measured. */
export function lotPath({ inventory_id, family, id }: TrendPoint): string {
  return inventory_id === null ? recordPath(family, id) : recordPath('inventory', inventory_id);
}

function useTell({ points }: Trend, { rules, ranges, chart }: TrendAnalysis, words: TrendWords) {
  const { t } = useTranslation('charts');
  const formats = useFormats();
  return (point: TrendPoint, index: number): string => {
    const broken = rules[index] ?? [];
    const range = ranges[index] ?? null;
    return [
      t('point.at', {
        number: formats.number(index + 1),
        count: formats.number(points.length),
        label: point.label,
        value: words.value(point.value),
        day: words.day(point),
      }),
      ...(point.n > 1 ? [t('point.mean', { count: point.n })] : []),
      t(`point.${verdictOf(point)}`),
      ...(broken.length > 0 ? [t('point.rules', { rules: formats.list(broken.map(String)) })] : []),
      ...(range === null ? [] : [t('point.range', { range: words.value(range) })]),
      ...(chart?.rangesBeyond.includes(index) ? [t('point.rangeRule')] : []),
    ].join(' ');
  };
}

export function verdictOf({ is_within }: TrendPoint): 'within' | 'outside' | 'unknown' {
  if (is_within === null) return 'unknown';
  return is_within ? 'within' : 'outside';
}
