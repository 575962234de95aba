import { describe, expect, it } from 'vitest';
import { newPrivateKey, publicKeyOf, signText } from '../../../server/keys/ed25519.ts';
import { proofOf, signedText } from '../../../server/keys/signature-proof.ts';

const SAID = {
  subject: 'ncr:17',
  user_id: 7,
  user_name: 'Quinn',
  at: '2026-06-30T12:00:00.000Z',
  meaning: 'closing',
  reason: 'Settled.',
  version: 3,
  state: 'ab'.repeat(32),
};
const mine = newPrivateKey();

function proved(said: Record<string, unknown> = SAID, key = mine) {
  const signed = signedText(said);
  return { ...said, key: publicKeyOf(key), proof: signText(key, signed), signed };
}

/** The same bytes: with bits in the last character that are of no byte, with padding, with a line's end. */
function respelt(text: string): string[] {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = digits[digits.indexOf(text.slice(-1)) + 1] ?? '';
  return [`${text.slice(0, -1)}${last}`, `${text}=`, `${text}\n`];
}

describe('the proof of a signature', () => {
  it('is of all that the signature says, and of what it is', () => {
    expect(signedText(SAID)).toBe(
      `{"at":"2026-06-30T12:00:00.000Z","meaning":"closing","reason":"Settled.","says":"holdpoint: signature","state":"${'ab'.repeat(32)}","subject":"ncr:17","user_id":7,"user_name":"Quinn","version":3}`,
    );
    expect(proofOf(proved())).toBe('proved');
    expect(proofOf(proved({ ...SAID, reason: null }))).toBe('proved');
  });

  it('is none where there is no key, and broken where only a part of it is there', () => {
    expect(proofOf(SAID)).toBe('none');
    expect(proofOf({ ...SAID, key: null, proof: null, signed: null })).toBe('none');
    for (const name of ['key', 'proof', 'signed'])
      expect(proofOf({ ...proved(), [name]: null })).toBe('broken');
  });

  it.each([
    ['user_name', 'Eve'],
    ['at', '2025-10-01T08:00:00.000Z'],
    ['meaning', 'verdict'],
    ['reason', 'Other.'],
    ['reason', null],
    ['version', 4],
  ])('is broken by another %s', (name, value) => {
    expect(proofOf({ ...proved(), [name]: value })).toBe('broken');
  });

  it.each([
    ['subject', 'ncr:18'],
    ['user_id', 8],
    ['state', 'cd'.repeat(32)],
  ])('says that the record was given another id where %s is another one', (name, value) => {
    expect(proofOf({ ...proved(), [name]: value })).toBe('moved');
  });

  it.each(['key', 'proof'] as const)('is broken where its %s is the same bytes in another spelling', name => {
    const one = proved();
    for (const other of respelt(one[name])) {
      expect(Buffer.from(other, 'base64url')).toEqual(Buffer.from(one[name], 'base64url'));
      expect(proofOf({ ...one, [name]: other })).toBe('broken');
    }
  });

  it('is broken by another key, another signature, and a text that says it is something else', () => {
    const other = newPrivateKey();
    expect(proofOf({ ...proved(), key: publicKeyOf(other) })).toBe('broken');
    expect(proofOf({ ...proved(), proof: signText(other, signedText(SAID)) })).toBe('broken');
    for (const text of [
      signedText(SAID).replace('holdpoint: signature', 'holdpoint: checkpoint'),
      '',
      'null',
      '[]',
      signedText(SAID).replace('"version":3', '"version":3,"version":3'),
    ]) {
      const forged = { ...SAID, key: publicKeyOf(mine), proof: signText(mine, text), signed: text };
      expect(proofOf(forged)).not.toBe('proved');
    }
  });
});
