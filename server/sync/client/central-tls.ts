import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { invalid } from '../../../shared/contract/errors.ts';
import { isLoopback } from '../../enrolment/certificate.ts';
import { fingerprintOf, followersOf } from '../../enrolment/certificate-chain.ts';
import { tunnelTo } from '../../network/proxy.ts';
import { trustSystem } from '../../network/system-authorities.ts';
import { CentralFailure, centralFailureOf, WRONG_CERTIFICATE } from './central-failure.ts';
import { askForCertificates } from './unproved-server.ts';

/** By what a station knows its central: by one certificate, or by the authorities that vouch for it. */
export type Trust =
  /** PEM text of the one certificate. */
  | { certificate: string }
  /** The same of several, of which each is enough; asked for with every new connection. */
  | { certificates: () => readonly string[] }
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

/** Options of every connection that says anything. Which certificate it must have is for `refuseOthers` where one is known. */
export function tlsOptions(trust: Trust): ConnectionOptions {
  const minVersion = 'TLSv1.2';
  if (isPinned(trust)) return { minVersion, rejectUnauthorized: false };
  const common: ConnectionOptions = { rejectUnauthorized: true, minVersion };
  if (trust.authorities === undefined) trustSystem();
  return trust.authorities === undefined ? common : { ...common, ca: [trust.authorities] };
}

/**
 * Why a connection that stands is not to be used: of a central that is known by its certificate, because it has another. The
 * names and dates in the certificate do not matter then: a clock may be wrong by years.
 */
export function refuseOthers(trust: Trust, socket: TLSSocket): Error | null {
  if (!isPinned(trust)) return null;
  const known = 'certificates' in trust ? trust.certificates() : [trust.certificate];
  const shown = socket.getPeerX509Certificate();
  const isKnown = shown && known.some(one => fingerprintOf(one) === fingerprintOf(shown));
  return isKnown ? null : wrongCertificate();
}

function isPinned(trust: Trust): trust is Exclude<Trust, { authorities?: string | undefined }> {
  return 'certificate' in trust || 'certificates' in trust;
}

/**
 * Asks a server for its certificate and answers it as PEM if it has the fingerprint (the head of the SHA-256 in lower-case
 * hex), or follows one that has it: central may have been renewed since somebody wrote the fingerprint down. Only what comes
 * over later connections, which are verified against this certificate, is believed.
 * @throws CentralFailure
 */
export async function learnCertificate(
  address: Pick<CentralAddress, 'host' | 'port'>,
  fingerprint: string,
  options: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<string> {
  const certificate = await presentedBy(address, options);
  if (fingerprintOf(certificate).startsWith(fingerprint)) return certificate.toString();
  const asked = await askForCertificates(address, options).catch(() => undefined);
  options.signal?.throwIfAborted();
  const followers = followersOf(asked?.shown?.certificates ?? [], fingerprint) ?? [];
  const found = followers.find(one => fingerprintOf(one) === asked?.present);
  if (found === undefined) throw centralFailureOf(wrongCertificate(), address.host);
  return found;
}

/** The certificate of who is at the address, on a connection that says nothing else. */
async function presentedBy(
  { host, port }: Pick<CentralAddress, 'host' | 'port'>,
  { timeoutMs = 10_000, signal }: { timeoutMs?: number; signal?: AbortSignal },
): Promise<X509Certificate> {
  const tunnel = await tunnelTo(host, port, timeoutMs).catch((error: unknown) => {
    throw centralFailureOf(error, host);
  });
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port,
      ...(tunnel && { socket: tunnel }),
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
      if (certificate === undefined) return fail(centralFailureOf(wrongCertificate(), host));
      resolve(certificate);
      socket.destroy();
    });
    if (signal?.aborted) onAbort();
  });
}

/** With which a certificate is refused that is not the one that is known. */
export function wrongCertificate(): Error {
  return Object.assign(new Error('The certificate is not the one that is expected.'), {
    code: WRONG_CERTIFICATE,
  });
}
