import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  dateIn,
  daysBetween,
  formatTimestamp,
  isTimeZone,
  parseDate,
  parseTimestamp,
} from '../../../shared/contract/dates.ts';
import fc from '../../support/fast-check.ts';

const first = Date.parse('0001-01-01T00:00:00.000Z');
const last = Date.parse('9999-12-31T23:59:59.999Z');
const instants = fc.integer({ min: first, max: last }).map(time => new Date(time).toISOString());
const dates = instants.map(iso => iso.slice(0, 10));

const noDates = [
  '',
  '2023-02-29',
  '1900-02-29',
  '2024-02-30',
  '2024-04-31',
  '2024-13-01',
  '2024-00-10',
  '2024-01-00',
  '2024-01-32',
  '0000-01-01',
  '10000-01-01',
  '+002024-01-01',
  '-0001-01-01',
  '2024-1-1',
  '20240101',
  '01/02/2024',
  '2024-W01-1',
  '2024-01',
  ' 2024-01-01',
  '2024-01-01 ',
  '2024-01-01\n',
  '２０２４-01-01',
  'today',
  'null',
];
const noDateTimes = [
  '2024-01-01T24:00:00Z',
  '2024-01-01T23:59:60Z',
  '2024-01-01T12:60:00Z',
  '2024-01-01T12:00:00+24:00',
  '2024-01-01T12:00:00+01:60',
  '2024-01-01T12:00:00+1',
  '2024-01-01T12',
  '2024-01-01T1:00',
  '2024-01-01T12:00:00.Z',
  '2024-01-01T12:00.5Z',
  '2024-01-01  12:00:00',
  '2024-01-01T12:00:00 Z',
  '2024-01-01T12:00:00Z[UTC]',
  '2023-02-29T12:00:00Z',
  '2024-01-01Z',
  'Mon, 01 Jan 2024 12:00:00 GMT',
];

describe('parseDate', () => {
  it.each([
    ['2024-02-29', '2024-02-29'],
    ['2000-02-29', '2000-02-29'],
    ['0001-01-01', '0001-01-01'],
    ['9999-12-31', '9999-12-31'],
    ['2024-01-31T23:30:00-05:00', '2024-02-01'],
    ['2024-01-31T22:59:59.999Z', '2024-01-31'],
    ['2024-01-31t23:00z', '2024-02-01'],
    ['2024-03-01 05:00:00+0900', '2024-02-29'],
    ['2024-03-01T00:00:00+09:00', '2024-03-01'],
    ['2024-03-01T00:00Z', '2024-03-01'],
    ['2024-03-01T00:00:00.000-11', '2024-03-01'],
    ['2024-03-01T00:00:00.0000001+09:00', '2024-02-29'],
    ['2024-01-31T23:30:00.000', '2024-01-31'],
    ['2024-01-31 23:30', '2024-01-31'],
  ])('%s is %s in Berlin', (text, date) => {
    expect(parseDate(text, () => 'Europe/Berlin')).toBe(date);
  });

  it.each(['2024-01-31T23:30:00-05:00', '2024-01-31T10:00:00.000Z'])(
    'says nothing of %s without a zone',
    text => {
      expect(parseDate(text)).toBeNull();
    },
  );

  it.each([
    ['America/New_York', '0001-01-01T01:00:00Z'],
    ['Asia/Tokyo', '9999-12-31T23:00:00Z'],
  ])('refuses what is no day in %s: %s', (zone, text) => {
    expect(parseDate(text, () => zone)).toBeNull();
  });

  it.each([...noDates, ...noDateTimes])('refuses %j', text => {
    expect(parseDate(text, () => 'UTC')).toBeNull();
  });

  it('keeps every date of the calendar', () => {
    fc.assert(
      fc.property(dates, date => {
        expect(parseDate(date)).toBe(date);
        expect(parseDate(date, () => 'Pacific/Kiritimati')).toBe(date);
      }),
    );
  });

  it('takes exactly the days that exist', () => {
    const numbers = fc.tuple(fc.integer({ min: 0, max: 9999 }), fc.nat(13), fc.nat(32));
    fc.assert(
      fc.property(numbers, ([year, month, day]) => {
        const text = [
          String(year).padStart(4, '0'),
          String(month).padStart(2, '0'),
          String(day).padStart(2, '0'),
        ].join('-');
        const isReal = year > 0 && DateTime.fromObject({ year, month, day }, { zone: 'utc' }).isValid;
        expect(parseDate(text)).toBe(isReal ? text : null);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('parseTimestamp', () => {
  it.each([
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2024-02-29 12:34:56', '2024-02-29T12:34:56.000Z'],
    ['2024-02-29T12:34:56', '2024-02-29T12:34:56.000Z'],
    ['2024-02-29T12:34', '2024-02-29T12:34:00.000Z'],
    ['2024-02-29T12:34:56Z', '2024-02-29T12:34:56.000Z'],
    ['2024-02-29t12:34:56z', '2024-02-29T12:34:56.000Z'],
    ['2024-02-29T12:34:56.7Z', '2024-02-29T12:34:56.700Z'],
    ['2024-02-29T12:34:56,789Z', '2024-02-29T12:34:56.789Z'],
    ['2024-02-29T23:59:59.999999999Z', '2024-02-29T23:59:59.999Z'],
    ['2024-03-01T00:30:00+01:00', '2024-02-29T23:30:00.000Z'],
    ['2024-02-29 23:30:00-05:30', '2024-03-01T05:00:00.000Z'],
    ['2024-02-29T12:00:00+0530', '2024-02-29T06:30:00.000Z'],
    ['2024-02-29T12:00:00+05', '2024-02-29T07:00:00.000Z'],
    ['2024-02-29T12:00:00-00:00', '2024-02-29T12:00:00.000Z'],
    ['0001-01-01T01:00:00+01:00', '0001-01-01T00:00:00.000Z'],
  ])('%s is %s', (text, iso) => {
    expect(parseTimestamp(text)).toBe(iso);
  });

  it.each([...noDates, ...noDateTimes, '0001-01-01T00:00:00+01:00', '9999-12-31T23:30:00-01:00'])(
    'refuses %j',
    text => {
      expect(parseTimestamp(text)).toBeNull();
    },
  );

  it('leaves an instant in UTC as it is', () => {
    fc.assert(
      fc.property(instants, iso => {
        expect(parseTimestamp(iso)).toBe(iso);
      }),
    );
  });

  it('finds the same instant under every offset', () => {
    const offset = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });
    const inner = fc.integer({ min: first + 172_800_000, max: last - 172_800_000 });
    fc.assert(
      fc.property(inner, offset, (time, minutes) => {
        const local = new Date(time + minutes * 60_000).toISOString().slice(0, -1);
        const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
        const suffix = `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
        expect(parseTimestamp(local + suffix)).toBe(new Date(time).toISOString());
      }),
    );
  });

  it('answers any text with null or with canonical text', () => {
    const almost = fc.stringMatching(
      /^\d{4}-[01]\d-[0-3]\d[T ][0-2]\d:[0-6]\d(:[0-6]\d)?(Z|[+-]\d\d:\d\d)?$/,
    );
    fc.assert(
      fc.property(fc.oneof(almost, fc.string()), text => {
        const iso = parseTimestamp(text);
        if (iso !== null) expect(new Date(iso).toISOString()).toBe(iso);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('formatTimestamp', () => {
  it('is UTC without a zone, and reads back to the second', () => {
    expect(formatTimestamp('2024-02-29T12:34:56.789Z')).toBe('2024-02-29 12:34:56');
    fc.assert(
      fc.property(instants, iso => {
        expect(parseTimestamp(formatTimestamp(iso))).toBe(`${iso.slice(0, 19)}.000Z`);
      }),
    );
  });

  it.each(['', '2024-02-29', '2024-02-29T12:34:56Z', '2024-02-29T12:34:56.789+01:00'])('refuses %j', text => {
    expect(() => formatTimestamp(text)).toThrow(RangeError);
  });
});

describe('dateIn', () => {
  it.each([
    ['UTC', '2024-02-29T23:30:00.000Z', '2024-02-29'],
    ['Europe/Berlin', '2024-02-29T23:30:00.000Z', '2024-03-01'],
    ['America/New_York', '2024-03-01T04:59:59.999Z', '2024-02-29'],
    ['America/New_York', '2024-03-01T05:00:00.000Z', '2024-03-01'],
    ['America/New_York', '2024-07-01T04:00:00.000Z', '2024-07-01'],
    ['Pacific/Kiritimati', '2023-12-31T10:00:00.000Z', '2024-01-01'],
    ['Asia/Kolkata', '2024-01-01T18:30:00.000Z', '2024-01-02'],
    ['+02:00', '2024-01-01T22:00:00.000Z', '2024-01-02'],
    ['Pacific/Apia', '2011-12-30T09:59:59.000Z', '2011-12-29'],
    ['Pacific/Apia', '2011-12-30T10:00:00.000Z', '2011-12-31'],
    ['UTC', '0001-01-01T00:00:00.000Z', '0001-01-01'],
    ['UTC', '2024-01-01T23:00:00-05:00', '2024-01-02'],
  ])('in %s at %s is %s', (zone, instant, date) => {
    expect(dateIn(zone, instant)).toBe(date);
  });

  it('agrees with Luxon', () => {
    const zones = fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'America/St_Johns',
      'Asia/Tokyo',
      'Australia/Lord_Howe',
    );
    const modern = fc.integer({ min: Date.parse('1970-01-03'), max: Date.parse('2100-01-01') });
    fc.assert(
      fc.property(zones, modern, (zone, time) => {
        expect(dateIn(zone, new Date(time).toISOString())).toBe(
          DateTime.fromMillis(time, { zone }).toISODate(),
        );
      }),
    );
  });

  it.each([
    ['America/New_York', '0001-01-01T00:00:00.000Z'],
    ['Asia/Tokyo', '9999-12-31T23:00:00.000Z'],
    ['Mars/Olympus', '2024-01-01T00:00:00.000Z'],
    ['UTC', 'yesterday'],
  ])('refuses %s at %s', (zone, instant) => {
    expect(() => dateIn(zone, instant)).toThrow(RangeError);
  });
});

describe('isTimeZone', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', '+02:00'])('knows %s', zone => {
    expect(isTimeZone(zone)).toBe(true);
  });

  it.each(['', 'Mars/Olympus', 'Berlin', ' UTC', '__proto__', '+2', 'GMT+1'])('does not know %j', zone => {
    expect(isTimeZone(zone)).toBe(false);
  });
});

describe('addDays and daysBetween', () => {
  it.each([
    ['2024-02-28', 1, '2024-02-29'],
    ['2023-02-28', 1, '2023-03-01'],
    ['1900-02-28', 1, '1900-03-01'],
    ['2024-12-31', 1, '2025-01-01'],
    ['2024-03-01', -1, '2024-02-29'],
    ['2024-01-31', 30, '2024-03-01'],
    ['2024-01-01', 366, '2025-01-01'],
    ['0001-01-01', 3_652_058, '9999-12-31'],
    ['2024-03-31', 0, '2024-03-31'],
  ])('%s plus %d is %s', (date, days, result) => {
    expect(addDays(date, days)).toBe(result);
    expect(daysBetween(date, result)).toBe(days);
  });

  it('undo each other, add up, and agree with Luxon', () => {
    fc.assert(
      fc.property(dates, dates, dates, (a, b, c) => {
        expect(addDays(a, daysBetween(a, b))).toBe(b);
        expect(daysBetween(a, b)).toBe(-daysBetween(b, a) + 0);
        expect(daysBetween(a, b) + daysBetween(b, c)).toBe(daysBetween(a, c));
        const [start, end] = [a, b].map(date => DateTime.fromISO(date, { zone: 'utc' }));
        expect(daysBetween(a, b)).toBe(start && end?.diff(start, 'days').days);
      }),
    );
  });

  it('order dates as their text does', () => {
    fc.assert(
      fc.property(dates, dates, (a, b) => {
        expect(daysBetween(a, b) > 0).toBe(a < b);
      }),
    );
  });

  it.each([
    ['9999-12-31', 1],
    ['0001-01-01', -1],
    ['2024-01-01', 0.5],
    ['2024-01-01', Number.NaN],
    ['2024-01-01', Number.POSITIVE_INFINITY],
    ['2024-01-01', 1e15],
    ['2023-02-29', 1],
    ['2024-01-01T00:00:00.000Z', 1],
  ])('refuse %s plus %d', (date, days) => {
    expect(() => addDays(date, days)).toThrow(RangeError);
  });

  it('refuse to count from what is no date', () => {
    expect(() => daysBetween('2024-01-01', '2024-02-30')).toThrow(RangeError);
    expect(() => daysBetween('', '2024-02-28')).toThrow(RangeError);
  });
});
