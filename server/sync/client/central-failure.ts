import { AppError } from '../../../shared/contract/errors.ts';

/**
 * `unreachable`: nobody answers at the address. `timeout`: nothing came for too long. `certificate`: somebody answers who
 * cannot prove to be central. `not_central`: another program answers, such as the page of a network that asks to sign in.
 * `gateway`: the proxy before central answers, central does not. `cut`: the answer broke off. `too_large`: it does not end.
 */
export type CentralFailureKind =
  | 'unreachable'
  | 'timeout'
  | 'certificate'
  | 'not_central'
  | 'gateway'
  | 'cut'
  | 'too_large';

/** Central could not be asked, or its answer did not come; whether it acted on the request is not known. */
export class CentralFailure extends AppError {
  readonly kind: CentralFailureKind;

  constructor(kind: CentralFailureKind, message: string, cause?: unknown) {
    super('unavailable', message, cause === undefined ? {} : { cause });
    this.name = 'CentralFailure';
    this.kind = kind;
  }
}

/** What an error of a connection means, in words that a person can act on. */
export function centralFailureOf(error: unknown, host: string): CentralFailure {
  if (error instanceof CentralFailure) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const certificate = CERTIFICATE_WORDS[code];
  if (certificate !== undefined)
    return new CentralFailure('certificate', `${host}: ${certificate} Nothing was sent.`, error);
  if (/^(ERR_SSL_|EPROTO$|HPE_)/.test(code)) {
    return new CentralFailure(
      'not_central',
      `What answers at ${host} does not speak as central does. Check the address and the port.`,
      error,
    );
  }
  const words = CONNECTION_WORDS[code];
  if (words === undefined && code === 'ECONNRESET')
    return new CentralFailure('cut', `The connection to ${host} broke off. It is tried again.`, error);
  const reason = words ?? 'It cannot be reached.';
  return new CentralFailure(code === 'ETIMEDOUT' ? 'timeout' : 'unreachable', `${host}: ${reason}`, error);
}

/** The code of the error with which a pinned certificate is refused. */
export const WRONG_CERTIFICATE = 'ERR_PINNED_CERTIFICATE';

const UNKNOWN_ISSUER =
  "its certificate is not one that this station knows. Give central's authority in HOLDPOINT_CA, or enrol with a code that carries the fingerprint.";

const CERTIFICATE_WORDS: Record<string, string> = {
  [WRONG_CERTIFICATE]:
    "its certificate is not central's, and none that follows it. Somebody may stand in between. If central's certificate was made anew, make a new code there and enrol this station again.",
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_ISSUER,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_ISSUER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
  CERT_SIGNATURE_FAILURE: UNKNOWN_ISSUER,
  CERT_UNTRUSTED: UNKNOWN_ISSUER,
  INVALID_CA: UNKNOWN_ISSUER,
  CERT_HAS_EXPIRED: "its certificate has expired. Give central a new one, or set this machine's clock right.",
  CERT_NOT_YET_VALID: "its certificate is not valid yet. Set this machine's clock right.",
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its certificate is for another host name. Use the name that the certificate has.',
  CERT_REVOKED: 'its certificate was revoked. Give central a new one.',
};

const CONNECTION_WORDS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there. Check the address and the port, and that central runs.',
  ENOTFOUND: 'the name is not known. Check the address, and the network.',
  EAI_AGAIN: 'the name cannot be looked up now. Check the network.',
  EHOSTUNREACH: 'there is no way to it. Check the network.',
  ENETUNREACH: 'there is no way to it. Check the network.',
  EPROXY:
    'the proxy does not let this machine through to it. Have the proxy allow it, or name the host in NO_PROXY.',
  EPROXYADDRESS:
    'HTTPS_PROXY is no address of a proxy. Give it as http://name:password@proxy:port, with what is no letter or digit in the password as %40 for @, %23 for #, %25 for %.',
  EPROXYAUTH:
    'the proxy asks for a name and a password. Give them in HTTPS_PROXY, as http://name:password@proxy:port.',
  EPROXYREFUSED:
    'the proxy does not take the name and the password in HTTPS_PROXY. Set them right there, and start again.',
  EPROXYSCHEME:
    'the proxy takes no name and password (Basic), but another way of signing in, which is not spoken here. Have it let this machine through to central.',
  EPROXYGONE: 'the proxy cannot be reached. Check HTTPS_PROXY, the settings of the system and the network.',
  ETIMEDOUT: 'it does not answer. Check the address, and the network.',
};
