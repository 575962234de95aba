import type { StoredRecord } from '../../shared/contract/present.ts';
import { families } from '../../shared/families/registry.ts';
import type { Store } from '../store/store.ts';

const DAY_MS = 86_400_000;
const FAMILY = families['audit-review'].name;

/** Until when this installation's trail was looked through; undefined where nobody did. Reviews are few. */
export function lastReview({
  records,
  station,
}: Pick<Store, 'records' | 'station'>): StoredRecord | undefined {
  let last: StoredRecord | undefined;
  // One that a station brought along is about what it noted alone.
  for (const review of records.all(FAMILY))
    if (review.station === station && (!last || untilOf(review) > untilOf(last))) last = review;
  return last;
}

export function untilOf({ fields }: Pick<StoredRecord, 'fields'>): string {
  return String(fields.reviewed_until);
}

/**
 * What to say once the next review is due, so many days after the moment until which the last one looked, or after the first
 * event; null: it is not due yet.
 */
export function reviewSays(
  last: StoredRecord | undefined,
  first: string | undefined,
  days: number,
  now: Date,
): string | null {
  const from = last ? untilOf(last) : first;
  if (days === 0 || from === undefined) return null;
  const due = new Date(Date.parse(from) + days * DAY_MS);
  if (now < due) return null;
  const day = due.toISOString().slice(0, 10);
  return last
    ? `The audit trail is reviewed until ${from.slice(0, 10)}. The next review was due on ${day}.`
    : `Nobody has reviewed the audit trail yet. The first review was due on ${day}.`;
}
