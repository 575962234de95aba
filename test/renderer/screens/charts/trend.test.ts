import { describe, expect, it } from 'vitest';
import type { Language } from '../../../../renderer/i18n/i18n.ts';
import { analyse, runsOf } from '../../../../renderer/screens/charts/trend-analysis.ts';
import { useTrendLines, valuesOf } from '../../../../renderer/screens/charts/trend-lines.ts';
import { useTrendTable } from '../../../../renderer/screens/charts/trend-table.ts';
import { useTrendWords } from '../../../../renderer/screens/charts/trend-words.ts';
import type { Trend } from '../../../../shared/operations/figure-schemas.ts';
import { pointOf, trendOf } from '../../charts/trend.ts';
import { drawn } from '../../support/drawn.ts';

/** A bore that stands still and then jumps: by hand, its mean moving range is 0.04. */
const JUMP = [12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12.4];

const wordsOf = (trend: Trend, language: Language = 'en') =>
  drawn(() => useTrendWords(trend, analyse(trend)), { language });
const linesOf = (trend: Trend, language: Language = 'en') =>
  drawn(() => useTrendLines(trend, analyse(trend), useTrendWords(trend, analyse(trend))), { language });
const tableOf = (trend: Trend, language: Language = 'en') =>
  drawn(() => useTrendTable(trend, analyse(trend)), { language });

describe('what is worked out of points', () => {
  it('has the rules that each point breaks, and limits, capability and unit by the latest limits', () => {
    const found = analyse(trendOf(JUMP));
    expect(found.values).toEqual(JUMP);
    expect(found.ranges).toEqual([null, ...Array.from({ length: 9 }, () => 0), 0.4]);
    expect(found.chart).toMatchObject({ meanRange: 0.04, rangesBeyond: [10] });
    expect(found.rules.at(-1)).toContain(1);
    expect(found.rules[0]).not.toContain(1);
    expect(found.rules).toHaveLength(JUMP.length);
    expect(found.unit).toBe('mm');
    const narrowed = analyse(trendOf(JUMP, [{}, { from_point: 5, lower: 11.8, upper: 12.2 }]));
    expect(narrowed.capability.pp).toBeCloseTo((found.capability.pp ?? Number.NaN) / 2, 10);
  });

  it('has no control limits for one point, and no unit without limits', () => {
    expect(analyse(trendOf([12]))).toMatchObject({ chart: null, findings: [], rules: [[]], ranges: [null] });
    expect(analyse({ points: [], limits: null })).toMatchObject({ values: [], chart: null, unit: null });
  });

  it.each([
    [[], []],
    [[4], [{ first: 4, last: 4 }]],
    [
      [1, 2, 3, 5, 7, 8],
      [
        { first: 1, last: 3 },
        { first: 5, last: 5 },
        { first: 7, last: 8 },
      ],
    ],
  ])('tells the points %j as stretches', (points, runs) => {
    expect(runsOf(points)).toEqual(runs);
  });
});

describe('the lines of a trend', () => {
  it('go across all points where they are control limits, and are called by their value', async () => {
    const { control, ranges } = await linesOf(trendOf(JUMP));
    const { chart } = analyse(trendOf(JUMP));
    expect(control.map(({ kind, name, stretches }) => [kind, name, stretches])).toEqual([
      ['control', 'upper', [{ from: 0, to: 10, value: chart?.upper }]],
      ['centre', 'centre', [{ from: 0, to: 10, value: chart?.centre }]],
      ['control', 'lower', [{ from: 0, to: 10, value: chart?.lower }]],
    ]);
    // Sigma is 0.04 / 1.128 = 0.035: three decimals are borne.
    expect(control.map(({ label }) => label)).toEqual(['UCL 12.143', 'Mean 12.036', 'LCL 11.930']);
    expect(ranges.map(({ name, stretches }) => [name, stretches[0]?.value])).toEqual([
      ['upper', chart?.upperRange],
      ['centre', 0.04],
    ]);
    expect(valuesOf(ranges)).toEqual([chart?.upperRange, 0.04]);
  });

  it('are a stair where the specification changed', async () => {
    const { specification } = await linesOf(
      trendOf(JUMP, [
        {},
        { from_point: 6, upper: 12.2, lower: null },
        { from_point: 9, upper: 12.3, lower: 11.9 },
      ]),
    );
    expect(specification).toEqual([
      {
        kind: 'spec',
        name: 'specUpper',
        label: 'USL 12.3',
        stretches: [
          { from: 0, to: 5, value: 12.4 },
          { from: 6, to: 8, value: 12.2 },
          { from: 9, to: 10, value: 12.3 },
        ],
      },
      {
        kind: 'spec',
        name: 'specLower',
        label: 'LSL 11.9',
        stretches: [
          { from: 0, to: 5, value: 11.6 },
          { from: 9, to: 10, value: 11.9 },
        ],
      },
    ]);
    expect(valuesOf(specification)).toEqual([12.4, 12.2, 12.3, 11.6, 11.9]);
  });

  it('are none that nobody gave, and none of control with one point', async () => {
    const open = await linesOf(trendOf([12], [{ lower: null }]));
    expect(open).toMatchObject({ control: [], ranges: [] });
    expect(open.specification.map(({ name }) => name)).toEqual(['specUpper']);
    expect((await linesOf(trendOf([12], []))).specification).toEqual([]);
  });

  it('speak German', async () => {
    const { control, specification } = await linesOf(trendOf(JUMP), 'de');
    expect([...control, ...specification].map(({ label }) => label)).toEqual([
      'OEG 12,143',
      'Mittel 12,036',
      'UEG 11,930',
      'OSG 12,4',
      'USG 11,6',
    ]);
  });
});

describe('the words of a trend', () => {
  it('write a measured value as it was measured, and a mean with the digits that it bears', async () => {
    const single = await wordsOf(trendOf(JUMP));
    expect(single.value(12.4)).toBe('12.4 mm');
    expect(single.workedOut(12.0363636)).toBe('12.036 mm');
    const trend = trendOf(JUMP);
    const means = await wordsOf({ ...trend, points: trend.points.map(point => ({ ...point, n: 2 })) });
    expect(means.value(12.4)).toBe('12.400 mm');
    expect(means.deviation(0.0354609)).toBe('0.0355 mm');
    expect(means.plain(12)).toBe('12.000');
  });

  it('leave the unit out where nothing says one', async () => {
    const { value, workedOut } = await wordsOf(trendOf(JUMP, []));
    expect([value(12.4), workedOut(12)]).toEqual(['12.4', '12.000']);
  });

  it('call a point by its lot and its day', async () => {
    const { label, day } = await wordsOf(trendOf([12, 13]));
    expect([label(1), label(2), day(pointOf({}))]).toEqual(['B-2', '3', 'May 4, 2026']);
  });

  it.each<[lower: number | null, upper: number | null, english: string, german: string]>([
    [11.6, 12.4, '11.6 to 12.4 mm', '11,6 bis 12,4 mm'],
    [11.6, null, 'from 11.6 mm', 'ab 11,6 mm'],
    [null, 12.4, 'up to 12.4 mm', 'bis 12,4 mm'],
    [0, 0, '0 to 0 mm', '0 bis 0 mm'],
    [null, null, 'no limits', 'keine Grenzen'],
  ])('tell the limits %s and %s as: %s', async (lower, upper, english, german) => {
    expect((await wordsOf(trendOf(JUMP))).limits({ lower, upper })).toBe(english);
    expect((await wordsOf(trendOf(JUMP), 'de')).limits({ lower, upper })).toBe(german);
  });
});

describe('the table of a trend', () => {
  it('has each point with its range, its verdict and its rules, as written and as read', async () => {
    const trend = trendOf(JUMP);
    const points = trend.points.map((point, index) => ({ ...point, n: 2, is_within: index < 10 }));
    const { columns, rows } = await tableOf({ ...trend, points });
    expect(columns.map(({ label }) => label)).toEqual([
      'No.',
      'Lot',
      'When',
      'Value [mm]',
      'Mean of',
      'Moving range',
      'Specification',
      'Rules broken',
    ]);
    expect(columns.map(({ isNumber = false }) => isNumber)).toEqual([
      true,
      false,
      false,
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(rows).toHaveLength(JUMP.length);
    expect(rows[0]?.map(({ value }) => value)).toEqual([
      1,
      'B-1',
      '2026-05-04T10:15:00.000Z',
      12,
      2,
      null,
      'within',
      '',
    ]);
    expect(rows[0]?.map(({ value, shown = value }) => shown)).toEqual([
      '1',
      'B-1',
      'May 4, 2026',
      '12',
      '2',
      '–',
      'within',
      '–',
    ]);
    const last = rows.at(-1)?.map(({ value }) => value) ?? [];
    expect(last.slice(3, 7)).toEqual([12.4, 2, 0.4, 'outside']);
    expect(last[7]).toMatch(/^1;.*range: 1$/);
    expect(rows.at(-1)?.[7]?.shown).toMatch(/^1,.*range: 1$/);
  });

  it('leads to the lot, or where none is named to what was measured', async () => {
    const trend = trendOf([12, 13]);
    const [first] = trend.points;
    if (!first) throw new Error('There are points.');
    const points = [first, pointOf({ family: 'lab-result', id: 9 }), pointOf({ is_within: null })];
    const { rows } = await tableOf({ ...trend, points });
    expect(rows.map(row => row[1]?.path)).toEqual(['/app/stock/1', '/app/lab/9', '/app/inspection/40']);
    expect(rows.map(row => row[6]?.value)).toEqual(['within', 'within', 'none']);
  });

  it('writes numbers as the language does, and the same to a file', async () => {
    const { columns, rows } = await tableOf(trendOf([12.4, 12.3], []), 'de');
    expect(columns[3]?.label).toBe('Wert');
    expect(rows[1]?.map(({ value }) => value).slice(3, 6)).toEqual([12.3, 1, 0.1]);
    expect(rows[1]?.map(({ shown }) => shown).slice(2, 6)).toEqual(['04.05.2026', '12,3', '1', '0,1']);
  });
});
