import { X509Certificate } from 'node:crypto';
import { AppError, invalid } from '../../shared/contract/errors.ts';
import type {
  CentralCertificate,
  RenewalRequest,
  ShownCertificates,
} from '../../shared/operations/renewal-operations.ts';
import type { Store } from '../store/store.ts';
import { readLocal, writeLocal } from '../store/tables.ts';
import { type Certificates, isEnding, type ServerCertificate } from './certificate.ts';
import { fingerprintOf, signTime } from './certificate-chain.ts';
import type { OwnCertificates } from './own-certificates.ts';
import type { StationSummary, Stations } from './stations.ts';

const DAY_MS = 86_400_000;
/** By itself central goes over after so many days, heard of or not: stations that were away follow by the chain. */
const LATEST_DAYS = 30;
const LOOK_MS = 5_000;

/** In `local`: by the ids of stations, the fingerprint of the last certificate that they said they know. */
const HEARD = 'heard_certificates';

export interface RenewalOptions {
  certificates: Certificates;
  isCentral: boolean;
  store: Pick<Store, 'gate' | 'database'>;
  stations: Pick<Stations, 'list'>;
  clock: () => Date;
  /** The stations are to ask what is new. */
  tellStations: () => void;
  onFault: (error: unknown) => void;
}

export type CentralRenewal = ReturnType<typeof createRenewal>;

/** How central's certificate is renewed: announced to its stations, and gone over to. */
export function createRenewal(options: RenewalOptions) {
  const { certificates, isCentral, store, stations, clock, tellStations, onFault } = options;
  certificates.own?.onChange(tellStations);
  const { own } = certificates;
  let timer: NodeJS.Timeout | undefined;

  const heard = (): Record<string, string> => JSON.parse(readLocal(store.database.reader, HEARD) ?? '{}');

  /** Valid stations that do not know the next certificate yet. */
  function notHeard(next: string): StationSummary[] {
    const known = heard();
    const fingerprint = fingerprintOf(next);
    return stations.list().filter(({ id, revoked_at }) => revoked_at === null && known[id] !== fingerprint);
  }

  function goOverIfDue(): void {
    const next = own?.next;
    if (!own || !next) return;
    const isDue = Date.parse(next.goes_over_at) <= clock().getTime();
    if (isDue || (next.is_once_heard && notHeard(next.certificate).length === 0)) own.goOver();
  }

  /** @throws AppError `conflict` where the certificate is not central's own */
  function requireOwn(): OwnCertificates {
    if (!isCentral) throw new AppError('conflict', AT_STATION);
    if (own) return own;
    throw new AppError('conflict', certificates.present() ? GIVEN : PLAIN);
  }

  /** @throws AppError `not_found` at a station */
  function read(): CentralCertificate {
    if (!isCentral) throw new AppError('not_found', AT_STATION);
    const present = certificates.present();
    const next = own?.next;
    const following = next && {
      fingerprint: colons(next.certificate),
      valid_until: endOf(next.certificate),
      announced_at: next.announced_at,
      goes_over_at: next.goes_over_at,
      is_once_heard: next.is_once_heard,
      not_heard: notHeard(next.certificate).map(({ id, name, last_seen_at }) => ({ id, name, last_seen_at })),
    };
    return {
      origin: own ? 'own' : present ? 'given' : 'none',
      fingerprint: present?.fingerprint ?? null,
      valid_until: present?.validUntil.toISOString() ?? null,
      is_ending: ending() !== null,
      says: following ? saysNext(following) : (ending() ?? saysPresent(present)),
      next: following ?? null,
    };
  }

  /** What to tell people of a certificate that ends within 60 days, or has ended; null: nothing. */
  function ending(): string | null {
    const present = certificates.present();
    if (!isCentral || !present || own?.next || !isEnding(present.validUntil, clock())) return null;
    const remedy = own ? 'Renew it: Setup, Stations.' : GIVEN_REMEDY;
    const verb = present.validUntil < clock() ? 'ended' : 'ends';
    return `Central's certificate ${verb} at ${present.validUntil.toISOString()}. ${remedy}`;
  }

  /**
   * Announces the next certificate, says when central goes over to it, or goes over.
   * @throws AppError `conflict` where there is nothing to renew, 422 on `goes_over_at`
   */
  async function renew({ goes_over_at: at, now, compromised }: RenewalRequest): Promise<CentralCertificate> {
    const certificate = requireOwn();
    if (compromised) {
      if (at !== undefined)
        throw invalid({ goes_over_at: ['A key that others may know is not kept: leave the time out.'] });
      await certificate.breakChain();
      return read();
    }
    if (at !== undefined && now)
      throw invalid({ goes_over_at: ['Give a time, or go over at once, not both.'] });
    const moment = clock().getTime();
    const end = Date.parse(endOf(certificate.present.certificate));
    const last = end > moment ? end : Number.POSITIVE_INFINITY;
    if (at !== undefined && Date.parse(at) <= moment)
      throw invalid({ goes_over_at: [`${at} is over at central. Give a time to come.`] });
    if (at !== undefined && Date.parse(at) > last) {
      const until = new Date(last).toISOString();
      throw invalid({ goes_over_at: [`The present certificate ends at ${until}. Give a time before that.`] });
    }
    const latest = new Date(at ?? Math.min(moment + LATEST_DAYS * DAY_MS, last)).toISOString();
    await certificate.announce({ goes_over_at: latest, is_once_heard: at === undefined });
    tellStations();
    if (now) certificate.goOver();
    else goOverIfDue();
    return read();
  }

  /** What stands beside an answer to a station that said which certificates it knows; nothing where it knows them all. */
  function toldTo(known: readonly string[] | undefined): ShownCertificates | undefined {
    if (!own || known === undefined) return undefined;
    const next = own.next;
    const wanted = [own.shown.present, ...(next ? [fingerprintOf(next.certificate)] : [])];
    return wanted.join() === known.join() ? undefined : own.shown;
  }

  /** A station says by which certificates it would know central; the last one is the newest. */
  async function noteHeard(station: number, known: readonly string[] | undefined): Promise<void> {
    const newest = known?.at(-1);
    if (!own || newest === undefined || heard()[station] === newest) return;
    await store.gate.together(async () => {
      writeLocal(store.database, HEARD, JSON.stringify({ ...heard(), [station]: newest }));
    });
    goOverIfDue();
  }

  /** Whether a station knows the next certificate; null while there is none. */
  function hasHeard(station: number): boolean | null {
    const next = own?.next;
    return next ? heard()[station] === fingerprintOf(next.certificate) : null;
  }

  /** What changes when people are to look again. */
  function standing(): unknown {
    const next = own?.next;
    return own && [own.shown.present, next, next && notHeard(next.certificate).map(({ id }) => id)];
  }

  /** Central's signature of its time, for the question that it answers; undefined with plain HTTP. */
  function signedTime(request: string, time: string): string | undefined {
    const present = certificates.present();
    return present && present.pin !== null ? signTime(present.key, request, time) : undefined;
  }

  return {
    read,
    renew,
    ending,
    toldTo,
    noteHeard,
    hasHeard,
    standing,
    signedTime,

    /** @throws AppError `not_found` where central is not known by a certificate of its own */
    shown(): ShownCertificates {
      if (own) return own.shown;
      throw new AppError('not_found', 'This server has no certificate that others follow.');
    },

    /** Goes over at its time, until `close`. */
    start(): void {
      timer = setInterval(() => {
        try {
          goOverIfDue();
        } catch (error) {
          onFault(error);
        }
      }, LOOK_MS).unref();
    },

    close(): void {
      clearInterval(timer);
    },
  };
}

function saysPresent(present: ServerCertificate | undefined): string {
  return present
    ? `Central's certificate is valid until ${present.validUntil.toISOString()}.`
    : 'Central speaks plain HTTP: on this machine only, or behind a proxy that has the certificate.';
}

function saysNext({
  goes_over_at,
  is_once_heard,
  not_heard,
}: NonNullable<CentralCertificate['next']>): string {
  const when = is_once_heard
    ? `as soon as every station has heard of it, at ${goes_over_at} at the latest`
    : `at ${goes_over_at}`;
  const names = not_heard.map(({ name }) => name);
  const who = names.length === 0 ? 'Every station has.' : `Not yet: ${names.join(', ')}.`;
  return `The next certificate is announced. Central goes over to it ${when}; until then both hold. ${who} Stations that come later follow by themselves.`;
}

function endOf(certificate: string): string {
  return new X509Certificate(certificate).validToDate.toISOString();
}

function colons(certificate: string): string {
  return (fingerprintOf(certificate).match(/../g) ?? []).join(':').toUpperCase();
}

const AT_STATION = 'This installation is no central. The certificate is renewed there.';
const GIVEN_REMEDY = 'It was given by HOLDPOINT_CERTIFICATE: put a new one there and start central again.';
const GIVEN = `Central renews what it made itself. This certificate was given by HOLDPOINT_CERTIFICATE: put a new one there and start central again.`;
const PLAIN =
  'Central speaks plain HTTP: there is no certificate to renew. Set HOLDPOINT_HOST to an address that others reach, or renew that of the proxy.';
