import { describe, expect, it } from 'vitest';
import { createCalendar, warmth } from '../../../server/demo/calendar.ts';
import { measurements, plannedResults } from '../../../server/demo/laboratory.ts';
import { bottlingRuns, pressingRuns } from '../../../server/demo/production.ts';
import { purchases } from '../../../server/demo/purchases.ts';
import { createRandom } from '../../../server/demo/random.ts';
import { characteristicsOf, templateNumbers } from '../../../server/demo/templates.ts';
import { addDays } from '../../../shared/contract/dates.ts';
import { judge, parseLimits } from '../../../shared/quantities/tolerance.ts';
import fc from '../../support/fast-check.ts';

const today = fc.integer({ min: 0, max: 4_000 }).map(days => addDays('2024-01-01', days));

describe('the calendar', () => {
  it('never works on a weekend, and keeps the order of days', () => {
    fc.assert(
      fc.property(today, fc.integer({ min: -300, max: 300 }), (date, day) => {
        const { workday } = createCalendar(date);
        expect([0, 6]).not.toContain(new Date(workday(day)).getUTCDay());
        expect(workday(day) <= workday(day + 1)).toBe(true);
        expect(workday(day) <= addDays(date, day)).toBe(true);
      }),
    );
  });

  it('knows when it is warm', () => {
    expect(warmth('2026-01-27')).toBeLessThan(0.01);
    expect(warmth('2026-07-28')).toBeGreaterThan(0.99);
  });
});

describe('the generator', () => {
  it('gives the same numbers for the same seed, and others for another', () => {
    const draw = (seed: string) => {
      const random = createRandom(seed);
      return Array.from({ length: 20 }, () => random.integer(0, 1_000_000));
    };
    expect(draw('a')).toEqual(draw('a'));
    expect(draw('a')).not.toEqual(draw('b'));
  });

  it('stays within the spread and the bounds', () => {
    fc.assert(
      fc.property(fc.string(), seed => {
        const random = createRandom(seed);
        expect(Math.abs(random.around(10, 2) - 10)).toBeLessThanOrEqual(2);
        expect([3, 4, 5]).toContain(random.integer(3, 5));
        expect(random.shuffle([1, 2, 3]).sort()).toEqual([1, 2, 3]);
      }),
    );
  });
});

describe('the templates', () => {
  const all = templateNumbers.flatMap(number => characteristicsOf(number).map(each => ({ number, ...each })));
  const measured = all.filter(({ typical }) => typical !== null);

  it.each(measured)(
    '$number: what is usual of "$name" lies within its limits',
    ({ dimensions, tolerance, typical }) => {
      const limits = parseLimits(dimensions, tolerance);
      expect(limits).not.toBeNull();
      if (limits === null || typical === null) return;
      const { mean, spread, inSummer = 0, perMonth = 0 } = typical;
      // The oldest lot that the laboratory looks at is three months old, at any time of the year.
      const shifts = [0, inSummer, 3 * perMonth, inSummer + 3 * perMonth];
      for (const shift of shifts) {
        for (const value of [mean + shift - spread, mean + shift + spread])
          expect(judge(limits, value)).toBe('pass');
      }
    },
  );

  it('judge by eye only what has no limits', () => {
    for (const { dimensions, tolerance, typical } of all) {
      if (typical === null) expect(parseLimits(dimensions, tolerance)).toBeNull();
    }
  });

  it('show every form of a tolerance', () => {
    const tolerances = measured.map(({ tolerance }) => tolerance);
    for (const form of [
      /^±[\d.]+$/,
      /^±[\d.]+%$/,
      /^\+.*\/-/,
      /^min/,
      /^max/,
      /^<= /,
      /^< /,
      /^[\d.]+-[\d.]+$/,
      / to /,
    ]) {
      expect(
        tolerances.some(tolerance => form.test(tolerance)),
        String(form),
      ).toBe(true);
    }
  });
});

describe('the receipts', () => {
  it('name every lot once, whatever day it is, and lie in the past', () => {
    fc.assert(
      fc.property(today, date => {
        const calendar = createCalendar(date);
        const receipts = [...purchases(calendar), ...pressingRuns(calendar), ...bottlingRuns(calendar)];
        const lots = receipts.flatMap(({ lines }) => lines.map(({ lot }) => lot));
        expect(new Set(lots).size).toBe(lots.length);
        expect(receipts.every(({ day }) => day < 0 && day > -275)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});

describe('the laboratory', () => {
  it('finds higher peroxide values in the warm months, whatever day it is', () => {
    fc.assert(
      fc.property(today, date => {
        const calendar = createCalendar(date);
        const results = plannedResults(pressingRuns(calendar)).map(result => {
          const day = calendar.workday(result.day);
          return { warmth: warmth(day), value: Number(measurements(result, day)['Peroxide value']) };
        });
        const warm = results.filter(result => result.warmth >= 0.5).map(({ value }) => value);
        const cold = results.filter(result => result.warmth < 0.5).map(({ value }) => value);
        expect(mean(warm)).toBeGreaterThan(mean(cold) + 0.5);
      }),
    );
  });
});

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
