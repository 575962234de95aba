import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../shared/contract/errors.ts';
import { fingerprintOf } from './certificate-chain.ts';
import { OwnCertificates } from './own-certificates.ts';

/** From so many days before its end on, people are told. */
export const ENDING_DAYS = 60;
const DAY_MS = 86_400_000;

export type Role = 'station' | 'central';

/** What a server speaks TLS with. */
export interface ServerCertificate {
  /** PEM texts. */
  certificate: string;
  key: string;
  /** SHA-256 in upper-case hex with colons, as people compare it. */
  fingerprint: string;
  /** SHA-256 in lower-case hex, for stations to know it by; null where an authority vouches for it. */
  pin: string | null;
  validUntil: Date;
}

/** Of the configuration: the data folder, where the server listens, and the files that it is given. */
export interface CertificateConfig {
  folder: string;
  host: string;
  hosts: string[];
  certificate?: string | undefined;
  key?: string | undefined;
  isBehindProxy?: boolean;
  authorities?: string | undefined;
}

/** What a server speaks with over its life: the certificate can change while it runs. */
export interface Certificates {
  /** Undefined for plain HTTP, which is for loopback and behind a declared proxy. */
  present(): ServerCertificate | undefined;
  /** Those that a central made for itself. */
  own: OwnCertificates | undefined;
  /** What a person should know at the start, in sentences. */
  warnings: string[];
}

/**
 * The certificates to listen with. A central beyond loopback that is given none makes one of its own: its stations know it by
 * the fingerprint.
 * @param isListening false for a command that does a server's work while that does not run: it makes no certificate
 * @throws AppError that names the variable at fault, and the remedy
 */
export async function openCertificates(
  config: CertificateConfig,
  role: Role,
  now: () => Date,
  isListening = true,
): Promise<Certificates> {
  const given = givenCertificate(config);
  if (given) {
    const described = describe(given.certificate, given.key);
    return { present: () => described, own: undefined, warnings: endingWarnings(described, now()) };
  }
  const none = { present: () => undefined, own: undefined, warnings: [] };
  if (config.isBehindProxy) return none;
  const { folder } = config;
  // A command may not be told where the server listens.
  if (!isListening && !(role === 'central' && OwnCertificates.isThere(folder))) return none;
  if (isListening && isLoopback(config.host)) return none;
  if (role !== 'central') {
    const message = `HOLDPOINT_HOST=${config.host} is beyond this machine, where plain HTTP would show tokens to everybody. Give HOLDPOINT_CERTIFICATE and HOLDPOINT_KEY, or set HOLDPOINT_PROXY=1 when a proxy before this server speaks TLS.`;
    throw new AppError('validation_failed', message);
  }
  const hosts = (known: string[]) => [...new Set([...wantedHosts(config), ...ownHosts(), ...known])];
  const own = await OwnCertificates.open({ folder, hosts, now });
  let known: ServerCertificate | undefined;
  const present = () => {
    const { certificate, key } = own.present;
    // Each message of a station asks.
    if (known?.certificate !== certificate) known = describe(certificate, key);
    return known;
  };
  const warnings = [
    ...own.warnings,
    ...endingWarnings(present(), now()),
    ...missingHosts(own.present.certificate, config),
  ];
  return { present, own, warnings };
}

/** Whether it is time to tell people that a certificate ends, or has ended. */
export function isEnding(validUntil: Date, now: Date): boolean {
  return validUntil.getTime() - now.getTime() < ENDING_DAYS * DAY_MS;
}

/**
 * The authorities of `HOLDPOINT_CA`, by which a station knows its central; undefined for the system's.
 * @throws AppError that names the variable, when the file cannot be read or holds no certificate
 */
export function readAuthorities({ authorities }: Pick<CertificateConfig, 'authorities'>): string | undefined {
  if (authorities === undefined) return undefined;
  return readPem('HOLDPOINT_CA', authorities, text => new X509Certificate(text)).text;
}

/** Whether a host name or address is this machine's own and nobody else's. */
export function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[(.*)\]$/, '$1');
  if (plain.toLowerCase() === 'localhost') return true;
  return isIP(plain) !== 0 && loopback.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function givenCertificate(config: CertificateConfig): { certificate: string; key: string } | undefined {
  const { certificate: certificatePath, key: keyPath } = config;
  if (certificatePath === undefined && keyPath === undefined) return undefined;
  if (certificatePath === undefined || keyPath === undefined) {
    const [given, missing] =
      keyPath === undefined
        ? ['HOLDPOINT_CERTIFICATE', 'HOLDPOINT_KEY']
        : ['HOLDPOINT_KEY', 'HOLDPOINT_CERTIFICATE'];
    throw new AppError('validation_failed', `${given} is set and ${missing} is not. Give both, or none.`);
  }
  const certificate = readPem('HOLDPOINT_CERTIFICATE', certificatePath, text => new X509Certificate(text));
  const key = readPem('HOLDPOINT_KEY', keyPath, text => createPrivateKey(text));
  if (!certificate.value.checkPrivateKey(key.value)) {
    const message = `HOLDPOINT_KEY=${keyPath} is not the key of the certificate in HOLDPOINT_CERTIFICATE=${certificatePath}. Give the two that belong together.`;
    throw new AppError('validation_failed', message);
  }
  return { certificate: certificate.text, key: key.text };
}

function readPem<Value>(
  variable: string,
  path: string,
  parse: (text: string) => Value,
): { text: string; value: Value } {
  try {
    const text = readFileSync(path, 'utf8');
    return { text, value: parse(text) };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AppError(
      'validation_failed',
      `${variable}=${path} cannot be used: ${why}. Give a PEM file that this user can read, without a passphrase.`,
      { cause },
    );
  }
}

/** A new name makes no new certificate by itself. */
function missingHosts(certificate: string, config: CertificateConfig): string[] {
  const known = new X509Certificate(certificate);
  const missing = wantedHosts(config).filter(host =>
    isIP(host) === 0 ? known.checkHost(host) === undefined : known.checkIP(host) === undefined,
  );
  if (missing.length === 0) return [];
  return [
    `The certificate in ${join(config.folder, 'central.crt')} does not name ${missing.join(', ')}. Stations that know it by its fingerprint do not mind; a browser does. \`holdpoint certificate renew\` makes one that does.`,
  ];
}

function wantedHosts({ host, hosts }: CertificateConfig): string[] {
  const plain = hosts.map(name =>
    name
      .replace(/:\d+$/, '')
      .replace(/^\[(.*)\]$/, '$1')
      .toLowerCase(),
  );
  return isWildcard(host) ? plain : [host, ...plain];
}

function ownHosts(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap(each => each ?? []);
  const reachable = addresses.map(({ address }) => address).filter(address => !/^fe80:|%/i.test(address));
  return ['localhost', '127.0.0.1', '::1', hostname(), ...reachable];
}

export function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

function describe(certificate: string, key: string): ServerCertificate {
  const parsed = new X509Certificate(certificate);
  const vouchesForItself = parsed.issuer === parsed.subject && parsed.verify(parsed.publicKey);
  return {
    certificate,
    key,
    fingerprint: parsed.fingerprint256,
    pin: vouchesForItself ? fingerprintOf(parsed) : null,
    validUntil: parsed.validToDate,
  };
}

function endingWarnings({ validUntil, pin }: ServerCertificate, now: Date): string[] {
  if (!isEnding(validUntil, now)) return [];
  const [verb, until] = [validUntil < now ? 'was' : 'is', validUntil.toISOString()];
  const who = pin === null ? 'Stations and browsers' : 'Browsers';
  return [`The certificate ${verb} valid until ${until}: ${who} refuse it after that. Renew it.`];
}
