import { AppError } from '../../../shared/contract/errors.ts';
import { fingerprintOfKey } from '../../keys/ed25519.ts';

export interface Signer {
  /** By which the file is signed. */
  key: string;
  /** Those by which the installation is known to sign; none before it was heard of. */
  known: readonly string[];
  /** The fingerprint that a person has heard from there: SHA-256 in hex, as `holdpoint authority show` says it. */
  accepted: string | undefined;
  /** Whose file it is, for people. */
  whose: string;
}

/**
 * Who has the secret of station and central can seal a file; only the installation itself has its own key. The first key that is
 * heard of counts, and each that a person names.
 * @throws AppError `conflict` with what to do, at `key`
 */
export function refuseOtherSigner({ key, known, accepted, whose }: Signer): void {
  if (known.length === 0 || known.includes(key)) return;
  const print = fingerprintOfKey(key);
  if (accepted !== undefined && plain(accepted) === print) return;
  const before = fingerprintOfKey(known.at(-1) ?? '');
  const message = `This file is signed with another key than ${whose} had: SHA-256 ${print}, before it ${before}. Nothing of it was taken. Ask there by telephone which key they have (holdpoint authority show), and whether that machine was restored. If it is this one, give it as the key (holdpoint carry in FILE --key ${print}). If not, somebody else wrote the file.`;
  throw new AppError('conflict', message, { errors: { key: [message] } });
}

function plain(fingerprint: string): string {
  return fingerprint.replace(/[\s:]/g, '').toLowerCase();
}
