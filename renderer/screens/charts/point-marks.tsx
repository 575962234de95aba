import { DefaultZIndexes, usePlotArea, useXAxisScale, useYAxisScale, ZIndexLayer } from 'recharts';
import { rootSize } from './root-size.ts';

export interface MarkedPoint {
  /** Its place from 0. */
  index: number;
  value: number;
  isOutside: boolean;
  /** Numbers of the rules that it breaks. */
  rules: readonly number[];
}

const RADIUS = 4;

/**
 * The points: a dot, a square outside the specification, in a diamond with numbers where rules are broken. In a row of
 * many that break the same, and stand too close for words, the first has the numbers.
 */
export function PointMarks({ points, chosen }: { points: readonly MarkedPoint[]; chosen: number | null }) {
  const plot = usePlotArea();
  const xOf = useXAxisScale();
  const yOf = useYAxisScale();
  if (!plot || !xOf || !yOf) return null;
  const gap = (xOf(1) ?? 0) - (xOf(0) ?? 0);
  const size = rootSize();
  return (
    <ZIndexLayer zIndex={DefaultZIndexes.scatter}>
      {points.map(({ index, value, isOutside, rules }, at) => {
        const x = xOf(index) ?? 0;
        const y = yOf(value) ?? 0;
        const before = points[at - 1];
        const text = rules.join(' ');
        const isRepeated = before?.rules.join(' ') === text && gap < size * (0.4 + 0.55 * text.length);
        const isNearTop = y - plot.y < size * 2;
        return (
          <g
            key={index}
            className="chart-point"
            data-index={index}
            data-rules={text}
            data-outside={isOutside}
          >
            {index === chosen && (
              <>
                <line className="chosen" x1={x} x2={x} y1={plot.y} y2={plot.y + plot.height} />
                <circle className="chosen-ring" cx={x} cy={y} r={RADIUS + 8} />
              </>
            )}
            <PointMark x={x} y={y} isOutside={isOutside} hasRule={rules.length > 0} />
            {rules.length > 0 && !isRepeated && (
              <text
                className="mark-number over-lines"
                x={x}
                y={isNearTop ? y + size * 1.3 : y - size * 0.8}
                textAnchor="middle"
              >
                {text}
              </text>
            )}
          </g>
        );
      })}
    </ZIndexLayer>
  );
}

/** One mark, also for the legend. */
export function PointMark(props: { x: number; y: number; isOutside: boolean; hasRule: boolean }) {
  const { x, y, isOutside, hasRule } = props;
  return (
    <>
      {hasRule && (
        <path className="mark-rule" d={`M${x} ${y - 9} L${x + 9} ${y} L${x} ${y + 9} L${x - 9} ${y} Z`} />
      )}
      {isOutside ? (
        <rect className="mark mark-outside" x={x - RADIUS} y={y - RADIUS} width={8} height={8} />
      ) : (
        <circle className="mark" cx={x} cy={y} r={RADIUS} />
      )}
    </>
  );
}
