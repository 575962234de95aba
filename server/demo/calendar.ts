import { addDays, daysBetween } from '../../shared/contract/dates.ts';

/** The story's time: days before (negative) or after the day it is told, so that what is near expiry is always near. */
export interface Calendar {
  /** The calendar day. */
  day(day: number): string;
  /** The same, or the Friday before a weekend: nobody receives, measures or ships on Sundays. Later never comes earlier. */
  workday(day: number): string;
}

const A_MONDAY = '2024-01-01';

export function createCalendar(today: string): Calendar {
  return {
    day: day => addDays(today, day),
    workday: day => {
      const date = addDays(today, day);
      const weekday = (((daysBetween(A_MONDAY, date) % 7) + 7) % 7) + 1;
      return weekday > 5 ? addDays(date, 5 - weekday) : date;
    },
  };
}

/** `260131`, as lot numbers and paper numbers carry the date. */
export function shortDate(date: string): string {
  return date.slice(2).replaceAll('-', '');
}

/** 0 in the last days of January, 1 in the last days of July: how warm the store is. */
export function warmth(date: string): number {
  const dayOfYear = daysBetween(`${date.slice(0, 4)}-01-01`, date);
  return (1 - Math.cos(((dayOfYear - 26) / 365) * 2 * Math.PI)) / 2;
}
