import { CartesianGrid, ComposedChart, Line, XAxis, YAxis } from 'recharts';
import { type LimitLine, LimitLines } from './limit-lines.tsx';
import { type MarkedPoint, PointMarks } from './point-marks.tsx';
import { rootSize } from './root-size.ts';
import type { ValueAxis } from './value-axis.ts';

export interface ControlChartProps {
  /** `individuals` or `ranges`. */
  name: string;
  /** All points that there are, a range at the first of which is missing. */
  points: readonly MarkedPoint[];
  count: number;
  axis: ValueAxis;
  axisTitle: string;
  /** Below the picture; the upper of two has none. */
  timeTitle?: string;
  lines: readonly LimitLine[];
  /** In root text sizes. */
  height: number;
  /** Of the longest word in either margin, in letters: two pictures below each other stand in line. */
  letters: { left: number; right: number };
  labelOf: (index: number) => string;
  tickText: (value: number) => string;
  chosen: number | null;
  onChoose: (index: number) => void;
}

/** Values in their order, with their lines: one half of an individuals and moving-range chart. */
export function ControlChart(props: ControlChartProps) {
  const { name, points, count, axis, axisTitle, timeTitle, lines, height, letters } = props;
  const { labelOf, tickText, chosen, onChoose } = props;
  const size = rootSize();
  const letter = size * 0.52;
  return (
    <div className="chart-drawing" data-drawing={name} aria-hidden>
      <ComposedChart
        responsive
        accessibilityLayer={false}
        data={[...points]}
        style={{ width: '100%', height: size * height }}
        margin={{
          top: size,
          right: letters.right * letter + 16,
          bottom: timeTitle ? size * 1.6 : 0,
          left: 0,
        }}
        onClick={({ activeTooltipIndex }) => choose(activeTooltipIndex)}
        onMouseMove={({ activeTooltipIndex }) => choose(activeTooltipIndex)}
      >
        <CartesianGrid vertical={false} />
        <XAxis
          dataKey="index"
          type="number"
          domain={[-0.5, count - 0.5]}
          ticks={Array.from({ length: count }, (_, index) => index)}
          tickFormatter={labelOf}
          interval="equidistantPreserveStart"
          minTickGap={size}
          height={size * 1.9}
          tickMargin={size * 0.3}
          {...(timeTitle && { label: { value: timeTitle, position: 'bottom', offset: 0 } })}
        />
        <YAxis
          type="number"
          domain={axis.domain}
          ticks={axis.ticks}
          tickFormatter={tickText}
          interval={0}
          width={letters.left * letter + size * 2.2}
          label={{
            value: axisTitle,
            angle: -90,
            position: 'insideLeft',
            offset: size * 0.4,
            style: { textAnchor: 'middle' },
          }}
        />
        <LimitLines lines={lines} />
        <Line
          className="chart-line-path"
          dataKey="value"
          type="linear"
          stroke="var(--chart-value)"
          strokeWidth={1.5}
          dot={false}
          activeDot={false}
          isAnimationActive={false}
        />
        <PointMarks points={points} chosen={chosen} />
      </ComposedChart>
    </div>
  );

  /** The pointer is over the point whose place among the drawn ones this is. */
  function choose(place: number | string | null | undefined): void {
    const point = place === null || place === undefined ? undefined : points[Number(place)];
    if (point) onChoose(point.index);
  }
}
