import { createPublicKey, generateKeyPairSync, hash, type KeyObject, sign, verify } from 'node:crypto';

/** Ed25519 (RFC 8032): public keys are their 32 bytes and signatures their 64, both base64url. */

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

/** Whether the key has signed the text; what is no key has signed nothing. */
export function isSignedBy(key: string, text: string, signature: string): boolean {
  try {
    const known = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' });
    return verify(null, Buffer.from(text), known, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

/** How people compare a public key: SHA-256 of its 32 bytes, in hex. */
export function fingerprintOfKey(key: string): string {
  return hash('sha256', Buffer.from(key, 'base64url'));
}
