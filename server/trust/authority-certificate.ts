import { z } from 'zod';
import { canonicalJson } from '../../shared/contract/canonical-json.ts';
import { isSignedBy, KEY_TEXT, SIGNATURE_TEXT } from '../keys/ed25519.ts';

const key = z.string().regex(KEY_TEXT);

/** An administrator's word that an installation signs by another key since, made with the administrator's own key. */
const certificateSchema = z.strictObject({
  installation: z.string().max(100),
  /** The public key that counted before, and the one that counts since. */
  former: key,
  key,
  user_id: z.int(),
  login: z.string().max(200),
  /** The administrator's public key. */
  signer: key,
  at: z.iso.datetime(),
  reason: z.string().max(400),
  /** Ed25519 by `signer` over `authorityText`. */
  proof: z.string().regex(SIGNATURE_TEXT),
});
export type AuthorityCertificate = z.infer<typeof certificateSchema>;

/** What is signed. */
export function authorityText({
  installation,
  former,
  key: present,
  user_id,
  login,
  signer,
  at,
  reason,
}: Omit<AuthorityCertificate, 'proof'>): string {
  const said = { installation, former, key: present, user_id, login, signer, at, reason };
  return canonicalJson({ says: 'holdpoint: authority key', ...said });
}

/** Undefined for what is none, and for what its signer has not signed. Whose key that is the user's record says. */
export function readAuthorityCertificate(value: unknown): AuthorityCertificate | undefined {
  const { data } = certificateSchema.safeParse(value);
  return data && isSignedBy(data.signer, authorityText(data), data.proof) ? data : undefined;
}
