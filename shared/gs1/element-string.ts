import { findApplicationIdentifier } from './application-identifiers.ts';
import { checkValue } from './check-value.ts';
import { scanAgain, type Unreadable } from './unreadable.ts';

/** An application identifier with its value as scanned. */
export interface Gs1Element {
  readonly ai: string;
  readonly value: string;
  /** GS1's data title: `BATCH/LOT`. */
  readonly title: string;
  /** Where its identifier stands: characters from the start of the scanned text. */
  readonly at: number;
}

export type ElementsRead = { readonly elements: Gs1Element[] } | { readonly failure: Unreadable };

const GS = '\u001d';

/**
 * How FNC1 arrives from scanners that cannot send GS (ASCII 29). None of these can be part of a value, or only as a
 * text that no label bears, so a configured list is rarely needed.
 */
export const defaultSeparators: readonly string[] = [
  GS,
  ...['GS', 'FNC1', 'F8'].flatMap(name => [`{${name}}`, `<${name}>`, `[${name}]`]),
  '\\x1D',
  '\\x1d',
  '\\u001D',
  '\\u001d',
  '\\u{1d}',
  '\u241d',
  '^]',
  '^',
  '|',
  '~',
];

/** Reads identifier, value and so on from `start`; a value of variable length ends at a separator or at the end. */
export function readElementString(
  text: string,
  start: number,
  today: string,
  separators: readonly string[],
): ElementsRead {
  const separatorAt = separatorFinder(separators);
  const elements: Gs1Element[] = [];
  let at = start;
  while (at < text.length) {
    const gap = separatorAt(text, at);
    if (gap?.index === at) {
      at += gap.length;
      continue;
    }
    const identifier = findApplicationIdentifier(text.slice(at));
    if (identifier === null) return { failure: unknownIdentifier(text, at) };
    const valueAt = at + identifier.ai.length;
    const segmentEnd = separatorAt(text, valueAt)?.index ?? text.length;
    const end = identifier.hasPredefinedLength
      ? Math.min(valueAt + identifier.maximum, segmentEnd)
      : segmentEnd;
    const value = text.slice(valueAt, end);
    const failure = checkValue(identifier, value, valueAt, today);
    if (failure !== null) return { failure };
    elements.push({ ai: identifier.ai, value, title: identifier.title, at });
    at = end;
  }
  return withoutContradiction(elements, start);
}

/** Reads the form that stands below a code: `(01)09506000134352(10)ABC`. A bracket in a value is no identifier's. */
export function readBracketed(
  text: string,
  start: number,
  today: string,
  separators: readonly string[],
): ElementsRead {
  const heads = [...text.matchAll(/\((\d{2,4})\)/g)].filter(
    ({ 1: code = '', index }) =>
      index >= start && (index === start || findApplicationIdentifier(code)?.ai === code),
  );
  const elements: Gs1Element[] = [];
  for (const [position, { 0: head, 1: code = '', index }] of heads.entries()) {
    const identifier = findApplicationIdentifier(code);
    if (identifier?.ai !== code) return { failure: unknownIdentifier(text, index) };
    const valueAt = index + head.length;
    const raw = text.slice(valueAt, heads[position + 1]?.index ?? text.length);
    const value = withoutSeparators(raw, separators).trim();
    const failure = checkValue(identifier, value, valueAt + raw.indexOf(value), today);
    const unknownAt = raw.search(/\(\d{2,4}\)/);
    if (failure !== null) {
      return { failure: unknownAt < 0 ? failure : unknownIdentifier(text, valueAt + unknownAt) };
    }
    elements.push({ ai: code, value, title: identifier.title, at: index });
  }
  return withoutContradiction(elements, start);
}

/** The same identifier may stand twice, but not with two values (General Specifications 4.14). */
export function withoutContradiction(elements: Gs1Element[], start: number): ElementsRead {
  if (elements.length === 0) {
    const message = `The code holds no data. ${scanAgain}`;
    return { failure: { reason: 'empty', ai: null, at: start, message } };
  }
  const seen = new Map<string, string>();
  for (const { ai, value, title, at } of elements) {
    const before = seen.get(ai);
    if (before !== undefined && before !== value) {
      const message = `(${ai}) ${title} stands twice, as "${before}" and "${value}". Scan one label at a time.`;
      return { failure: { reason: 'contradiction', ai, at, message } };
    }
    seen.set(ai, value);
  }
  return { elements };
}

function unknownIdentifier(text: string, at: number): Unreadable {
  const shown = text.slice(at, at + 6);
  const message =
    `"${shown}" at character ${at + 1} is no GS1 application identifier. ` +
    `Set the scanner to send the separator (FNC1) as GS (ASCII 29). ${scanAgain}`;
  return { reason: 'unknownIdentifier', ai: null, at, message };
}

function withoutSeparators(text: string, separators: readonly string[]): string {
  return separators.reduce((rest, separator) => rest.replaceAll(separator, ''), text);
}

/** The first separator at or after a position; of two that begin there the longer one. */
function separatorFinder(
  separators: readonly string[],
): (text: string, from: number) => { index: number; length: number } | null {
  const longestFirst = separators.filter(({ length }) => length > 0).sort((a, b) => b.length - a.length);
  return (text, from) =>
    longestFirst
      .map(({ length }, index) => ({ index: text.indexOf(longestFirst[index] ?? '', from), length }))
      .filter(({ index }) => index >= 0)
      .sort((a, b) => a.index - b.index || b.length - a.length)[0] ?? null;
}
