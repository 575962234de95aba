import { Stack, Text } from '@mantine/core';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useFormats } from '../../i18n/formats.ts';
import { ControlChart } from './control-chart.tsx';
import { lotPath, PointReading, type PointReadingProps } from './point-reading.tsx';
import { useTrendLines, valuesOf } from './trend-lines.ts';
import { isOnAxis, valueAxis } from './value-axis.ts';

/**
 * Both charts, and the point that is chosen in them: arrow keys go along the points and read each, Enter opens its lot.
 * The pointer chooses as well.
 */
export function TrendPicture(props: Omit<PointReadingProps, 'chosen'> & { title: string }) {
  const { trend, analysis, words, title } = props;
  const { t } = useTranslation('charts');
  const navigate = useNavigate();
  const formats = useFormats();
  const hint = useId();
  const [chosen, setChosen] = useState<number | null>(null);
  const { points, characteristic } = trend;
  const { values, ranges, chart, rules, unit } = analysis;
  const last = points.length - 1;
  const lines = useTrendLines(trend, analysis, words);

  const axis = valueAxis([...values, ...valuesOf(lines.control)], valuesOf(lines.specification));
  const { drawn = [], beyond = [] } = Object.groupBy(lines.specification, line =>
    valuesOf([line]).every(value => isOnAxis(axis, value)) ? 'drawn' : 'beyond',
  );
  const drawnRanges = ranges.flatMap((value, index) =>
    value === null
      ? []
      : [{ index, value, isOutside: false, rules: chart?.rangesBeyond.includes(index) ? [1] : [] }],
  );
  const rangeAxis = valueAxis(
    [0, ...drawnRanges.map(({ value }) => value), ...valuesOf(lines.ranges)],
    [],
    0,
  );
  const shared = {
    count: points.length,
    letters: {
      left: longest([...axis.ticks, ...rangeAxis.ticks].map(formats.number)),
      right: longest([...lines.control, ...drawn, ...lines.ranges].map(({ label }) => label)),
    },
    labelOf: words.label,
    tickText: formats.number,
    chosen,
    onChoose: setChosen,
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const at = chosen ?? last;
    const moves: Record<string, number> = {
      ArrowLeft: Math.max(0, at - 1),
      ArrowRight: Math.min(last, at + 1),
      Home: 0,
      End: last,
    };
    const next = moves[event.key];
    const point = points[at];
    if (next !== undefined) setChosen(next);
    else if (event.key === 'Enter' && point) void navigate(lotPath(point));
    else return;
    event.preventDefault();
  };

  return (
    <Stack gap="xs">
      <div
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a picture that arrow keys go through must be reached by them
        tabIndex={0}
        className="chart-points"
        aria-label={t('points.label', { title })}
        aria-describedby={hint}
        onKeyDown={onKeyDown}
        onFocus={() => setChosen(now => now ?? last)}
      >
        <ControlChart
          {...shared}
          name="individuals"
          points={values.map((value, index) => ({
            index,
            value,
            isOutside: points[index]?.is_within === false,
            rules: rules[index] ?? [],
          }))}
          axis={axis}
          axisTitle={unit === null ? characteristic : t('axis.value', { name: characteristic, unit })}
          lines={[...lines.control, ...drawn]}
          height={22}
        />
        {drawnRanges.length > 0 && (
          <ControlChart
            {...shared}
            name="ranges"
            points={drawnRanges}
            axis={rangeAxis}
            axisTitle={unit === null ? t('axis.range.plain') : t('axis.range', { unit })}
            timeTitle={t('axis.lots')}
            lines={lines.ranges}
            height={14}
          />
        )}
      </div>
      {beyond.map(({ name, label }) => (
        <Text key={name} className="chart-note">
          {t('note.beyond', { limit: label })}
        </Text>
      ))}
      <Text size="sm" id={hint}>
        {t('points.hint')}
      </Text>
      <PointReading trend={trend} analysis={analysis} words={words} chosen={chosen} />
    </Stack>
  );
}

function longest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(({ length }) => length));
}
