import { findApplicationIdentifier } from './application-identifiers.ts';
import { checkValue } from './check-value.ts';
import { type ElementsRead, type Gs1Element, withoutContradiction } from './element-string.ts';
import { scanAgain } from './unreadable.ts';

/**
 * Reads a GS1 Digital Link URI (version 1.4): `https://id.example/01/09506000134352/10/LOT7?17=271231`. Null when a
 * web address names no GS1 key, so that it is plain text. Query parameters that are no identifiers are passed over.
 */
export function readDigitalLink(text: string, today: string): ElementsRead | null {
  const [, origin = '', path = '', query = ''] =
    /^(https?:\/\/[^/?#]+)([^?#]*)(?:\?([^#]*))?(?:#.*)?$/i.exec(text) ?? [];
  const segments = segmentsOf(path, origin.length);
  // Keys and values stand in pairs up to the end of the path; what comes before them is the site's own.
  const first = segments.findLastIndex(
    ({ raw }, index) =>
      (segments.length - index) % 2 === 0 &&
      primaryKeys.has(raw) &&
      (segments[index + 1]?.raw.length ?? 0) >= shortestKey,
  );
  if (first < 0) return null;

  const queryAt = origin.length + path.length + 1;
  const pairs = [...pathPairs(segments.slice(first)), ...queryPairs(query, queryAt)];
  const elements: Gs1Element[] = [];
  for (const { ai, raw, at } of pairs) {
    const identifier = findApplicationIdentifier(ai);
    if (identifier?.ai !== ai) continue;
    const decoded = decode(raw);
    if (decoded === null) {
      const message = `(${ai}) ${identifier.title} "${raw}" is not encoded as a web address requires. ${scanAgain}`;
      return { failure: { reason: 'character', ai, at, message } };
    }
    // Earlier versions let a GTIN be written with 8, 12 or 13 digits.
    const value = ai === '01' && /^(?:\d{8}|\d{12,13})$/.test(decoded) ? decoded.padStart(14, '0') : decoded;
    const failure = checkValue(identifier, value, at, today);
    if (failure !== null) return { failure };
    elements.push({ ai, value, title: identifier.title, at });
  }
  return withoutContradiction(elements, origin.length);
}

/** Primary identification keys (Digital Link URI syntax, section 4.3). */
const primaryKeys = new Set(
  '00 01 253 255 401 402 414 415 417 8003 8004 8006 8010 8013 8017 8018'.split(' '),
);

/** Shorter numbers in a path (`/01/15`) are some other site's. */
const shortestKey = 8;

interface Segment {
  readonly raw: string;
  readonly at: number;
}

interface Pair extends Segment {
  readonly ai: string;
}

function segmentsOf(path: string, start: number): Segment[] {
  return [...path.matchAll(/[^/]+/g)].map(({ 0: raw, index }) => ({ raw, at: start + index }));
}

function pathPairs(segments: readonly Segment[]): Pair[] {
  return segments.flatMap((key, index) => {
    const value = segments[index + 1];
    return index % 2 === 0 && value !== undefined ? [{ ai: key.raw, ...value }] : [];
  });
}

function queryPairs(query: string, start: number): Pair[] {
  return [...query.matchAll(/(?:^|[&;])(\d{2,4})=([^&;]*)/g)].map(
    ({ 0: all, 1: ai = '', 2: raw = '', index }) => ({
      ai,
      raw,
      at: start + index + all.length - raw.length,
    }),
  );
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
