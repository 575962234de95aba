import type { Language } from '../../shared/operations/paper-operations.ts';
import { type TextKey, texts } from './texts.ts';

/** Where a text stands in its row. */
const places: Record<Language, 0 | 1> = { en: 0, de: 1 };
const locales: Record<Language, string> = { en: 'en-GB', de: 'de-DE' };

/** How a day is written; a moment is longer. */
const A_DAY = 'YYYY-MM-DD';

/** How paper speaks in one language, at one site. */
export interface Words {
  language: Language;
  zone: string;
  say(key: TextKey, values?: Record<string, string | number>): string;
  /** What somebody typed, as it is; a dash where there is nothing. */
  text(value: unknown): string;
  /** A stored day (`YYYY-MM-DD`), which is the same day everywhere. */
  date(value: unknown): string;
  /** A stored instant (ISO 8601), on the site's clock; a day where no more is known. */
  moment(value: string): string;
  /** As `moment`, to the second and with the offset from UTC: of a signature. */
  exactMoment(value: string): string;
  /** A number with all its digits. */
  number(value: unknown): string;
  /** A unit: of pieces (`EA`, `units`) the language's word, where it has one. */
  unit(value: unknown): string;
  /** A number with its unit. */
  quantity(value: unknown, unit: unknown): string;
  flag(value: unknown): string;
}

const pieces: Record<Language, ReadonlyMap<unknown, string>> = {
  en: new Map(),
  de: new Map([
    ['EA', 'Stück'],
    ['units', 'Stück'],
  ]),
};

export function wordsOf(language: Language, zone: string): Words {
  const none = texts.none[places[language]];
  const locale = locales[language];
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone });
  const exact = new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZone: zone,
    timeZoneName: 'longOffset',
  });
  const digits = new Intl.NumberFormat(locale, { maximumFractionDigits: 15 });
  const words: Words = {
    language,
    zone,
    say: (key, values = {}) =>
      texts[key][places[language]].replaceAll(/\{(\w+)\}/g, (place, name: string) =>
        String(values[name] ?? place),
      ),
    text: value => (value === undefined || value === null || value === '' ? none : String(value)),
    date: value =>
      typeof value === 'string' && value !== ''
        ? day.format(new Date(`${value.slice(0, 10)}T00:00:00Z`))
        : none,
    moment: value => (value.length === A_DAY.length ? words.date(value) : moment.format(new Date(value))),
    // What another installation sent need not be a time.
    exactMoment: value => (Number.isNaN(Date.parse(value)) ? value : exact.format(new Date(value))),
    number: value => (typeof value === 'number' ? digits.format(value) : none),
    unit: value => pieces[language].get(value) ?? words.text(value),
    quantity: (value, unit) => {
      if (typeof value !== 'number') return none;
      return typeof unit === 'string' && unit !== ''
        ? `${digits.format(value)} ${words.unit(unit)}`
        : digits.format(value);
    },
    flag: value => words.say(value === true ? 'yes' : 'no'),
  };
  return words;
}
