import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  newEnrolmentSecret,
  readEnrolmentCode,
  SECRET_LENGTH,
  writeEnrolmentCode,
} from '../../../shared/contract/enrolment-code.ts';
import fc from '../../support/fast-check.ts';

const fingerprint = '00c0ffee00112233445566778899aabbccddeeff';
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const secrets = fc
  .array(fc.integer({ min: 0, max: 255 }), { minLength: SECRET_LENGTH, maxLength: SECRET_LENGTH })
  .map(bytes => newEnrolmentSecret(() => Uint8Array.from(bytes)));
const codes = fc.record({
  secret: secrets,
  fingerprint: fc.option(
    fc.bigInt({ min: 0n, max: 2n ** 160n - 1n }).map(n => n.toString(16).padStart(40, '0')),
  ),
});

describe('a code for enrolment', () => {
  it('is groups of four signs that a person can copy', () => {
    const secret = newEnrolmentSecret(randomBytes);
    expect(writeEnrolmentCode({ secret, fingerprint: null })).toMatch(/^HP1(-[0-9A-HJKMNP-TV-Z]{4}){7}$/);
    expect(writeEnrolmentCode({ secret, fingerprint })).toMatch(/^HP1(-[0-9A-HJKMNP-TV-Z]{4}){15}$/);
  });

  it('reads as it was written, however it is spaced and in lower case', () => {
    fc.assert(
      fc.property(codes, code => {
        const text = writeEnrolmentCode(code);
        expect(readEnrolmentCode(text)).toEqual(code);
        expect(readEnrolmentCode(` ${text.toLowerCase().replaceAll('-', ' ')}\n`)).toEqual(code);
        expect(
          readEnrolmentCode(text.replaceAll('0', 'O').replaceAll('1', 'l').replace('HPl', 'HP1')),
        ).toEqual(code);
      }),
    );
  });

  it('is told from one with a wrong sign', () => {
    fc.assert(
      fc.property(codes, fc.nat(), fc.integer({ min: 1, max: 31 }), (code, place, by) => {
        const text = writeEnrolmentCode(code);
        const places = [...text].flatMap((sign, at) => (at > 3 && sign !== '-' ? [at] : []));
        const at = places[place % places.length] ?? 0;
        const sign = alphabet[(alphabet.indexOf(text[at] ?? '') + by) % 32];
        expect(() => readEnrolmentCode(text.slice(0, at) + sign + text.slice(at + 1))).toThrow('mistyped');
      }),
    );
  });

  it('is told from one with two neighbours that changed places', () => {
    const text = writeEnrolmentCode({ secret: alphabet.slice(0, SECRET_LENGTH), fingerprint });
    const signs = [...text.slice(4).replaceAll('-', '')];
    for (let at = 1; at < signs.length; at += 1) {
      const [one = '', other = ''] = [signs[at - 1], signs[at]];
      if (one === other) continue;
      const swapped = signs
        .with(at - 1, other)
        .with(at, one)
        .join('');
      expect(() => readEnrolmentCode(`HP1${swapped}`), swapped).toThrow('mistyped');
    }
  });

  it.each([
    ['', 'not a code'],
    ['hunter2', 'not a code'],
    ['HP1', 'cut off'],
    ['HP1-0000', 'cut off'],
    ['HP2-0000-0000', 'another version (HP2)'],
    [`HP1-${'0'.repeat(10_000)}`, 'mistyped'],
    [`HP1-${'\u0660'.repeat(28)}`, 'mistyped'],
  ])('%s is refused by its words', (text, words) => {
    expect(() => readEnrolmentCode(text)).toThrow(words);
  });
});
