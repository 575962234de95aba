import { describe, expect, it } from 'vitest';
import { isOnAxis, valueAxis } from '../../../../renderer/screens/charts/value-axis.ts';

describe('an axis', () => {
  it.each([
    [[12, 12.3, 11.9]],
    [[0.001, 0.0012]],
    [[-5, 5]],
    [[1_000_000, 1_000_400]],
    [[40]],
    [[0]],
    [[-3, -3, -3]],
  ])('over %j holds all of them with room, between ticks that are told apart', needed => {
    const axis = valueAxis(needed);
    for (const value of needed) expect(isOnAxis(axis, value)).toBe(true);
    const [low, high] = axis.domain;
    expect(low).toBeLessThan(Math.min(...needed));
    expect(high).toBeGreaterThan(Math.max(...needed));
    expect([axis.ticks[0], axis.ticks.at(-1)]).toEqual([low, high]);
    expect(new Set(axis.ticks).size).toBe(axis.ticks.length);
    expect(axis.ticks.length).toBeGreaterThan(2);
  });

  it('reaches to limits that lie near, and not to those so far off that nothing else could be seen', () => {
    const needed = [12, 12.2];
    const near = valueAxis(needed, [11.5, 12.95]);
    expect([11.5, 12.95].map(limit => isOnAxis(near, limit))).toEqual([true, true]);
    // Four times the stretch of the points is as far as it goes.
    expect(isOnAxis(valueAxis(needed, [11.21]), 11.21)).toBe(true);
    const far = valueAxis(needed, [11.1, 100]);
    expect([11.1, 100].map(limit => isOnAxis(far, limit))).toEqual([false, false]);
    expect(far).toEqual(valueAxis(needed));
  });

  it('of values that are all equal is as wide as they are large', () => {
    const [low, high] = valueAxis([40, 40]).domain;
    expect(high - low).toBeGreaterThan(0.04);
    expect(high - low).toBeLessThan(1);
    expect(isOnAxis(valueAxis([40], [41]), 41)).toBe(true);
    expect(isOnAxis(valueAxis([40], [42]), 42)).toBe(false);
  });

  it('draws nothing below the least', () => {
    expect(valueAxis([0, 0.4], [], 0).domain[0]).toBe(0);
    expect(valueAxis([0, 0.4]).domain[0]).toBeLessThan(0);
  });
});

it('its ends are on it, and nothing beyond them', () => {
  const axis = { domain: [1, 2] as [number, number], ticks: [1, 2] };
  expect([0.99, 1, 1.5, 2, 2.01].map(value => isOnAxis(axis, value))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
});
