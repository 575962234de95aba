import { z } from 'zod';
import { canonicalJson } from '../../shared/contract/canonical-json.ts';
import { isSignedBy, KEY_TEXT, SIGNATURE_TEXT } from './ed25519.ts';

const key = z.string().regex(KEY_TEXT);
const signature = z.string().regex(SIGNATURE_TEXT);

/** That a person of central is who had another key at an installation before it joined: both keys of that person say so. */
const claimSchema = z.strictObject({
  /** The installation, as its chains are named. */
  station: z.string().max(200),
  user_id: z.int(),
  login: z.string().max(200),
  /** The person's public key now, and the one of then. */
  key,
  former_key: key,
  /** ISO 8601 UTC, in milliseconds. */
  at: z.iso.datetime({ precision: 3 }),
  /** Ed25519 by each of them over `claimText`. */
  proof: signature,
  former_proof: signature,
});
export type FormerClaim = z.infer<typeof claimSchema>;

/** What both keys sign. */
export function claimText(claim: Omit<FormerClaim, 'proof' | 'former_proof'>): string {
  const { station, user_id, login, key: present, former_key, at } = claim;
  return canonicalJson({
    says: 'holdpoint: former key',
    station,
    user_id,
    login,
    key: present,
    former_key,
    at,
  });
}

/** Undefined for what is none, and for what either key has not signed. Whose keys they are the users' records and the archive say. */
export function readClaim(value: unknown): FormerClaim | undefined {
  const { data } = claimSchema.safeParse(value);
  if (!data) return undefined;
  const text = claimText(data);
  const isBoth =
    isSignedBy(data.key, text, data.proof) && isSignedBy(data.former_key, text, data.former_proof);
  return isBoth ? data : undefined;
}
