import { expect, it } from 'vitest';
import { afterKey, type PadKey } from '../../../../renderer/ui/pad/pad-value.ts';

const pressed = (before: string, ...keys: PadKey[]) =>
  keys.reduce((value, key, index) => afterKey(value, key, index === 0), before);

it.each<[before: string, keys: PadKey[], after: string]>([
  ['', ['4', '0'], '40'],
  // What stood there is what is corrected.
  ['12', ['4', '0'], '40'],
  ['12', ['back'], ''],
  ['', ['1', '2', 'back', '3'], '13'],
  ['', ['.', '5'], '0.5'],
  ['', ['1', '.', '2', '.', '5'], '1.25'],
  ['', ['0', '0', '7'], '7'],
  ['7', ['.', '5'], '0.5'],
  ['', Array.from({ length: 20 }, () => '9' as const), '9'.repeat(15)],
])('of %j the keys %j make %j', (before, keys, after) => {
  expect(pressed(before, ...keys)).toBe(after);
});
