import { hash } from 'node:crypto';
import { canonicalJson } from '../../shared/contract/canonical-json.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import {
  type CertificateBasis,
  type CertificateContent,
  type CertificateState,
  certificateBasisSchema,
  certificateContentSchema,
} from '../../shared/families/certificate.ts';
import type { Fields } from '../store/changes.ts';
import { locksOf, type Reads } from './lot-state.ts';

/** By the lot itself, else by its number where that named this part's lots when the result was written. */
export function labResultsOf({ records }: Pick<Reads, 'records'>, lot: StoredRecord): StoredRecord[] {
  const { batch_number: batch, part_id: part } = lot.fields;
  const own = records.findBy('lab-result', 'inventory_id', lot.id);
  const byNumber =
    typeof batch === 'string' && batch !== '' ? records.findBy('lab-result', 'batch_number', batch) : [];
  const others = byNumber.filter(
    ({ fields }) => typeof fields.inventory_id !== 'number' && fields.batch_part_id === part,
  );
  return [...own, ...others].sort((a, b) => a.id - b.id);
}

/**
 * What a certificate of the lot rests on: the lot, its results and inspections, and the reports about it. Each with its
 * version and when that was written, which are the same on every machine and stay so when ids move.
 */
export function basisOf(reads: Pick<Reads, 'records'>, lot: StoredRecord): CertificateBasis[] {
  const { records } = reads;
  const found = [
    lot,
    ...labResultsOf(reads, lot),
    ...records.findBy('inspection', 'inventory_id', lot.id),
    ...records.findBy('ncr', 'inventory_id', lot.id),
  ];
  return found.map(({ key, version, updated_at: at }) => ({ subject: key, version, at }));
}

/** The SHA-256, as hexadecimal digits, of what a certificate says. */
export function digestOf(content: Record<keyof CertificateContent, unknown>): string {
  return hash('sha256', canonicalJson(content));
}

/** What the certificate says; undefined where that is not what its digest was made of. */
export function issuedContent({ fields }: Pick<StoredRecord, 'fields'>): CertificateContent | undefined {
  const { success, data } = certificateContentSchema.safeParse(fields);
  return success && digestOf(data) === fields.digest ? data : undefined;
}

/** What a certificate is now, beside what it was issued as. */
export interface CertificateStanding {
  state: CertificateState;
  /** Keys of records. */
  changed: string[];
  withdrawn_at: string | null;
  withdrawn_by: string | null;
  withdrawal_reason: string | null;
}

export function standingOf(reads: Reads, certificate: StoredRecord): CertificateStanding {
  const withdrawal = withdrawalOf(reads, certificate);
  const changed = changedSince(reads, certificate.fields);
  const state = () => {
    if (!issuedContent(certificate)) return 'damaged';
    if (withdrawal) return 'withdrawn';
    if (isImported(certificate)) return 'imported';
    return changed.length > 0 ? 'changed' : 'valid';
  };
  return {
    state: state(),
    changed,
    withdrawn_at: textOr(withdrawal?.fields.at),
    withdrawn_by: textOr(withdrawal?.fields.withdrawer_name ?? withdrawal?.fields.withdrawer),
    withdrawal_reason: textOr(withdrawal?.fields.reason),
  };
}

/** The first one: of a certificate that two stations withdrew there are two. */
export function withdrawalOf(
  { records }: Pick<Reads, 'records'>,
  { id }: Pick<StoredRecord, 'id'>,
): StoredRecord | undefined {
  const [first] = records
    .findBy('certificate-withdrawal', 'certificate_id', id)
    .toSorted((a, b) => String(a.fields.at).localeCompare(String(b.fields.at)) || a.id - b.id);
  return first;
}

/**
 * A certificate is issued by the author of its commit in the moment of that commit: what an import put back, or somebody
 * wrote in another's name, is not what it says.
 */
export function isImported({ fields, created_at: writtenAt, user }: StoredRecord): boolean {
  return fields.issued_at !== writtenAt || fields.issuer !== user;
}

function changedSince(reads: Reads, { inventory_id: id, basis }: Fields): string[] {
  const lot = typeof id === 'number' ? reads.records.get('inventory', id) : undefined;
  const then = new Map(basisIn(basis).map(each => [each.subject, each]));
  const now = new Map(lot ? basisOf(reads, lot).map(each => [each.subject, each]) : []);
  const isSame = (subject: string) => {
    const [old, present] = [then.get(subject), now.get(subject)];
    return old?.version === present?.version && old?.at === present?.at;
  };
  const differing = [...new Set([...then.keys(), ...now.keys()])].filter(subject => !isSame(subject));
  const locking = lot ? locksOf(reads, lot).map(({ source }) => source) : [];
  return [...new Set([...differing, ...locking])];
}

function basisIn(basis: unknown): CertificateBasis[] {
  return certificateBasisSchema.safeParse(basis).data ?? [];
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
