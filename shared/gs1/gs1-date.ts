import { addDays, parseDate } from '../contract/dates.ts';

/**
 * The date of `YYMMDD` or `YYYYMMDD` as `YYYY-MM-DD`, null when it does not exist. Day 00 is the last day of the month
 * where that is allowed (General Specifications 3.4.2 to 3.4.7: when only year and month are meant).
 */
export function readGs1Date(digits: string, today: string, isDayZeroAllowed: boolean): string | null {
  const year = digits.length === 8 ? digits.slice(0, 4) : fullYear(digits.slice(0, 2), today);
  const month = digits.slice(-4, -2);
  const day = digits.slice(-2);
  if (day !== '00') return parseDate(`${year}-${month}-${day}`);
  if (!isDayZeroAllowed || parseDate(`${year}-${month}-01`) === null) return null;
  const next =
    month === '12' ? `${Number(year) + 1}-01-01` : `${year}-${String(Number(month) + 1).padStart(2, '0')}-01`;
  return addDays(next, -1);
}

/** `HHMM` as `HH:MM`; null when it does not exist. */
export function readGs1Time(digits: string): string | null {
  return /^(?:[01]\d|2[0-3])[0-5]\d$/.test(digits) ? `${digits.slice(0, 2)}:${digits.slice(2)}` : null;
}

/**
 * The century of a two-digit year: from 49 years back to 50 years ahead of the present year
 * (General Specifications 7.12, determination of century in dates).
 */
function fullYear(twoDigits: string, today: string): string {
  const present = Number(today.slice(0, 4));
  const century = present - (present % 100);
  const difference = Number(twoDigits) - (present % 100);
  const shift = difference >= 51 ? -100 : difference <= -50 ? 100 : 0;
  return String(century + shift + Number(twoDigits)).padStart(4, '0');
}
