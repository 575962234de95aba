import { DefaultZIndexes, usePlotArea, useXAxisScale, useYAxisScale, ZIndexLayer } from 'recharts';
import { rootSize } from './root-size.ts';

export interface LimitLine {
  /** Its short name and its value, as they stand beside the picture. */
  label: string;
  kind: 'control' | 'centre' | 'spec';
  /** Names the line apart from its kind: `upper`, `specLower`. */
  name: string;
  /** Where it holds: places of points from 0, both included; one stretch unless it changed. */
  stretches: readonly { from: number; to: number; value: number }[];
}

/**
 * Lines across the picture and their words in its right margin, moved apart where they would cover each other. A limit
 * that changed is a stair.
 */
export function LimitLines({ lines }: { lines: readonly LimitLine[] }) {
  const plot = usePlotArea();
  const xOf = useXAxisScale();
  const yOf = useYAxisScale();
  if (!plot || !xOf || !yOf) return null;
  const right = plot.x + plot.width;
  const labels = lines.flatMap(({ label, name, stretches }) => {
    const last = stretches.at(-1);
    const y = last && yOf(last.value);
    return y === undefined ? [] : [{ label, name, y }];
  });
  const height = rootSize() * 1.05;
  return (
    <>
      <ZIndexLayer zIndex={DefaultZIndexes.area}>
        {lines.map(({ kind, name, stretches }) => (
          <path
            key={name}
            className={`limit limit-${kind}`}
            data-limit={name}
            d={stretches
              .map(({ from, to, value }, at) => {
                const y = yOf(value) ?? 0;
                const start = Math.max(plot.x, xOf(from - 0.5) ?? plot.x);
                const end = Math.min(right, xOf(to + 0.5) ?? right);
                return `${at === 0 ? 'M' : 'L'}${start} ${y} L${end} ${y}`;
              })
              .join(' ')}
          />
        ))}
      </ZIndexLayer>
      <ZIndexLayer zIndex={DefaultZIndexes.label}>
        {apart(labels, height, plot.y, plot.y + plot.height).map(({ label, name, y, at }) => (
          <g key={name}>
            <path
              className="limit-lead"
              d={`M${right} ${y} L${right + 8} ${at}`}
              stroke="var(--chart-axis)"
            />
            <text x={right + 11} y={at} dominantBaseline="central">
              {label}
            </text>
          </g>
        ))}
      </ZIndexLayer>
    </>
  );
}

/** Heights at least `height` from each other, in order, as near to their lines as can be, between top and bottom. */
function apart<Label extends { y: number }>(
  labels: readonly Label[],
  height: number,
  top: number,
  bottom: number,
): (Label & { at: number })[] {
  const placed = labels.toSorted((a, b) => a.y - b.y).map(label => ({ ...label, at: label.y }));
  let last = top - height;
  for (const label of placed) {
    label.at = Math.max(label.at, last + height);
    last = label.at;
  }
  let next = bottom + height;
  for (const label of placed.toReversed()) {
    label.at = Math.min(label.at, next - height);
    next = label.at;
  }
  return placed;
}
