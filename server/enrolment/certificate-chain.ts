import { createPrivateKey, sign, verify, X509Certificate } from 'node:crypto';
import { canonicalJson } from '../../shared/contract/canonical-json.ts';
import type { ChainLink } from '../../shared/operations/renewal-operations.ts';

/** SHA-256 in lower-case hex, of a certificate or its PEM text. */
export function fingerprintOf(certificate: X509Certificate | string): string {
  const parsed = typeof certificate === 'string' ? new X509Certificate(certificate) : certificate;
  return parsed.fingerprint256.replaceAll(':', '').toLowerCase();
}

/** The former certificate's word that another one follows it; base64. All but `formerKey` are PEM texts of certificates. */
export function signFollower(former: string, formerKey: string, next: string): string {
  return signed(formerKey, followerText(fingerprintOf(former), fingerprintOf(next)));
}

/**
 * The certificates by which central may be known to who knows it by one of them: that one and those after it, each signed
 * by the key of the one before. Dates do not matter: a station may have been away for longer than a certificate is valid.
 * @param known the head of the SHA-256 of the one that is known, in lower-case hex
 * @returns undefined where it is not among them, or a signature is wrong
 */
export function followersOf(chain: readonly ChainLink[], known: string): string[] | undefined {
  try {
    const [first, ...others] = chain.slice(
      chain.findIndex(({ certificate }) => fingerprintOf(certificate).startsWith(known)),
    );
    if (!first || !fingerprintOf(first.certificate).startsWith(known)) return undefined;
    let former = new X509Certificate(first.certificate);
    for (const { certificate, signature } of others) {
      const text = followerText(fingerprintOf(former), fingerprintOf(certificate));
      if (signature === null || !isSignedBy(former, text, signature)) return undefined;
      former = new X509Certificate(certificate);
    }
    return [first, ...others].map(({ certificate }) => certificate);
  } catch {
    // What is no certificate proves nothing.
    return undefined;
  }
}

/** Central's time, as an answer to a question that nobody asked before; base64. */
export function signTime(key: string, request: string, clock: string): string {
  return signed(key, timeText(request, clock));
}

/** Whether one of the certificates (PEM) has signed this time as the answer to this question. */
export function provesTime(
  certificates: readonly string[],
  { request, clock, signature }: { request: string; clock: string; signature: string },
): boolean {
  return certificates.some(one => isSignedBy(new X509Certificate(one), timeText(request, clock), signature));
}

/** What is signed says what it is: no signature stands for anything else that the key signs. */
function followerText(former: string, next: string): string {
  return canonicalJson({ says: 'holdpoint: this certificate follows', former, next });
}

function timeText(request: string, clock: string): string {
  return canonicalJson({ says: "holdpoint: central's time", request, clock });
}

function signed(key: string, text: string): string {
  return sign('sha256', Buffer.from(text), createPrivateKey(key)).toString('base64');
}

function isSignedBy({ publicKey }: X509Certificate, text: string, signature: string): boolean {
  return verify('sha256', Buffer.from(text), publicKey, Buffer.from(signature, 'base64'));
}
