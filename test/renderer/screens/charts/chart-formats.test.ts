import { expect, it } from 'vitest';
import { useChartFormats } from '../../../../renderer/screens/charts/chart-formats.ts';
import { drawn } from '../../support/drawn.ts';

it.each([
  // A measure bears one digit more than its scatter.
  [12.345678, 0.02, '12.346', '12,346'],
  [12.345678, 0.5, '12.35', '12,35'],
  [12.345678, 5, '12.3', '12,3'],
  [1_234.5, 50, '1,235', '1.235'],
  [12, 0.02, '12.000', '12,000'],
  // Values that are all equal have none.
  [12.345678, 0, '12.345678', '12,345678'],
  [12, 0, '12', '12'],
])('the measure %d with a scatter of %d is written %s', async (value, scatter, english, german) => {
  expect((await drawn(useChartFormats)).measure(value, scatter)).toBe(english);
  expect((await drawn(useChartFormats, { language: 'de' })).measure(value, scatter)).toBe(german);
});

it('months, shares, sums and indices are written as the language does', async () => {
  const written = ({ month, share, compact, index }: ReturnType<typeof useChartFormats>) => [
    month('2032-04'),
    share(0.9),
    share(0.8745),
    compact(1_234_567),
    index(1.333),
    index(null),
  ];
  expect(written(await drawn(useChartFormats))).toEqual(['Apr 2032', '90%', '87.5%', '1.23M', '1.33', '–']);
  const german = written(await drawn(useChartFormats, { language: 'de' }));
  expect(german.map(text => text.replaceAll('\u00a0', ' '))).toEqual([
    'Apr. 2032',
    '90 %',
    '87,5 %',
    '1,23 Mio.',
    '1,33',
    '–',
  ]);
});
