import { expect, it } from 'vitest';
import { useSizes } from '../../../renderer/i18n/sizes.ts';
import { drawn } from '../support/drawn.ts';

it.each([
  [0, '0 byte', '0 Byte'],
  [999, '999 byte', '999 Byte'],
  [1_000, '1 kB', '1 kB'],
  [1_550, '1.6 kB', '1,6 kB'],
  [12_300_000, '12.3 MB', '12,3 MB'],
  [4e9, '4 GB', '4\u00a0GB'],
  [5e16, '50,000 TB', '50.000 TB'],
])('%d bytes are told as %s', async (count, english, german) => {
  expect((await drawn(useSizes)).bytes(count)).toBe(english);
  expect((await drawn(useSizes, { language: 'de' })).bytes(count)).toBe(german);
});

it.each([
  [6_100, '6.1 kB/s', '6,1 kB/s'],
  [12_000_000, '12 MB/s', '12 MB/s'],
])('%d bytes a second are told as %s', async (rate, english, german) => {
  expect((await drawn(useSizes)).rate(rate)).toBe(english);
  expect((await drawn(useSizes, { language: 'de' })).rate(rate)).toBe(german);
});

it.each([
  [0, 'now', 'jetzt'],
  [59, '59 seconds ago', 'vor 59 Sekunden'],
  [60, '1 minute ago', 'vor 1 Minute'],
  [7_199, '1 hour ago', 'vor 1 Stunde'],
  [86_400, 'yesterday', 'gestern'],
  [3 * 86_400, '3 days ago', 'vor 3 Tagen'],
])('%d seconds are told as %s', async (seconds, english, german) => {
  expect((await drawn(useSizes)).age(seconds)).toBe(english);
  expect((await drawn(useSizes, { language: 'de' })).age(seconds)).toBe(german);
});
