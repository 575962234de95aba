import { describe, expect, it } from 'vitest';
import { judge, type Limits, parseLimits, position } from '../../../shared/quantities/tolerance.ts';
import fc from '../../support/fast-check.ts';

/** `[5, 10]` includes both limits, `(5, 10)` neither; a missing limit is `…`. */
function interval(limits: Limits | null): string | null {
  if (limits === null) return null;
  const { lower, upper, isLowerInclusive, isUpperInclusive } = limits;
  return `${isLowerInclusive ? '[' : '('}${lower ?? '…'}, ${upper ?? '…'}${isUpperInclusive ? ']' : ')'}`;
}

describe('parseLimits', () => {
  it.each([
    // relative to the nominal
    ['10', '±0.1', '[9.9, 10.1]'],
    ['12.5 mm', '±0.1', '[12.4, 12.6]'],
    ['12.5 mm', '±0.1 mm', '[12.4, 12.6]'],
    ['12.5mm', '± .005mm', '[12.495, 12.505]'],
    ['12.5', '±0.1 mm', '[12.4, 12.6]'],
    ['12.5 mm', '+/-0.1', '[12.4, 12.6]'],
    ['12.5 mm', '+/- 0.1', '[12.4, 12.6]'],
    ['12.5 mm', '+ / - 0.1', '[12.4, 12.6]'],
    ['12.5 mm', '+-0.1', '[12.4, 12.6]'],
    ['12.5', '+0.2/-0.1', '[12.4, 12.7]'],
    ['12.5', '+ 0.2 / - 0.1', '[12.4, 12.7]'],
    ['12.5', '+0.2 -0.1', '[12.4, 12.7]'],
    ['12.5', '+0.2-0.1', '[12.4, 12.7]'],
    ['12.5', '+0.2, -0.1', '[12.4, 12.7]'],
    ['12.5', '-0.1/+0.2', '[12.4, 12.7]'],
    ['12.5', '-0.1 +0.2', '[12.4, 12.7]'],
    ['12.5 mm', '+0.2/-0.1 mm', '[12.4, 12.7]'],
    ['12.5', '+0.2/0', '[12.5, 12.7]'],
    ['12.5', '0/-0.1', '[12.4, 12.5]'],
    ['12.5', '+0.3/+0.1', '[12.6, 12.8]'],
    ['12.5', '-0.020/-0.041', '[12.459, 12.48]'],
    ['12.5', '\u22120.1/+0.2', '[12.4, 12.7]'],
    ['10', '±5%', '[9.5, 10.5]'],
    ['12.3 g', '± 5 %', '[11.685, 12.915]'],
    ['-10', '±5%', '[-10.5, -9.5]'],
    ['-10', '+5%/-10%', '[-11, -9.5]'],
    ['0.3', '±0.05%', '[0.29985, 0.30015]'],
    ['12 %', '±0.5', '[11.5, 12.5]'],
    ['0', '±0', '[0, 0]'],
    ['Ø 12.5 mm', '±0.1', '[12.4, 12.6]'],
    ['12.5"', '±.005"', '[12.495, 12.505]'],
    ['1.2 g/cm3', '±0.1 g/cm3', '[1.1, 1.3]'],
    ['5 \u03bcg/g', '±1 \u00b5g/g', '[4, 6]'],
    ['3.5 N.m', '±0.2 N.m', '[3.3, 3.7]'],
    ['5 min', '±1 min', '[4, 6]'],
    // absolute limits
    [null, 'min 5', '[5, …]'],
    [null, 'Min. 5 mm', '[5, …]'],
    [null, 'minimum: 5', '[5, …]'],
    [null, '5 min', '[5, …]'],
    [null, 'min 5 min', '[5, …]'],
    [null, 'max 10', '[…, 10]'],
    [null, '10 MAX', '[…, 10]'],
    [null, '10 mm max.', '[…, 10]'],
    [null, 'min 5 max 10', '[5, 10]'],
    [null, 'max 10 min 5', '[5, 10]'],
    [null, 'min 5 mm, max 10 mm', '[5, 10]'],
    [null, '5 min / 10 max', '[5, 10]'],
    [null, '≥5', '[5, …]'],
    [null, '≥ 5', '[5, …]'],
    [null, '>= 5', '[5, …]'],
    [null, '>5', '(5, …]'],
    [null, '<=10', '[…, 10]'],
    [null, '≤10', '[…, 10]'],
    [null, '< 10', '[…, 10)'],
    [null, '<-10', '[…, -10)'],
    [null, '≥5 <10', '[5, 10)'],
    [null, '> 5, ≤ 10', '(5, 10]'],
    [null, '5-10', '[5, 10]'],
    [null, '5 – 10', '[5, 10]'],
    [null, '5\u00a0\u2014\u00a010 mm', '[5, 10]'],
    [null, '5 to 10', '[5, 10]'],
    [null, '5 mm TO 10 mm', '[5, 10]'],
    [null, '-5 - 10', '[-5, 10]'],
    [null, '-5-10', '[-5, 10]'],
    [null, '-10 - -5', '[-10, -5]'],
    [null, '-20 to +40 °C', '[-20, 40]'],
    [null, '5 min - 10 min', '[5, 10]'],
    [null, 'max 5%', '[…, 5]'],
    ['3 %', 'max 5%', '[…, 5]'],
    ['pH', '3.2-3.6', '[3.2, 3.6]'],
    ['', '5-10', '[5, 10]'],
    ['7 mm', '5-10', '[5, 10]'],
    ['7 mm', '5-10 mm', '[5, 10]'],
    ['10', '≤10', '[…, 10]'],
    // decimal commas
    ['12,5', '±0,1', '[12.4, 12.6]'],
    ['12,5 mm', '±1', '[11.5, 13.5]'],
    ['0,125', '±0,005', '[0.12, 0.13]'],
    ['1234,567', '±0,5', '[1234.067, 1235.067]'],
    [null, '0,5-1,5', '[0.5, 1.5]'],
    ['1,2345', '±0,1', '[1.1345, 1.3345]'],
    // surroundings
    ['  12.5\t', ' ±0.1 ', '[12.4, 12.6]'],
    ['12.5  mm', '±0.1', '[12.4, 12.6]'],
    ['Ø12.5', '±0.1', '[12.4, 12.6]'],
    ['12.5 Ø', '±0.1', '[12.4, 12.6]'],
    [`1.${'0'.repeat(58)}`, '±1', '[0, 2]'],
    ['1', `±1.${'0'.repeat(57)}`, '[0, 2]'],
    // units that begin or end as a limit does
    ['5 kto', '±1', '[4, 6]'],
    ['5 tons', '±1', '[4, 6]'],
    // per cent to each side, and limits at the nominal or on one side of it
    ['10', '+5%/-10%', '[9, 10.5]'],
    ['5', '5-10', '[5, 10]'],
    ['7', 'min 5', '[5, …]'],
    [null, '5 mm - 10', '[5, 10]'],
    // a nominal in minutes
    ['7 min', 'min 5', '[5, …]'],
    ['7 min', '10 max', '[…, 10]'],
    ['7 min', '5 min min', '[5, …]'],
  ])('%j with %j is %s', (dimensions, tolerance, expected) => {
    expect(interval(parseLimits(dimensions, tolerance))).toBe(expected);
  });

  it.each([
    // no tolerance, or none that can be read
    [null, null],
    ['', ''],
    ['12.5 mm', null],
    ['12.5 mm', ''],
    ['12.5', 'h7'],
    ['12.5', 'ISO 2768-m'],
    ['12.5', 'see drawing'],
    ['12.5', '±'],
    ['12.5', '±abc'],
    ['12.5', '±-0.1'],
    ['12.5', '±0.1 mm (ISO 2768)'],
    ['12.5', '±0.1 ±0.2'],
    ['12.5', '± 1 000'],
    // relative to a nominal that is missing or unreadable
    [null, '±0.1'],
    ['pH', '±0.1'],
    ['M8x1.25', '5-10'],
    ['12.5 x 3', '±0.1'],
    ['12.5x3', '±0.1'],
    ['12.5 ±0.1', '±0.1'],
    ['12H7', '±0.1'],
    ['1/2', '±0.1'],
    ['1½', '5-10'],
    ['½', '0.1-1'],
    ['１２', '5-10'],
    ["45°30'", '±0.1'],
    ['45°30', '±0.1'],
    ['1h30', '±0.1'],
    ['12.5 max', '±0.1'],
    // thousands separators and exponents
    ['1,234', '±1'],
    ['1,234.5', '±1'],
    ['1.234,5', '±1'],
    ["1'234", '±1'],
    ['1 234', '±1'],
    ['12,345,678', '±1'],
    ['1e5', '±1'],
    ['1E5', '±1'],
    [null, '1e-5'],
    [null, 'min 1,234'],
    [null, '1,000-2,000'],
    [null, 'max 1 000'],
    ['12,345', '±1'],
    ['12', '+1/-1,234'],
    ['12', '+1,234/-1'],
    [null, '1,234-2000'],
    [null, '2-12,345'],
    [null, 'min 1,234 max 2000'],
    [null, 'min 5 max 1,234'],
    ['12.5', '±0,1'],
    ['12,5', '±.1'],
    // no side, or two readings
    ['12.5', '0.1'],
    ['12.5', '0.05%'],
    ['12.5', '+0.2'],
    ['12.5', '-0.1'],
    ['12.5', '0.2/0.1'],
    ['12.5', '+0.2/0.1'],
    ['12.5', '0.2/-0.1'],
    ['12.5', '-0.1 -0.2'],
    ['12.5', '+0.2 - 0.1'],
    ['0.1', '-0.1 to +0.2'],
    ['7', '+5 to 10'],
    ['12.5', '+0.2 max'],
    [null, '5 -10'],
    [null, '5- 10'],
    [null, '-5 -10'],
    [null, 'min.5'],
    ['5 min', '5 min'],
    [null, '5, 10'],
    [null, '2024-01-05'],
    // units that differ, or a ratio that may be of the nominal
    ['12.5 mm', '±0.1 in'],
    ['12.5 mm', '±0.1 MM'],
    ['12.5 mm', '+0.2 mm/-0.1 in'],
    ['12.5 mm', '+0.2 in/-0.1 mm'],
    ['12.5 mm', '5-20 cm'],
    ['12.5 mm', '5 cm - 20'],
    [null, '1h23'],
    [null, '5 mm - 10 in'],
    [null, 'min 5 mm max 10 cm'],
    ['12.5', '±5 ppm'],
    ['12.5', '±2 sigma'],
    ['12.5', '±5 mg/kg'],
    ['3', 'max 5%'],
    ['12 %', '±5%'],
    ['12 CBD%', '±5%'],
    ['12.5', '+5/-10%'],
    ['12.5', '+5%/-0.1'],
    // contradictions
    [null, '10-5'],
    [null, '5--3'],
    [null, 'min 10 max 5'],
    [null, 'min 5 min 6'],
    [null, '≥5 >6'],
    [null, '>5 <5'],
    [null, '≥5 <5'],
    ['12.5', '5-10'],
    ['12.5', 'max 0.05'],
    ['4', '≥5'],
    // beyond any drawing
    ['12.5', `±0.${'0'.repeat(60)}1`],
    [`1${' '.repeat(5)}${'mm'.repeat(40)}`, '±0.1'],
  ])('%j with %j is for a person to judge', (dimensions, tolerance) => {
    expect(parseLimits(dimensions, tolerance)).toBeNull();
  });

  it('tells the nominal, and that a description has none', () => {
    expect(parseLimits('12.5 mm', '±0.1')?.nominal).toBe(12.5);
    expect(parseLimits('7', '5-10')?.nominal).toBe(7);
    expect(parseLimits('pH', '3-4')?.nominal).toBeNull();
  });

  it('answers for any text without throwing, and never with limits that cross', () => {
    const piece = fc.constantFrom(
      ...[
        '1',
        '5',
        '10',
        '0.5',
        '0,5',
        ',',
        '.',
        '+',
        '-',
        '±',
        '/',
        '%',
        ' ',
        'min',
        'max',
        'to',
        'mm',
        '<',
        '≥',
        'e',
      ],
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece, { maxLength: 8 }).map(pieces => pieces.join('')),
    );
    fc.assert(
      fc.property(fc.option(text), text, (dimensions, tolerance) => {
        const limits = parseLimits(dimensions, tolerance);
        if (limits === null) return;
        const { lower, upper } = limits;
        expect(lower !== null || upper !== null).toBe(true);
        if (lower !== null && upper !== null) expect(lower).toBeLessThanOrEqual(upper);
      }),
      { numRuns: 5000 },
    );
  });

  describe('worked out in integers of a thousandth', () => {
    const thousandths = fc.integer({ min: -10_000_000, max: 10_000_000 });
    const deviation = fc.integer({ min: 0, max: 1_000_000 });
    const text = (value: number): string => (value / 1000).toFixed(3);

    it('gives the nearest number to each limit, whatever way the deviations are written', () => {
      fc.assert(
        fc.property(thousandths, deviation, deviation, (nominal, plus, minus) => {
          const lower = (nominal - minus) / 1000 + 0;
          const upper = (nominal + plus) / 1000 + 0;
          for (const tolerance of [
            `+${text(plus)}/-${text(minus)}`,
            `-${text(minus)}/+${text(plus)}`,
            `+${text(plus)} -${text(minus)}`,
            `-${text(minus)} mm +${text(plus)} mm`,
          ]) {
            expect(parseLimits(`${text(nominal)} mm`, tolerance)).toMatchObject({ lower, upper });
          }
        }),
      );
    });

    it('accepts a value at each limit and fails one a thousandth beyond', () => {
      fc.assert(
        fc.property(thousandths, deviation, (nominal, width) => {
          const limits = parseLimits(text(nominal), `±${text(width)}`);
          if (limits === null) throw new Error('The limits did not parse.');
          const verdict = (value: number) => judge(limits, Number(text(value)));
          expect([nominal - width, nominal, nominal + width].map(verdict)).toEqual(['pass', 'pass', 'pass']);
          expect([nominal - width - 1, nominal + width + 1].map(verdict)).toEqual(['fail', 'fail']);
        }),
      );
    });

    it('reads a range however it is written', () => {
      fc.assert(
        fc.property(thousandths, deviation, (from, width) => {
          const [a, b] = [text(from), text(from + width)];
          const expected = interval(parseLimits(null, `min ${a} max ${b}`));
          expect(expected).toBe(`[${Number(a) + 0}, ${Number(b) + 0}]`);
          for (const range of [
            `${a} - ${b}`,
            `${a}-${b}`,
            `${a} to ${b}`,
            `≥${a} ≤${b}`,
            `${b} max ${a} min`,
          ]) {
            expect(interval(parseLimits(null, range))).toBe(expected);
          }
        }),
      );
    });

    it('takes per cent of the nominal exactly', () => {
      fc.assert(
        fc.property(thousandths, fc.integer({ min: 0, max: 1000 }), (nominal, percent) => {
          const deviationIn100000ths = Math.abs(nominal) * percent;
          expect(parseLimits(text(nominal), `±${percent}%`)).toMatchObject({
            lower: (nominal * 100 - deviationIn100000ths) / 100_000 + 0,
            upper: (nominal * 100 + deviationIn100000ths) / 100_000 + 0,
          });
        }),
      );
    });
  });
});

const limits = (lower: number | null, upper: number | null, isInclusive = true): Limits => ({
  nominal: null,
  lower,
  upper,
  isLowerInclusive: isInclusive,
  isUpperInclusive: isInclusive,
});

describe('judge', () => {
  it.each([
    [limits(5, 10), 5, 'pass'],
    [limits(5, 10), 10, 'pass'],
    [limits(5, 10), 4.999999, 'fail'],
    [limits(5, 10), 10.000001, 'fail'],
    [limits(5, 10, false), 5, 'fail'],
    [limits(5, 10, false), 10, 'fail'],
    [limits(5, 10, false), 7, 'pass'],
    [limits(5, null), 1e300, 'pass'],
    [limits(null, 5), -1e300, 'pass'],
    [limits(0, 0), -0, 'pass'],
    [limits(5, null), Number.POSITIVE_INFINITY, 'fail'],
    [limits(null, 5), Number.NEGATIVE_INFINITY, 'fail'],
    [limits(5, 10), Number.NaN, 'fail'],
  ])('%j at %d: %s', (within, value, verdict) => {
    expect(judge(within, value)).toBe(verdict);
  });

  it.each([9.9, 10.1])('accepts %d within 10 ± 0.1', value => {
    const tenth = parseLimits('10', '±0.1');
    expect(tenth && judge(tenth, value)).toBe('pass');
  });
});

describe('position', () => {
  it.each([
    [limits(5, 10), 5, 0],
    [limits(5, 10), 10, 1],
    [limits(5, 10), 7.5, 0.5],
    [limits(5, 10), 0, -1],
    [limits(5, 10), 15, 2],
    [limits(5, null), 7, null],
    [limits(null, 10), 7, null],
    [limits(5, 5), 5, null],
    [limits(5, 10), Number.NaN, null],
  ])('in %j, %d is at %d', (within, value, place) => {
    expect(position(within, value)).toBe(place);
  });

  it('lies between 0 and 1 exactly for what passes', () => {
    const number = fc.integer({ min: -1000, max: 1000 });
    fc.assert(
      fc.property(number, fc.integer({ min: 1, max: 1000 }), number, (lower, width, value) => {
        const within = limits(lower, lower + width);
        const place = position(within, value) ?? Number.NaN;
        expect(place >= 0 && place <= 1).toBe(judge(within, value) === 'pass');
      }),
    );
  });
});
