import type { Deed } from './trust-cases.ts';
import type { Scene, TrustSite, Who } from './trust-site.ts';

/** Sends a deed's requests one after the other, up to the first that is refused; the statuses of the answers. */
export async function tryDeed(
  site: TrustSite,
  deed: Deed,
  scene: Scene,
  who: Who,
  hasReason: boolean,
): Promise<number[]> {
  const statuses: number[] = [];
  for (const [method, path, body] of deed.requests(scene)) {
    const isPlain = !hasReason || Array.isArray(body) || 'reason' in body;
    const sent = isPlain ? body : { ...body, reason: 'so it was agreed' };
    const { status } = await site.send(who, [method, path, sent]);
    statuses.push(status);
    if (status >= 300) break;
  }
  return statuses;
}
