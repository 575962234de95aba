import { createCipheriv, createDecipheriv, createPrivateKey, type KeyObject, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A private key in a box that 32 bytes open (AES-256-GCM, a nonce of its own): nonce and box, both base64url. */
export function sealKey(secret: Buffer, key: KeyObject): [nonce: string, box: string] {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', secret, nonce);
  const der = key.export({ type: 'pkcs8', format: 'der' });
  const box = Buffer.concat([cipher.update(der), cipher.final(), cipher.getAuthTag()]);
  return [nonce.toString('base64url'), box.toString('base64url')];
}

/** Undefined for another secret, and for what `sealKey` did not make. */
export function openKey(secret: Buffer, nonce: string, box: string): KeyObject | undefined {
  const bytes = Buffer.from(box, 'base64url');
  try {
    const options = { authTagLength: TAG_BYTES };
    const decipher = createDecipheriv('aes-256-gcm', secret, Buffer.from(nonce, 'base64url'), options);
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const der = Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]);
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  } catch {
    return undefined;
  }
}
