import { createPublicKey, generateKeyPairSync, hash, type KeyObject, sign, verify } from 'node:crypto';

/**
 * Ed25519 (RFC 8032): public keys are their 32 bytes and signatures their 64, both base64url. Each is written in one way only, so that all
 * who check it read the same: the last character has bits of no byte, which are zero.
 */
export const KEY_TEXT = /^[\w-]{42}[AEIMQUYcgkosw048]$/;
export const SIGNATURE_TEXT = /^[\w-]{85}[AQgw]$/;

export function newPrivateKey(): KeyObject {
  return generateKeyPairSync('ed25519').privateKey;
}

export function publicKeyOf(key: KeyObject): string {
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  if (x === undefined) throw new Error('it has no public half');
  return x;
}

/** Over the text as UTF-8. The text says what it is, so that the signature stands for nothing else. */
export function signText(key: KeyObject, text: string): string {
  return sign(null, Buffer.from(text), key).toString('base64url');
}

/** Whether the key has signed the text; what is no key has signed nothing, and neither has a key in another spelling, or a signature. */
export function isSignedBy(key: string, text: string, signature: string): boolean {
  if (!KEY_TEXT.test(key) || !SIGNATURE_TEXT.test(signature)) return false;
  const known = verdicts.get(signature);
  if (known?.key === key && known.text === text) return known.isSigned;
  try {
    return verify(null, Buffer.from(text), readKey(key), Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

/**
 * Whether the key belongs to a secret. Of the eight points of small order anybody signs anything without one, and a point is written in one
 * way only: its y below p = 2^255 - 19.
 */
function isPersonal(key: string): boolean {
  const bytes = Buffer.from(key, 'base64url');
  if (bytes.length !== 32) return false;
  // The last bit says which of two points it is that have the same y.
  bytes[31] = (bytes[31] ?? 0) & 0x7f;
  const y = BigInt(`0x${bytes.reverse().toString('hex')}`);
  return y < P && !SMALL.has(y);
}

const P = 2n ** 255n - 19n;
const EIGHTH = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;
/** The y of the points of order 1, 2, 4 and 8. */
const SMALL: ReadonlySet<bigint> = new Set([1n, P - 1n, 0n, EIGHTH, P - EIGHTH]);

/** What is said to be signed by a key. */
export interface Claim {
  key: string;
  text: string;
  signature: string;
}

/** By signatures. A verdict is of these very bytes, and of no others. */
const verdicts = new Map<string, Claim & { isSigned: boolean }>();

/**
 * Verifies claims on other threads, for `isSignedBy` to know what they came to: whoever asks meanwhile or of something else verifies
 * it himself. Answers how to forget them.
 * @param judge undefined for what cannot be judged
 */
export async function verifyAhead(claims: readonly Claim[], judge = verifyElsewhere): Promise<() => void> {
  const judged = await Promise.all(claims.map(async claim => ({ claim, isSigned: await judge(claim) })));
  const made = judged.flatMap(({ claim, isSigned }) =>
    isSigned === undefined ? [] : { ...claim, isSigned },
  );
  for (const verdict of made) verdicts.set(verdict.signature, verdict);
  return () => {
    for (const verdict of made)
      if (verdicts.get(verdict.signature) === verdict) verdicts.delete(verdict.signature);
  };
}

function verifyElsewhere({ key, text, signature }: Claim): Promise<boolean | undefined> {
  return new Promise(resolve => {
    try {
      const bytes = Buffer.from(signature, 'base64url');
      verify(null, Buffer.from(text), readKey(key), bytes, (error, isSigned) =>
        resolve(error ? undefined : isSigned),
      );
    } catch {
      resolve(undefined);
    }
  });
}

/** Keys that were read: each commit of a session is of the same, and to read one takes half as long as to verify. */
const read = new Map<string, KeyObject>();
const MOST_READ = 500;

function readKey(key: string): KeyObject {
  const known = read.get(key);
  if (known) return known;
  if (!isPersonal(key)) throw new Error('it is the key of nobody');
  const made = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' });
  if (read.size >= MOST_READ) read.clear();
  read.set(key, made);
  return made;
}

/** How people compare a public key: SHA-256 of its 32 bytes, in hex. */
export function fingerprintOfKey(key: string): string {
  return hash('sha256', Buffer.from(key, 'base64url'));
}
