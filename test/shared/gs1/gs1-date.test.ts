import { describe, expect, it } from 'vitest';
import { readGs1Date, readGs1Time } from '../../../shared/gs1/gs1-date.ts';

describe('readGs1Date', () => {
  it.each([
    // Day 00 is the last day of the month, leap years included (General Specifications 3.4.6).
    ['270200', '2026-11-21', '2027-02-28'],
    ['280200', '2026-11-21', '2028-02-29'],
    ['261200', '2026-11-21', '2026-12-31'],
    ['260400', '2026-11-21', '2026-04-30'],
    ['271231', '2026-11-21', '2027-12-31'],
    // General Specifications 7.12: 51 to 99 years ahead is the century before, 50 to 99 behind is the next one.
    ['760101', '2026-11-21', '2076-01-01'],
    ['770101', '2026-11-21', '1977-01-01'],
    ['990101', '2026-11-21', '1999-01-01'],
    ['000101', '2026-11-21', '2000-01-01'],
    ['450101', '2095-01-01', '2145-01-01'],
    ['460101', '2095-01-01', '2046-01-01'],
    ['990101', '2000-01-01', '1999-01-01'],
    ['500101', '2000-01-01', '2050-01-01'],
    ['510101', '2000-01-01', '1951-01-01'],
    ['20240229', '2026-11-21', '2024-02-29'],
  ])('%s read on %s is %s', (digits, today, date) => {
    expect(readGs1Date(digits, today, true)).toBe(date);
  });

  it.each(['271332', '270230', '270229', '270001', '271300', '270000'])('%s is no date', digits => {
    expect(readGs1Date(digits, '2026-11-21', true)).toBeNull();
  });

  it('refuses day 00 where a day is needed', () => {
    expect(readGs1Date('270200', '2026-11-21', false)).toBeNull();
  });
});

it('reads times of day', () => {
  expect(['0000', '2359', '0830'].map(readGs1Time)).toEqual(['00:00', '23:59', '08:30']);
  expect(['2400', '1260', '12', ''].map(readGs1Time)).toEqual([null, null, null, null]);
});
