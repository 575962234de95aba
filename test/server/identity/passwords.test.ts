import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createPasswords, isStoredPassword } from '../../../server/identity/passwords.ts';

const { hash, isPassword, isSameSalt } = createPasswords({ cost: { log2N: 10, r: 8, p: 1 } });

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

  it('has the salt of the one before, so that a former password is found by its text, unless that cost something else', async () => {
    const former = await hash('blue gulls');
    const [again, other] = [await hash('blue gulls', former), await hash('red gulls', former)];
    expect(again).toBe(former);
    expect(other).not.toBe(former);
    expect(isSameSalt(other, former)).toBe(true);
    const cheaper = await createPasswords({ cost: { log2N: 11, r: 8, p: 1 } }).hash('blue gulls', former);
    expect(isSameSalt(cheaper, former)).toBe(false);
  });

  it('costs what OWASP asks for, and is read whatever it was made with', async () => {
    const strong = createPasswords();
    const stored = await strong.hash('blue gulls');
    expect(stored).toMatch(/^scrypt\$17\$8\$1\$/);
    expect(await isPassword('blue gulls', stored)).toBe(true);
    expect(await strong.isPassword('blue gulls', await hash('blue gulls'))).toBe(true);
    const { privateKey } = generateKeyPairSync('ed25519');
    expect(await strong.seal('blue gulls', privateKey)).toMatch(/^key\$17\$8\$1\$/);
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
