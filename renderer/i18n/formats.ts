import { useTranslation } from 'react-i18next';

/** Dates and numbers as the present language writes them. Absent values are an empty text. */
export function useFormats() {
  const { i18n } = useTranslation();
  return formatsOf(i18n.language);
}

const known = new Map<string, Formats>();

/** Made once for a language: it takes longer than what it formats, and every cell of a table asks for it. */
function formatsOf(language: string): Formats {
  const formats = known.get(language) ?? createFormats(language);
  known.set(language, formats);
  return formats;
}

/** How a day is written; a moment is longer. */
const A_DAY = 'YYYY-MM-DD';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365.25 * DAY_MS;
const SPANS = [
  { from: 2 * YEAR_MS, size: YEAR_MS, unit: 'year' },
  { from: 2 * DAY_MS, size: DAY_MS, unit: 'day' },
  { from: 1.5 * HOUR_MS, size: HOUR_MS, unit: 'hour' },
  { from: 0, size: MINUTE_MS, unit: 'minute' },
] as const;

export type Formats = ReturnType<typeof createFormats>;

export function createFormats(language: string) {
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 6 });
  const money = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const price = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 6 });
  // A date is a day, not a moment: it is the same day in every time zone.
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const signed = new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'longOffset',
  });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const list = new Intl.ListFormat(language);
  return {
    number: (value: number | null | undefined) => (value == null ? '' : number.format(value)),
    money: (value: number | null | undefined) => (value == null ? '' : money.format(value)),
    /** Of one piece, which may cost a part of a cent. */
    price: (value: number | null | undefined) => (value == null ? '' : price.format(value)),
    /** `YYYY-MM-DD`. */
    day: (value: string | null | undefined) => formatOr(value, date => day.format(date)),
    /** ISO 8601, or `YYYY-MM-DD HH:MM:SS` in UTC as most documented records have it; a day where no more is known. */
    moment: (value: string | null | undefined) =>
      value?.length === A_DAY.length
        ? formatOr(value, date => day.format(date))
        : formatOr(value?.includes('T') ? value : value && `${value.replace(' ', 'T')}Z`, date =>
            moment.format(date),
          ),
    /** To the second and with the offset from UTC, as a signature says it. */
    exactMoment: (value: string | null | undefined) => formatOr(value, date => signed.format(date)),
    /** "in 3 days", "yesterday": from a day to another, both `YYYY-MM-DD`. */
    daysFrom: (value: string, today: string) =>
      relative.format(Math.round((Date.parse(value) - Date.parse(today)) / DAY_MS), 'day'),
    /** "2 hours", of milliseconds. */
    span: (milliseconds: number) => {
      const { size, unit } = SPANS.find(({ from }) => milliseconds >= from) ?? SPANS[3];
      const options = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 } as const;
      return new Intl.NumberFormat(language, options).format(milliseconds / size);
    },
    list: (values: readonly string[]) => list.format(values),
  };
}

/** What is no date is shown as it came. */
function formatOr(value: string | null | undefined, format: (date: Date) => string): string {
  if (!value) return '';
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? value : format(date);
}
