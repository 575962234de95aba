import { describe, expect, it } from 'vitest';
import {
  groupsOf,
  isTypedBack,
  keyNameOf,
  newBackupKey,
  readBackupKey,
  readRecipient,
} from '../../../server/backup/backup-key.ts';
import { AppError } from '../../../shared/contract/errors.ts';

/** Of the specification's own kind; nothing is encrypted to it. */
const IDENTITY = 'AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX';
const RECIPIENT = 'age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj';

async function refusedOf(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((thrown: unknown) => thrown);
  if (!(error instanceof AppError)) throw new Error(`Not refused: ${String(error)}`);
  expect(error.status).toBe(422);
  // Neither the message nor what caused it has the key in it.
  expect(`${error.message} ${error.cause} ${JSON.stringify(error.errors)}`).not.toContain('GFPYYSJZGFP');
  return error.message;
}

describe('a recovery key', () => {
  it('is one of age, and its recipient is that of age', async () => {
    expect(await readBackupKey(IDENTITY)).toEqual({ identity: IDENTITY, recipient: RECIPIENT });
    const { identity, recipient } = await newBackupKey();
    expect(await readBackupKey(identity)).toEqual({ identity, recipient });
    expect(await readRecipient(` ${recipient.toUpperCase()}\n`)).toBe(recipient);
    expect(keyNameOf(recipient)).toBe(recipient.slice(4, 12));
  });

  it.each([
    ['in small letters', IDENTITY.toLowerCase()],
    ['in groups', groupsOf(IDENTITY).join(' ')],
    ['in lines, with dashes', groupsOf(IDENTITY).join('-\r\n')],
    ['as a file of age-keygen', `# created: today\n# public key: ${RECIPIENT}\n${IDENTITY}\n`],
    [
      'with letters that no key has',
      IDENTITY.replaceAll('0', 'O').replaceAll('8', 'B').replace('KEY-1', 'KEY-l'),
    ],
  ])('is read %s', async (_how, typed) => {
    expect((await readBackupKey(typed)).recipient).toBe(RECIPIENT);
  });

  it.each([
    ['nothing', ' \n# a comment', 'Give the recovery key'],
    ['the recipient', RECIPIENT, 'This is the recipient'],
    ['one character too few', IDENTITY.slice(0, -1), 'these are 57, 1 too few'],
    ['three too many', `${IDENTITY}QQQ`, 'these are 61, 3 too many'],
    ['one for another', IDENTITY.replace('SJZ', 'SJX'), 'is mistyped'],
    ['two that changed places', IDENTITY.replace('4EGAEX', '4EAGEX'), 'is mistyped'],
    ['what stands in no alphabet of keys', IDENTITY.replace('SJZ', 'SJÄ'), '"Ä" never stands in a key'],
  ])('is refused in words: %s', async (_what, typed, words) => {
    expect(await refusedOf(readBackupKey(typed))).toContain(words);
  });

  it.each([
    ['the key itself', IDENTITY, 'must not lie on this machine'],
    ['mistyped', RECIPIENT.replace('zvkyg', 'zvkyq'), 'no recipient of age'],
    ['of another kind', 'age1pq1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73eq', 'no recipient of age'],
    ['anything', 'ssh-ed25519 AAAA', 'no recipient of age'],
  ])('has a recipient that is refused in words: %s', async (_what, typed, words) => {
    expect(await refusedOf(readRecipient(typed))).toContain(words);
  });

  it('is typed back by its last two groups, and by nothing less', () => {
    const last = groupsOf(IDENTITY).slice(-2);
    for (const typed of [last.join(' '), last.join(''), ` ${last.join(' ').toLowerCase()} `])
      expect(isTypedBack(IDENTITY, typed)).toBe(true);
    for (const typed of ['', last[1] ?? '', `${last.join('')}Q`, groupsOf(IDENTITY)[0] ?? ''])
      expect(isTypedBack(IDENTITY, typed)).toBe(false);
  });
});
