import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { type ConnectionOptions, connect, type PeerCertificate } from 'node:tls';
import { invalid } from '../../../shared/contract/errors.ts';
import { isLoopback } from '../../enrolment/certificate.ts';
import { CentralFailure, centralFailureOf, WRONG_CERTIFICATE } from './central-failure.ts';

/** By what a station knows its central: by one certificate, or by the authorities that vouch for it. */
export type Trust =
  /** PEM text of the one certificate. */
  | { certificate: string }
  /** PEM text of the authorities; the system's when absent. Then the certificate must have the host's name. */
  | { authorities?: string | undefined };

/** Where central is. */
export interface CentralAddress {
  isSecure: boolean;
  host: string;
  port: number;
  /** Without a slash at the end. */
  origin: string;
}

/**
 * Reads central's address as a person gives it: `https://central.example:4870`; without a scheme it is https.
 * @throws AppError 422 on `address`, also for plain HTTP to another machine
 */
export function readCentralAddress(text: string): CentralAddress {
  const trimmed = text.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  const remedy = 'Give it as https://central.example:4870.';
  if (url === null || url.hostname === '' || !/^https?:$/.test(url.protocol))
    throw invalid({ address: [`${JSON.stringify(text.slice(0, 100))} is not an address. ${remedy}`] });
  if (
    url.username !== '' ||
    url.password !== '' ||
    url.pathname !== '/' ||
    url.search !== '' ||
    url.hash !== ''
  )
    throw invalid({ address: [`The address has more in it than scheme, host and port. ${remedy}`] });
  const isSecure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (!isSecure && !isLoopback(host)) {
    throw invalid({
      address: [
        `${url.origin} is plain HTTP to another machine, which anybody on the way can read. Give https://.`,
      ],
    });
  }
  return { isSecure, host, port: Number(url.port || (isSecure ? 443 : 80)), origin: url.origin };
}

/** Options of every connection that says anything. Verification is always on. */
export function tlsOptions(trust: Trust): ConnectionOptions {
  const common: ConnectionOptions = { rejectUnauthorized: true, minVersion: 'TLSv1.2' };
  if (!('certificate' in trust)) {
    return trust.authorities === undefined ? common : { ...common, ca: [trust.authorities] };
  }
  const { fingerprint256 } = new X509Certificate(trust.certificate);
  return {
    ...common,
    ca: [trust.certificate],
    // It may be one that an authority has signed; here it counts by itself.
    allowPartialTrustChain: true,
    checkServerIdentity: (_host: string, peer: PeerCertificate) =>
      peer.fingerprint256 === fingerprint256 ? undefined : wrongCertificate(),
  };
}

/**
 * Asks a server for its certificate, on a connection that says nothing else, and answers it as PEM if it has the
 * fingerprint (the head of the SHA-256 in lower-case hex). Only what comes over later connections, which are verified
 * against this certificate, is believed.
 * @throws CentralFailure
 */
export function learnCertificate(
  { host, port }: Pick<CentralAddress, 'host' | 'port'>,
  fingerprint: string,
  { timeoutMs = 10_000, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port,
      minVersion: 'TLSv1.2',
      rejectUnauthorized: false,
      ...(isIP(host) === 0 ? { servername: host } : {}),
    });
    const fail = (error: unknown): void => {
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(
      () =>
        fail(
          new CentralFailure('timeout', `${host}: it does not answer. Check the address, and the network.`),
        ),
      timeoutMs,
    );
    const onAbort = (): void => fail(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    socket.once('close', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      reject(new CentralFailure('cut', `The connection to ${host} broke off.`));
    });
    socket.once('error', error => fail(centralFailureOf(error, host)));
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerX509Certificate();
      const hex = certificate?.fingerprint256.replaceAll(':', '').toLowerCase();
      if (certificate === undefined || !hex?.startsWith(fingerprint))
        return fail(centralFailureOf(wrongCertificate(), host));
      resolve(certificate.toString());
      socket.destroy();
    });
    if (signal?.aborted) onAbort();
  });
}

function wrongCertificate(): Error {
  return Object.assign(new Error('The certificate is not the one that is expected.'), {
    code: WRONG_CERTIFICATE,
  });
}
