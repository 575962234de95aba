import type { ShownCertificates } from '../../../shared/operations/renewal-operations.ts';
import { fingerprintOf, followersOf, provesTime } from '../../enrolment/certificate-chain.ts';
import { CentralFailure, centralFailureOf } from './central-failure.ts';
import { type Trust, wrongCertificate } from './central-tls.ts';

/** Of what a station keeps of its central: see `EnrolmentData`. */
export interface KnownCertificates {
  certificate: string | null;
  next?: string | undefined;
  former?: string[] | undefined;
}

/** Former certificates that a station remembers, to say what is the matter when it meets one. */
const FORMER_LIMIT = 50;

/** By what a station knows its central: its certificate and the one to come, as they are then; or authorities (PEM text). */
export function trustOf(data: () => KnownCertificates, authorities: string | undefined): Trust {
  return data().certificate === null ? { authorities } : { certificates: () => pinsOf(data()) };
}

/** PEM texts of the certificates by which central is known, the present one first. */
export function pinsOf({ certificate, next }: KnownCertificates): string[] {
  return [certificate, next].filter(one => typeof one === 'string');
}

/** SHA-256 of the same, in hex: by what it knows central, as it tells central. */
export function fingerprintsOf(data: KnownCertificates): string[] {
  return pinsOf(data).map(fingerprintOf);
}

/** Whether central has signed this time, as the answer to this question. */
export function isCentralsTime(data: KnownCertificates, time: Parameters<typeof provesTime>[1]): boolean {
  return provesTime(pinsOf(data), time);
}

/**
 * What a station keeps once it was shown central's certificates; undefined for what it keeps already. Who shows them does
 * not matter: each that is new must be signed by the key of the one before, from the one on that the station knows.
 * @throws CentralFailure `certificate` where they do not lead on from that one to the present one
 */
export function follow<Data extends KnownCertificates>(
  data: Data,
  shown: ShownCertificates,
  host: string,
): Data | undefined {
  const { certificate, next: known, former = [] } = data;
  if (certificate === null) return undefined;
  const followers = followersOf(shown.certificates, fingerprintOf(certificate)) ?? [];
  const at = followers.findIndex(one => fingerprintOf(one) === shown.present);
  const [present, next] = followers.slice(at === -1 ? followers.length : at);
  if (present === undefined) throw notFollowed(former.includes(shown.present), host);
  if (present === certificate && next === known) return undefined;
  const left = followers.slice(0, at).map(fingerprintOf);
  return { ...data, certificate: present, next, former: [...former, ...left].slice(-FORMER_LIMIT) };
}

/** @param isFormer whether it is one that central had before */
function notFollowed(isFormer: boolean, host: string): CentralFailure {
  if (!isFormer) return centralFailureOf(wrongCertificate(), host);
  return new CentralFailure('certificate', `${host}: ${PUT_BACK} Nothing was sent.`);
}

const PUT_BACK =
  'central shows a certificate that it had before it was renewed. Its folder or machine was put back to an earlier state, or somebody has its former key. At central put central.crt, central.key and central.certificates.json back from the newest copy and start it again; if there is none, make a new code there and enrol this station again.';
