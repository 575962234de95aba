import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../shared/contract/errors.ts';
import { syncFolder } from '../store/marks.ts';

const CERTIFICATE_FILE = 'central.crt';
const KEY_FILE = 'central.key';
const YEARS = 10;
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
  /** What a person should know, in sentences. */
  warnings: string[];
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

/**
 * The certificate to listen with; undefined for plain HTTP, which is for loopback and behind a declared proxy. A central
 * beyond loopback that is given none makes one of its own, once: its stations know it by the fingerprint.
 * @throws AppError that names the variable at fault, and the remedy
 */
export async function serverCertificate(
  config: CertificateConfig,
  role: Role,
  now: () => Date,
): Promise<ServerCertificate | undefined> {
  const given = givenCertificate(config);
  if (given) return described(given.certificate, given.key, now());
  if (isLoopback(config.host) || config.isBehindProxy) return undefined;
  if (role === 'central') return selfMade(config, now());
  const message = `HOLDPOINT_HOST=${config.host} is beyond this machine, where plain HTTP would show tokens to everybody. Give HOLDPOINT_CERTIFICATE and HOLDPOINT_KEY, or set HOLDPOINT_PROXY=1 when a proxy before this server speaks TLS.`;
  throw new AppError('validation_failed', message);
}

/**
 * What stations know this installation by while its server does not run: the SHA-256 of its certificate in lower-case
 * hex; null where an authority or a proxy vouches for it, or there is none.
 * @throws AppError as `serverCertificate` does
 */
export function storedPin(config: CertificateConfig, now: () => Date): string | null {
  const given = givenCertificate(config);
  if (given) return described(given.certificate, given.key, now()).pin;
  const path = join(config.folder, CERTIFICATE_FILE);
  return !config.isBehindProxy && existsSync(path) ? hexOf(new X509Certificate(readFileSync(path))) : null;
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

async function selfMade(config: CertificateConfig, now: Date): Promise<ServerCertificate> {
  const { folder } = config;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const [certificatePath, keyPath] = [join(folder, CERTIFICATE_FILE), join(folder, KEY_FILE)];
  if (!existsSync(certificatePath)) await makeCertificate(config, certificatePath, keyPath, now);
  const remedy = `Put the two back from a copy. Or remove both: then a new certificate is made, and every station must be enrolled anew.`;
  try {
    chmodSync(keyPath, 0o600);
    const [certificate, key] = [readFileSync(certificatePath, 'utf8'), readFileSync(keyPath, 'utf8')];
    if (!new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key)))
      throw new Error('they do not belong together');
    const made = described(certificate, key, now);
    return { ...made, warnings: [...made.warnings, ...missingHosts(certificate, config)] };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `${certificatePath} and ${keyPath} cannot be used: ${why}. ${remedy}`;
    throw new AppError('validation_failed', message, { cause });
  }
}

/** The key first: a certificate that is there has its key. */
async function makeCertificate(
  config: CertificateConfig,
  certificatePath: string,
  keyPath: string,
  now: Date,
): Promise<void> {
  // Loaded here, because it is needed once in the life of an installation.
  const { makeSelfMadeCertificate } = await import('./self-made-certificate.ts');
  let privateKey: KeyObject;
  if (existsSync(keyPath)) privateKey = createPrivateKey(readFileSync(keyPath, 'utf8'));
  else {
    ({ privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' }));
    writeDurably(keyPath, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 0o600);
  }
  const notAfter = new Date(now);
  notAfter.setUTCFullYear(now.getUTCFullYear() + YEARS);
  // Clocks of stations differ; a day before now is early enough for those that are slow.
  const notBefore = new Date(now.getTime() - DAY_MS);
  const hosts = [...new Set([...wantedHosts(config), ...ownHosts()])];
  writeDurably(certificatePath, makeSelfMadeCertificate({ privateKey, hosts, notBefore, notAfter }), 0o644);
  syncFolder(config.folder);
}

function writeDurably(path: string, text: string, mode: number): void {
  writeFileSync(`${path}.new`, text, { mode, flush: true });
  renameSync(`${path}.new`, path);
}

/** A new name makes no new certificate, because the stations that know it would be cut off. */
function missingHosts(certificate: string, config: CertificateConfig): string[] {
  const known = new X509Certificate(certificate);
  const missing = wantedHosts(config).filter(host =>
    isIP(host) === 0 ? known.checkHost(host) === undefined : known.checkIP(host) === undefined,
  );
  if (missing.length === 0) return [];
  const names = missing.join(', ');
  return [
    `The certificate in ${join(config.folder, CERTIFICATE_FILE)} does not name ${names}. Stations that know it by its fingerprint do not mind; a browser does. It stays as it is, because a new one has another fingerprint.`,
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

function described(certificate: string, key: string, now: Date): ServerCertificate {
  const parsed = new X509Certificate(certificate);
  const isOver = parsed.validToDate < now;
  const vouchesForItself = parsed.issuer === parsed.subject && parsed.verify(parsed.publicKey);
  return {
    certificate,
    key,
    fingerprint: parsed.fingerprint256,
    pin: vouchesForItself ? hexOf(parsed) : null,
    warnings: isOver
      ? [`The certificate was valid until ${parsed.validTo}: stations refuse it. Give a new one.`]
      : [],
  };
}

function hexOf({ fingerprint256 }: X509Certificate): string {
  return fingerprint256.replaceAll(':', '').toLowerCase();
}
