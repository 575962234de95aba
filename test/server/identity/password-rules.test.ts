import { describe, expect, it } from 'vitest';
import { passwordRules } from '../../../server/identity/password-rules.ts';
import { AppError } from '../../../shared/contract/errors.ts';

const ANN = { login: 'ann.keller', name: 'Ann Keller' };
const check = await passwordRules();

describe('a password', () => {
  it.each([
    'blue gulls yes',
    'correct horse battery',
    'seven grey herons',
    'drei kleine Möwen',
    '中文密码也可以用的啊吗的哦',
    'kx7 Qp-21 zT',
    `${'many words and '.repeat(15)}no end`,
  ])('may be "%s"', password => {
    expect(check(password, ANN)).toBe(password);
  });

  it.each([
    ['nothing', ''],
    ['eleven characters', 'kx7 Qp-21 z'],
    ['257 characters', 'kx7 Qp-2'.repeat(33)],
    ['a number', 12_345_678],
    ['the login', 'Ann.Keller'],
    ['the name', 'Ann Keller'],
    ['the login, long enough', 'Ann.Keller!!'],
    ['the name and a year', 'Ann Keller 2026'],
    ['the name without its blank', 'annkeller1984!'],
    ['a season and a year', 'Sommer2026!!'],
    ['a season and a year, short', 'Sommer2026'],
    ['a season twice', 'SommerSommer2026'],
    ['an English season', 'Summer2026!!!!'],
    ['a month', 'Januar2026!!'],
    ['a day', 'Montag2026!!'],
    ['a long word and a year', 'Winterzeit2026!'],
    ['the product', 'Holdpoint2026!'],
    ['the work', 'Wareneingang1!'],
    ['what most people choose', 'Password1234!'],
    ['that in German', 'Passwort-Passwort'],
    ['that with signs for letters', 'P@ssw0rd2026!'],
    ['keys in a row', 'qwertzuiopasdf'],
    ['keys in columns', '1qaz2wsx3edc'],
    ['one character', 'aaaaaaaaaaaa'],
    ['a piece again and again', '123412341234'],
    ['digits in a row', '123456789012'],
    ['letters in a row', 'abcdefghijklmn'],
  ])('is not %s', (_what, password) => {
    const refused = () => check(password, ANN);
    expect(refused).toThrow(AppError);
    expect(refused).toThrow(/^password: /);
  });

  it('is named by the field that it came in', () => {
    expect(() => check('short', ANN, 'new_password')).toThrow(/^new_password: /);
  });
});
