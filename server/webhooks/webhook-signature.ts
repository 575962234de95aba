import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import type { WebhookAlgorithm } from '../../shared/operations/webhook-operations.ts';

const SECRET_BYTES = 32;
const SYMMETRIC = 'whsec_';
const PRIVATE = 'whsk_';
const PUBLIC = 'whpk_';

/** What a signature covers (Standard Webhooks, "Signature scheme"). `timestamp` in seconds since 1970. */
export interface Signed {
  id: string;
  timestamp: number;
  body: string;
}

/**
 * A new secret as Standard Webhooks writes it: `whsec_` for HMAC, `whsk_` for Ed25519, whose 64 bytes are the private and the
 * public half.
 */
export function newWebhookSecret(algorithm: WebhookAlgorithm): string {
  if (algorithm === 'hmac') return `${SYMMETRIC}${randomBytes(SECRET_BYTES).toString('base64')}`;
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const halves = [d, x].map(half => Buffer.from(half, 'base64url'));
  return `${PRIVATE}${Buffer.concat(halves).toString('base64')}`;
}

/** What a receiver checks signatures with, where that is no secret: `whpk_…` of an Ed25519 key; null for HMAC. */
export function publicHalfOf(secret: string): string | null {
  if (!secret.startsWith(PRIVATE)) return null;
  const { x = '' } = createPublicKey(privateKeyOf(secret)).export({ format: 'jwk' });
  return `${PUBLIC}${Buffer.from(x, 'base64url').toString('base64')}`;
}

/** The header `webhook-signature`: one of each secret, so that a receiver with any of them is content. */
export function signatureHeader(secrets: readonly string[], { id, timestamp, body }: Signed): string {
  const text = `${id}.${timestamp}.${body}`;
  return secrets.map(secret => signatureBy(secret, text)).join(' ');
}

function signatureBy(secret: string, text: string): string {
  if (secret.startsWith(PRIVATE))
    return `v1a,${sign(null, Buffer.from(text), privateKeyOf(secret)).toString('base64')}`;
  const key = Buffer.from(secret.slice(SYMMETRIC.length), 'base64');
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
}

function privateKeyOf(secret: string): KeyObject {
  const bytes = Buffer.from(secret.slice(PRIVATE.length), 'base64');
  const d = bytes.subarray(0, SECRET_BYTES).toString('base64url');
  const x = bytes.subarray(SECRET_BYTES).toString('base64url');
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
}
