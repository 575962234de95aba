/**
 * Dates are `YYYY-MM-DD`, instants ISO 8601 in UTC with milliseconds, both of the years 0001 to 9999, so that their
 * text sorts as their time does. What does not exist (30 February, 24:00, second 60) is refused, never rolled over.
 */

const millisecondsPerDay = 86_400_000;

const datePattern = /^\d{4}-\d{2}-\d{2}$/;
const canonicalPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
/** Canonical, and of a day that each month of each year has. */
const plainPattern =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
const dateTimePattern =
  /^(\d{4}-\d{2}-\d{2})[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d+))?)?(?:Z|([+-])([01]\d|2[0-3]):?([0-5]\d)?)?$/i;

/** A time of day and an offset, where that time is midnight. */
const midnightPattern = /[T ]00:00(?::00(?:[.,]0+)?)?(?:Z|[+-][\d:]+)$/i;
const offsetPattern = /[T ].*(?:Z|[+-][\d:]+)$/i;

/** Says the site's time zone: asked only where a day depends on it, because who is asked looks it up. */
export type ZoneOf = () => string;

/**
 * The day that a date or an ISO 8601 date-time stands for at a site in this time zone; null when it is neither. A moment
 * with an offset is the day that it falls on there. One without an offset is the day it is written with, and so is a midnight with
 * any offset: whoever writes `2024-03-01T00:00:00+01:00` for a day means the first of March, wherever it is read.
 * Without a zone, what would depend on it is null.
 * @throws RangeError where the zone is unknown
 */
export function parseDate(text: string, zone?: ZoneOf): string | null {
  const instant = parseTimestamp(text);
  if (instant === null) return null;
  if (!offsetPattern.test(text) || midnightPattern.test(text)) return text.slice(0, 10);
  return zone === undefined ? null : dayAt(zone(), instant);
}

/**
 * The instant of a date-time with any offset, of one without (read as UTC; `T` or a space between), or of a date
 * (its midnight UTC), as `YYYY-MM-DDTHH:MM:SS.mmmZ`; null for anything else. Seconds may be missing; digits beyond
 * the millisecond are cut off.
 */
export function parseTimestamp(text: string): string | null {
  // As stations write it: what is read most often.
  if (plainPattern.test(text)) return text;
  if (canonicalPattern.test(text)) return toCanonical(Date.parse(text)) === text ? text : null;
  if (datePattern.test(text)) return isCalendarDate(text) ? `${text}T00:00:00.000Z` : null;
  const match = dateTimePattern.exec(text);
  if (match === null) return null;
  const [, date = '', hour, minute, second = '00', fraction = '', sign, offsetHours, offsetMinutes = '00'] =
    match;
  if (!isCalendarDate(date)) return null;
  const written = Date.parse(`${date}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  const offset = sign === undefined ? 0 : (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000;
  return toCanonical(sign === '-' ? written + offset : written - offset);
}

/** `YYYY-MM-DD HH:MM:SS` in UTC, from an instant as `parseTimestamp` returns it. RangeError for any other text. */
export function formatTimestamp(iso: string): string {
  if (!canonicalPattern.test(iso)) throw new RangeError(`${iso} is not an instant in UTC with milliseconds.`);
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
}

/**
 * The date that a calendar on the wall shows at an instant, e.g. "today" at the site. RangeError when the zone is
 * unknown, the text is no instant, or the date leaves the years 0001 to 9999.
 */
export function dateIn(zone: string, instant: string): string {
  const iso = parseTimestamp(instant);
  if (iso === null) throw new RangeError(`${instant} is not an instant.`);
  const date = dayAt(zone, iso);
  if (date === null) throw new RangeError(`${instant} in ${zone} is outside the years 0001 to 9999.`);
  return date;
}

/** Null for what lies outside of the years 0001 to 9999 there. */
function dayAt(zone: string, iso: string): string | null {
  const parts = new Map(
    wallCalendar(zone)
      .formatToParts(new Date(iso))
      .map(({ type, value }) => [type, value]),
  );
  const date = `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
  return parts.get('era') === 'AD' && isCalendarDate(date) ? date : null;
}

/** Whether a name is a time zone to this runtime: `Europe/Berlin`, `UTC`, or a fixed offset such as `+02:00`. */
export function isTimeZone(zone: string): boolean {
  try {
    wallCalendar(zone);
    return true;
  } catch {
    return false;
  }
}

/** The date `days` later, or earlier when negative. RangeError unless date and days are valid and so is the result. */
export function addDays(date: string, days: number): string {
  const result = toCanonical((dayNumber(date) + days) * millisecondsPerDay);
  if (result === null || !Number.isInteger(days)) {
    throw new RangeError(`${date} plus ${days} days is not a date of the years 0001 to 9999.`);
  }
  return result.slice(0, 10);
}

/** Days from `a` to `b`, negative when `b` is earlier. RangeError unless both are dates. */
export function daysBetween(a: string, b: string): number {
  return dayNumber(b) - dayNumber(a);
}

function dayNumber(date: string): number {
  if (!datePattern.test(date) || !isCalendarDate(date)) throw new RangeError(`${date} is not a date.`);
  return Date.parse(date) / millisecondsPerDay;
}

/** `Date.parse` rolls 30 February over to March, so a date exists only if it comes back unchanged. */
function isCalendarDate(date: string): boolean {
  return toCanonical(Date.parse(`${date}T00:00:00.000Z`))?.slice(0, 10) === date;
}

function toCanonical(milliseconds: number): string | null {
  const instant = new Date(milliseconds);
  if (Number.isNaN(instant.getTime())) return null;
  const iso = instant.toISOString();
  return canonicalPattern.test(iso) && !iso.startsWith('0000') ? iso : null;
}

/** Making a formatter costs a thousand times as much as using it, and a site has one zone. */
const wallCalendars = new Map<string, Intl.DateTimeFormat>();

function wallCalendar(zone: string): Intl.DateTimeFormat {
  let calendar = wallCalendars.get(zone);
  if (calendar === undefined) {
    calendar = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      era: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    wallCalendars.set(zone, calendar);
  }
  return calendar;
}
