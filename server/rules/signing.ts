import type { StoredRecord } from '../../shared/contract/present.ts';
import { families } from '../../shared/families/registry.ts';
import type { UnitOfWork } from '../store/unit-of-work.ts';
import { inputOf } from './input-of.ts';
import type { Reads } from './lot-state.ts';

/** A signature that the signer's password has vouched for, before it is bound to what it signs. */
export interface Signing {
  userId: number;
  userName: string;
  /** As the signer gave it. */
  reason: string | null;
}

/**
 * Binds a signature to the record exactly as the commit leaves it: its version, and the hash of all its fields. In the
 * same commit, so that neither stands without the other.
 */
export function sign(
  work: UnitOfWork,
  before: StoredRecord | undefined,
  record: StoredRecord,
  signing: Signing,
): void {
  const fields = {
    subject: record.key,
    user_id: signing.userId,
    user_name: signing.userName,
    at: work.at,
    meaning: isClosing(before, record) ? 'closing' : 'change',
    reason: signing.reason,
    version: record.version,
    state: record.state,
  };
  work.byServer(() => work.create(families.signature, inputOf(fields)));
}

/** The signatures of a record, oldest first; one is superseded as soon as any field of the record says otherwise. */
export function signaturesOf(records: Reads['records'], record: StoredRecord) {
  const found = records.findBy('signature', 'subject', record.key);
  return found.map(({ id, fields }) => ({
    id,
    user_id: fields.user_id,
    user_name: fields.user_name,
    at: fields.at,
    meaning: fields.meaning,
    reason: fields.reason ?? null,
    version: fields.version,
    state: fields.state,
    is_superseded: fields.state !== record.state,
  }));
}

/** A verdict that ends the work on a record: an NCR's status, an inspection's or a complaint's mark, a CAR's day. */
function isClosing(before: StoredRecord | undefined, { fields }: StoredRecord): boolean {
  const isClosed = (of: Record<string, unknown>) =>
    of.status === 'closed' ||
    of.is_closed === true ||
    typeof of.passed === 'boolean' ||
    Boolean(of.date_closed);
  return isClosed(fields) && !isClosed(before?.fields ?? {});
}
