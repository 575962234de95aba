import { expect, it } from 'vitest';
import { Pace } from '../../../../server/sync/station/pace.ts';

const BOUNDS = { first: 1_000, least: 100, most: 10_000 };

/** What the sizes are when each message is full, and the line carries so many characters a second. */
function sizesAt(rate: number, count: number, pace = new Pace(BOUNDS)): number[] {
  return Array.from({ length: count }, () => {
    pace.passed(pace.size, pace.size / rate);
    return pace.size;
  });
}

it('doubles with each message that was quick, up to the most', () => {
  expect(sizesAt(Number.POSITIVE_INFINITY, 5)).toEqual([2_000, 4_000, 8_000, 10_000, 10_000]);
});

it('comes to what takes three seconds, from above at once and from below by doubling', () => {
  expect(sizesAt(200, 3)).toEqual([600, 600, 600]);
  expect(sizesAt(2_000, 4)).toEqual([2_000, 4_000, 6_000, 6_000]);
  expect(sizesAt(10, 2)).toEqual([100, 100]);
});

it('halves what did not arrive, down to the least, and grows again', () => {
  const pace = new Pace(BOUNDS);
  // What was sent was less than there was room for: more would not arrive either.
  pace.failed(700);
  expect(pace.size).toBe(350);
  pace.failed(2_000);
  expect(pace.size).toBe(175);
  pace.failed(175);
  pace.failed(100);
  expect(pace.size).toBe(100);
  expect(sizesAt(500, 5, pace)).toEqual([200, 400, 800, 1_500, 1_500]);
});

it('learns nothing of a message that is small for it, and all of one that is too large', () => {
  const pace = new Pace(BOUNDS);
  pace.passed(499, 0.01);
  pace.passed(10, 60);
  expect(pace.size).toBe(1_000);
  // A single commit that is larger than any message may be.
  pace.passed(60_000, 200);
  expect(pace.size).toBe(900);
});
