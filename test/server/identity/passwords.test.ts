import { describe, expect, it } from 'vitest';
import { checkPassword, createPasswords, isStoredPassword } from '../../../server/identity/passwords.ts';
import { AppError } from '../../../shared/contract/errors.ts';

const { hash, isPassword } = createPasswords({ cost: { log2N: 10, r: 8, p: 1 } });
const ANN = { login: 'ann.keller', name: 'Ann Keller' };

describe('a password', () => {
  it.each([
    'blue gulls',
    'correct horse battery',
    '中文密码也可以用的',
    'kx7 Qp-21',
    `${'x'.repeat(10)}yz!q`,
  ])('may be "%s"', password => {
    expect(checkPassword(password, ANN)).toBe(password);
  });

  it.each([
    ['nothing', ''],
    ['seven characters', 'kx7Qp-2'],
    ['257 characters', 'kx7 Qp-2'.repeat(33)],
    ['a number', 12_345_678],
    ['the login', 'Ann.Keller'],
    ['the name', 'Ann Keller'],
    ['the name and a year', 'Keller2026!'],
    ['what most people choose', 'Password'],
    ['that with digits', 'password123'],
    ['keys in a row', 'qwertzuiop'],
    ['one character', 'aaaaaaaaaa'],
    ['a piece again and again', '12341234'],
    ['digits in a row', '12345678'],
    ['digits downwards', '987654321'],
    ['letters in a row', 'abcdefghij'],
  ])('is not %s', (_what, password) => {
    const check = () => checkPassword(password, ANN);
    expect(check).toThrow(AppError);
    expect(check).toThrow(/^password: /);
  });

  it('is named by the field that it came in', () => {
    expect(() => checkPassword('short', ANN, 'new_password')).toThrow(/^new_password: /);
  });
});

describe('a stored password', () => {
  it('is another text each time, and knows its password and no other', async () => {
    const [one, two] = await Promise.all([hash('blue gulls'), hash('blue gulls')]);
    expect(one).not.toBe(two);
    expect(one).toMatch(/^scrypt\$10\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    const answers = [one, two].flatMap(stored => [
      isPassword('blue gulls', stored),
      isPassword('blue gullS', stored),
      isPassword('', stored),
    ]);
    expect(await Promise.all(answers)).toEqual([true, false, false, true, false, false]);
  });

  it('costs what OWASP asks for, and is read whatever it was made with', async () => {
    const strong = createPasswords();
    const stored = await strong.hash('blue gulls');
    expect(stored).toMatch(/^scrypt\$17\$8\$1\$/);
    expect(await isPassword('blue gulls', stored)).toBe(true);
    expect(await strong.isPassword('blue gulls', await hash('blue gulls'))).toBe(true);
  });

  it('is the same however letters are composed', async () => {
    expect(await isPassword('Mo\u0308we am Kai', await hash('M\u00f6we am Kai'))).toBe(true);
  });

  it.each([
    undefined,
    '',
    'blue gulls',
    `scrypt$30$8$1$${'A'.repeat(22)}$${'A'.repeat(43)}`,
    `scrypt$17$99$1$${'A'.repeat(22)}$${'A'.repeat(43)}`,
    `scrypt$17$8$9$${'A'.repeat(22)}$${'A'.repeat(43)}`,
    `scrypt$17$0$1$${'A'.repeat(22)}$${'A'.repeat(43)}`,
  ])('that is none (%s) knows no password, and asks for no more work', async stored => {
    expect(isStoredPassword(stored ?? '')).toBe(false);
    expect(await isPassword('blue gulls', stored)).toBe(false);
  });

  it('refuses more than can be worked out in time', async () => {
    const many = Array.from({ length: 80 }, () =>
      isPassword('x', undefined).then(String, error => error.code),
    );
    const answers = await Promise.all(many);
    expect(answers.filter(answer => answer === 'unavailable')).toHaveLength(80 - 66);
    expect(await isPassword('x', undefined)).toBe(false);
  });
});
