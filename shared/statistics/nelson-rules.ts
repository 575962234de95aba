/**
 * The eight tests for special causes of Lloyd S. Nelson, "The Shewhart Control Chart: Tests for Special Causes",
 * Journal of Quality Technology 16 (4), 1984, 237-239, by his numbers:
 *
 * 1. one point more than 3 sigma from the centre line;
 * 2. nine points in a row on one side of the centre line;
 * 3. six points in a row, each above, or each below, the one before;
 * 4. fourteen points in a row alternating up and down;
 * 5. two of three points in a row more than 2 sigma from the centre line, on one side;
 * 6. four of five points in a row more than 1 sigma from the centre line, on one side;
 * 7. fifteen points in a row within 1 sigma of the centre line, on either side;
 * 8. eight points in a row more than 1 sigma from the centre line, on either side.
 */
export const nelsonRuleNumbers = [1, 2, 3, 4, 5, 6, 7, 8] as const;
export type NelsonRule = (typeof nelsonRuleNumbers)[number];

export interface NelsonFinding {
  readonly rule: NelsonRule;
  /** Indices of the points that complete the pattern; these are marked on the chart. */
  readonly points: readonly number[];
  /** Indices of all the points that the pattern is made of. */
  readonly members: readonly number[];
}

/**
 * The rules that individuals break, by number. A gap (null) ends every row. A point on a limit is not beyond it, one on
 * the centre line is on neither side, and two equal points are neither up nor down. With no variation (`sigma` 0)
 * nothing is found.
 */
export function nelsonRules({
  values,
  centre,
  sigma,
}: {
  readonly values: readonly (number | null)[];
  readonly centre: number;
  readonly sigma: number;
}): NelsonFinding[] {
  if (!(sigma > 0)) return [];
  const zones = values.map(value => (value === null ? null : (value - centre) / sigma));
  return nelsonRuleNumbers.flatMap(rule => {
    const found = values.map((_, end) => patterns[rule](zones, values, end));
    const points = found.flatMap((members, end) => (members.length > 0 ? [end] : []));
    const members = [...new Set(found.flat())].sort((a, b) => a - b);
    return points.length > 0 ? [{ rule, points, members }] : [];
  });
}

/** Distances from the centre line in sigmas; null is a gap. */
type Zones = readonly (number | null)[];

/** The indices of the pattern that ends at a point, or none. */
type Pattern = (zones: Zones, values: Zones, end: number) => readonly number[];

const patterns: Record<NelsonRule, Pattern> = {
  1: (zones, _values, end) => inRow(zones, end, 1, zone => Math.abs(zone) > 3),
  2: (zones, _values, end) => onOneSide(zones, end, 9, 9, 0),
  3: (_zones, values, end) => {
    const rising = inSteps(values, end, 6, step => step > 0);
    return rising.length > 0 ? rising : inSteps(values, end, 6, step => step < 0);
  },
  4: (_zones, values, end) => {
    const upFirst = inSteps(values, end, 14, (step, index) => (index % 2 === 0 ? step > 0 : step < 0));
    return upFirst.length > 0
      ? upFirst
      : inSteps(values, end, 14, (step, index) => (index % 2 === 0 ? step < 0 : step > 0));
  },
  5: (zones, _values, end) => onOneSide(zones, end, 2, 3, 2),
  6: (zones, _values, end) => onOneSide(zones, end, 4, 5, 1),
  7: (zones, _values, end) => inRow(zones, end, 15, zone => Math.abs(zone) < 1),
  8: (zones, _values, end) => inRow(zones, end, 8, zone => Math.abs(zone) > 1),
};

/** The last `length` indices up to `end`, where there are so many and every zone is as wanted. */
function inRow(zones: Zones, end: number, length: number, isWanted: (zone: number) => boolean): number[] {
  const row = indices(end, length);
  return row.every(index => isNumberAnd(zones[index], isWanted)) ? row : [];
}

/**
 * Of the last `length` points up to `end`, and none before a gap, those more than `beyond` sigmas from the centre line on
 * the side of the last one, where they are at least `count` and the last is one of them.
 */
function onOneSide(zones: Zones, end: number, count: number, length: number, beyond: number): number[] {
  const side = Math.sign(zones[end] ?? 0);
  const window = indices(end, length).filter(index => index >= 0);
  const afterGap = window.slice(window.findLastIndex(index => zones[index] === null) + 1);
  const members = afterGap.filter(index => isNumberAnd(zones[index], zone => zone * side > beyond));
  return members.length >= count && members.at(-1) === end ? members : [];
}

/** The last `length` indices up to `end`, where every step from one to the next is as wanted. */
function inSteps(
  values: Zones,
  end: number,
  length: number,
  isWanted: (step: number, index: number) => boolean,
): number[] {
  const row = indices(end, length);
  const isPattern = row.every((index, position) => {
    const value = values[index] ?? null;
    if (value === null) return false;
    const before = values[index - 1] ?? null;
    return position === 0 || (before !== null && isWanted(value - before, position));
  });
  return isPattern ? row : [];
}

function indices(end: number, length: number): number[] {
  return Array.from({ length }, (_, position) => end - length + 1 + position);
}

function isNumberAnd(zone: number | null | undefined, isWanted: (zone: number) => boolean): boolean {
  return zone !== null && zone !== undefined && isWanted(zone);
}
