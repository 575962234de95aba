import { expect, it } from 'vitest';
import { createFormats } from '../../../renderer/i18n/formats.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

it.each([
  [5 * MINUTE, '5 minutes', '5 Minuten'],
  [89 * MINUTE, '89 minutes', '89 Minuten'],
  [90 * MINUTE, '1.5 hours', '1,5 Stunden'],
  [2 * HOUR + 8_000, '2 hours', '2 Stunden'],
  [47 * HOUR, '47 hours', '47 Stunden'],
  [3_650 * 24 * HOUR, '10 years', '10 Jahre'],
])('a span of %i ms is said in the unit that people take for it', (span, english, german) => {
  expect(createFormats('en').span(span)).toBe(english);
  expect(createFormats('de').span(span)).toBe(german);
});

it('writes money with two decimals, and the price of a piece with as many as it has', () => {
  const [english, german] = [createFormats('en'), createFormats('de')];
  expect([1_044, 21.0875].map(english.money)).toEqual(['1,044.00', '21.09']);
  expect([1_044, 21.0875].map(german.money)).toEqual(['1.044,00', '21,09']);
  expect([2, 0.0123].map(english.price)).toEqual(['2.00', '0.0123']);
});

it('writes a moment with its time, and a day without one that nobody knows', () => {
  expect(createFormats('de').moment('2026-05-04')).toBe('04.05.2026');
  expect(createFormats('de').moment('2026-05-04T10:15:00.000Z')).toMatch(/^04\.05\.2026, \d{2}:15$/);
});
