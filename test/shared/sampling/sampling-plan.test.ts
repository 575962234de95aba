import { describe, expect, it } from 'vitest';
import { followArrows, samplingPlan } from '../../../shared/sampling/sampling-plan.ts';
import type { InspectionLevel, Severity } from '../../../shared/sampling/sampling-tables.ts';

describe('samplingPlan', () => {
  it.each<[number, InspectionLevel, number, Severity, string, string, number, number]>([
    // Montgomery, Introduction to Statistical Quality Control, section 15.4.2: N = 2000, level II, AQL 0.65 %.
    [2000, 'II', 0.65, 'normal', 'K', 'K', 125, 2],
    [2000, 'II', 0.65, 'tightened', 'K', 'K', 125, 1],
    // The same on reduced inspection: MIL-STD-105E has Ac 1, Re 3; ISO 2859-1:1999 closes the gap.
    [2000, 'II', 0.65, 'reduced', 'K', 'K', 50, 1],
    // ANSI/ASQ Z1.4-2008 and ISO 2859-1 table 2-A: J at AQL 1.0.
    [1000, 'II', 1, 'normal', 'J', 'J', 80, 2],
    [1000, 'II', 1, 'tightened', 'J', 'J', 80, 1],
    [1000, 'II', 1, 'reduced', 'J', 'J', 32, 1],
    // Table 2-C differs from MIL-STD-105E's II-C: 50/3 instead of 50/2, 125/6 instead of 125/5.
    [2000, 'II', 1.5, 'reduced', 'K', 'K', 50, 3],
    [20_000, 'II', 1.5, 'reduced', 'M', 'M', 125, 6],
    // Arrows down, up, and up over two rows.
    [200, 'II', 1, 'normal', 'G', 'H', 50, 1],
    [100, 'II', 1, 'normal', 'F', 'E', 13, 0],
    [200, 'II', 1, 'tightened', 'G', 'J', 80, 1],
    [1_000_000, 'II', 10, 'normal', 'Q', 'K', 125, 21],
    [40, 'S-1', 10, 'tightened', 'A', 'D', 8, 1],
    [40, 'S-1', 6.5, 'tightened', 'A', 'B', 3, 0],
    [40, 'S-1', 6.5, 'normal', 'A', 'A', 2, 0],
    [1_000_000, 'III', 0.025, 'tightened', 'R', 'S', 3150, 1],
    [1_000_000, 'III', 0.025, 'reduced', 'R', 'N', 200, 0],
    [1_000_000, 'III', 0.01, 'normal', 'R', 'Q', 1250, 0],
  ])('%i at level %s, AQL %d, %s', (lotSize, level, aql, severity, letter, letterUsed, n, ac) => {
    expect(samplingPlan({ lotSize, level, aql, severity })).toMatchObject({
      letter,
      letterUsed,
      n,
      ac,
      re: ac + 1,
      isWholeLot: false,
    });
  });

  it.each<[number, number, number, number]>([
    // Letter A, AQL 1.0: arrows down to E with 13, more than the lot.
    [8, 1, 8, 0],
    [13, 1, 13, 0],
    [14, 1, 13, 0],
    [1, 6.5, 1, 0],
    [40, 0.01, 40, 0],
  ])('of %i items at AQL %d inspects %i', (lotSize, aql, n, ac) => {
    const plan = samplingPlan({ lotSize, level: 'II', aql, severity: 'normal' });
    expect(plan).toMatchObject({ n, ac, re: ac + 1, isWholeLot: n === lotSize });
    expect(plan.steps.some(({ rule }) => rule === 'wholeLot')).toBe(n === lotSize);
  });

  it('explains itself', () => {
    expect(samplingPlan({ lotSize: 40, level: 'I', aql: 1, severity: 'normal' }).steps).toEqual([
      { rule: 'letter', values: { lotSize: 40, from: 26, to: 50, level: 'I', letter: 'C' } },
      { rule: 'arrowDown', values: { table: '2-A', aql: 1, from: 'C', to: 'E' } },
      { rule: 'plan', values: { table: '2-A', aql: 1, letter: 'E', n: 13, ac: 0, re: 1 } },
    ]);
    expect(
      samplingPlan({ lotSize: 12, level: 'III', aql: 0.65, severity: 'reduced' }).steps.map(
        ({ rule }) => rule,
      ),
    ).toEqual(['letter', 'arrowDown', 'plan']);
  });

  it('explains an arrow up, a lot that is inspected whole, and which table it read', () => {
    expect(samplingPlan({ lotSize: 100, level: 'II', aql: 1, severity: 'normal' }).steps).toEqual([
      { rule: 'letter', values: { lotSize: 100, from: 91, to: 150, level: 'II', letter: 'F' } },
      { rule: 'arrowUp', values: { table: '2-A', aql: 1, from: 'F', to: 'E' } },
      { rule: 'plan', values: { table: '2-A', aql: 1, letter: 'E', n: 13, ac: 0, re: 1 } },
    ]);
    expect(samplingPlan({ lotSize: 1, level: 'II', aql: 1, severity: 'tightened' }).steps).toEqual([
      { rule: 'letter', values: { lotSize: 1, from: 2, to: 8, level: 'II', letter: 'A' } },
      { rule: 'arrowDown', values: { table: '2-B', aql: 1, from: 'A', to: 'F' } },
      { rule: 'plan', values: { table: '2-B', aql: 1, letter: 'F', n: 20, ac: 0, re: 1 } },
      { rule: 'wholeLot', values: { n: 20, lotSize: 1 } },
    ]);
    expect(samplingPlan({ lotSize: 1_000_000, level: 'II', aql: 0.01, severity: 'reduced' }).steps).toEqual([
      { rule: 'letter', values: { lotSize: 1_000_000, from: 500_001, to: null, level: 'II', letter: 'Q' } },
      { rule: 'plan', values: { table: '2-C', aql: 0.01, letter: 'Q', n: 500, ac: 0, re: 1 } },
    ]);
  });

  it('names what is wrong with a request', () => {
    const plan = (lotSize: number, aql: number) => () =>
      samplingPlan({ lotSize, level: 'II', aql, severity: 'normal' });
    expect(plan(1.5, 1)).toThrow(
      new RangeError('The lot size 1.5 is no whole number of 1 or more. Give the number of items.'),
    );
    const known = '0.01, 0.015, 0.025, 0.04, 0.065, 0.1, 0.15, 0.25, 0.4, 0.65, 1, 1.5, 2.5, 4, 6.5, 10';
    expect(plan(10, 15)).toThrow(new RangeError(`The AQL 15 is not in ISO 2859-1. Use one of ${known}.`));
    expect(() => followArrows('normal', 'J', 15)).toThrow(
      new RangeError('Table 2-A has no plan at J and AQL 15.'),
    );
    expect(() => followArrows('reduced', 'I', 1)).toThrow(
      new RangeError('Table 2-C has no plan at I and AQL 1.'),
    );
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses a lot of %d', lotSize => {
    expect(() => samplingPlan({ lotSize, level: 'II', aql: 1, severity: 'normal' })).toThrow(RangeError);
  });

  it.each([15, 0, 0.5])('refuses an AQL of %d', aql => {
    expect(() => samplingPlan({ lotSize: 100, level: 'II', aql, severity: 'normal' })).toThrow(
      /Use one of 0.01/,
    );
  });
});
