import { SCAN_LIMIT } from '../contract/limits.ts';
import { findApplicationIdentifier } from './application-identifiers.ts';
import { hasCheckDigit, toGtin14 } from './check-digit.ts';
import { readDigitalLink } from './digital-link.ts';
import {
  defaultSeparators,
  type ElementsRead,
  type Gs1Element,
  readBracketed,
  readElementString,
} from './element-string.ts';
import { readGs1Date, readGs1Time } from './gs1-date.ts';
import { scanAgain, type Unreadable } from './unreadable.ts';

/** A measure by its identifier (31nn to 36nn): the number with its decimals, in GS1's unit. */
export interface Gs1Measure {
  readonly ai: string;
  readonly title: string;
  readonly value: number;
  readonly unit: string;
}

/** What a GS1 code says. Dates are `YYYY-MM-DD`; what the code does not say is null. */
export interface Gs1Scan {
  readonly kind: 'gs1';
  /** The symbology identifier of ISO/IEC 15424 that came first, e.g. `]C1`. */
  readonly symbology: string | null;
  readonly elements: readonly Gs1Element[];
  /** 14 digits: the item's (01), else that of the contents (02), else that of the piece (8006, 8026). */
  readonly gtin: string | null;
  /** 14 digits: (02), what a logistic unit contains. */
  readonly contentGtin: string | null;
  readonly sscc: string | null;
  readonly lot: string | null;
  readonly serial: string | null;
  readonly variant: string | null;
  readonly orderNumber: string | null;
  /** 13 digits: (414), the place that the label hangs at. */
  readonly gln: string | null;
  /** (254): tells places of one GLN apart. */
  readonly glnExtension: string | null;
  /** (17) or the date of (7003), the earlier of the two. Never the best-before date: what is past that may still be used. */
  readonly expiry: string | null;
  /** `HH:MM`, local time where the item is used (7003). */
  readonly expiryTime: string | null;
  readonly bestBefore: string | null;
  readonly sellBy: string | null;
  readonly production: string | null;
  readonly packaging: string | null;
  readonly due: string | null;
  /** (37): how many items the logistic unit contains. */
  readonly count: number | null;
  /** (30): how many pieces an item of variable measure contains. */
  readonly variableCount: number | null;
  /** (310n) in kg, (320n) in lb, (356n) in troy ounces. */
  readonly netWeight: { readonly value: number; readonly unit: string } | null;
  readonly measures: readonly Gs1Measure[];
}

export interface GtinScan {
  readonly kind: 'gtin';
  readonly symbology: string | null;
  /** 14 digits. */
  readonly gtin: string;
  readonly text: string;
}

export interface PlainScan {
  readonly kind: 'plain';
  readonly symbology: string | null;
  readonly text: string;
}

export interface UnreadableScan extends Unreadable {
  readonly kind: 'unreadable';
  readonly symbology: string | null;
  readonly text: string;
}

export type Scan = Gs1Scan | GtinScan | PlainScan | UnreadableScan;

/** So much of one that is longer is shown. */
const SHOWN = 40;

/**
 * Reads what a scanner sent: GS1 element strings, their bracketed form, GS1 Digital Links, EAN/UPC/ITF-14 numbers, or
 * plain text. `today` (`YYYY-MM-DD`, at the site) decides the century of dates; `separators` are what FNC1 arrives as.
 *
 * - `]C1`, `]d2`, `]Q3`, `]e0`, `]J1` say GS1, so that whatever is wrong stops the scan. Without a symbology identifier
 *   a text is GS1 where it begins with FNC1 or brackets, or with a key whose check digit holds and more behind it.
 * - `]E` and `]I1` say a number with a check digit; without them a number whose check digit fails is plain text,
 *   since firms number their own parts with 8, 12 or 13 digits too.
 */
export function parseScan(
  text: string,
  today: string,
  separators: readonly string[] = defaultSeparators,
): Scan {
  if (text.length > SCAN_LIMIT) {
    const message = `The scan has more than ${SCAN_LIMIT} characters, and no code has. ${scanAgain}`;
    const start = { symbology: null, text: `${text.slice(0, SHOWN)}…` };
    return { kind: 'unreadable', ...start, reason: 'tooLong', ai: null, at: SCAN_LIMIT, message };
  }
  const trimmed = text.replace(/^[\s\0]+|[\t\r\n \0]+$/g, '');
  const lead = text.indexOf(trimmed);
  const symbology = /^\][A-Za-z][0-9A-Za-z]/.exec(trimmed)?.[0] ?? null;
  const start = lead + (symbology?.length ?? 0);
  const body = text.slice(start, lead + trimmed.length);
  const source = { symbology, text: body };
  const scanned = text.slice(0, lead + trimmed.length);

  if (body === '') {
    return { kind: 'unreadable', ...source, reason: 'empty', ai: null, at: start, message: emptyMessage };
  }
  const read = readAsGs1(scanned, start, symbology, today, separators);
  if (read !== null) {
    return 'failure' in read
      ? { kind: 'unreadable', ...source, ...read.failure }
      : interpret(read.elements, symbology, today);
  }
  // Eight digits of a symbology that holds any text are more likely a firm's own number.
  const mayBeGtin = symbology === null || /^\][EI]/.test(symbology) || body.length > 8;
  const gtin = mayBeGtin ? toGtin14(body) : null;
  if (gtin !== null) return { kind: 'gtin', ...source, gtin };
  if (symbology !== null && isNumberSymbology(symbology, body)) {
    const message = `${body} is no EAN, UPC or ITF number: its length or its check digit is wrong. ${scanAgain}`;
    return { kind: 'unreadable', ...source, reason: 'checkDigit', ai: null, at: start, message };
  }
  return { kind: 'plain', ...source };
}

const emptyMessage = `The scan is empty. ${scanAgain}`;

/** Symbology identifiers with which FNC1 stood first (General Specifications 5.1, table of symbology identifiers). */
const gs1Symbologies = new Set([']C1', ']d2', ']Q3', ']e0', ']e1', ']e2', ']J1']);

/** ITF-14 with its check digit verified, and EAN/UPC other than those with an add-on. */
function isNumberSymbology(symbology: string, body: string): boolean {
  return /^\](?:E[04]|I1)$/.test(symbology) && /^\d+$/.test(body);
}

/** Null where the text is not GS1. */
function readAsGs1(
  text: string,
  start: number,
  symbology: string | null,
  today: string,
  separators: readonly string[],
): ElementsRead | null {
  const isDeclared = symbology !== null && gs1Symbologies.has(symbology);
  const body = text.slice(start);
  if (/^https?:\/\//i.test(body)) {
    const link = readDigitalLink(body, today);
    return link === null ? null : shifted(link, start);
  }
  const bracket = /^\((\d{2,4})\)/.exec(body)?.[1];
  if (bracket !== undefined && (isDeclared || findApplicationIdentifier(bracket)?.ai === bracket)) {
    return readBracketed(text, start, today, separators);
  }
  if (isDeclared) return readElementString(text, start, today, separators);
  if (symbology !== null) return null;
  if (separators.some(separator => separator.length > 0 && body.startsWith(separator))) {
    const read = readElementString(text, start, today, separators);
    // A substitute such as `^` may begin a firm's own code; GS cannot.
    return 'failure' in read && !body.startsWith('\u001d') ? null : read;
  }
  return beginsWithKey(body) ? readElementString(text, start, today, separators) : null;
}

/** A GTIN, SSCC or place's GLN with its check digit right, and nothing but what can follow one. */
function beginsWithKey(body: string): boolean {
  const [, gtin, sscc, place] = /^(?:0[12](\d{14})|00(\d{18})|414(\d{13})(?=$|254))/.exec(body) ?? [];
  const key = gtin ?? sscc ?? place;
  return key !== undefined && hasCheckDigit(key);
}

function shifted(read: ElementsRead, by: number): ElementsRead {
  if ('failure' in read) return { failure: { ...read.failure, at: read.failure.at + by } };
  return { elements: read.elements.map(element => ({ ...element, at: element.at + by })) };
}

function interpret(elements: readonly Gs1Element[], symbology: string | null, today: string): Scan {
  const values = new Map(elements.map(({ ai, value }) => [ai, value]));
  const text = (ai: string): string | null => values.get(ai) ?? null;
  const date = (ai: string): string | null => dateOf(values.get(ai), today);
  const number = (ai: string): number | null => (values.has(ai) ? Number(values.get(ai)) : null);
  const piece = (text('8006') ?? text('8026'))?.slice(0, 14) ?? null;
  const measures = elements.flatMap(element => measureOf(element));
  const weight = measures.find(({ ai }) => /^3(?:10|20|56)/.test(ai));
  const expiryWithTime = text('7003');
  const expiries = [date('17'), dateOf(expiryWithTime?.slice(0, 6), today)].filter(found => found !== null);
  return {
    kind: 'gs1',
    symbology,
    elements,
    gtin: text('01') ?? text('02') ?? piece,
    contentGtin: text('02'),
    sscc: text('00'),
    lot: text('10'),
    serial: text('21'),
    variant: text('20'),
    orderNumber: text('400'),
    gln: text('414'),
    glnExtension: text('254'),
    expiry: expiries.sort()[0] ?? null,
    expiryTime: expiryWithTime === null ? null : readGs1Time(expiryWithTime.slice(6)),
    bestBefore: date('15'),
    sellBy: date('16'),
    production: date('11'),
    packaging: date('13'),
    due: date('12'),
    count: number('37'),
    variableCount: number('30'),
    netWeight: weight === undefined ? null : { value: weight.value, unit: weight.unit },
    measures,
  };
}

function dateOf(digits: string | undefined, today: string): string | null {
  return digits === undefined ? null : readGs1Date(digits, today, true);
}

/** The digits are moved as text, so that 1.5 kg is 1.5 and not what a division leaves. */
function measureOf({ ai, value, title }: Gs1Element): Gs1Measure[] {
  const identifier = findApplicationIdentifier(ai);
  if (identifier === null || identifier.unit === null) return [];
  const point = value.length - (identifier.decimals ?? 0);
  return [
    { ai, title, value: Number(`${value.slice(0, point)}.${value.slice(point)}`), unit: identifier.unit },
  ];
}
