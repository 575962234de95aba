import { expect, it } from 'vitest';
import { gaugeReading } from '../../../../renderer/ui/scan/gauge.ts';

it.each([
  ['12.48', null, '12.48', null],
  ['+0012.480 mm', null, '12.480', 'mm'],
  ['-0,125', null, '-0,125', null],
  ['ST,+00012.48  g', 'g', '12.48', 'g'],
  ['N   +  12,48 g', 'g', '12,48', 'g'],
  ['0.9180 g/cm3', 'g/ml', '0.9180', 'g/cm3'],
  ['1.45 N.m', 'N.m', '1.45', 'N.m'],
  ['7 bar', 'mm', '7', 'bar'],
])('the line %s in a field of %s is %s %s', (line, asked, digits, unit) => {
  expect(gaugeReading(line, asked)).toEqual({ digits, unit });
});

it.each([
  ['LOT-7', null],
  ['7 bar', null],
  ['PO 12AB34', 'mm'],
  ['', 'mm'],
])('the line %s in a field of %s is none', (line, asked) => {
  expect(gaugeReading(line, asked)).toBeNull();
});
