import { useElementSize } from '@mantine/hooks';
import { useId } from 'react';
import { Bar, BarChart, CartesianGrid, XAxis, YAxis } from 'recharts';
import type { BarRow } from './bar-labels.tsx';
import { BarLabels } from './bar-labels.tsx';
import { ChartLegend } from './chart-legend.tsx';
import { rootSize } from './root-size.ts';

export interface BarPictureProps {
  /** Says in a sentence what is drawn. */
  label: string;
  rows: readonly BarRow[];
  /** At most two: the first is filled, the second hatched. */
  series: readonly string[];
  categoryTitle: string;
  valueTitle: string;
  valueText: (value: number) => string;
  /** Bars that lie have room for long names. */
  isLying?: boolean;
  /** Whole numbers only. */
  isCount?: boolean;
  /** The end of the value axis, where it is known. */
  most?: number;
}

/** Bars from zero. */
export function BarPicture(props: BarPictureProps) {
  const { label, rows, series, categoryTitle, valueTitle, valueText, isLying = false, isCount, most } = props;
  const hatch = useId();
  const size = rootSize();
  const { ref, width } = useElementSize();
  const isNarrow = width > 0 && width < size * 40;
  const labels = rows.map(row => (isNarrow ? (row.shortLabel ?? row.label) : row.label));
  const longestName = Math.max(...rows.map(({ name }) => name.length));
  const nameLetters = Math.min(longestName, isNarrow ? Math.max(8, Math.floor(width / size / 2)) : 32);
  const height = isLying ? rows.length * 2.4 + 5 : 20;
  // Two rows can have the same name.
  const categories = {
    type: 'category',
    dataKey: 'place',
    tickFormatter: (place: number) => shortened(rows[place]?.name ?? '', nameLetters),
  } as const;
  const values = {
    type: 'number',
    minTickGap: size,
    domain: [0, most ?? 'auto'],
    tickFormatter: valueText,
    allowDecimals: !isCount,
  } as const;
  return (
    <>
      <div ref={ref} className="chart-drawing" role="img" aria-label={label}>
        <BarChart
          responsive
          accessibilityLayer={false}
          layout={isLying ? 'vertical' : 'horizontal'}
          data={rows.map((row, place) => ({ ...row, place }))}
          style={{ width: '100%', height: size * height }}
          margin={{
            top: size * (isLying ? 0.5 : 1.5),
            right: isLying ? size * (0.55 * Math.max(...labels.map(({ length }) => length)) + 1) : size,
            bottom: size * 1.6,
            left: 0,
          }}
        >
          <Hatch id={hatch} />
          <CartesianGrid vertical={isLying} horizontal={!isLying} />
          {isLying ? (
            <>
              <XAxis
                {...values}
                label={{ value: valueTitle, position: 'bottom', offset: 0 }}
                height={size * 1.9}
              />
              <YAxis {...categories} width={size * (0.53 * nameLetters + 1.5)} interval={0} />
            </>
          ) : (
            <>
              <XAxis
                {...categories}
                label={{ value: categoryTitle, position: 'bottom', offset: 0 }}
                interval="preserveStartEnd"
                minTickGap={size * 0.6}
                height={size * 1.9}
                tickMargin={size * 0.3}
              />
              <YAxis
                {...values}
                width="auto"
                label={{
                  value: valueTitle,
                  angle: -90,
                  position: 'insideLeft',
                  offset: size * 0.4,
                  style: { textAnchor: 'middle' },
                }}
              />
            </>
          )}
          {series.map((name, at) => (
            <Bar
              key={name}
              name={name}
              dataKey={({ values: all }: BarRow) => all[at] ?? 0}
              stackId="all"
              isAnimationActive={false}
              maxBarSize={size * 3}
              className={`series-${at}`}
              {...(at === 1 && { fill: `url(#${hatch})` })}
            ></Bar>
          ))}
          <BarLabels rows={rows} labels={labels} isLying={isLying} />
        </BarChart>
      </div>
      {series.length > 1 && (
        <ChartLegend
          entries={series.map((text, at) => ({
            text,
            sign: (
              <>
                <Hatch id={`${hatch}-sign`} />
                <rect
                  className={`series-${at}`}
                  {...(at === 1 && { fill: `url(#${hatch}-sign)` })}
                  x={6}
                  y={2}
                  width={20}
                  height={16}
                />
              </>
            ),
          }))}
        />
      )}
    </>
  );
}

/** A picture's own: one that is taken out of the page takes its pattern along. */
function Hatch({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={id} width={8} height={8} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect className="hatch-ground" width={8} height={8} />
        <line className="hatch" x1={0} x2={0} y1={0} y2={8} />
      </pattern>
    </defs>
  );
}

function shortened(name: string, letters: number): string {
  return name.length <= letters ? name : `${name.slice(0, letters - 1)}…`;
}
