import { describe, expect, it } from 'vitest';
import { deviceUnit, inUnit, measuredUnit } from '../../../shared/quantities/measured-unit.ts';

it.each([
  [40, '40 mm', '±0.5', 'mm'],
  [195, '195 g', '±4%', 'g'],
  [1.5, '1.5 N.m', '±0.2', 'N.m'],
  [null, 'mm', 'max 1.5', 'mm'],
  [null, 'N.m', '1.2-2.0', 'N.m'],
  [null, '%', '<= 2.0', '%'],
  [null, null, 'max 10 mm', 'mm'],
  [null, 'Free of cracks', '5-10', null],
  [null, 'M8x1.25', '5-10', null],
  [12, '12', '±1', null],
])('of a nominal %s written %s with tolerance %s is %s', (nominal, dimensions, tolerance, unit) => {
  expect(measuredUnit(nominal, dimensions, tolerance)).toBe(unit);
});

it('reads units as devices write them', () => {
  expect(['MM', 'KG', '"', 'µg/kg', 'μg/kg', 'N.m', 'bar'].map(deviceUnit)).toEqual([
    'mm',
    'kg',
    'in',
    'µg/kg',
    'µg/kg',
    'N.m',
    'bar',
  ]);
});

it.each([
  ['40.10', 'MM', 'mm', '40.10'],
  ['1.58', 'in', 'mm', '40.132'],
  ['40.132', 'mm', 'in', '1.58'],
  ['0,0205', 'kg', 'g', '20,5'],
  ['-1', 'mm', 'in', '-0.03937'],
  ['1', 'psi', 'MPa', '0.006895'],
  ['7', 'bar', 'bar', '7'],
  ['12.48', 'g', 'mm', null],
  ['12.48', 'bar', 'mm', null],
  ['12.48', 'mm', 'N.m', null],
])('%s %s in %s is %s', (digits, from, to, expected) => {
  expect(inUnit(digits, from, to)).toBe(expected);
});

describe('the unit of a characteristic', () => {
  it.each<[number | null, string | null, string | null, string | null]>([
    [5, '5mm', null, 'mm'],
    [5, '5  mm', null, 'mm'],
    // What follows the unit, or no number, makes it a description.
    [5, '5 mm long', null, null],
    [5, 'about mm', null, null],
    [null, 'kgf/cm2', null, 'kgf/cm2'],
    [null, '% of it', null, null],
    [null, 'about %', null, null],
    [null, ' mm ', null, 'mm'],
    [null, null, 'max 10 mm', 'mm'],
    [null, null, 'max 10 foo', null],
    [null, null, null, null],
  ])('of the nominal %s in %j with %j is %j', (nominal, dimensions, tolerance, unit) => {
    expect(measuredUnit(nominal, dimensions, tolerance)).toBe(unit);
  });
});

it('a device may write its unit with blanks; one that is known as it stands stays', () => {
  expect([' MM ', 'Oz', 'oz', 'OZ'].map(deviceUnit)).toEqual(['mm', 'Oz', 'oz', 'oz']);
});

it('what is no number is in no other unit', () => {
  expect(inUnit('abc', 'mm', 'cm')).toBeNull();
});
