import { DefaultZIndexes, useXAxisScale, useYAxisScale, ZIndexLayer } from 'recharts';
import { rootSize } from './root-size.ts';

/** What stands at the ends of the bars, wherever a stack ends. */
export function BarLabels(props: { rows: readonly BarRow[]; labels: readonly string[]; isLying: boolean }) {
  const { rows, labels, isLying } = props;
  const xOf = useXAxisScale();
  const yOf = useYAxisScale();
  if (!xOf || !yOf) return null;
  const air = rootSize() * 0.4;
  return (
    <ZIndexLayer zIndex={DefaultZIndexes.label}>
      {rows.map(({ values }, place) => {
        const total = values.reduce((sum, value) => sum + value, 0);
        const middle = { position: 'middle' } as const;
        const x = isLying ? xOf(total) : xOf(place, middle);
        const y = isLying ? yOf(place, middle) : yOf(total);
        if (x === undefined || y === undefined) return null;
        return (
          <text
            // Rows have no other name of their own than their place.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            key={place}
            className="bar-label"
            {...(isLying
              ? { x: x + air, y, dominantBaseline: 'central' }
              : { x, y: y - air, textAnchor: 'middle' })}
          >
            {labels[place]}
          </text>
        );
      })}
    </ZIndexLayer>
  );
}

export interface BarRow {
  name: string;
  /** One for each of the series; they are stacked. */
  values: readonly number[];
  /** What stands at the bar's end. */
  label: string;
  /** The same where there is little room. */
  shortLabel?: string;
}
