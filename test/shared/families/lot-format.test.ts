import { expect, it } from 'vitest';
import { isOfLotFormat } from '../../../shared/families/lot-format.ts';

it.each([
  ['L-####', 'L-2041', true],
  ['L-####', ' l-2041 ', true],
  ['L-####', 'L-204', false],
  ['L-####', 'L-20411', false],
  ['L-####', 'L-2o41', false],
  ['@@##', 'äß42', true],
  ['@@##', '4242', false],
  ['??', 'a', false],
  ['??', '-1', true],
  // What stands for itself is no pattern.
  ['A.B', 'A.B', true],
  ['A.B', 'AxB', false],
  ['(a+)+$', '(a+)+$', true],
  ['a*', 'aaa', false],
  ['[#]', '[7]', true],
])('%s takes %s: %s', (format, lot, is) => {
  expect(isOfLotFormat(format, lot)).toBe(is);
});
