import type { ReactNode } from 'react';
import { PointMark } from './point-marks.tsx';

/** What the signs in a picture mean. */
export function ChartLegend({ entries }: { entries: readonly { sign: ReactNode; text: string }[] }) {
  return (
    <ul className="chart-legend">
      {entries.map(({ sign, text }) => (
        <li key={text}>
          <svg width={32} height={20} aria-hidden>
            {sign}
          </svg>
          {text}
        </li>
      ))}
    </ul>
  );
}

export const pointSigns = {
  value: <PointMark x={16} y={10} isOutside={false} hasRule={false} />,
  outside: <PointMark x={16} y={10} isOutside hasRule={false} />,
  rule: <PointMark x={16} y={10} isOutside={false} hasRule />,
};

export function lineSign(kind: 'control' | 'centre' | 'spec'): ReactNode {
  return <path className={`limit limit-${kind}`} d="M0 10 L32 10" />;
}
