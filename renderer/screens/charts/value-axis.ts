import { getNiceTickValues } from 'recharts';

export interface ValueAxis {
  domain: [number, number];
  ticks: number[];
}

/** How many times the stretch of points and control limits a specification limit may lie away and still be drawn. */
const REACH = 4;

/**
 * A value axis with round ticks over all of `needed`, and over those of `wanted` that do not lie so far off that
 * nothing else could be told apart. Below `least` nothing is drawn.
 */
export function valueAxis(
  needed: readonly number[],
  wanted: readonly number[] = [],
  least = Number.NEGATIVE_INFINITY,
): ValueAxis {
  const low = Math.min(...needed);
  const high = Math.max(...needed);
  const span = high - low || Math.abs(high) * 0.01 || 1;
  const near = wanted.filter(value => value >= low - REACH * span && value <= high + REACH * span);
  const from = Math.min(low, ...near);
  const to = Math.max(high, ...near);
  const air = (to - from || span) * 0.06;
  const ticks = getNiceTickValues([Math.max(least, from - air), to + air], 6, true);
  return { domain: [ticks[0] ?? from, ticks.at(-1) ?? to], ticks };
}

export function isOnAxis({ domain: [low, high] }: ValueAxis, value: number): boolean {
  return value >= low && value <= high;
}
