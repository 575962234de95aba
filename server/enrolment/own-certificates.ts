import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../shared/contract/errors.ts';
import {
  CHAIN_LIMIT,
  type ChainLink,
  chainLinkSchema,
  type ShownCertificates,
} from '../../shared/operations/renewal-operations.ts';
import { syncFolder } from '../store/marks.ts';
import { fingerprintOf, signFollower } from './certificate-chain.ts';

/** Of the data folder. The last two are there while a renewal is under way, or since the first one. */
const FILES = {
  certificate: 'central.crt',
  key: 'central.key',
  nextKey: 'central.next.key',
  chain: 'central.certificates.json',
};
const YEARS = 10;
const DAY_MS = 86_400_000;

const renewalSchema = z.object({
  announced_at: z.iso.datetime(),
  /** At the latest. */
  goes_over_at: z.iso.datetime(),
  is_once_heard: z.boolean(),
});

/** All of a renewal but the keys. It is replaced at once, and says what the other files have to become. */
const chainSchema = z.object({
  certificates: z.array(chainLinkSchema).min(1),
  /** Which of them central speaks with. */
  present: z.int().min(0),
  /** That the one after the present one is announced. */
  renewal: renewalSchema.nullable(),
});
type Chain = z.infer<typeof chainSchema>;

export type Renewal = z.infer<typeof renewalSchema>;

export interface OwnCertificatesOptions {
  /** The data folder. */
  folder: string;
  /** Host names and addresses that a certificate names, where the one before has these names. */
  hosts: (known: string[]) => string[];
  now: () => Date;
}

/**
 * The certificate that a central made for itself, those before it, and the one to come. A private key is never in the same
 * file as anything else, and a former one is not kept. Each step can be cut off: the next start completes it.
 */
export class OwnCertificates {
  readonly #options: OwnCertificatesOptions;
  #chain: Chain;
  #key: string;
  /** What a person should know of the files, in sentences. */
  readonly warnings: string[];
  readonly #listeners = new Set<() => void>();

  private constructor(options: OwnCertificatesOptions, { chain, key, warnings }: Found) {
    this.#options = options;
    this.#chain = chain;
    this.#key = key;
    this.warnings = warnings;
  }

  static isThere(folder: string): boolean {
    return existsSync(join(folder, FILES.certificate)) || existsSync(join(folder, FILES.chain));
  }

  /**
   * Makes the first certificate where there is none.
   * @throws AppError that names the files, and the remedy, where they cannot be used
   */
  static async open(options: OwnCertificatesOptions): Promise<OwnCertificates> {
    const { folder } = options;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const [path, keyPath] = [join(folder, FILES.certificate), join(folder, FILES.key)];
    if (!OwnCertificates.isThere(folder)) await makeFirst(options, path, keyPath);
    try {
      return new OwnCertificates(options, find(folder));
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const message = `${path} and ${keyPath} cannot be used: ${why}. Put the two back from a copy. Or remove both, and ${FILES.chain}: then a new certificate is made, and every station must be enrolled anew.`;
      throw new AppError('validation_failed', message, { cause });
    }
  }

  /** PEM texts of what central speaks with. */
  get present(): { certificate: string; key: string } {
    return { certificate: linkAt(this.#chain, this.#chain.present).certificate, key: this.#key };
  }

  /** The one to come; undefined while none is announced. */
  get next(): (Renewal & { certificate: string }) | undefined {
    const { renewal, present } = this.#chain;
    return renewal ? { ...renewal, certificate: linkAt(this.#chain, present + 1).certificate } : undefined;
  }

  /** What is shown to who knows a former one, and announced to all. */
  get shown(): ShownCertificates {
    return { certificates: this.#chain.certificates, present: fingerprintOf(this.present.certificate) };
  }

  /** Calls `listener` when central has gone over. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Makes the next certificate; while one is announced, only changes when central goes over to it. */
  async announce(renewal: Omit<Renewal, 'announced_at'>): Promise<void> {
    const { certificates, present, renewal: known } = this.#chain;
    if (known) return this.#keep({ ...this.#chain, renewal: { ...known, ...renewal } });
    const certificate = await this.#makeNext();
    const signature = signFollower(this.present.certificate, this.#key, certificate);
    const grown = [...certificates, { certificate, signature }].slice(-CHAIN_LIMIT);
    const shift = certificates.length + 1 - grown.length;
    const announced_at = this.#options.now().toISOString();
    this.#keep({ certificates: grown, present: present - shift, renewal: { announced_at, ...renewal } });
  }

  /** Speaks with the announced certificate from now on. The former key is gone then. */
  goOver(): void {
    const { certificates, present, renewal } = this.#chain;
    if (renewal) this.#turnTo({ certificates, present: present + 1, renewal: null });
  }

  /** Speaks with a new certificate that no former one vouches for: whoever knows the former key leads nobody to it. */
  async breakChain(): Promise<void> {
    const certificate = await this.#makeNext();
    this.#turnTo({ certificates: [{ certificate, signature: null }], present: 0, renewal: null });
  }

  #keep(chain: Chain): void {
    const { folder } = this.#options;
    writeDurably(join(folder, FILES.chain), `${JSON.stringify(chain, null, 2)}\n`, 0o644);
    syncFolder(folder);
    this.#chain = chain;
  }

  /** The file of the chain decides; what follows can be cut off. */
  #turnTo(chain: Chain): void {
    this.#keep(chain);
    this.#key = find(this.#options.folder).key;
    for (const listener of this.#listeners) listener();
  }

  /** Its key replaces one that was made for a certificate that nobody heard of, or is not to hear of any more. */
  async #makeNext(): Promise<string> {
    const { folder } = this.#options;
    const privateKey = newKey();
    // Of a renewal that is broken off, the certificate goes before its key.
    const { certificates, present, renewal } = this.#chain;
    if (renewal) this.#keep({ certificates: certificates.slice(0, present + 1), present, renewal: null });
    writeDurably(join(folder, FILES.nextKey), pemOf(privateKey), 0o600);
    syncFolder(folder);
    // A command is not told all names by which a server is started.
    return makeCertificate(privateKey, this.#options, namesOf(this.present.certificate));
  }
}

interface Found {
  chain: Chain;
  /** Of the present certificate. */
  key: string;
  warnings: string[];
}

/** What the files say; what a stop in the middle has left undone is done. Throws where they do not belong together. */
function find(folder: string): Found {
  const pathOf = (name: keyof typeof FILES) => join(folder, FILES[name]);
  const read = (name: keyof typeof FILES) =>
    existsSync(pathOf(name)) ? readFileSync(pathOf(name), 'utf8') : undefined;
  const chainText = read('chain');
  const chain = chainText === undefined ? undefined : chainSchema.parse(JSON.parse(chainText));
  const [certificate, key, nextKey] = [read('certificate'), read('key'), read('nextKey')];
  const wanted = chain && linkAt(chain, chain.present).certificate;
  if (chain && wanted !== undefined) {
    const isTurned = key !== undefined && isPair(wanted, key);
    if (!isTurned && nextKey !== undefined && isPair(wanted, nextKey))
      renameSync(pathOf('nextKey'), pathOf('key'));
    const turnedKey = read('key');
    if (turnedKey !== undefined && isPair(wanted, turnedKey)) {
      if (certificate !== wanted) writeDurably(pathOf('certificate'), wanted, 0o644);
      if (chain.renewal === null) rmSync(pathOf('nextKey'), { force: true });
      syncFolder(folder);
      chmodSync(pathOf('key'), 0o600);
      return { key: turnedKey, ...withItsNextKey(chain, read('nextKey')) };
    }
  }
  if (certificate === undefined || key === undefined) throw new Error('one of them is missing');
  if (!isPair(certificate, key)) throw new Error('they do not belong together');
  chmodSync(pathOf('key'), 0o600);
  return { key, ...earlier(chain?.certificates ?? [], certificate) };
}

/** An announced certificate whose key is gone is none any more. */
function withItsNextKey(chain: Chain, nextKey: string | undefined): Omit<Found, 'key'> {
  const { certificates, present, renewal } = chain;
  const next = certificates[present + 1]?.certificate;
  if (renewal && next !== undefined && nextKey !== undefined && isPair(next, nextKey))
    return { chain, warnings: [] };
  const warnings = renewal
    ? [`${FILES.nextKey} is gone: the certificate that was announced is given up. Renew again.`]
    : [];
  return { chain: { certificates: certificates.slice(0, present + 1), present, renewal: null }, warnings };
}

/** A certificate and key that somebody put there: one that was, or a foreign one. */
function earlier(certificates: readonly ChainLink[], certificate: string): Omit<Found, 'key'> {
  const at = certificates.findIndex(one => fingerprintOf(one.certificate) === fingerprintOf(certificate));
  const warnings =
    certificates.length === 0
      ? []
      : [
          `${FILES.certificate} is not the certificate that ${FILES.chain} says was the last: stations that have gone over to that one refuse this one. Put the last ${FILES.certificate} and ${FILES.key} back from a copy, or give those stations new codes.`,
        ];
  const kept = at === -1 ? [{ certificate, signature: null }] : certificates.slice(0, at + 1);
  return { chain: { certificates: kept, present: kept.length - 1, renewal: null }, warnings };
}

function linkAt({ certificates }: Chain, index: number): ChainLink {
  const link = certificates[index];
  if (!link) throw new Error(`${FILES.chain} names a certificate that it does not have`);
  return link;
}

function isPair(certificate: string, key: string): boolean {
  return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
}

/** The key first: a certificate that is there has its key. */
async function makeFirst(options: OwnCertificatesOptions, path: string, keyPath: string): Promise<void> {
  const known = existsSync(keyPath) ? createPrivateKey(readFileSync(keyPath, 'utf8')) : undefined;
  const privateKey = known ?? newKey();
  if (!known) writeDurably(keyPath, pemOf(privateKey), 0o600);
  writeDurably(path, await makeCertificate(privateKey, options), 0o644);
  syncFolder(options.folder);
}

async function makeCertificate(
  privateKey: KeyObject,
  { hosts, now: clock }: OwnCertificatesOptions,
  known: string[] = [],
): Promise<string> {
  // Loaded here, because it is needed once in ten years.
  const { makeSelfMadeCertificate } = await import('./self-made-certificate.ts');
  const now = clock();
  const notAfter = new Date(now);
  notAfter.setUTCFullYear(now.getUTCFullYear() + YEARS);
  // Clocks of browsers differ; a day before now is early enough for those that are slow.
  const notBefore = new Date(now.getTime() - DAY_MS);
  return makeSelfMadeCertificate({ privateKey, hosts: hosts(known), notBefore, notAfter });
}

function namesOf(certificate: string): string[] {
  const { subjectAltName = '' } = new X509Certificate(certificate);
  return [...subjectAltName.matchAll(/DNS:([^\s,]+)/g)].flatMap(([, name]) => name ?? []);
}

function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function writeDurably(path: string, text: string, mode: number): void {
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, text, { mode, flush: true });
  renameSync(`${path}.new`, path);
}
