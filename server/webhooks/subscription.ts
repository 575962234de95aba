import { z } from 'zod';
import {
  CHANGE_KINDS,
  PAUSE_CAUSES,
  WEBHOOK_ALGORITHMS,
} from '../../shared/operations/webhook-operations.ts';

/** What the table keeps of a webhook, as JSON. Times are ISO 8601, UTC. */
const subscriptionSchema = z.object({
  name: z.string(),
  url: z.string(),
  families: z.array(z.string()).nullable(),
  kinds: z.array(z.enum(CHANGE_KINDS)).nullable(),
  algorithm: z.enum(WEBHOOK_ALGORITHMS),
  /** The present one first: sealed (`SecretBox`), when it was made, and until when it signs; null: it is the present one. */
  secrets: z.array(z.object({ box: z.string(), at: z.string(), until: z.string().nullable() })).min(1),
  created_at: z.string(),
  created_by: z.string(),
  paused: z.object({ cause: z.enum(PAUSE_CAUSES), at: z.string(), by: z.string().nullable() }).nullable(),
});
export type Subscription = z.infer<typeof subscriptionSchema>;

export function readSubscription(text: string): Subscription {
  return subscriptionSchema.parse(JSON.parse(text));
}

/** Boxes of the secrets that sign now, the present one first. */
export function signingBoxes({ secrets }: Subscription, now: string): string[] {
  return secrets.flatMap(({ box, until }) => (until === null || until > now ? box : []));
}

/** What people may read of an address everywhere: what stands in its query may be a secret of the receiver. */
export function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
