import { describe, expect, it } from 'vitest';
import { estimateOffset } from '../../../../server/sync/station/central-clock.ts';

const central = Date.parse('2026-06-15T12:00:00.000Z');
const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;

describe('a clock that was compared last at noon', () => {
  it.each([
    ['right, and an hour later still', 0, HOUR, null],
    ['right, and a year later still', 0, YEAR, null],
    ['ten years slow, and so still', -10 * YEAR, -10 * YEAR + HOUR, -10 * YEAR],
    ['ten years slow, and set right', -10 * YEAR, HOUR, null],
    ['ten years fast, and so still', 10 * YEAR, 10 * YEAR + HOUR, 10 * YEAR],
    ['ten years fast, and set right', 10 * YEAR, HOUR, null],
    ['right, and set back ten years', 0, -10 * YEAR, -10 * YEAR],
    ['ten years fast, and slow now', 10 * YEAR, -YEAR, -YEAR],
    ['a minute slow', -60_000, HOUR, null],
  ])('%s', (_name, offset, now, expected) => {
    expect(estimateOffset({ central, offset }, central + now)).toBe(expected);
  });
});
