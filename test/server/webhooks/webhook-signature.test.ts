import { createPublicKey, verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import {
  newWebhookSecret,
  publicHalfOf,
  signatureHeader,
} from '../../../server/webhooks/webhook-signature.ts';

const body = '{"type":"supplier.changed","data":{"name":"Müller € 𝄞"}}';

function headersBy(secrets: readonly string[], id = 'msg_1'): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1_000);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureHeader(secrets, { id, timestamp, body }),
  };
}

it('is what the library of Standard Webhooks verifies, and of nothing that was altered', () => {
  const secret = newWebhookSecret('hmac');
  const receiver = new Webhook(secret);
  const headers = headersBy([secret]);
  expect(receiver.verify(body, headers)).toMatchObject({ type: 'supplier.changed' });
  expect(() => receiver.verify(body.replace('changed', 'created'), headers)).toThrow();
  expect(() => receiver.verify(body, { ...headers, 'webhook-id': 'msg_2' })).toThrow();
  const later = String(Number(headers['webhook-timestamp']) + 1);
  expect(() => receiver.verify(body, { ...headers, 'webhook-timestamp': later })).toThrow();
  expect(() => new Webhook(newWebhookSecret('hmac')).verify(body, headers)).toThrow();
});

it('is by both secrets while both count', () => {
  const secrets = [newWebhookSecret('hmac'), newWebhookSecret('hmac')];
  const headers = headersBy(secrets);
  expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
  for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toMatchObject({ data: {} });
});

it('by Ed25519 is of the public key that is shown', () => {
  const secret = newWebhookSecret('ed25519');
  expect(secret).toMatch(/^whsk_/);
  expect(Buffer.from(secret.slice(5), 'base64')).toHaveLength(64);
  const shown = publicHalfOf(secret) ?? '';
  expect(shown).toMatch(/^whpk_/);
  // SubjectPublicKeyInfo of RFC 8410 around the 32 bytes.
  const der = Buffer.concat([
    Buffer.from('302a300506032b6570032100', 'hex'),
    Buffer.from(shown.slice(5), 'base64'),
  ]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  const headers = headersBy([secret]);
  const [version, signature = ''] = (headers['webhook-signature'] ?? '').split(',');
  expect(version).toBe('v1a');
  const text = `msg_1.${headers['webhook-timestamp']}.${body}`;
  expect(verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))).toBe(true);
  expect(verify(null, Buffer.from(`${text} `), key, Buffer.from(signature, 'base64'))).toBe(false);
  expect(publicHalfOf(newWebhookSecret('hmac'))).toBeNull();
});
