import { proofOf } from '../../keys/signature-proof.ts';
import type { Pushed } from './pushed.ts';

/**
 * Why a signature that a station sends proves nothing, in words: its author has a key, and it is not of that key over exactly what
 * it says. Who has none yet signs without; nobody signs with a key that central does not know.
 */
export function unprovedFault({ family, entry, commit, authors }: Pushed): string | undefined {
  if (family.name !== 'signature') return undefined;
  const author = authors.userOf(commit.user);
  if (author?.isRevoked) return REVOKED;
  const key = author?.publicKey ?? null;
  const said = Object.fromEntries(entry.changes.map(({ path, new: value }) => [path, value]));
  const proof = proofOf(said);
  if (proof === 'none') return key === null ? undefined : WITHOUT;
  return proof === 'proved' && said.key === key ? undefined : FOREIGN;
}

const REVOKED =
  "The signer's password and key were revoked, because somebody else may have them. Ask the signer.";
const WITHOUT =
  'The signer has a key, and this signature was made without it: the station did not have it then, or somebody else made it. Ask the signer.';
const FOREIGN =
  "The signature is not proved by the signer's present key: the key was replaced meanwhile, the record was given another id, or somebody else made it. Ask the signer.";
