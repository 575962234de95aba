import type { ApplicationIdentifier, CharacterSet, ValuePart } from './application-identifiers.ts';
import { checkDigit } from './check-digit.ts';
import { readGs1Date, readGs1Time } from './gs1-date.ts';
import { nameOf, scanAgain, setSeparator, type Unreadable, type UnreadableReason } from './unreadable.ts';

/**
 * What is wrong with an identifier's value, or null: length, characters, check digit, dates and times.
 * `at` is where the value begins in the scanned text; `today` decides a date's century.
 */
export function checkValue(
  identifier: ApplicationIdentifier,
  value: string,
  at: number,
  today: string,
): Unreadable | null {
  const name = nameOf(identifier);
  const stop = (reason: UnreadableReason, offset: number, message: string): Unreadable => ({
    reason,
    ai: identifier.ai,
    at: at + offset,
    message: `${name} ${message}`,
  });
  const { minimum, maximum } = identifier;
  const length = minimum === maximum ? `${maximum}` : `${minimum} to ${maximum}`;
  if (value.length > maximum) {
    return stop('tooLong', maximum, `holds ${length} characters and has ${value.length}. ${setSeparator}`);
  }

  let start = 0;
  for (const part of identifier.parts) {
    const text = value.slice(start, start + part.maximum);
    if (text === '' && part.isOptional) continue;
    const wrong = [...text].findIndex(character => !characterSets[part.characters].test(character));
    if (wrong >= 0) {
      const allowed = part.characters === 'N' ? 'digits only' : 'letters, digits and signs without spaces';
      return stop('character', start + wrong, `holds ${allowed} and has "${text[wrong]}". ${scanAgain}`);
    }
    if (text.length < part.minimum) {
      const message = `holds ${length} characters and has ${value.length}. The code is cut short. ${scanAgain}`;
      return stop('cutShort', value.length, message);
    }
    const problem = checkPart(part, text, today);
    if (problem !== null) return stop(problem.reason, start, `${problem.message} ${scanAgain}`);
    start += text.length;
  }
  return start < value.length
    ? stop('tooLong', start, `has "${value.slice(start)}" too many. ${setSeparator}`)
    : null;
}

/** The character sets of General Specifications 7.11 (82: figure 7.11-1, 39: figure 7.11-2, 64: file-safe base 64). */
const characterSets: Record<CharacterSet, RegExp> = {
  N: /[0-9]/,
  X: /[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]/,
  Y: /[#\-/0-9A-Z]/,
  Z: /[-0-9A-Z_a-z=]/,
};

function checkPart(
  { check }: ValuePart,
  text: string,
  today: string,
): { reason: UnreadableReason; message: string } | null {
  switch (check) {
    case null:
      return null;
    case 'csum': {
      const expected = checkDigit(text.slice(0, -1));
      if (text.endsWith(expected)) return null;
      return {
        reason: 'checkDigit',
        message: `${text} has the check digit ${text.slice(-1)} and should have ${expected}.`,
      };
    }
    case 'yymmd0':
    case 'yymmdd':
    case 'yyyymmdd':
      if (readGs1Date(text, today, check === 'yymmd0') !== null) return null;
      return {
        reason: 'date',
        message: `"${text}" is no date (${check.toUpperCase().replace('D0', 'DD')}).`,
      };
    case 'hhmi':
      if (readGs1Time(text) !== null) return null;
      return { reason: 'time', message: `"${text}" is no time of day (HHMM).` };
    case 'hh':
    case 'mi':
    case 'ss':
      if (Number(text) < (check === 'hh' ? 24 : 60)) return null;
      return { reason: 'time', message: `"${text}" is no time of day.` };
  }
}
