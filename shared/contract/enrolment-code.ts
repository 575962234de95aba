import { invalid } from './errors.ts';

/** What a code for enrolment says. */
export interface EnrolmentCode {
  /** What central knows the code by: `SECRET_LENGTH` signs of the alphabet. */
  secret: string;
  /**
   * The head of the SHA-256 fingerprint of central's certificate, `FINGERPRINT_LENGTH` digits in lower-case hex; null
   * where an authority vouches for the certificate, or there is none.
   */
  fingerprint: string | null;
}

/** Crockford's base 32: no I, L, O and U, which are read as what they are taken for. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const VERSION = 'HP1';
/** 120 random bits: nothing to guess, within a day or ever. */
export const SECRET_LENGTH = 24;
/** 160 bits of the fingerprint: nobody finds another certificate that has them. */
export const FINGERPRINT_LENGTH = 40;
const FINGERPRINT_SIGNS = 32;
const CHECK_SIGNS = 4;
const GROUP = 4;
/** The largest prime below 2^20: one sign that differs, or two neighbours that changed places, never go unnoticed. */
const CHECK_PRIME = 1_048_573;

/** The text that a person copies: `HP1-7K2M-…`, 31 signs long without a fingerprint and 78 with one. */
export function writeEnrolmentCode({ secret, fingerprint }: EnrolmentCode): string {
  const signs = secret + (fingerprint === null ? '' : signsOfHex(fingerprint));
  const groups = (signs + checkOf(signs)).match(new RegExp(`.{${GROUP}}`, 'g')) ?? [];
  return [VERSION, ...groups].join('-');
}

/** A secret of 24 signs, five bits of each of as many random bytes. */
export function newEnrolmentSecret(random: (size: number) => Uint8Array): string {
  return [...random(SECRET_LENGTH)].map(byte => ALPHABET[byte % 32] ?? '').join('');
}

/**
 * Reads a code as a person typed it: spaces, hyphens and case do not matter, and I, L and O are read as 1, 1 and 0.
 * @throws AppError 422 on `code` for a text that no central has made: mistyped, cut off, or of another version
 */
export function readEnrolmentCode(text: string): EnrolmentCode {
  const plain = text.toUpperCase().replace(/[\s-]/g, '');
  if (!/^HP[0-9A-Z]/.test(plain))
    throw mistyped('This is not a code for enrolment. It begins with HP1. Copy it whole.');
  if (!plain.startsWith(VERSION))
    throw mistyped(`This code is of another version (${plain.slice(0, 3)}). Update this program.`);
  const signs = plain.slice(VERSION.length).replaceAll('O', '0').replace(/[IL]/g, '1');
  const lengths = [SECRET_LENGTH + CHECK_SIGNS, SECRET_LENGTH + FINGERPRINT_SIGNS + CHECK_SIGNS];
  const body = signs.slice(0, -CHECK_SIGNS);
  const isWhole = lengths.includes(signs.length) && [...signs].every(sign => ALPHABET.includes(sign));
  if (!isWhole || checkOf(body) !== signs.slice(-CHECK_SIGNS))
    throw mistyped('The code is mistyped or cut off. Copy it whole, as central showed it.');
  const fingerprint = body.slice(SECRET_LENGTH);
  return {
    secret: body.slice(0, SECRET_LENGTH),
    fingerprint: fingerprint === '' ? null : hexOfSigns(fingerprint),
  };
}

function mistyped(message: string): Error {
  return invalid({ code: [message] });
}

/** Four signs that stand for a number below `CHECK_PRIME`. */
function checkOf(signs: string): string {
  let sum = 1;
  for (const sign of signs) sum = (sum * 37 + ALPHABET.indexOf(sign)) % CHECK_PRIME;
  return Array.from({ length: CHECK_SIGNS }, (_, at) => ALPHABET[(sum >> (15 - 5 * at)) & 31]).join('');
}

function signsOfHex(hex: string): string {
  const number = BigInt(`0x${hex}`);
  return Array.from(
    { length: FINGERPRINT_SIGNS },
    (_, at) => ALPHABET[Number((number >> BigInt(5 * (FINGERPRINT_SIGNS - 1 - at))) & 31n)],
  ).join('');
}

function hexOfSigns(signs: string): string {
  let number = 0n;
  for (const sign of signs) number = number * 32n + BigInt(ALPHABET.indexOf(sign));
  return number.toString(16).padStart(FINGERPRINT_LENGTH, '0');
}
