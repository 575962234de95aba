import { Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Trend } from '../../../shared/operations/figure-schemas.ts';
import { useFormats } from '../../i18n/formats.ts';
import { CapabilityTable } from './capability-table.tsx';
import { ChartFigure } from './chart-figure.tsx';
import { ChartLegend, lineSign, pointSigns } from './chart-legend.tsx';
import { FindingsList } from './findings-list.tsx';
import { analyse } from './trend-analysis.ts';
import { TrendPicture } from './trend-picture.tsx';
import { useTrendTable } from './trend-table.ts';
import { useTrendWords } from './trend-words.ts';

/** An individuals and moving-range chart with all that it says: rules, capability, every point. */
export function TrendFigure({ trend, isLab, title }: { trend: Trend; isLab: boolean; title: string }) {
  const { t } = useTranslation('charts');
  const analysis = useMemo(() => analyse(trend), [trend]);
  const words = useTrendWords(trend, analysis);
  const table = useTrendTable(trend, analysis);
  const notes = useNotes(trend, isLab, words.limits);
  const { chart, rules } = analysis;
  const isOutside = trend.points.some(({ is_within }) => is_within === false);
  const hasRule = rules.some(({ length }) => length > 0) || (chart?.rangesBeyond.length ?? 0) > 0;
  const hasLimits = trend.limits_over_time.some(({ lower, upper }) => lower !== null || upper !== null);
  return (
    <Stack gap="lg">
      <ChartFigure title={title} notes={notes} fileName={fileNameOf(trend.characteristic)} table={table}>
        {chart === null && <Text role="status">{t('tooFew')}</Text>}
        <TrendPicture trend={trend} analysis={analysis} words={words} title={title} />
        <ChartLegend
          entries={[
            { sign: pointSigns.value, text: t('legend.point') },
            ...(isOutside ? [{ sign: pointSigns.outside, text: t('legend.outside') }] : []),
            ...(hasRule ? [{ sign: pointSigns.rule, text: t('legend.rule') }] : []),
            ...(chart
              ? [
                  { sign: lineSign('centre'), text: t('legend.centre') },
                  { sign: lineSign('control'), text: t('legend.control') },
                ]
              : []),
            ...(hasLimits ? [{ sign: lineSign('spec'), text: t('legend.spec') }] : []),
          ]}
        />
      </ChartFigure>
      {chart && <FindingsList trend={trend} analysis={analysis} words={words} />}
      <CapabilityTable trend={trend} analysis={analysis} words={words} />
    </Stack>
  );
}

function useNotes(trend: Trend, isLab: boolean, limitsText: (limits: LimitsLike) => string): string[] {
  const { t } = useTranslation('charts');
  const formats = useFormats();
  const { by, points, total, records_read, records_total, qualified, limits_over_time } = trend;
  const changes = limits_over_time.map(limits =>
    t('note.limits.change', { label: points[limits.from_point]?.label, limits: limitsText(limits) }),
  );
  return [
    t(`n.${isLab ? 'lab' : by}`, { count: points.length }),
    ...(total > points.length
      ? [t('note.newest', { shown: formats.number(points.length), total: formats.number(total) })]
      : []),
    ...(records_total > records_read
      ? [t('note.records', { read: formats.number(records_read), total: formats.number(records_total) })]
      : []),
    ...(qualified > 0 ? [t('note.qualified', { count: qualified })] : []),
    ...(changes.length > 1 ? [t('note.limits', { changes: formats.list(changes) })] : []),
  ];
}

type LimitsLike = { lower: number | null; upper: number | null };

/** What no file system refuses. */
function fileNameOf(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '') || 'chart';
}
