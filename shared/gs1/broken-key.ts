import { hasCheckDigit } from './check-digit.ts';

/**
 * Whether a text of no known kind is most likely a GTIN or SSCC that was misread: a number as long as a GTIN whose check
 * digit fails, or the beginning of an element string with a key whose check digit fails or that is cut short. Firms number
 * their own parts with such numbers too: what a part carries already is looked for first.
 */
export function isBrokenKey(text: string): boolean {
  const body = text.replace(/^\][A-Za-z]\d/, '').trim();
  if (/^(?:\d{8}|\d{12,14})$/.test(body)) return !hasCheckDigit(body);
  // (00), (01) and (02) with most of their digits, in brackets or not, alone or with more behind.
  const key = /^\(?(0[012])\)?(\d{11,18})(?:\D|$)/.exec(body) ?? /^\(?(0[012])\)?(\d{14,})/.exec(body);
  if (key === null) return false;
  const [, ai, digits = ''] = key;
  const length = ai === '00' ? 18 : 14;
  return digits.length < length || !hasCheckDigit(digits.slice(0, length));
}
