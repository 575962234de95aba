import { createPrivateKey, type KeyObject } from 'node:crypto';

const PKCS8_OF_SEED = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The publisher whose releases the program takes that tests start (tested-program.ts); everybody has the private key. */
export const PUBLISHER = keyOf(1);
export const PUBLISHER_KEY = String(PUBLISHER.export({ format: 'jwk' }).x);
/** Whom nobody knows. */
export const STRANGER = keyOf(2);

function keyOf(seed: number): KeyObject {
  const key = Buffer.concat([PKCS8_OF_SEED, Buffer.alloc(32, seed)]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}
