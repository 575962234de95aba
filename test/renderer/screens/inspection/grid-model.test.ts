import { describe, expect, it } from 'vitest';
import {
  characteristicsOf,
  type Entry,
  emptyEntry,
  isFailing,
  isSameEntry,
  numberText,
  readMeasured,
  rowsOf,
  type Verdict,
  verdictOf,
} from '../../../../renderer/screens/inspection/grid-model.ts';
import { parseLimits } from '../../../../shared/quantities/tolerance.ts';

const entry = (change: Partial<Entry>): Entry => ({ ...emptyEntry, ...change });

describe('a template as it was copied', () => {
  const template = {
    characteristics: {
      7: { name: 'Width', dimensions: '13 mm', tolerance: '+0/-0.27', order: 2 },
      5: { name: 'Length', operation: 'Turning', dimensions: '40 mm', tolerance: '±0.5', order: 1 },
      8: { name: 'Surface', dimensions: 'no cracks', is_optional: true, order: 3 },
      6: { name: 'Gone', dimensions: '1 mm', tolerance: '±1', order: 1, is_removed: true },
    },
  };

  it('gives its characteristics in their order, without those that were removed', () => {
    expect(characteristicsOf(template).map(({ id, name }) => [id, name])).toEqual([
      [5, 'Length'],
      [7, 'Width'],
      [8, 'Surface'],
    ]);
  });

  it('says what is asked, in what unit, and where only a person can judge', () => {
    const [length, , surface] = characteristicsOf(template);
    expect(length).toMatchObject({
      operation: 'Turning',
      asked: '40 mm ±0.5',
      isOptional: false,
      limits: { lower: 39.5, upper: 40.5 },
      unit: 'mm',
    });
    expect(surface).toMatchObject({ asked: 'no cracks', isOptional: true, limits: null, unit: null });
  });

  it.each([undefined, null, 'text', {}, { characteristics: null }])('of %j has none', stored => {
    expect(characteristicsOf(stored)).toEqual([]);
  });
});

describe('stored samples', () => {
  const samples = {
    21: { sample_number: 2, sample_serial: 'B', results: { 5: { value: 40.25, comment: 'burr' } } },
    20: { sample_number: 1, results: { 5: { value: 0 }, 8: { passed: false } } },
    22: { sample_number: 3, is_removed: true },
  };

  it('are rows in their order, with what was measured as text', () => {
    const rows = rowsOf(samples, '.');
    expect(rows.map(({ id, number, serial }) => [id, number, serial])).toEqual([
      [20, 1, ''],
      [21, 2, 'B'],
    ]);
    expect(rows[0]?.entries.get(5)).toEqual(entry({ text: '0' }));
    expect(rows[0]?.entries.get(8)).toEqual(entry({ passed: false }));
    expect(rows[1]?.entries.get(5)).toEqual(entry({ text: '40.25', comment: 'burr' }));
  });

  it('are written with the decimal mark of the language, and read back as the same number', () => {
    expect(rowsOf(samples, ',')[1]?.entries.get(5)?.text).toBe('40,25');
    for (const value of [0.1, -12.5, 1e-7, 1e21, 40]) {
      for (const mark of ['.', ',']) expect(readMeasured(numberText(value, mark))).toBe(value);
    }
  });
});

describe('what is typed', () => {
  it.each([
    ['', null],
    ['  ', null],
    ['40', 40],
    [' 40,2 ', 40.2],
    ['+0040.10', 40.1],
    ['-0,5', -0.5],
    ['\u22120,5', -0.5],
    ['.5', 0.5],
    ['5,', 5],
    ['1.5e0', 1.5],
    ['1,234', 1.234],
  ])('%j is the number %s', (text, value) => {
    expect(readMeasured(text)).toBe(value);
  });

  it.each([
    '4o',
    '1.234,5',
    '1,234.5',
    '2026-01-02',
    '40 mm',
    '=A1',
    '12e',
    '#REF!',
    ',',
    '-',
    '0x10',
    'Infinity',
    // Too large for a number: it would be kept as none.
    '1e999',
    '-1e999',
  ])('%j is no number', text => {
    expect(readMeasured(text)).toBeUndefined();
  });
});

describe('the verdict', () => {
  it.each<[dimensions: string, tolerance: string, text: string, Verdict]>([
    ['40 mm', '±0.5', '', 'empty'],
    ['40 mm', '±0.5', '4o', 'unreadable'],
    ['40 mm', '±0.5', '39,5', 'pass'],
    ['40 mm', '±0.5', '40.5', 'pass'],
    ['40 mm', '±0.5', '39.49', 'low'],
    ['40 mm', '±0.5', '40.51', 'high'],
    ['', '>5', '5', 'low'],
    ['', '<10', '10', 'high'],
    ['', 'max 10', '-3', 'pass'],
    ['', 'min 5', '1000', 'pass'],
  ])('of %j with %j over %j is %s', (dimensions, tolerance, text, verdict) => {
    expect(verdictOf({ limits: parseLimits(dimensions, tolerance) }, entry({ text }))).toBe(verdict);
  });

  it.each<[Partial<Entry>, Verdict]>([
    [{}, 'empty'],
    [{ text: '12' }, 'unjudged'],
    [{ text: '12', passed: true }, 'pass'],
    [{ passed: true }, 'pass'],
    [{ passed: false }, 'fail'],
    [{ text: 'x', passed: true }, 'unreadable'],
  ])('of %j is %s where no limits decide', (change, verdict) => {
    expect(verdictOf({ limits: null }, entry(change))).toBe(verdict);
  });

  it("of a person does not count beside limits, as the server's does not", () => {
    const limits = parseLimits('40', '±1');
    expect(verdictOf({ limits }, entry({ text: '50', passed: true }))).toBe('high');
    expect(verdictOf({ limits }, entry({ passed: true }))).toBe('empty');
  });

  it.each<[Verdict, boolean]>([
    ['empty', false],
    ['unreadable', false],
    ['unjudged', false],
    ['pass', false],
    ['low', true],
    ['high', true],
    ['fail', true],
  ])('%s fails the piece: %s', (verdict, fails) => {
    expect(isFailing(verdict)).toBe(fails);
  });
});

it.each<[one: Partial<Entry>, other: Partial<Entry>, isSame: boolean]>([
  [{ text: '40,10' }, { text: '40.1' }, true],
  [{ text: ' ' }, { text: '' }, true],
  [{ text: '0' }, { text: '' }, false],
  [{ text: '4o' }, { text: '4o' }, true],
  [{ text: '4o' }, { text: '4' }, false],
  [{ text: '1', comment: 'burr ' }, { text: '1', comment: 'burr' }, true],
  [{ text: '1', comment: 'burr' }, { text: '1' }, false],
  [{ passed: true }, { passed: false }, false],
  [{ passed: false }, { passed: null }, false],
])('%j and %j are the same measurement: %s', (one, other, isSame) => {
  expect(isSameEntry(entry(one), entry(other))).toBe(isSame);
  expect(isSameEntry(entry(other), entry(one))).toBe(isSame);
});
