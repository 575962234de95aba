import type { Store } from '../store/store.ts';
import { lastReview, untilOf } from './reviews.ts';

const WEEK_MS = 7 * 86_400_000;
/** Told of at most, a sentence each. */
const TOLD = 5;

/** Whose passwords were tried from many places within the week, and not before the last review of the audit trail; null: nobody's. */
export function incidentsSay(store: Pick<Store, 'records' | 'station'>, now: Date): string | null {
  const events = store.records.findBy('audit-event', 'kind', 'sign_in_attacked');
  if (events.length === 0) return null;
  const review = lastReview(store);
  const week = new Date(now.getTime() - WEEK_MS).toISOString();
  const since = review && untilOf(review) > week ? untilOf(review) : week;
  const says = events.flatMap(({ fields: { at, details } }) => {
    const { login = '?' }: { login?: unknown } = Object(details);
    return typeof at === 'string' && at > since
      ? `Wrong passwords for "${login}" came from many places on ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC.`
      : [];
  });
  return says.length > 0 ? says.slice(-TOLD).reverse().join('\n') : null;
}
